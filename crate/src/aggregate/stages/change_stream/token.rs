//! Resume tokens: `{_data: hexadecimal digits}`, which sort as their events do.
//!
//! Follows the server's version 2: the time, the version, whether it is of an event or of a time alone, the place in a
//! transaction, whether it is of an invalidation, the collection's UUID, the kind of event, and the fragment of a split
//! event. Readers of the server's tokens find the time and the kind where they look for them.

use crate::algorithms::hexadecimal;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};

/// The types of the server's keys that occur in tokens.
mod kind {
    pub const END: u8 = 0x04;
    pub const NULL: u8 = 0x14;
    pub const ZERO: u8 = 0x29;
    /// Of integers of one byte; of longer ones the next ones.
    pub const INTEGER: u8 = 0x2b;
    pub const STRING: u8 = 0x3c;
    pub const DOCUMENT: u8 = 0x46;
    pub const BINARY: u8 = 0x5a;
    pub const FALSE: u8 = 0x6e;
    pub const TRUE: u8 = 0x6f;
    pub const TIMESTAMP: u8 = 0x82;
}

/// The type of integers of eight bytes.
const LONGEST: u8 = kind::INTEGER + 7;
const VERSION: u64 = 2;
const OF_EVENT: u64 = 128;
const OPERATION_TYPE: &[u8] = b"operationType\0";

/// A place in the stream of all changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Token {
    /// The oplog's time.
    pub at: u64,
    pub is_event: bool,
    /// Which operation of a transaction.
    pub index: u64,
    pub is_invalidation: bool,
    pub uuid: Option<[u8; 16]>,
    pub fragment: Option<u64>,
}

fn write_integer(bytes: &mut Vec<u8>, number: u64) {
    let shifted = number << 1;
    let length = (64 - shifted.leading_zeros()).div_ceil(8) as usize;
    bytes.push(match length {
        0 => kind::ZERO,
        length => kind::INTEGER - 1 + length as u8,
    });
    bytes.extend_from_slice(&shifted.to_be_bytes()[8 - length..]);
}

impl Token {
    /// The token of a time, before all events of it.
    pub fn of_time(at: u64) -> Self {
        Self {
            at,
            ..Self::default()
        }
    }

    /// The token of the place behind an entry that the stream does not tell: the entry must be there to go on.
    pub fn behind_entry(at: u64) -> Self {
        Self {
            index: 1,
            ..Self::of_time(at)
        }
    }

    /// The token as clients have it; `operation` is the kind of event.
    pub fn to_document(self, operation: &str) -> DocumentBuf {
        let mut bytes = vec![kind::TIMESTAMP];
        bytes.extend_from_slice(&self.at.to_be_bytes());
        write_integer(&mut bytes, VERSION);
        write_integer(&mut bytes, if self.is_event { OF_EVENT } else { 0 });
        write_integer(&mut bytes, self.index);
        bytes.push(if self.is_invalidation {
            kind::TRUE
        } else {
            kind::FALSE
        });
        match &self.uuid {
            None => bytes.push(kind::NULL),
            Some(uuid) => {
                bytes.extend_from_slice(&[kind::BINARY, 16, 4]);
                bytes.extend_from_slice(uuid);
            }
        }
        if self.is_event {
            bytes.extend_from_slice(&[kind::DOCUMENT, kind::STRING]);
            bytes.extend_from_slice(OPERATION_TYPE);
            bytes.push(kind::STRING);
            bytes.extend_from_slice(operation.as_bytes());
            bytes.extend_from_slice(&[0, 0]);
        }
        if let Some(fragment) = self.fragment {
            write_integer(&mut bytes, fragment);
        }
        bytes.push(kind::END);
        let mut digits = String::new();
        hexadecimal::write_upper(&mut digits, &bytes);
        let mut document = DocumentBuilder::new();
        document.append("_data", digits.as_str());
        document.finish()
    }

    /// Reads a token that a client hands back.
    ///
    /// # Errors
    /// 40647, 40648, 9 `FailedToParse`, 40649, 50811 for a document that is no token; those of each part that is not
    /// there or of another type.
    pub fn read(document: Document<'_>) -> Result<Self, CommandError> {
        let Some(digits) = document.get("_data").as_str() else {
            return wrong(
                40647,
                format!(
                    "Bad resume token: _data of missing or of wrong type. Expected string, got {document}"
                ),
            );
        };
        if !matches!(
            document.get("_typeBits"),
            ValueRef::Missing | ValueRef::Binary { subtype: 0, .. }
        ) {
            return wrong(
                40648,
                format!("Bad resume token: _typeBits of wrong type {document}"),
            );
        }
        let bytes = hexadecimal::parse(digits).ok_or_else(|| {
            CommandError::new(
                Code::FailedToParse,
                "resume token string was not a valid hex string",
            )
        })?;
        let mut reader = Reader {
            rest: &bytes,
            ends_within: false,
        };
        let read = reader.token();
        match reader.ends_within {
            true => Err(CommandError::new(
                Code::Overflow,
                "the resume token ends too early",
            )),
            false => read,
        }
    }
}

fn wrong<T>(code: i32, message: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::location(code, message))
}

/// A part of a token.
enum Part {
    Integer(u64),
    Boolean(bool),
    Null,
    Uuid([u8; 16]),
    /// The kind of event.
    Event,
    End,
}

/// Takes the parts of a token off its bytes.
struct Reader<'b> {
    rest: &'b [u8],
    /// The bytes end within a part.
    ends_within: bool,
}

impl Reader<'_> {
    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let split = self.rest.split_at_checked(length);
        self.ends_within |= split.is_none();
        let (taken, rest) = split?;
        self.rest = rest;
        Some(taken)
    }

    /// The next byte; none at the end.
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn text(&mut self) -> Option<()> {
        // A text without an end asks for one byte more than there are.
        let end = self.rest.iter().position(|byte| *byte == 0);
        self.take(end.unwrap_or(self.rest.len()) + 1).map(drop)
    }

    /// The next part; none where the bytes are of no value.
    fn part(&mut self) -> Option<Part> {
        let Some(byte) = self.byte() else {
            return Some(Part::End);
        };
        Some(match byte {
            kind::END => {
                self.rest = &[];
                Part::End
            }
            kind::NULL => Part::Null,
            kind::FALSE => Part::Boolean(false),
            kind::TRUE => Part::Boolean(true),
            kind::ZERO => Part::Integer(0),
            kind::INTEGER..=LONGEST => {
                let length = usize::from(byte - kind::INTEGER) + 1;
                let bytes = self.take(length)?.iter();
                Part::Integer(bytes.fold(0, |sum, byte| sum << 8 | u64::from(*byte)) >> 1)
            }
            kind::BINARY => {
                if self.take(2)? != [16, 4] {
                    return None;
                }
                Part::Uuid(self.take(16)?.try_into().ok()?)
            }
            kind::DOCUMENT => {
                self.take(1)?;
                self.text()?;
                self.take(1)?;
                self.text()?;
                self.take(1)?;
                Part::Event
            }
            _ => return None,
        })
    }

    fn next(&mut self) -> Result<Part, CommandError> {
        let part = self.part();
        part.ok_or_else(|| {
            CommandError::location(50811, "KeyString format error: not a resume token")
        })
    }

    fn token(&mut self) -> Result<Token, CommandError> {
        let first = self.byte();
        let at = match first {
            None | Some(kind::END) => return wrong(40649, "invalid empty resume token"),
            Some(kind::TIMESTAMP) => { self.take(8) }.and_then(|bytes| bytes.try_into().ok()),
            Some(_) => None,
        };
        let Some(at) = at.map(u64::from_be_bytes) else {
            return wrong(50811, "KeyString format error: not a resume token");
        };
        match self.next()? {
            Part::Integer(VERSION) => {}
            Part::Integer(_) => {
                let message = "Invalid Resume Token: only supports version 0, 1 and 2";
                return wrong(50795, message);
            }
            Part::End => return wrong(50796, "Resume Token does not contain version"),
            _ => return wrong(50854, "Invalid resume token: wrong type for version"),
        }
        let is_event = match self.next()? {
            Part::Integer(0) => false,
            Part::Integer(OF_EVENT) => true,
            Part::Integer(other) => {
                return wrong(51057, format!("Token type {other} not recognized"));
            }
            Part::End => return wrong(51055, "Resume Token does not contain tokenType"),
            _ => return wrong(51056, "Resume Token tokenType is not an int."),
        };
        let index = match self.next()? {
            Part::Integer(index) => index,
            Part::End => return wrong(50793, "Resume Token does not contain txnOpIndex"),
            _ => return wrong(50855, "Resume Token txnOpIndex is not an integer"),
        };
        let is_invalidation = match self.next()? {
            Part::Boolean(flag) => flag,
            Part::End => return wrong(50872, "Resume Token does not contain fromInvalidate"),
            _ => return wrong(50870, "Resume Token fromInvalidate is not a boolean."),
        };
        let uuid = match self.next()? {
            Part::Null => None,
            Part::Uuid(uuid) => Some(uuid),
            Part::End => return wrong(6_189_500, "Expected UUID or null"),
            _ => {
                return Err(CommandError::new(
                    Code::InvalidUUID,
                    "uuid must be a 16-byte binary field with UUID (4) subtype",
                ));
            }
        };
        match (self.next()?, is_event) {
            (Part::End, false) | (Part::Event, true) => {}
            (_, false) => return wrong(6_189_504, "Invalid high water mark token"),
            (Part::End, true) => {
                let message = "Expected an eventIdentifier for an event resume token";
                return wrong(6_189_501, message);
            }
            _ => return wrong(6_189_503, "Resume Token eventIdentifier is not an object"),
        }
        let fragment = match self.next()? {
            Part::End => None,
            Part::Integer(number) => Some(number),
            _ => {
                let message = "Resume token 'fragmentNum' must be a non-negative integer.";
                return wrong(7_182_501, message);
            }
        };
        if fragment.is_some() && !matches!(self.next()?, Part::End) {
            return wrong(40646, "invalid oversized resume token");
        }
        Ok(Token {
            at,
            is_event,
            index,
            is_invalidation,
            uuid,
            fragment,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_as_they_were_written_and_sort() {
        let mut last = String::new();
        for at in [1_u64, 5 << 32 | 1, 6 << 32 | 70_000] {
            for index in [0, 1, 127, 128, 40_000] {
                for (is_invalidation, fragment) in [
                    (false, None),
                    (false, Some(0)),
                    (false, Some(1)),
                    (true, None),
                ] {
                    let token = Token {
                        at,
                        is_event: true,
                        index,
                        is_invalidation,
                        uuid: Some([7; 16]),
                        fragment,
                    };
                    let document = token.to_document("insert");
                    assert_eq!(Token::read(document.as_document()), Ok(token));
                    let digits = document.get("_data").as_str().expect("text").to_owned();
                    // A fragment sorts behind the token of the event as a whole.
                    assert!(digits > last || fragment == Some(0), "{last} {digits}");
                    last = digits;
                }
            }
        }
        let time = Token::of_time(5 << 32 | 1).to_document("");
        assert_eq!(
            time.get("_data").as_str(),
            Some("8200000005000000012B0429296E1404")
        );
        assert_eq!(
            Token::read(time.as_document()),
            Ok(Token::of_time(5 << 32 | 1))
        );
        for (wrong, code) in [
            ("", 40649),
            ("0", 9),
            ("zz", 9),
            ("82", 15),
            ("04", 40649),
            ("46", 50811),
            ("820000000500000001", 50796),
            ("82000000050000000104", 50796),
            ("8200000005000000016E", 50854),
            ("8200000005000000012B0629296E1404", 50795),
            ("8200000005000000012B04", 51055),
            ("8200000005000000012B046E", 51056),
            ("8200000005000000012B042B04", 51057),
            ("8200000005000000012B0429", 50793),
            ("8200000005000000012B04296E", 50855),
            ("8200000005000000012B042929", 50872),
            ("8200000005000000012B04292929", 50870),
            ("8200000005000000012B0429296E", 6_189_500),
            ("8200000005000000012B0429296E2904", 207),
            ("8200000005000000012B0429296E142904", 6_189_504),
            ("8200000005000000012B042C0100296E1404", 6_189_501),
            ("8200000005000000012B042C0100296E142904", 6_189_503),
            (
                "8200000005000000012B042C0100296E14463C61003C6200006E04",
                7_182_501,
            ),
            (
                "8200000005000000012B042C0100296E14463C61003C620000292904",
                40646,
            ),
            ("8200000005000000012B042C0100296E5A1004", 15),
        ] {
            let mut document = DocumentBuilder::new();
            document.append("_data", wrong);
            let error = Token::read(document.finish().as_document()).expect_err("no token");
            assert_eq!(error.code, code, "{wrong}");
        }
        assert_eq!(
            Token::read(Document::EMPTY).map_err(|error| error.code),
            Err(40647)
        );
    }
}
