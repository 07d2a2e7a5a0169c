//! Messages that stay readable whatever a file holds: names of a megabyte, numbers of three hundred digits,
//! lists of ten thousand things.

/// Characters of a word, and what is kept of a longer one at its beginning and end.
const WORD: [usize; 3] = [300, 120, 60];
/// Characters of a line.
const LINE: usize = 4000;
/// Lines of a message.
const LINES: usize = 60;

/// The message, with `…` where something was left out.
pub fn shorten(message: &str) -> String {
    if message.len() <= WORD[0] {
        return message.to_owned();
    }
    let mut lines: Vec<String> = message.lines().take(LINES).map(line).collect();
    match message.lines().count() - lines.len() {
        0 => {}
        1 => lines.push("… and one line more".into()),
        more => lines.push(format!("… and {more} lines more")),
    }
    lines.join("\n")
}

fn line(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(word).collect();
    let text = words.join(" ");
    match text.char_indices().nth(LINE) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}

fn word(text: &str) -> String {
    let [most, first, last] = WORD;
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let end: String = text.chars().skip(count - last).collect();
    text.chars().take(first).chain(['…']).chain(end.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn only_what_is_too_long_is_shortened() {
        let usual = format!("body `{}` has no mass\n- {}", "a".repeat(200), "fact ".repeat(100));
        assert_eq!(shorten(&usual), usual);
        let long = shorten(&format!("no `{}` here", "é".repeat(1_000_000)));
        assert!(long.starts_with("no `éé") && long.ends_with("é` here") && long.len() < 500);
        let list = shorten(&"`x`, ".repeat(100_000));
        assert!(list.ends_with(" …") && list.len() < 5000, "{list}");
        let lines = shorten(&"- fact\n".repeat(10_000));
        assert!(lines.ends_with("- fact\n… and 9940 lines more"), "{lines}");
    }
}
