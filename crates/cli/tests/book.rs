//! What the README and the book show is real: model files run, commands say what stands there, every
//! formulation has its page, and what the book takes from the program is complete. (Blocks of Python are run by the tests of the package, those of Rust are
//! the doctests of `crates/book`.)
//!
//! | block | what is done with it |
//! |---|---|
//! | `toml` | written to the file that its first line names, and run |
//! | `toml,kept` | written, for the commands that follow |
//! | `toml,solve` | put in the place of the section of `examples/models/pendulum.toml`, and run |
//! | `sh` | it is run and must succeed |
//! | `console` | lines after `$ ` are run; the others must be in what they say, in order, `…` for anything |
//! | `…,skip`, `toml,fragment`, `rust,ignore` | nothing, but they are counted |

#[path = "book/blocks.rs"]
mod blocks;
mod common;

use blocks::{Block, blocks, pages};
use common::{Place, Said};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Blocks that are shown and not run: installation, and pieces of files. More need a reason.
const MOST_SHOWN: usize = 20;

/// What became of a block.
enum Fate {
    Run,
    /// By the tests of another language.
    Elsewhere,
    Shown,
}

#[test]
fn every_block_of_every_chapter_runs() {
    let pages = pages(Path::new(ROOT));
    assert!(pages.len() > 30, "only {} pages", pages.len());
    let (next, run, shown) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let place = Place::new();
                    for folder in ["examples", "gallery"] {
                        std::os::unix::fs::symlink(
                            Path::new(ROOT).join(folder),
                            place.path(folder),
                        )
                        .expect("a link to the examples");
                    }
                    for block in blocks(page) {
                        let count = match obey(&place, &block) {
                            Fate::Run => &run,
                            Fate::Shown => &shown,
                            Fate::Elsewhere => continue,
                        };
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let (run, shown) = (run.into_inner(), shown.into_inner());
    println!("{run} blocks were run, {shown} are only shown");
    assert!(run >= 40, "only {run} blocks");
    assert!(shown <= MOST_SHOWN, "{shown} blocks are not run");
}

/// Runs a block.
fn obey(place: &Place, block: &Block) -> Fate {
    match (block.language.as_str(), block.class.as_str()) {
        ("toml", "") => model(place, block, &block.text),
        // for the commands that follow
        ("toml", "kept") => place.write(named(&block.text), &block.text),
        ("toml", "solve") => {
            let base = std::fs::read_to_string(format!("{ROOT}/examples/models/pendulum.toml"));
            let base = base.expect("the pendulum");
            let kept = base.split("[solve]").next().expect("what stands before");
            model(place, block, &format!("{kept}{}", block.text));
        }
        ("sh", "") => {
            let said = shell(place, &format!("set -e\n{}", block.text));
            assert_eq!(said.status, 0, "{}: {}{}", block.place, said.stdout, said.stderr);
        }
        ("console", "") => block.commands().iter().for_each(|(command, expected)| {
            let said = shell(place, command);
            compare(block, command, &said, expected);
        }),
        ("python" | "rust", "") => return Fate::Elsewhere,
        ("toml" | "sh" | "console" | "python", "skip") => return Fate::Shown,
        ("toml", "fragment") | ("rust", "ignore") => return Fate::Shown,
        (language, class) => panic!("{}: what is `{language},{class}`?", block.place),
    }
    Fate::Run
}

/// The name that a model file gives itself.
fn named(text: &str) -> &str {
    let named = text.lines().next().and_then(|line| line.strip_prefix("# "));
    named.filter(|name| name.ends_with(".toml")).unwrap_or("model.toml")
}

/// A model file is written under its name, and runs.
fn model(place: &Place, block: &Block, text: &str) {
    place.write(named(text), text);
    let said = place.rotula(&["run", named(text), "-o", "block", "--quiet", "--format", "npz"]);
    assert_eq!(said.status, 0, "{}: {}{}", block.place, said.stdout, said.stderr);
}

fn shell(place: &Place, command: &str) -> Said {
    let program = Path::new(env!("CARGO_BIN_EXE_rotula")).parent().expect("its folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let command = command.replace("cargo run --release --", "rotula");
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(place.path(""))
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .output();
    Said::from(output.expect("a shell"))
}

/// Whether the lines of a block occur in what was said, in their order.
fn compare(block: &Block, command: &str, said: &Said, expected: &[String]) {
    let all = format!("{}{}", said.stdout, said.stderr);
    let mut lines = all.lines();
    let mut status = 0;
    for wanted in expected.iter().filter(|line| !line.trim().is_empty() && line.trim() != "…") {
        if let Some(number) = wanted.strip_prefix("exit status ") {
            status = number.trim().parse().expect("a number");
            continue;
        }
        assert!(
            lines.any(|line| matches(line.trim(), wanted.trim())),
            "{}: `{command}` does not say\n{wanted}\nbut\n{all}",
            block.place
        );
    }
    assert_eq!(said.status, status, "{}: `{command}`\n{all}", block.place);
}

/// Whether a line is the wanted one, in which `…` stands for anything.
fn matches(line: &str, wanted: &str) -> bool {
    let mut parts = wanted.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut open = false;
    for part in parts {
        open = part.is_empty();
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    open || rest.is_empty()
}

#[test]
fn every_formulation_has_a_page_that_uses_it() {
    for word in rotula_dae::key("formulation").expect("a key").words() {
        let path = Path::new(ROOT).join(format!("docs/src/theory/{word}.md"));
        assert!(path.exists(), "{} is missing", path.display());
        let used = blocks(&path)
            .iter()
            .any(|block| block.class == "solve" && block.text.contains(&format!("\"{word}\"")));
        assert!(used, "{} has no block `toml,solve` with `{word}`", path.display());
    }
}

#[test]
fn pictures_of_the_book_are_those_that_are_drawn() {
    let drawn: Vec<&str> = rotula_gallery::pictures::names().collect();
    let mut shown = Vec::new();
    for page in pages(Path::new(ROOT)) {
        let text = std::fs::read_to_string(&page).expect("a page");
        for part in text.split("generated/pictures/").skip(1) {
            let name = part.split(".svg").next().unwrap_or_default().to_owned();
            assert!(drawn.contains(&name.as_str()), "{}: no picture {name}", page.display());
            shown.push(name);
        }
    }
    for name in drawn {
        assert!(shown.iter().any(|other| other == name), "no page shows {name}");
    }
}

#[test]
fn pictures_are_drawn() {
    let place = Place::new();
    let said = place.rotula(&["gallery", "pictures", "-o", "pictures"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for name in rotula_gallery::pictures::names() {
        let picture = place.read(&format!("pictures/{name}.svg"));
        assert!(picture.starts_with("<svg") && !picture.contains("NaN"), "{name}");
        assert!(picture.len() < 60_000, "{name}: {} bytes", picture.len());
    }
}

#[test]
fn the_chapter_shows_numbers_beside_ours() {
    let place = Place::new();
    let said = place.rotula(&["gallery", "run", "knife-edge", "--chapter", "chapter"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(place.read("chapter/README.md").contains("| `knife-edge` | [003](003.md) |"));
    let page = place.read("chapter/003.md");
    assert!(page.contains("| check | expected | ours | deviation | tolerance |"), "{page}");
    assert!(page.contains("## Knife edge"), "{page}");
}

/// Names of all keys in a schema.
fn keys(schema: &serde_json::Value, found: &mut Vec<String>) {
    match schema {
        serde_json::Value::Object(object) => {
            if let Some(properties) = object.get("properties").and_then(|value| value.as_object()) {
                found.extend(properties.keys().cloned());
            }
            object.values().for_each(|value| keys(value, found));
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn the_reference_describes_every_key() {
    let place = Place::new();
    for kind in ["mechanism", "equations", "solve"] {
        let schema = place.rotula(&["schema", kind]).stdout;
        let schema = serde_json::from_str(&schema).expect("a schema");
        let mut names = Vec::new();
        keys(&schema, &mut names);
        let mut page = place.rotula(&["schema", kind, "--markdown"]).stdout;
        if kind != "solve" {
            // the section has a page of its own
            page += &place.rotula(&["schema", "solve", "--markdown"]).stdout;
        }
        assert!(names.len() > 30, "{kind}: {} keys", names.len());
        for name in names {
            // a key in a table, a section, or a key of a small table in one line
            let forms = [
                format!("`{name}`"),
                format!("[{name}"),
                format!(" {name},"),
                format!(" {name} }}"),
            ];
            assert!(forms.iter().any(|form| page.contains(form)), "{kind}: no `{name}`");
        }
    }
}

#[test]
fn the_reference_that_is_kept_is_that_of_the_program() {
    let place = Place::new();
    for kind in ["mechanism", "equations", "solve"] {
        let page = Path::new(ROOT).join(format!("docs/src/generated/reference/{kind}.md"));
        let kept = std::fs::read_to_string(&page).expect("a page");
        let said = place.rotula(&["schema", kind, "--markdown"]).stdout;
        assert!(kept == said, "{}: run `docs/build --reference`", page.display());
    }
}

#[test]
fn ellipses_stand_for_anything() {
    assert!(matches("It took 12 steps of 0.1 s.", "It took … steps of …"));
    assert!(!matches("It took 12 steps.", "It took … rejections."));
    assert!(matches("equal", "equal") && !matches("equals", "equal"));
}
