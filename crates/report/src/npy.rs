//! The NumPy array format, version 1.0: a text header, then the values.

use std::io::{self, Write};

/// An array that can be written in NumPy's format.
pub(crate) enum Array<'a> {
    /// Numbers; a matrix is stored row after row.
    Real { shape: Vec<usize>, values: &'a [f64] },
    /// Counters.
    Integer(Vec<i64>),
    /// Words.
    Text(Vec<&'a str>),
}

impl<'a> Array<'a> {
    /// A vector.
    pub fn vector(values: &'a [f64]) -> Self {
        Array::Real { shape: vec![values.len()], values }
    }

    /// A matrix of the given number of rows.
    pub fn matrix(rows: usize, columns: usize, values: &'a [f64]) -> Self {
        debug_assert_eq!(rows * columns, values.len());
        Array::Real { shape: vec![rows, columns], values }
    }

    /// Writes header and values.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Array::Real { shape, values } => {
                header(out, "<f8", shape)?;
                values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
            }
            Array::Integer(values) => {
                header(out, "<i8", &[values.len()])?;
                values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
            }
            Array::Text(words) => text(out, words),
        }
    }
}

/// NumPy stores words as UTF-32, all as long as the longest.
fn text(out: &mut impl Write, words: &[&str]) -> io::Result<()> {
    let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0).max(1);
    header(out, &format!("<U{longest}"), &[words.len()])?;
    for word in words {
        let letters = word.chars().map(u32::from).chain(std::iter::repeat(0));
        for letter in letters.take(longest) {
            out.write_all(&letter.to_le_bytes())?;
        }
    }
    Ok(())
}

fn header(out: &mut impl Write, kind: &str, shape: &[usize]) -> io::Result<()> {
    let shape = match shape {
        // A tuple of one number needs its comma.
        [only] => format!("{only},"),
        many => many.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    };
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // Magic, version and length take 10 bytes, the final line feed 1; values start at a multiple of 64.
    let padding = (64 - (header.len() + 11) % 64) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())
}
