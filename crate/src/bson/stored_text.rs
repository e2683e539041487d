//! A string as it is stored: bytes, which clients mean as UTF-8 and which validation lets pass unchecked.
//!
//! Follows the server, which stores, compares, indexes and gives back any bytes in a string's place. Invariant: a
//! `&str` made of a `Text` was checked; all that works by bytes (order, hashes, keys, copies) asks for the bytes alone.

use crate::error::{Code, CommandError};
use std::borrow::Cow;
use std::fmt;

/// How many bytes of a refused text a message shows.
const MOST_SHOWN: usize = 1024;

/// The bytes of a string, symbol, pattern, piece of code or namespace.
///
/// The field is open so that patterns can name an empty or a short word: `ValueRef::String(Text(b""))`. A pattern
/// compares each byte by itself, so longer words are compared in a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<'a>(pub &'a [u8]);

impl<'a> Text<'a> {
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// How many bytes it has.
    pub fn len(self) -> usize {
        self.0.len()
    }

    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The text, where the bytes are UTF-8.
    #[inline(never)]
    pub fn to_str(self) -> Option<&'a str> {
        std::str::from_utf8(self.0).ok()
    }

    /// The text of a name, a path, a piece of code or another argument that this engine reads sign by sign.
    ///
    /// # Errors
    /// 2 `BadValue` where the bytes are no UTF-8.
    #[inline(never)]
    pub fn checked(self) -> Result<&'a str, CommandError> {
        self.to_str().ok_or_else(|| self.refused(Code::BadValue))
    }

    /// The refusal of bytes that are no UTF-8.
    #[cold]
    #[inline(never)]
    pub fn refused(self, code: Code) -> CommandError {
        let shown = Self(self.0.get(..MOST_SHOWN).unwrap_or(self.0));
        CommandError::new(code, format!("a text is not valid UTF-8: '{shown}'"))
    }

    /// The text with U+FFFD in the place of bytes that are no UTF-8: for what a person reads, and for collations.
    #[inline(never)]
    pub fn lossy(self) -> Cow<'a, str> {
        match self.to_str() {
            Some(text) => Cow::Borrowed(text),
            None => String::from_utf8_lossy(self.0),
        }
    }

    /// How many signs it has, as the server counts them: bytes that begin one.
    pub fn count(self) -> usize {
        self.0
            .iter()
            .filter(|byte| !is_continuation(**byte))
            .count()
    }

    /// Whether it is written as the path or the variable of an expression.
    pub fn has_dollar(self) -> bool {
        self.0.first() == Some(&b'$')
    }
}

/// Whether a byte goes on with a sign of UTF-8 that others began.
pub fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lossy())
    }
}
