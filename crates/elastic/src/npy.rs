//! Arrays of numbers in NumPy's format, version 1.0: a text header, then the values row by row.

use std::io::{self, Read, Write};

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// An array of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

fn damaged(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

impl Array {
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let sizes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        // a tuple of one number needs its comma
        let shape = sizes.join(", ") + if sizes.len() == 1 { "," } else { "" };
        let mut header =
            format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}");
        let padding = (64 - (header.len() + MAGIC.len() + 3) % 64) % 64;
        header.extend(std::iter::repeat_n(' ', padding));
        header.push('\n');
        out.write_all(MAGIC)?;
        out.write_all(&(header.len() as u16).to_le_bytes())?;
        out.write_all(header.as_bytes())?;
        let bytes: Vec<u8> = self.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        out.write_all(&bytes)
    }

    pub(crate) fn read(source: &mut impl Read) -> io::Result<Array> {
        let mut start = [0; 10];
        source.read_exact(&mut start)?;
        if &start[..8] != MAGIC {
            return Err(damaged("it is no NumPy array of version 1"));
        }
        let mut header = vec![0; usize::from(u16::from_le_bytes([start[8], start[9]]))];
        source.read_exact(&mut header)?;
        let header = String::from_utf8(header).map_err(|_| damaged("its header is no text"))?;
        if !header.contains("'descr': '<f8'") || !header.contains("'fortran_order': False") {
            return Err(damaged("it does not hold doubles row by row"));
        }
        let shape = header
            .split_once("'shape': (")
            .and_then(|(_, rest)| rest.split_once(')'))
            .map(|(shape, _)| shape)
            .ok_or_else(|| damaged("its header has no shape"))?;
        let shape: Vec<usize> = shape
            .split(',')
            .map(str::trim)
            .filter(|size| !size.is_empty())
            .map(|size| size.parse().map_err(|_| damaged("its shape is not of numbers")))
            .collect::<Result<_, _>>()?;
        let length = shape.iter().try_fold(8usize, |length, size| length.checked_mul(*size));
        let length = length.ok_or_else(|| damaged("it is too large"))?;
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes)?;
        if bytes.len() != length {
            return Err(damaged("it has not as many values as its header says"));
        }
        let value = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        Ok(Array { shape, values: bytes.chunks_exact(8).map(value).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_come_back() {
        for shape in [vec![3], vec![2, 3], vec![0], vec![2, 0]] {
            let count = shape.iter().product();
            let values = (0..count).map(|i| 1.0 / (i as f64 + 3.0)).collect();
            let array = Array { shape, values };
            let mut bytes = Vec::new();
            array.write(&mut bytes).unwrap();
            assert_eq!((bytes.len() - 8 * count) % 64, 0);
            assert_eq!(Array::read(&mut bytes.as_slice()).unwrap(), array);
            if count > 0 {
                bytes.pop();
                assert!(Array::read(&mut bytes.as_slice()).is_err());
            }
        }
    }
}
