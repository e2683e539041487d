//! Resume tokens: `{_data: hexadecimal digits}`, which sort as their events do.
//!
//! Follows the server's version 2: the time, the version, whether it is of an event or of a time alone, the place in a
//! transaction, whether it is of an invalidation, the collection's UUID, the kind of event, and the fragment of a split
//! event. Readers of the server's tokens find the time and the kind where they look for them.

use crate::algorithms::hexadecimal;
use crate::bson::{Document, DocumentBuf, DocumentBuilder};
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
    /// 40647, 9 `FailedToParse`, 40649, 50811, 50795 for a document that is no token.
    pub fn read(document: Document<'_>) -> Result<Self, CommandError> {
        let Some(digits) = document.get("_data").as_str() else {
            return Err(CommandError::location(
                40647,
                format!(
                    "Bad resume token: _data of missing or of wrong type. Expected string, got {document}"
                ),
            ));
        };
        let bytes = hexadecimal::parse(digits).ok_or_else(|| {
            CommandError::new(
                Code::FailedToParse,
                "resume token string was not a valid hex string",
            )
        })?;
        if bytes.is_empty() {
            return Err(CommandError::location(40649, "invalid empty resume token"));
        }
        let mut reader = Reader(&bytes);
        match reader.token() {
            Some((VERSION, token)) => Ok(token),
            Some(_) => Err(CommandError::location(
                50795,
                "Invalid Resume Token: only supports version 0, 1 and 2",
            )),
            None => Err(CommandError::location(
                50811,
                "KeyString format error: not a resume token",
            )),
        }
    }
}

/// Takes the parts of a token off its bytes.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn integer(&mut self) -> Option<u64> {
        let length = usize::from(self.byte()?.checked_sub(kind::ZERO)?);
        match length {
            0 => Some(0),
            2..=9 => {
                let bytes = self.take(length - 1)?.iter();
                Some(bytes.fold(0, |sum, byte| sum << 8 | u64::from(*byte)) >> 1)
            }
            _ => None,
        }
    }

    fn text(&mut self) -> Option<()> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        self.take(end + 1).map(drop)
    }

    fn token(&mut self) -> Option<(u64, Token)> {
        if self.byte()? != kind::TIMESTAMP {
            return None;
        }
        let at = u64::from_be_bytes(self.take(8)?.try_into().ok()?);
        let version = self.integer()?;
        let is_event = self.integer()? == OF_EVENT;
        let mut token = Token {
            at,
            is_event,
            index: self.integer()?,
            is_invalidation: self.byte()? == kind::TRUE,
            ..Token::default()
        };
        if self.byte()? == kind::BINARY {
            self.take(2)?;
            token.uuid = Some(self.take(16)?.try_into().ok()?);
        }
        if is_event {
            self.take(2)?;
            self.text()?;
            self.take(1)?;
            self.text()?;
            self.take(1)?;
            if *self.0.first()? != kind::END {
                token.fragment = Some(self.integer()?);
            }
        }
        (self.byte()? == kind::END && self.0.is_empty()).then_some((version, token))
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
            ("82", 50811),
            ("8200000005000000012B0629296E1404", 50795),
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
