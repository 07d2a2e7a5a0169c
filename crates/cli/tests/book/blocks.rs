//! Blocks of code in Markdown.

use std::path::{Path, PathBuf};

/// A fenced block with a language that can be run.
pub struct Block {
    /// File and line.
    pub place: String,
    pub language: String,
    /// What follows the language after a comma, or nothing.
    pub class: String,
    pub text: String,
}

/// Languages of blocks that mean something; others are shown as they are.
const LANGUAGES: [&str; 5] = ["toml", "sh", "console", "python", "rust"];

/// The README and every page of the book, without what is generated.
pub fn pages(root: &Path) -> Vec<PathBuf> {
    let mut pages = vec![root.join("README.md")];
    let mut folders = vec![root.join("docs/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the book").flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("generated") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The blocks of a page.
pub fn blocks(page: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(page).expect("a page");
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (None, Some(info)) => {
                let (language, class) = info.split_once(',').unwrap_or((info, ""));
                open = Some(Block {
                    place: format!("{}:{}", page.display(), number + 1),
                    language: language.trim().to_owned(),
                    class: class.trim().to_owned(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => {
                found.extend(
                    open.take().filter(|block| LANGUAGES.contains(&block.language.as_str())),
                );
            }
            (Some(block), None) => block.text.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{}: a block has no end", page.display());
    found
}

impl Block {
    /// Commands of a `console`, each with the lines that follow it.
    pub fn commands(&self) -> Vec<(String, Vec<String>)> {
        let mut commands: Vec<(String, Vec<String>)> = Vec::new();
        for line in self.text.lines() {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
                (None, Some((_, expected))) => expected.push(line.to_owned()),
                (None, None) => {}
            }
        }
        commands
    }
}
