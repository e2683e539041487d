//! Key bytes back to values, for covered queries and duplicate-key messages.
//!
//! Invariant: decoding the bytes of `encode` gives the value back, type and scale included; bytes that `encode` did not
//! write are an error, never a panic.

use super::class;
use super::number;
use super::type_bits::{Mark, Marks};
use crate::bson::{ArrayBuilder, DocumentBuilder, MAX_NESTING, Text, ValueRef};
use crate::error::StorageError;

/// Reads a key's bytes in one direction.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    /// 0xFF while the bytes are inverted.
    mask: u8,
}

impl Reader<'_> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.position)?;
        self.position += 1;
        Some(byte ^ self.mask)
    }

    /// Turns the inversion over, if asked to.
    pub(super) fn flip(&mut self, flip: bool) {
        if flip {
            self.mask = !self.mask;
        }
    }

    /// Reads `length` (at most 8) bytes as a number.
    pub(super) fn big_endian(&mut self, length: usize) -> Option<u64> {
        let mut number = 0;
        for _ in 0..length {
            number = number << 8 | u64::from(self.byte()?);
        }
        Some(number)
    }

    fn take(&mut self, length: usize, out: &mut Vec<u8>) -> Option<()> {
        let end = self.position.checked_add(length)?;
        let bytes = self.bytes.get(self.position..end)?;
        out.extend(bytes.iter().map(|byte| byte ^ self.mask));
        self.position = end;
        Some(())
    }

    fn fixed<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Some(bytes)
    }

    fn length(&mut self) -> Option<usize> {
        match self.byte()? {
            0xFF => usize::try_from(self.big_endian(4)?).ok(),
            short => Some(usize::from(short)),
        }
    }

    /// Reads text that `append_text` wrote.
    fn text(&mut self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            match self.byte()? {
                0 => return Some(text),
                1 => text.push(self.byte()?.checked_sub(1)?),
                byte => text.push(byte),
            }
        }
    }

    fn skip_text(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.position..)?;
        self.position += rest.iter().position(|byte| *byte == self.mask)? + 1;
        Some(())
    }

    fn skip_bytes(&mut self, count: usize) -> Option<()> {
        let end = self.position.checked_add(count)?;
        self.position = end;
        (end <= self.bytes.len()).then_some(())
    }

    /// Passes over a value.
    fn skip(&mut self, depth: usize) -> Option<()> {
        match self.byte()? {
            class::STRING | class::JAVASCRIPT => self.skip_text(),
            class::DOCUMENT => self.skip_fields(depth),
            class::ARRAY => loop {
                if self.byte()? == class::END {
                    return Some(());
                }
                self.position -= 1;
                self.skip(deeper(depth)?)?;
            },
            class::BINARY => {
                let length = self.length()?;
                self.skip_bytes(length + 1)
            }
            class::OBJECT_ID => self.skip_bytes(12),
            class::DATE_TIME | class::TIMESTAMP => self.skip_bytes(8),
            class::REGEX => {
                self.skip_text()?;
                self.skip_text()
            }
            class::DB_POINTER => {
                let length = self.length()?;
                self.skip_bytes(length + 12)
            }
            class::JAVASCRIPT_WITH_SCOPE => {
                self.skip_text()?;
                self.skip_fields(depth)
            }
            number @ class::NAN..=class::POSITIVE_LARGE => number::skip(number, self),
            class::MIN_KEY
            | class::MISSING
            | class::NULL
            | class::FALSE
            | class::TRUE
            | class::MAX_KEY => Some(()),
            _ => None,
        }
    }

    fn skip_fields(&mut self, depth: usize) -> Option<()> {
        while self.byte()? != class::END {
            self.skip_text()?;
            self.skip(deeper(depth)?)?;
        }
        Some(())
    }
}

fn deeper(depth: usize) -> Option<usize> {
    (depth <= MAX_NESTING).then_some(depth + 1)
}

fn malformed() -> StorageError {
    StorageError::broken("an index key is malformed")
}

/// The length in bytes of the component that `key` begins with.
pub fn component_length(key: &[u8], descending: bool) -> Result<usize, StorageError> {
    let mut reader = Reader {
        bytes: key,
        position: 0,
        mask: if descending { 0xFF } else { 0 },
    };
    reader.skip(0).ok_or_else(malformed)?;
    Ok(reader.position)
}

/// Decodes a key's components one after the other.
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    reader: Reader<'a>,
    marks: Marks<'a>,
}

impl<'a> Decoder<'a> {
    /// `type_bits` are the bytes of the `TypeBits` that the key was encoded with.
    pub fn new(key: &'a [u8], type_bits: &'a [u8]) -> Self {
        Self {
            reader: Reader {
                bytes: key,
                position: 0,
                mask: 0,
            },
            marks: Marks::new(type_bits),
        }
    }

    /// Decodes the next component and appends it to `out` under a name (a missing value appends
    /// nothing). Every component must be decoded, in order: the type bits go along.
    pub fn next_into(
        &mut self,
        descending: bool,
        name: &str,
        out: &mut DocumentBuilder,
    ) -> Result<(), StorageError> {
        self.next(descending, &mut |value| {
            out.append(name, value);
        })
    }

    /// Decodes the next component and hands it to `emit`, as `next_into` does to a document.
    ///
    /// # Errors
    /// An error of storage for bytes that are no key.
    pub fn next(
        &mut self,
        descending: bool,
        emit: &mut dyn FnMut(ValueRef<'_>),
    ) -> Result<(), StorageError> {
        self.reader.mask = if descending { 0xFF } else { 0 };
        self.value(0, emit).ok_or_else(malformed)
    }

    /// How many bytes of the key were decoded.
    pub fn position(&self) -> usize {
        self.reader.position
    }

    fn value(&mut self, depth: usize, emit: &mut dyn FnMut(ValueRef<'_>)) -> Option<()> {
        match self.reader.byte()? {
            class::MIN_KEY => emit(ValueRef::MinKey),
            class::MAX_KEY => emit(ValueRef::MaxKey),
            class::MISSING => match self.marks.next() {
                Some(Mark::Undefined) => emit(ValueRef::Undefined),
                _ => emit(ValueRef::Missing),
            },
            class::NULL => emit(ValueRef::Null),
            class::FALSE => emit(ValueRef::Boolean(false)),
            class::TRUE => emit(ValueRef::Boolean(true)),
            class::STRING => {
                let text = self.reader.text()?;
                match self.marks.next() {
                    Some(Mark::Symbol) => emit(ValueRef::Symbol(Text(&text))),
                    _ => emit(ValueRef::String(Text(&text))),
                }
            }
            class::DOCUMENT => {
                let document = self.fields(depth)?;
                emit(ValueRef::Document(document.as_document()));
            }
            class::ARRAY => {
                let mut items = ArrayBuilder::new();
                while self.reader.byte()? != class::END {
                    self.reader.position -= 1;
                    self.value(deeper(depth)?, &mut |value| {
                        items.push(value);
                    })?;
                }
                emit(ValueRef::Array(items.finish().as_array()));
            }
            class::BINARY => {
                let length = self.reader.length()?;
                let subtype = self.reader.byte()?;
                let mut bytes = Vec::new();
                self.reader.take(length, &mut bytes)?;
                let bytes = bytes.as_slice();
                emit(ValueRef::Binary { subtype, bytes });
            }
            class::OBJECT_ID => emit(ValueRef::ObjectId(self.reader.fixed()?)),
            class::DATE_TIME => {
                let millis = self.reader.big_endian(8)? ^ (1 << 63);
                emit(ValueRef::DateTime(millis as i64));
            }
            class::TIMESTAMP => emit(ValueRef::Timestamp {
                time: self.reader.big_endian(4)? as u32,
                increment: self.reader.big_endian(4)? as u32,
            }),
            class::REGEX => {
                let pattern = Text(&self.reader.text()?);
                let options = Text(&self.reader.text()?);
                emit(ValueRef::Regex { pattern, options });
            }
            class::DB_POINTER => {
                let length = self.reader.length()?;
                let mut namespace = Vec::new();
                self.reader.take(length, &mut namespace)?;
                let namespace = Text(&namespace);
                let id = self.reader.fixed()?;
                emit(ValueRef::DbPointer { namespace, id });
            }
            class::JAVASCRIPT => emit(ValueRef::JavaScript(Text(&self.reader.text()?))),
            class::JAVASCRIPT_WITH_SCOPE => {
                let code = Text(&self.reader.text()?);
                let scope = self.fields(depth)?;
                let scope = scope.as_document();
                emit(ValueRef::JavaScriptWithScope { code, scope });
            }
            class @ class::NAN..=class::POSITIVE_LARGE => {
                let mark = self.marks.next();
                emit(number::decode(class, &mut self.reader, mark)?);
            }
            _ => return None,
        }
        Some(())
    }

    fn fields(&mut self, depth: usize) -> Option<crate::bson::DocumentBuf> {
        let mut fields = DocumentBuilder::new();
        while self.reader.byte()? != class::END {
            let name = String::from_utf8(self.reader.text()?).ok()?;
            self.value(deeper(depth)?, &mut |value| {
                fields.append(&name, value);
            })?;
        }
        Some(fields.finish())
    }
}
