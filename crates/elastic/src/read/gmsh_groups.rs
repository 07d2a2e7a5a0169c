//! Physical groups of Gmsh: their names, and in version 4.1 the entities they are made of.

use crate::error::MeshError;
use crate::read::gmsh::Part;
use std::collections::HashMap;

/// Physical groups by dimension and number.
#[derive(Default)]
pub(super) struct Groups {
    names: HashMap<(usize, u64), String>,
    entities: HashMap<(usize, i64), u64>,
}

impl Groups {
    pub(super) fn read_names(&mut self, file: &str, part: &mut Part) -> Result<(), MeshError> {
        part.line(file, 1, "the number of names")?;
        while part.has_more() {
            let line = part.line(file, 3, "the name of a group")?;
            let dimension = line[0].label(file, "the dimension")? as usize;
            let number = line[1].label(file, "the number of the group")?;
            let words: Vec<&str> = line[2..].iter().map(|word| word.text).collect();
            let name = words.join(" ").trim_matches('"').to_owned();
            self.names.insert((dimension, number), name);
        }
        Ok(())
    }

    pub(super) fn read_entities(&mut self, file: &str, part: &mut Part) -> Result<(), MeshError> {
        let counts = part.line(file, 4, "the numbers of entities")?;
        for dimension in 0..4 {
            for _ in 0..counts[dimension].label(file, "the number of entities")? {
                // points have one position, the others a box
                let coordinates = if dimension == 0 { 3 } else { 6 };
                let line = part.line(file, 2 + coordinates, "an entity")?;
                let entity: i64 = line[0].text.parse().unwrap_or(0);
                let groups = line[1 + coordinates].label(file, "the number of groups")?;
                if groups > 0 && line.len() > 2 + coordinates {
                    let group: i64 = line[2 + coordinates].text.parse().unwrap_or(0);
                    self.entities.insert((dimension, entity), group.unsigned_abs());
                }
            }
        }
        Ok(())
    }

    pub(super) fn of_entity(&self, dimension: usize, entity: i64) -> Option<u64> {
        self.entities.get(&(dimension, entity)).copied()
    }

    /// The name of a group; its number if it has none.
    pub(super) fn name(&self, dimension: usize, group: u64) -> String {
        self.names.get(&(dimension, group)).cloned().unwrap_or_else(|| group.to_string())
    }
}
