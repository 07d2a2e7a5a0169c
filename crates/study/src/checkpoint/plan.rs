//! What is run, so that `resume` needs to be told nothing but the directory.

use super::interval::Interval;
use rotula_mechanics::error::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A run that may be gone on with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The program that began it: numbers of another version may differ.
    pub program: String,
    /// The model file as the user named it.
    pub name: String,
    /// Where it is, wherever the run is gone on with.
    pub model: PathBuf,
    /// Values replaced in it.
    pub set: Vec<(String, String)>,
    /// How often a checkpoint is written.
    pub interval: Interval,
    /// The model and all files that it names.
    pub inputs: Vec<Input>,
    /// Options of the program that concern the results.
    pub options: serde_json::Value,
}

/// A file as it was when the run began.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Input {
    /// Where it is.
    pub path: PathBuf,
    /// Its length in bytes.
    pub length: usize,
    /// Its checksum.
    pub checksum: u32,
}

impl Input {
    fn read(path: &Path) -> Option<(Input, Vec<u8>)> {
        let bytes = std::fs::read(path).ok()?;
        let checksum = crc32fast::hash(&bytes);
        Some((Input { path: path.to_owned(), length: bytes.len(), checksum }, bytes))
    }
}

/// A model file, the files that it names between quotes, and the files that these name.
pub fn inputs(model: &Path, set: &[(String, String)]) -> Vec<Input> {
    let mut found = BTreeSet::new();
    visit(model, &mut found);
    for (_, value) in set {
        named(model, value.trim_matches(['"', '\'']))
            .iter()
            .for_each(|file| visit(file, &mut found));
    }
    found.into_iter().collect()
}

fn visit(path: &Path, found: &mut BTreeSet<Input>) {
    let Some((input, bytes)) = Input::read(path) else { return };
    if !found.insert(input) {
        return;
    }
    // meshes and archives name nothing
    let Ok(text) = std::str::from_utf8(&bytes) else { return };
    for quote in ['"', '\''] {
        let words = text.lines().flat_map(|line| line.split(quote).skip(1).step_by(2));
        words.filter_map(|word| named(path, word)).for_each(|file| visit(&file, found));
    }
}

/// The file that a word in another file names, if there is one.
fn named(by: &Path, word: &str) -> Option<PathBuf> {
    let word = word.strip_prefix("file://").unwrap_or(word);
    let name = match word.strip_prefix("package://") {
        Some(rest) => rest.split_once('/')?.1,
        None => word,
    };
    if name.is_empty() || name.len() > 1000 {
        return None;
    }
    let path = by.parent().unwrap_or(Path::new("")).join(name);
    path.is_file().then_some(path)
}

impl Plan {
    /// Reads the plan of a directory of results.
    pub fn read(directory: &Path) -> Result<Plan, Refusal> {
        let path = super::folder(directory).join("run.json");
        let text = std::fs::read_to_string(&path).map_err(|_| {
            Refusal::new(
                format!("{}: there is no unfinished run here", directory.display()),
                "name the directory of results of a run that was begun with `--checkpoint`",
            )
        })?;
        serde_json::from_str(&text).map_err(|error| {
            let what = format!("{}: this is not the plan of a run: {error}", path.display());
            Refusal::new(what, "start the run anew")
        })
    }

    /// Whether two plans lead to the same numbers; how often they are kept does not matter.
    pub(super) fn same_run(&self, other: &Plan) -> bool {
        Plan { interval: other.interval, ..self.clone() } == *other
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), Refusal> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        super::store::replace(&folder.join("run.json"), text.as_bytes())
    }

    /// Refuses to go on with another program or changed files, which would give another motion.
    pub fn refuse_changes(&self, directory: &Path, program: &str) -> Result<(), Refusal> {
        let remedy = |first: &str| {
            let folder = super::folder(directory);
            format!("{first}, or remove {} and start the run anew", folder.display())
        };
        if self.program != program {
            let began = &self.program;
            let remedy = remedy("use that version");
            let what = format!("the run was begun by {began}, and this is {program}");
            return Err(Refusal::new(what, remedy));
        }
        for input in &self.inputs {
            let path = input.path.display();
            match Input::read(&input.path) {
                None => {
                    let remedy = remedy("put it back");
                    return Err(Refusal::new(
                        format!("{path}: this file of the model is gone"),
                        remedy,
                    ));
                }
                Some((now, _)) if now != *input => {
                    let remedy = remedy("restore it");
                    let what = format!("{path}: this file has changed since the run began");
                    return Err(Refusal::new(what, remedy));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::inputs;

    #[test]
    fn the_files_of_a_model_are_found_through_each_other() {
        let folder = std::env::temp_dir().join(format!("rotula-inputs-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("meshes")).unwrap();
        let model = folder.join("model.toml");
        std::fs::write(&model, "[import]\nfile = \"arm.urdf\" # no 'such.file'\n").unwrap();
        let urdf = "<mesh filename='package://arm/meshes/arm.stl'/> <mesh filename=\"none.stl\"/>";
        std::fs::write(folder.join("arm.urdf"), urdf).unwrap();
        std::fs::write(folder.join("meshes/arm.stl"), [0xff, 0xfe, b'"']).unwrap();
        std::fs::write(folder.join("other.csv"), "1,2").unwrap();
        let set = [("curve.file".to_owned(), "\"other.csv\"".to_owned())];
        let names = |set: &[(String, String)]| {
            let found = inputs(&model, set);
            let name = |input: &super::Input| {
                input.path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned()
            };
            found.iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(&[]), ["arm.urdf", "meshes/arm.stl", "model.toml"]);
        assert_eq!(names(&set), ["arm.urdf", "meshes/arm.stl", "model.toml", "other.csv"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
