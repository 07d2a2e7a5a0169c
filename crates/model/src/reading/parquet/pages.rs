//! Pages of a column of Parquet: numbers plainly written, by a dictionary, or with their bytes sorted into streams.

use super::thrift::structure;

// Words of the format.
const DATA_PAGE: i64 = 0;
const DICTIONARY_PAGE: i64 = 2;
const DATA_PAGE_2: i64 = 3;
const PLAIN: i64 = 0;
const PLAIN_DICTIONARY: i64 = 2;
const RLE_DICTIONARY: i64 = 8;
const STREAMS: i64 = 9;
const UNCOMPRESSED: i64 = 0;
const SNAPPY: i64 = 1;

/// Pages with more bytes than this hold no table that anyone interpolates in.
const MOST_BYTES: usize = 1 << 30;

/// The type of the numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Int32,
    Int64,
    Float,
    Double,
}

impl Number {
    fn bytes(self) -> usize {
        match self {
            Number::Int32 | Number::Float => 4,
            Number::Int64 | Number::Double => 8,
        }
    }

    fn read(self, bytes: &[u8]) -> f64 {
        let four = || bytes[..4].try_into().unwrap_or([0; 4]);
        let eight = || bytes[..8].try_into().unwrap_or([0; 8]);
        match self {
            Number::Int32 => f64::from(i32::from_le_bytes(four())),
            Number::Int64 => i64::from_le_bytes(eight()) as f64,
            Number::Float => f64::from(f32::from_le_bytes(four())),
            Number::Double => f64::from_le_bytes(eight()),
        }
    }
}

/// Why a column cannot be read.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The bytes are not what they should be.
    Broken,
    /// They are, but in a form that is not known here.
    Unknown(&'static str),
    /// A row of the column is empty.
    Empty(usize),
}

/// How a column is written.
pub(super) struct Form {
    pub number: Number,
    pub codec: i64,
    /// Whether rows may be empty.
    pub optional: bool,
}

/// The numbers of a column chunk, which begins with a page.
pub(super) fn numbers(mut bytes: &[u8], count: usize, form: &Form) -> Result<Vec<f64>, Trouble> {
    let mut dictionary: Vec<f64> = Vec::new();
    let mut found: Vec<f64> = Vec::new();
    while found.len() < count {
        let (head, length) = structure(bytes).ok_or(Trouble::Broken)?;
        let size = |number| head.size(number).filter(|size| *size <= MOST_BYTES);
        let (full, packed) = (size(2).ok_or(Trouble::Broken)?, size(3).ok_or(Trouble::Broken)?);
        let page = bytes.get(length..length + packed).ok_or(Trouble::Broken)?;
        bytes = &bytes[length + packed..];
        match head.integer(1) {
            Some(DICTIONARY_PAGE) => {
                let page = expanded(page, full, form.codec)?;
                dictionary = plain(&page, usize::MAX, form.number)?;
            }
            Some(DATA_PAGE) => {
                let page = expanded(page, full, form.codec)?;
                let about = head.field(5).ok_or(Trouble::Broken)?;
                let rows = about.size(1).ok_or(Trouble::Broken)?;
                let mut rest = &page[..];
                if form.optional {
                    let levels = rest.get(..4).ok_or(Trouble::Broken)?;
                    let end = 4 + u32::from_le_bytes(levels.try_into().unwrap_or([0; 4])) as usize;
                    let levels = rest.get(4..end).ok_or(Trouble::Broken)?;
                    refuse_gaps(levels, rows, found.len())?;
                    rest = &rest[end..];
                }
                found.extend(values(rest, rows, about.integer(2), &dictionary, form.number)?);
            }
            Some(DATA_PAGE_2) => {
                let about = head.field(8).ok_or(Trouble::Broken)?;
                let [rows, gaps, levels, repeats] =
                    [1, 2, 5, 6].map(|number| about.size(number).unwrap_or(0));
                if gaps > 0 {
                    return Err(Trouble::Empty(found.len()));
                }
                let skip = levels.checked_add(repeats).filter(|skip| *skip <= page.len());
                let skip = skip.ok_or(Trouble::Broken)?;
                let full = full.checked_sub(skip).ok_or(Trouble::Broken)?;
                let codec = if about.integer(7) == Some(0) { UNCOMPRESSED } else { form.codec };
                let page = expanded(&page[skip..], full, codec)?;
                found.extend(values(&page, rows, about.integer(4), &dictionary, form.number)?);
            }
            _ => {}
        }
    }
    found.truncate(count);
    Ok(found)
}

fn expanded(page: &[u8], full: usize, codec: i64) -> Result<Vec<u8>, Trouble> {
    match codec {
        UNCOMPRESSED => Ok(page.to_vec()),
        // the stream says its size first, which must be the one that the page has
        SNAPPY if snap::raw::decompress_len(page) == Ok(full) => {
            snap::raw::Decoder::new().decompress_vec(page).map_err(|_| Trouble::Broken)
        }
        SNAPPY => Err(Trouble::Broken),
        _ => Err(Trouble::Unknown("compression other than snappy")),
    }
}

/// The values of a page in their order.
fn values(
    bytes: &[u8],
    rows: usize,
    encoding: Option<i64>,
    dictionary: &[f64],
    number: Number,
) -> Result<Vec<f64>, Trouble> {
    match encoding {
        Some(PLAIN) => plain(bytes, rows, number),
        Some(STREAMS) => {
            let width = number.bytes();
            let all = bytes.get(..rows * width).ok_or(Trouble::Broken)?;
            let one = |row: usize| {
                let mut whole = [0; 8];
                (0..width).for_each(|k| whole[k] = all[k * rows + row]);
                number.read(&whole)
            };
            Ok((0..rows).map(one).collect())
        }
        Some(PLAIN_DICTIONARY | RLE_DICTIONARY) => {
            let (&width, rest) = bytes.split_first().ok_or(Trouble::Broken)?;
            let places = hybrid(rest, u32::from(width), rows).ok_or(Trouble::Broken)?;
            let value = |place: u32| dictionary.get(place as usize).copied();
            places.into_iter().map(value).collect::<Option<_>>().ok_or(Trouble::Broken)
        }
        _ => Err(Trouble::Unknown("numbers written as differences")),
    }
}

fn plain(bytes: &[u8], rows: usize, number: Number) -> Result<Vec<f64>, Trouble> {
    let found: Vec<f64> =
        bytes.chunks_exact(number.bytes()).take(rows).map(|value| number.read(value)).collect();
    if rows != usize::MAX && found.len() < rows {
        return Err(Trouble::Broken);
    }
    Ok(found)
}

/// All definition levels of a page must say that there is a value.
fn refuse_gaps(levels: &[u8], rows: usize, before: usize) -> Result<(), Trouble> {
    let levels = hybrid(levels, 1, rows).ok_or(Trouble::Broken)?;
    match levels.iter().position(|level| *level == 0) {
        Some(row) => Err(Trouble::Empty(before + row)),
        None => Ok(()),
    }
}

/// Whole numbers as runs of equal ones and as groups of eight, packed bit by bit.
fn hybrid(bytes: &[u8], width: u32, count: usize) -> Option<Vec<u32>> {
    if width > 32 {
        return None;
    }
    let (mut found, mut at) = (Vec::new(), 0);
    while found.len() < count {
        let (mut head, mut shift) = (0u64, 0);
        loop {
            let byte = *bytes.get(at)?;
            at += 1;
            head |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let left = count - found.len();
        if head & 1 == 0 {
            let size = width.div_ceil(8) as usize;
            let value = bytes.get(at..at + size)?;
            at += size;
            let value = value.iter().rev().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
            let run = usize::try_from(head >> 1).ok()?.min(left);
            found.extend(std::iter::repeat_n(value, run));
            if run == 0 {
                return None;
            }
            continue;
        }
        let size = usize::try_from(head >> 1).ok()?.checked_mul(width as usize)?;
        // a last group may be cut off
        let packed = bytes.get(at..at.checked_add(size)?.min(bytes.len()))?;
        at += packed.len();
        let bit = |k: usize| packed.get(k / 8).map(|byte| u32::from(byte >> (k % 8) & 1));
        let groups = usize::try_from(head >> 1).ok()?.checked_mul(8)?;
        if groups == 0 {
            return None;
        }
        for k in 0..groups.min(left) {
            let bits = (0..width as usize).map(|j| Some(bit(k * width as usize + j)? << j));
            found.push(bits.sum::<Option<u32>>()?);
        }
    }
    Some(found)
}
