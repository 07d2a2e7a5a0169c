//! Mutated bytes and texts: characters, words and lines.

use crate::random::Random;

/// Words at which readers stumble.
pub(crate) const WORDS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "1e300",
    "1e-300",
    "1e16",
    "1e9",
    "1e-9",
    "nan",
    "inf",
    "-inf",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "4294967295",
    "0.1",
    "0.5",
    "1e5",
    "1e-5",
    "\"\"",
    "\"x\"",
    "[]",
    "{}",
    "true",
    "é",
    "\u{0}",
    "\u{feff}",
    "''",
    "\"1/0\"",
    "\"2*(1e308*1e308)\"",
    "\"sqrt(-1)\"",
    "\"t\"",
    "\"ground\"",
    "[0, 0, 0]",
    "[1e300, 0, 0]",
    "[nan, 0, 0]",
    "\"#\"",
    "=",
    "[",
    "]",
    "(",
    ")",
    "\"",
    ",",
    "<",
    ">",
    "/",
    "*",
    "-",
    "+",
    ".",
    "^",
];

/// Changes an input in a few places.
pub(crate) fn mutate(corpus: &[Vec<u8>], random: &mut Random, bytes: bool) -> Vec<u8> {
    let mut input = random.of(corpus).clone();
    let many = if random.once_in(8) { 12 } else { 3 };
    for _ in 0..=random.below(many) {
        match random.below(if bytes { 4 } else { 8 }) {
            0 => flip(&mut input, random),
            1 => cut(&mut input, random),
            2 => repeat(&mut input, random),
            3 => splice(&mut input, random.of(corpus).clone(), random),
            4 | 5 => replace_word(&mut input, random),
            6 => exchange_lines(&mut input, random),
            _ => insert_word(&mut input, random),
        }
    }
    input
}

fn flip(input: &mut [u8], random: &mut Random) {
    if !input.is_empty() {
        let at = random.below(input.len());
        input[at] = match random.below(3) {
            0 => input[at] ^ (1 << random.below(8)),
            1 => *random.of(&[0, 1, 0x7f, 0x80, 0xff, b'\n', b' ']),
            _ => random.below(256) as u8,
        };
    }
}

/// A part of the input, mostly a short one.
fn part(input: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(input.len() + 1);
    let most = if random.once_in(4) { input.len() } else { 20 };
    start..(start + random.below(most + 1)).min(input.len())
}

fn cut(input: &mut Vec<u8>, random: &mut Random) {
    input.drain(part(input, random));
}

fn repeat(input: &mut Vec<u8>, random: &mut Random) {
    let range = part(input, random);
    let piece = input[range.clone()].to_vec();
    let times = if random.once_in(10) { 1000 } else { 1 };
    if piece.len() * times < 100_000 {
        input.splice(range.end..range.end, piece.repeat(times));
    }
}

fn splice(input: &mut Vec<u8>, other: Vec<u8>, random: &mut Random) {
    let piece = other[part(&other, random)].to_vec();
    let range = part(input, random);
    input.splice(range, piece);
}

/// Where the words of a text are: runs of letters, digits and what numbers have.
fn words(input: &[u8]) -> Vec<std::ops::Range<usize>> {
    let of_word =
        |byte: u8| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte) || byte >= 0x80;
    let mut found = Vec::new();
    let mut start = None;
    for (at, &byte) in input.iter().chain([&b' ']).enumerate() {
        match (of_word(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn replace_word(input: &mut Vec<u8>, random: &mut Random) {
    let found = words(input);
    if found.is_empty() {
        return;
    }
    let range = random.of(&found).clone();
    let word = match random.once_in(2) {
        true => random.of(WORDS).as_bytes().to_vec(),
        false => input[random.of(&found).clone()].to_vec(),
    };
    input.splice(range, word);
}

fn insert_word(input: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(input.len() + 1);
    input.splice(at..at, random.of(WORDS).bytes());
}

fn exchange_lines(input: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => lines.swap(a, b),
        1 => drop(lines.remove(a)),
        _ => lines.insert(a, lines[b]),
    }
    *input = lines.join(&b'\n');
}
