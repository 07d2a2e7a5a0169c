//! Mutated model files that are still tables of keys and values: they come further than mutated letters.

use crate::random::Random;
use crate::text::{self, WORDS};
use toml::{Table, Value};

/// Words and formulas for values that are texts.
const TEXTS: &[&str] = &[
    "ground",
    "x",
    "y",
    "z",
    "-x",
    "t",
    "sin(t)",
    "1/t",
    "1/0",
    "sqrt(-1)",
    "1e308*1e308",
    "2*(1e308*1e308)",
    "if(t < 0.1, 1, 0)",
    "ggl",
    "index3",
    "index2",
    "index1",
    "bdf",
    "pva",
    "nonsmooth",
    "moreau-jean",
    "hht-i3",
    "soi2",
    "projected",
    "dae-alpha",
    "baumgarte",
    "planar",
    "rigid",
    "point",
    "orange",
    "equilibrium",
    "project",
    "trust",
    "solve",
    "refuse",
    "each-step",
    "recomputed",
    "mod(t, 1e-9)",
    "floor(1e9*t)",
    "",
    "a.b.c",
];

/// Numbers for values that are numbers.
const NUMBERS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    1e-3,
    1e-6,
    1e-9,
    1e-12,
    1e-20,
    1e-100,
    1e-300,
    5e-324,
    1e3,
    1e6,
    1e9,
    1e12,
    1e16,
    1e20,
    1e100,
    1e300,
    1.7e308,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.5,
    -0.5,
    3.5,
    1e-4,
    100.0,
];

/// A mutated model file; sometimes its letters instead.
pub(crate) fn mutate(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    if random.once_in(6) {
        return text::mutate(corpus, random, false);
    }
    let read = |content: &Vec<u8>| str::from_utf8(content).ok()?.parse::<Table>().ok();
    let (Some(mut table), Some(other)) = (read(random.of(corpus)), read(random.of(corpus))) else {
        return text::mutate(corpus, random, false);
    };
    for _ in 0..=random.below(3) {
        let count = count(&table);
        let mut at = random.below(count.max(1));
        change(&mut table, &mut at, &other, random);
    }
    toml::to_string(&table).unwrap_or_default().into_bytes()
}

/// Values in a table and below.
fn count(table: &Table) -> usize {
    table.values().map(size).sum()
}

fn size(value: &Value) -> usize {
    1 + match value {
        Value::Table(table) => count(table),
        Value::Array(list) => list.iter().map(size).sum(),
        _ => 0,
    }
}

/// Changes the value that comes after so many; true if it was found.
fn change(table: &mut Table, at: &mut usize, other: &Table, random: &mut Random) -> bool {
    let keys: Vec<String> = table.keys().cloned().collect();
    for key in keys {
        if *at == 0 {
            change_entry(table, &key, other, random);
            return true;
        }
        *at -= 1;
        if let Some(value) = table.get_mut(&key)
            && change_inside(value, at, other, random)
        {
            return true;
        }
    }
    false
}

fn change_inside(value: &mut Value, at: &mut usize, other: &Table, random: &mut Random) -> bool {
    match value {
        Value::Table(table) => change(table, at, other, random),
        Value::Array(list) => {
            for k in 0..list.len() {
                if *at == 0 {
                    match random.below(5) {
                        0 => drop(list.remove(k)),
                        1 => list.push(list[k].clone()),
                        _ => list[k] = instead(&list[k], random),
                    }
                    return true;
                }
                *at -= 1;
                if change_inside(&mut list[k], at, other, random) {
                    return true;
                }
            }
            false
        }
        _ => false,
    }
}

fn change_entry(table: &mut Table, key: &str, other: &Table, random: &mut Random) {
    let value = table[key].clone();
    match random.below(10) {
        0 => drop(table.remove(key)),
        1 => drop(table.insert(format!("{key}2"), value)),
        2 => {
            table.remove(key);
            let keys: Vec<&String> = other.keys().collect();
            let name = if random.once_in(2) || keys.is_empty() { "new" } else { random.of(&keys) };
            table.insert(name.to_owned(), value);
        }
        3 => drop(table.insert(key.to_owned(), donor(other, random))),
        _ => drop(table.insert(key.to_owned(), instead(&value, random))),
    }
}

/// Any value of another file.
fn donor(table: &Table, random: &mut Random) -> Value {
    let values: Vec<&Value> = table.values().collect();
    if values.is_empty() {
        return Value::Integer(0);
    }
    match *random.of(&values) {
        Value::Table(inner) if !random.once_in(3) => donor(inner, random),
        value => value.clone(),
    }
}

/// A value of the same kind, or of another.
fn instead(value: &Value, random: &mut Random) -> Value {
    match value {
        _ if random.once_in(12) => Value::String((*random.of(WORDS)).to_owned()),
        Value::Integer(number) => match random.below(3) {
            0 => Value::Integer(*random.of(&[0, 1, -1, 2, 3, 7, 100, 1000, i64::MAX, i64::MIN])),
            1 => Value::Float(*random.of(NUMBERS)),
            _ => Value::Integer(number.wrapping_mul(*random.of(&[-1, 2, 10, 1000]))),
        },
        Value::Float(number) => match random.below(2) {
            0 => Value::Float(*random.of(NUMBERS)),
            _ => Value::Float(number * random.of(&[-1.0, 0.1, 10.0, 1e3, 1e-3, 1e6, 1.0000001])),
        },
        Value::String(text) => match random.below(3) {
            0 => Value::String((*random.of(TEXTS)).to_owned()),
            1 => Value::Float(*random.of(NUMBERS)),
            _ => {
                let changed = text::mutate(&[text.clone().into_bytes()], random, false);
                Value::String(String::from_utf8_lossy(&changed).into_owned())
            }
        },
        Value::Boolean(truth) => Value::Boolean(!truth),
        Value::Array(list) if !list.is_empty() && random.once_in(2) => {
            let mut list = list.clone();
            list.truncate(random.below(list.len()));
            Value::Array(list)
        }
        _ => Value::Float(*random.of(NUMBERS)),
    }
}
