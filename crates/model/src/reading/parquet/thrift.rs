//! The compact form of Thrift structures, as Parquet's metadata has it: read into a tree.

/// A value of any type; whole numbers of all sizes are one type, and booleans are 0 and 1.
#[derive(Debug)]
pub(super) enum Value {
    Integer(i64),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Structure(Vec<(i16, Value)>),
    /// Floating-point numbers, and booleans in lists, which nothing here asks for.
    Other,
}

/// Structures within each other deeper than this are no metadata of Parquet.
const DEEPEST: usize = 16;

/// Reads one structure from the beginning of some bytes; returns it and what it took of them. `None` if they hold none.
pub(super) fn structure(bytes: &[u8]) -> Option<(Value, usize)> {
    let mut reader = Reader { bytes, at: 0 };
    let value = reader.structure(0)?;
    Some((value, reader.at))
}

impl Value {
    /// A field of a structure.
    pub fn field(&self, number: i16) -> Option<&Value> {
        let Value::Structure(fields) = self else { return None };
        fields.iter().find(|(own, _)| *own == number).map(|(_, value)| value)
    }

    /// A field that is a whole number.
    pub fn integer(&self, number: i16) -> Option<i64> {
        match self.field(number)? {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// A field that is a whole number and not negative.
    pub fn size(&self, number: i16) -> Option<usize> {
        self.integer(number)?.try_into().ok()
    }

    /// A field that is a text.
    pub fn text(&self, number: i16) -> Option<String> {
        self.field(number)?.as_text()
    }

    /// A text.
    pub fn as_text(&self) -> Option<String> {
        match self {
            Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        }
    }

    /// A field that is a list.
    pub fn list(&self, number: i16) -> Option<&[Value]> {
        match self.field(number)? {
            Value::List(items) => Some(items),
            _ => None,
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let raw = self.varint()?;
        Some((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    fn structure(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let (mut fields, mut number) = (Vec::new(), 0i16);
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(Value::Structure(fields));
            }
            number = match head >> 4 {
                0 => self.zigzag()? as i16,
                step => number.checked_add(i16::from(step))?,
            };
            let value = match head & 0x0f {
                // a boolean of a structure is told by its type
                1 => Value::Integer(1),
                2 => Value::Integer(0),
                kind => self.value(kind, depth)?,
            };
            fields.push((number, value));
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Value> {
        Some(match kind {
            // booleans in lists are bytes
            1..=3 => {
                self.byte()?;
                Value::Other
            }
            4..=6 => Value::Integer(self.zigzag()?),
            7 => {
                self.take(8)?;
                Value::Other
            }
            8 => {
                let count = self.varint()?.try_into().ok()?;
                Value::Bytes(self.take(count)?.to_vec())
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.varint()?,
                    few => u64::from(few),
                };
                let items = (0..count).map(|_| self.value(head & 0x0f, depth + 1));
                Value::List(items.collect::<Option<_>>()?)
            }
            12 => self.structure(depth + 1)?,
            _ => return None,
        })
    }
}
