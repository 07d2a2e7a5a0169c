//! Length and power of a whole cable or bar.

use super::{Sensor, Slopes, View};
use crate::element::{Bar, LaidStrand};
use crate::scene::Scene;

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrandReading {
    /// The length along all its elements.
    Length,
    /// Its rate.
    Rate,
    /// The power that its tension gives to the points it pulls: negative while it is stretched.
    Power,
}

/// Reads all elements of a cable or bar together.
#[derive(Clone, Debug)]
pub struct StrandSensor {
    elements: Vec<Bar>,
    /// The nodes from one end to the other: each element is between two neighbours.
    nodes: Vec<usize>,
    reading: StrandReading,
}

impl StrandSensor {
    /// Reads a cable or bar.
    pub fn new(laid: &LaidStrand, reading: StrandReading) -> Self {
        StrandSensor {
            elements: laid.elements.clone(),
            nodes: laid.nodes.iter().map(|marker| marker.node).collect(),
            reading,
        }
    }

    /// Each element with what it sees and the number of its first node.
    fn each<'a>(&'a self, view: View<'a>) -> impl Iterator<Item = (usize, &'a Bar, Scene<'a>)> {
        let Scene { world, nodes } = view.scene;
        let elements = self.elements.iter().enumerate();
        elements.map(move |(k, bar)| (k, bar, Scene { world, nodes: &nodes[k..k + 2] }))
    }
}

impl Sensor for StrandSensor {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn value(&mut self, view: View) -> f64 {
        let one = |(_, bar, scene): (usize, &Bar, Scene)| {
            let [length, rate] = bar.length_and_rate(scene);
            match self.reading {
                StrandReading::Length => length,
                StrandReading::Rate => rate,
                StrandReading::Power => -bar.tension(scene) * rate,
            }
        };
        self.each(view).map(one).sum()
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        for (first, bar, scene) in self.each(view) {
            let [_, rate] = bar.length_and_rate(scene);
            let tension = bar.tension(scene);
            let (lengths, tensions) = (bar.length_slopes(scene), bar.tension_slopes(scene));
            for slot in 0..2 {
                let [length, rate_by_place] = lengths[slot];
                let [tension_by_place, tension_by_velocity] = tensions[slot];
                let (increment, velocity) =
                    (&mut slopes.increment[first + slot], &mut slopes.velocity[first + slot]);
                match self.reading {
                    StrandReading::Length => *increment += length,
                    StrandReading::Rate => {
                        *increment += rate_by_place;
                        *velocity += length;
                    }
                    StrandReading::Power => {
                        *increment -= tension_by_place * rate + rate_by_place * tension;
                        *velocity -= tension_by_velocity * rate + length * tension;
                    }
                }
            }
        }
    }
}
