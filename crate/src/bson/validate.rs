//! Validation of untrusted bytes, once, at the engine's door.
//!
//! Invariant: bytes that pass are well-formed BSON in every nested length, terminator, type byte and name, which is
//! UTF-8, so that views over them need no error path. Strings may hold any bytes, as a server stores any (`Text`).

use super::document::first_nul;
use super::types::BsonType;

/// The largest document a client may store, in bytes.
pub const MAX_DOCUMENT_SIZE: usize = 16 * 1024 * 1024;

/// The largest message a command may be: a document plus room for the command around it.
pub const MAX_MESSAGE_SIZE: usize = 48_000_000;

/// How deep a stored document may nest, itself counted. The server refuses more than this although the
/// manual names 100.
pub const MAX_NESTING: usize = 180;

/// How deep a command or reply may nest: a stored document and the levels around it.
pub const MAX_MESSAGE_NESTING: usize = 200;

/// Why bytes are not a BSON document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidBson {
    /// Where, in bytes from the start.
    pub offset: usize,
    pub reason: &'static str,
    /// Whether the bytes are well-formed but nest too deep.
    pub too_deep: bool,
}

/// Checks that `bytes` are exactly one valid document; tells how deep it nests, itself counted.
pub fn validate(bytes: &[u8]) -> Result<usize, InvalidBson> {
    let mut checker = Checker {
        bytes,
        position: 0,
        deepest: 0,
    };
    checker.document(1, bytes.len())?;
    if checker.position == bytes.len() {
        Ok(checker.deepest)
    } else {
        Err(checker.fail("bytes follow the document"))
    }
}

struct Checker<'a> {
    bytes: &'a [u8],
    position: usize,
    deepest: usize,
}

impl Checker<'_> {
    #[cold]
    fn fail(&self, reason: &'static str) -> InvalidBson {
        InvalidBson {
            offset: self.position,
            reason,
            too_deep: false,
        }
    }

    #[inline(always)]
    fn take(&mut self, count: usize, limit: usize) -> Result<&[u8], InvalidBson> {
        let start = self.position;
        match start.checked_add(count) {
            Some(end) if end <= limit => {
                self.position = end;
                Ok(&self.bytes[start..end])
            }
            _ => Err(self.fail("a value runs past the end of its document")),
        }
    }

    #[inline(always)]
    fn length(&mut self, limit: usize) -> Result<usize, InvalidBson> {
        let number = match self.take(4, limit)?.first_chunk::<4>() {
            Some(four) => i32::from_le_bytes(*four),
            None => -1,
        };
        usize::try_from(number).map_err(|_| self.fail("a length is negative"))
    }

    fn document(&mut self, depth: usize, limit: usize) -> Result<(), InvalidBson> {
        self.deepest = self.deepest.max(depth);
        if depth > MAX_MESSAGE_NESTING {
            return Err(InvalidBson {
                offset: self.position,
                reason: "the document nests too deep",
                too_deep: true,
            });
        }
        let start = self.position;
        let length = self.length(limit)?;
        let end = start.saturating_add(length);
        if length < 5 || end > limit {
            return Err(self.fail("a document's length is wrong"));
        }
        let last = end - 1;
        while self.position < last {
            self.element(depth, last)?;
        }
        if self.bytes[last] != 0 {
            return Err(self.fail("a document lacks its terminator"));
        }
        self.position = end;
        Ok(())
    }

    #[inline(always)]
    fn element(&mut self, depth: usize, limit: usize) -> Result<(), InvalidBson> {
        let byte = self.take(1, limit)?[0];
        let kind = BsonType::from_byte(byte).ok_or_else(|| self.fail("a type byte is unknown"))?;
        self.cstring(limit)?;
        match kind {
            BsonType::String => self.string(limit),
            BsonType::Double | BsonType::DateTime | BsonType::Int64 => {
                self.take(8, limit).map(drop)
            }
            BsonType::Int32 => self.take(4, limit).map(drop),
            BsonType::Document | BsonType::Array => self.document(depth + 1, limit),
            BsonType::Boolean => {
                if self.take(1, limit)?[0] > 1 {
                    return Err(self.fail("a boolean is neither 0 nor 1"));
                }
                Ok(())
            }
            BsonType::Symbol | BsonType::JavaScript => self.string(limit),
            BsonType::Regex => {
                self.any_cstring(limit)?;
                self.any_cstring(limit).map(drop)
            }
            BsonType::DbPointer => {
                self.string(limit)?;
                self.take(12, limit).map(drop)
            }
            BsonType::JavaScriptWithScope => {
                let start = self.position;
                let length = self.length(limit)?;
                let end = start.saturating_add(length);
                if end > limit {
                    return Err(self.fail("a scope's length is wrong"));
                }
                self.string(end)?;
                self.document(depth + 1, end)?;
                if self.position == end {
                    Ok(())
                } else {
                    Err(self.fail("a scope's length is wrong"))
                }
            }
            BsonType::Binary => {
                let length = self.length(limit)?;
                self.take(1, limit)?;
                self.take(length, limit).map(drop)
            }
            fixed => {
                let length = super::document::value_length(fixed, &[])
                    .ok_or_else(|| self.fail("a type byte is unknown"))?;
                self.take(length, limit).map(drop)
            }
        }
    }

    fn string(&mut self, limit: usize) -> Result<(), InvalidBson> {
        let length = self.length(limit)?;
        if length == 0 {
            return Err(self.fail("a string lacks its terminator"));
        }
        match self.take(length, limit)?.last() {
            Some(0) => Ok(()),
            _ => Err(self.fail("a string lacks its terminator")),
        }
    }

    /// A field's name.
    fn cstring(&mut self, limit: usize) -> Result<(), InvalidBson> {
        const LOW: u64 = 0x0101_0101_0101_0101;
        let rest = &self.bytes[self.position..limit];
        let (mut at, mut seen) = (0, 0);
        // The name's end and bytes beyond ASCII are seen in the same words.
        while let Some(eight) = rest.get(at..).and_then(<[u8]>::first_chunk) {
            let word = u64::from_le_bytes(*eight);
            let zeros = word.wrapping_sub(LOW) & !word & HIGH;
            if zeros == 0 {
                seen |= word;
                at += 8;
                continue;
            }
            let end = at + (zeros.trailing_zeros() / 8) as usize;
            seen |= word & (zeros & zeros.wrapping_neg()).wrapping_sub(1);
            if seen & HIGH != 0 && std::str::from_utf8(&rest[..end]).is_err() {
                return Err(self.fail("a name is not UTF-8"));
            }
            self.position += end + 1;
            return Ok(());
        }
        self.last_cstring(limit)
    }

    /// As `cstring`, for one that ends in the document's last bytes.
    #[inline(never)]
    fn last_cstring(&mut self, limit: usize) -> Result<(), InvalidBson> {
        match std::str::from_utf8(self.any_cstring(limit)?) {
            Ok(_) => Ok(()),
            Err(_) => Err(self.fail("a name is not UTF-8")),
        }
    }

    /// Bytes up to the first NUL.
    fn any_cstring(&mut self, limit: usize) -> Result<&[u8], InvalidBson> {
        let rest = &self.bytes[self.position..limit];
        let Some(length) = first_nul(rest) else {
            return Err(self.fail("a name lacks its terminator"));
        };
        self.position += length + 1;
        Ok(&rest[..length])
    }
}

/// The bits that no ASCII byte has.
const HIGH: u64 = 0x8080_8080_8080_8080;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::{DocumentBuilder, Text, ValueRef, values_equal};

    fn nested(depth: usize) -> Vec<u8> {
        let mut builder = DocumentBuilder::new();
        for _ in 0..depth {
            builder.begin_document("a");
        }
        builder.finish().into_bytes()
    }

    #[test]
    fn names_may_be_any_text_and_nothing_else() {
        for length in 0..40 {
            for (bad, at) in (0..length).flat_map(|at| [(false, at), (true, at)]) {
                // A letter of two bytes is text, its first byte alone is not.
                let mut name = vec![b'n'; length];
                let sign: &[u8] = if bad { &[0xC3] } else { "\u{e9}".as_bytes() };
                name.splice(at..=at, sign.iter().copied());
                for after in [0, 1, 20] {
                    let mut bytes = vec![0, 0, 0, 0, BsonType::Null as u8];
                    bytes.extend_from_slice(&name);
                    bytes.push(0);
                    if after > 0 {
                        bytes.extend([BsonType::Binary as u8, 0]);
                        bytes.extend((after as u32).to_le_bytes());
                        bytes.resize(bytes.len() + 1 + after, 0xFF);
                    }
                    bytes.push(0);
                    let whole = bytes.len() as u32;
                    bytes[..4].copy_from_slice(&whole.to_le_bytes());
                    let is_text = std::str::from_utf8(&name).is_ok();
                    assert_eq!(validate(&bytes).is_ok(), is_text, "{bytes:?}");
                    assert_ne!(is_text, bad);
                }
            }
        }
    }

    #[test]
    fn strings_may_be_any_bytes() {
        let bad = Text(b"a\xff\xc3");
        let scope = DocumentBuilder::new().finish();
        let scope = scope.as_document();
        for value in [
            ValueRef::String(bad),
            ValueRef::Symbol(bad),
            ValueRef::JavaScript(bad),
            ValueRef::JavaScriptWithScope { code: bad, scope },
            ValueRef::Regex {
                pattern: bad,
                options: bad,
            },
            ValueRef::DbPointer {
                namespace: bad,
                id: [7; 12],
            },
        ] {
            let mut builder = DocumentBuilder::new();
            builder.append("v", value).append("behind", 1);
            let document = builder.finish();
            assert_eq!(
                validate(document.as_bytes()),
                Ok(1 + usize::from(value.type_name() == "javascriptWithScope"))
            );
            let read = document.get("v");
            assert_eq!(read.type_name(), value.type_name());
            assert!(values_equal(read, value), "{value}");
            assert_eq!(document.get("behind").as_exact_i64(), Some(1));
        }
    }

    #[test]
    fn refuses_every_truncation_and_deep_nesting() {
        let mut builder = DocumentBuilder::new();
        builder
            .append("s", "text")
            .begin_array("a")
            .append("0", 1)
            .end();
        let bytes = builder.finish().into_bytes();
        assert!(validate(&bytes).is_ok());
        for end in 0..bytes.len() {
            assert!(validate(&bytes[..end]).is_err());
        }
        let deepest = MAX_MESSAGE_NESTING;
        assert_eq!(validate(&nested(deepest - 1)), Ok(deepest));
        assert!(validate(&nested(deepest)).is_err_and(|error| error.too_deep));
    }
}
