//! The compact form of Thrift structures, as far as Parquet's metadata needs it.

/// A structure under construction: fields with increasing numbers.
#[derive(Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Struct {
    /// The head of a field: numbers of Parquet's fields grow by less than 16.
    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    pub fn i32(mut self, number: u8, value: i32) -> Self {
        self.field(number, I32);
        zigzag(&mut self.bytes, i64::from(value));
        self
    }

    pub fn i64(mut self, number: u8, value: usize) -> Self {
        self.field(number, I64);
        zigzag(&mut self.bytes, value as i64);
        self
    }

    pub fn text(mut self, number: u8, value: &str) -> Self {
        self.field(number, BINARY);
        text(&mut self.bytes, value);
        self
    }

    pub fn structure(mut self, number: u8, value: Struct) -> Self {
        self.field(number, STRUCT);
        self.bytes.extend(value.finish());
        self
    }

    pub fn structures(mut self, number: u8, values: Vec<Struct>) -> Self {
        self.list(number, values.len(), STRUCT);
        values.into_iter().for_each(|value| self.bytes.extend(value.finish()));
        self
    }

    pub fn integers(mut self, number: u8, values: &[i32]) -> Self {
        self.list(number, values.len(), I32);
        values.iter().for_each(|value| zigzag(&mut self.bytes, i64::from(*value)));
        self
    }

    pub fn texts(mut self, number: u8, values: &[&str]) -> Self {
        self.list(number, values.len(), BINARY);
        values.iter().for_each(|value| text(&mut self.bytes, value));
        self
    }

    fn list(&mut self, number: u8, length: usize, kind: u8) {
        self.field(number, LIST);
        match length {
            0..15 => self.bytes.push((length as u8) << 4 | kind),
            _ => {
                self.bytes.push(0xf0 | kind);
                varint(&mut self.bytes, length as u64);
            }
        }
    }

    /// The bytes, with the mark of the end.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn text(bytes: &mut Vec<u8>, value: &str) {
    varint(bytes, value.len() as u64);
    bytes.extend_from_slice(value.as_bytes());
}

fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_written_as_the_specification_says() {
        // field 1, i32 150: zigzag 300 is 0xac 0x02; field 3, text; field 5, list of two numbers
        let bytes = Struct::default().i32(1, 150).text(3, "ab").integers(5, &[-1, 2]).finish();
        assert_eq!(bytes, [0x15, 0xac, 0x02, 0x28, 2, b'a', b'b', 0x29, 0x25, 1, 4, 0]);
        let long = Struct::default().integers(2, &[0; 20]).finish();
        assert_eq!(long[..3], [0x29, 0xf5, 20]);
    }
}
