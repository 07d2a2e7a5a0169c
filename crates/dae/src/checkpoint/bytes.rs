//! Numbers to bytes and back, exactly: every bit of a number returns, that of NaN and −0 too.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Collects the parts of a checkpoint.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Adds a part.
    pub fn put<T: Serialize + ?Sized>(&mut self, part: &T) {
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_io(part, bytes).expect("memory takes all that has a length");
    }

    /// All parts.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Gives the parts of a checkpoint back, in the order in which they were put.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

/// The bytes are not those of the part that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the checkpoint belongs to another model, other settings or another version of the program"
)]
pub struct Unreadable;

impl<'a> Reader<'a> {
    /// Reads what a [`Writer`] has collected.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes }
    }

    /// The next part.
    pub fn get<T: DeserializeOwned>(&mut self) -> Result<T, Unreadable> {
        let (part, rest) = postcard::take_from_bytes(self.bytes).map_err(|_| Unreadable)?;
        self.bytes = rest;
        Ok(part)
    }

    /// Everything must have been read.
    pub fn finish(self) -> Result<(), Unreadable> {
        if self.bytes.is_empty() { Ok(()) } else { Err(Unreadable) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_returns() {
        let numbers = [0.1, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 2.0];
        let mut writer = Writer::default();
        writer.put(&numbers[..]);
        writer.put(&(7usize, Some(true), "name"));
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes);
        let back: Vec<f64> = reader.get().unwrap();
        assert!(back.iter().zip(&numbers).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert_eq!(reader.get(), Ok((7usize, Some(true), "name".to_owned())));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn too_few_or_too_many_bytes_are_noticed() {
        let mut writer = Writer::default();
        writer.put(&[1.0, 2.0][..]);
        let bytes = writer.finish();
        assert_eq!(Reader::new(&bytes[..9]).get::<Vec<f64>>(), Err(Unreadable));
        assert_eq!(Reader::new(&bytes).finish(), Err(Unreadable));
    }
}
