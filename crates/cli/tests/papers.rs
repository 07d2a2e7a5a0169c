//! README, ARCHITECTURE and their like: what they point at exists, what they count is counted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const PAPERS: [&str; 5] =
    ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md"];

/// Targets of Markdown links and of pictures.
fn targets(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pictures = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.chain(pictures).filter(|target| !target.contains("://")).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut seen = 0;
    for paper in PAPERS {
        let folder = root().join(paper).parent().expect("a folder").to_path_buf();
        let text = read(paper);
        for target in targets(&text) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { root().join(paper) } else { folder.join(file) };
            assert!(path.exists(), "{paper} points at {target}, which is not there");
            if !heading.is_empty() {
                let page = fs::read_to_string(&path).expect("a page");
                let known = page.lines().filter(|line| line.starts_with('#')).any(|line| {
                    let words = line.trim_start_matches('#').trim().to_lowercase();
                    let plain: String = words
                        .chars()
                        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
                        .collect();
                    plain.replace(' ', "-") == heading
                });
                assert!(known, "{paper} points at {target}, which has no such heading");
            }
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen} links");
}

#[test]
fn the_readme_counts_right() {
    let readme = read("README.md");
    let listed = Command::new(env!("CARGO_BIN_EXE_rotula")).args(["gallery", "list"]).output();
    let listed = String::from_utf8(listed.expect("the program").stdout).expect("text");
    // a heading, the entries, and what to do with them
    let entries = listed.lines().count() - 2;
    assert!(readme.contains(&format!(" {entries} problems")), "there are {entries} problems");
    let section = readme.split("## Formulations").nth(1).expect("a section");
    let rows = section.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, 15, "formulations in the table");
    assert!(readme.contains("fifteen\nways of enforcing constraints"));
}

#[test]
fn every_crate_has_its_place_and_its_invariant() {
    let text = read("ARCHITECTURE.md");
    let table = text.split("## Crates").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows = table.expect("a table").lines().filter_map(|line| line.strip_prefix("| `"));
    let mut listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let folders = fs::read_dir(root().join("crates")).expect("the crates");
    let mut there: Vec<String> = folders
        .map(|folder| folder.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    listed.sort_unstable();
    there.sort_unstable();
    assert_eq!(listed, there);
}

#[test]
fn crates_use_those_above_them_only() {
    let text = read("ARCHITECTURE.md");
    let order: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `").and_then(|row| row.split('`').next()))
        .filter(|name| root().join("crates").join(name).is_dir())
        .collect();
    let place = |name: &str| order.iter().position(|&other| other == name);
    for name in &order {
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let used = manifest.split("[dev-dependencies]").next().expect("a manifest");
        for line in used.lines().filter_map(|line| line.strip_prefix("rotula-")) {
            let other = line.split(['.', ' ', '=']).next().expect("a name");
            assert!(
                place(other) < place(name),
                "`{name}` uses `{other}`, which stands below it in ARCHITECTURE.md"
            );
        }
    }
}

#[test]
fn the_first_page_of_the_library_is_the_program_outside_of_it() {
    let page = read("crates/rotula/src/lib.rs");
    let program = read("examples/own_system/src/main.rs");
    let lines = program.lines().filter(|line| !line.starts_with("//!"));
    let code: Vec<String> = lines.map(|line| format!("//! {line}").trim_end().into()).collect();
    assert!(page.contains(code.join("\n").trim_start_matches("//!\n")));
    assert!(program.lines().count() <= 61, "{} lines", program.lines().count());
}
