//! Extended JSON text to BSON: strict JSON, with the type wrappers of both formats and of version 1.
//!
//! Objects are written as they are read; one whose first key names a type is replaced by its value
//! when it ends. Invariant: the result is valid BSON within the nesting limit, or an error with its
//! place.

use super::wrapper;
use crate::algorithms::sorting;
use crate::bson::float;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, MAX_MESSAGE_NESTING, Value, ValueRef};
use std::fmt;

/// Why text is not Extended JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// Where, in bytes from the start.
    pub offset: usize,
    pub reason: &'static str,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at position {}", self.reason, self.offset)
    }
}

impl std::error::Error for JsonError {}

/// Reads one document.
pub fn parse_document(text: &str) -> Result<DocumentBuf, JsonError> {
    let root = parse_root(text, false)?;
    match root.get("") {
        ValueRef::Document(document) => Ok(document.to_buf()),
        _ => Err(JsonError {
            offset: 0,
            reason: "the text is not a document",
        }),
    }
}

/// Reads one value of any type.
pub fn parse_value(text: &str) -> Result<Value<'static>, JsonError> {
    parse_root(text, false).map(|root| root.get("").to_value())
}

/// Reads one value of plain JSON, where no object stands for a value. Of a repeated name the last value counts.
pub fn parse_plain(text: &str) -> Result<Value<'static>, JsonError> {
    parse_root(text, true).map(|root| root.get("").to_value())
}

fn parse_root(text: &str, plain: bool) -> Result<DocumentBuf, JsonError> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        position: 0,
        plain,
        out: DocumentBuilder::new(),
    };
    reader.value("", 0)?;
    reader.space();
    match reader.position == text.len() {
        true => Ok(reader.out.finish()),
        false => reader.fail("text follows the value"),
    }
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    /// Whether no object stands for a value.
    plain: bool,
    out: DocumentBuilder,
}

impl Reader<'_> {
    fn fail<T>(&self, reason: &'static str) -> Result<T, JsonError> {
        Err(JsonError {
            offset: self.position,
            reason,
        })
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.position) {
            self.position += 1;
        }
    }

    /// The next byte that is not space, without taking it.
    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.bytes.get(self.position).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.position += usize::from(found);
        found
    }

    fn value(&mut self, name: &str, depth: usize) -> Result<(), JsonError> {
        // A wrapper's own objects vanish, so allow two levels more than the result may have.
        if depth > MAX_MESSAGE_NESTING + 3 {
            return self.fail("the document nests too deep");
        }
        match self.peek() {
            Some(b'{') => self.object(name, depth),
            Some(b'[') => self.array(name, depth),
            Some(b'"') => {
                let text = self.string()?;
                self.out.append(name, text.as_str());
                Ok(())
            }
            Some(b'-' | b'0'..=b'9') => self.number(name),
            Some(_) => {
                let rest = &self.bytes[self.position..];
                let (word, value) = if rest.starts_with(b"true") {
                    ("true", ValueRef::Boolean(true))
                } else if rest.starts_with(b"false") {
                    ("false", ValueRef::Boolean(false))
                } else if rest.starts_with(b"null") {
                    ("null", ValueRef::Null)
                } else {
                    return self.fail("a value is expected");
                };
                self.position += word.len();
                self.out.append(name, value);
                Ok(())
            }
            None => self.fail("the text ends too early"),
        }
    }

    fn object(&mut self, name: &str, depth: usize) -> Result<(), JsonError> {
        let offset = self.position;
        self.position += 1;
        let start = self.out.len();
        self.out.begin_document(name);
        let body = self.out.len() - 4;
        let mut special = false;
        let mut first = true;
        while !self.take(b'}') {
            if !first && !self.take(b',') {
                return self.fail("a comma or } is expected");
            }
            if self.peek() != Some(b'"') {
                return self.fail("a quoted key is expected");
            }
            let key = self.string()?;
            if key.contains('\0') {
                return self.fail("a key must not contain a null byte");
            }
            special |= first && !self.plain && wrapper::is_type_key(&key);
            first = false;
            if !self.take(b':') {
                return self.fail("a colon is expected");
            }
            self.value(&key, depth + 1)?;
        }
        self.out.end();
        if special {
            let fields = Document::from_valid_bytes(self.out.written_since(body)).to_buf();
            let converted = wrapper::convert(fields.as_document())
                .map_err(|reason| JsonError { offset, reason })?;
            if let Some(value) = converted {
                self.out.take_back(start);
                self.out.append(name, value.as_ref());
                return Ok(());
            }
        }
        if depth > MAX_MESSAGE_NESTING + 1 {
            return self.fail("the document nests too deep");
        }
        if self.plain {
            self.drop_repeated(name, start, body);
        }
        Ok(())
    }

    /// Gives the first of several fields of one name the value of the last, and drops the others.
    fn drop_repeated(&mut self, name: &str, start: usize, body: usize) {
        let fields = Document::from_valid_bytes(self.out.written_since(body));
        let mut names: Vec<_> = fields.iter().map(|field| field.name).zip(0..).collect();
        sorting::sort(&mut names);
        let groups = || names.chunk_by(|(one, _), (other, _)| one == other);
        if groups().all(|group| group.len() == 1) {
            return;
        }
        let mut last_of = vec![usize::MAX; names.len()];
        for group in groups() {
            if let ([(_, first), ..], [.., (_, last)]) = (group, group) {
                last_of[*first] = *last;
            }
        }
        let fields = fields.to_buf();
        let fields: Vec<_> = fields.as_document().iter().collect();
        self.out.take_back(start);
        self.out.begin_document(name);
        for last in last_of {
            if let Some(field) = fields.get(last) {
                self.out.append(field.name, field.value);
            }
        }
        self.out.end();
    }

    fn array(&mut self, name: &str, depth: usize) -> Result<(), JsonError> {
        if depth > MAX_MESSAGE_NESTING + 1 {
            return self.fail("the document nests too deep");
        }
        self.position += 1;
        self.out.begin_array(name);
        let mut length = 0_usize;
        let mut key = String::new();
        while !self.take(b']') {
            if length > 0 && !self.take(b',') {
                return self.fail("a comma or ] is expected");
            }
            key.clear();
            float::write_digits(&mut key, length as u128);
            self.value(&key, depth + 1)?;
            length += 1;
        }
        self.out.end();
        Ok(())
    }

    fn number(&mut self, name: &str) -> Result<(), JsonError> {
        let start = self.position;
        let rest = &self.bytes[start..];
        let length = rest
            .iter()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
            .unwrap_or(rest.len());
        let text = &self.text[start..start + length];
        let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
        let leading_zero = digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit();
        let bare_point = digits.first() == Some(&b'.')
            || text.split_once('.').is_some_and(|(_, fraction)| {
                !fraction.starts_with(|first: char| first.is_ascii_digit())
            });
        let numeral = match float::parse_numeral(text) {
            Some(numeral) if !leading_zero && !bare_point => numeral,
            _ => return self.fail("a number is malformed"),
        };
        self.position += length;
        let whole = digits.iter().all(u8::is_ascii_digit) && numeral.exponent == 0;
        let integer = i128::try_from(numeral.coefficient)
            .ok()
            .map(|magnitude| {
                if numeral.negative {
                    -magnitude
                } else {
                    magnitude
                }
            })
            .and_then(|number| i64::try_from(number).ok())
            .filter(|number| whole && !(*number == 0 && numeral.negative));
        match integer.map(|number| (number, i32::try_from(number))) {
            Some((_, Ok(narrow))) => self.out.append(name, narrow),
            Some((wide, Err(_))) => self.out.append(name, wide),
            None => self.out.append(name, numeral.to_double()),
        };
        Ok(())
    }

    /// Reads a string whose opening quote is next.
    fn string(&mut self) -> Result<String, JsonError> {
        self.position += 1;
        let mut out = String::new();
        loop {
            let rest = &self.bytes[self.position..];
            let plain = rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
            let Some(length) = plain else {
                self.position = self.bytes.len();
                return self.fail("a string does not end");
            };
            out.push_str(&self.text[self.position..self.position + length]);
            self.position += length;
            match self.bytes[self.position] {
                b'"' => {
                    self.position += 1;
                    return Ok(out);
                }
                b'\\' => out.push(self.escape()?),
                _ => return self.fail("a control character must be escaped"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let escaped = match self.bytes.get(self.position + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(same @ (b'"' | b'\\' | b'/')) => char::from(*same),
            Some(b'u') => return self.unicode_escape(),
            _ => return self.fail("an escape is unknown"),
        };
        self.position += 2;
        Ok(escaped)
    }

    /// Reads `\uXXXX`, or two of them that form one character; a lone half becomes U+FFFD, because
    /// UTF-8 cannot hold it.
    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let Some(first) = self.code_unit() else {
            return self.fail("a \\u escape needs four hexadecimal digits");
        };
        self.position += 6;
        if (0xD800..0xDC00).contains(&first)
            && let Some(second @ 0xDC00..0xE000) = self.code_unit()
        {
            self.position += 6;
            let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// The code unit of a `\uXXXX` at the position, without taking it.
    fn code_unit(&self) -> Option<u32> {
        let text = self.bytes.get(self.position..self.position + 6)?;
        let digits = text.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |code, digit| {
            Some(code << 4 | char::from(*digit).to_digit(16)?)
        })
    }
}
