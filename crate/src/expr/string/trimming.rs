//! Trimming, shared by `$trim`, `$ltrim` and `$rtrim`.

use super::super::arguments::error;
use super::super::form::Names;
use super::super::node::Result;
use super::positions::sign_length;
use crate::algorithms::sorting;
use crate::bson::stored_text::is_continuation;
use crate::bson::{Value, ValueRef};

/// The arguments of the three operators.
pub const NAMES: Names = Names {
    names: &["input", "chars"],
    missing: &[50695],
    not_object: 50696,
    unknown: 50694,
};

/// Characters of so many bytes are looked through one by one.
const FEW_BYTES: usize = 64;
/// The characters trimmed when none are given.
const WHITESPACE: &str = "\0 \t\n\u{b}\u{c}\r\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\
                          \u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}";

/// Trims the input at either end. `given` says whether characters were named at all.
pub fn trim(
    input: ValueRef<'_>,
    characters: Option<ValueRef<'_>>,
    name: &str,
    start: bool,
    end: bool,
) -> Result<Value<'static>> {
    let mut text = match input {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::String(text) => text.as_bytes(),
        other => {
            return Err(error(
                50699,
                format!(
                    "{name} requires its input to be a string, got a value of type {} instead.",
                    other.type_name()
                ),
            ));
        }
    };
    let is_given = characters.is_some();
    let characters = match characters {
        None => WHITESPACE.as_bytes(),
        Some(ValueRef::String(characters)) => characters.as_bytes(),
        Some(value) if value.is_nullish() => return Ok(Value::NULL),
        Some(other) => {
            return Err(error(
                50700,
                format!(
                    "{name} requires 'chars' to be a string, got a value of type {} instead.",
                    other.type_name()
                ),
            ));
        }
    };
    let ascii = match is_given {
        true => check(characters)?,
        false => BLANKS,
    };
    let mut sorted = Vec::new();
    if characters.len() > FEW_BYTES {
        sorted.extend(signs(characters));
        sorting::sort(&mut sorted);
    }
    let is_trimmed = |sign: &[u8]| match sign {
        [byte @ 0..128] => ascii.has(*byte),
        _ if sorted.is_empty() => signs(characters).any(|one| one == sign),
        _ => sorted.binary_search(&sign).is_ok(),
    };
    while let Some(sign) = first_sign(text).filter(|sign| start && is_trimmed(sign)) {
        text = &text[sign.len()..];
    }
    let last = |text: &[u8]| {
        let lengths = 1..=4.min(text.len());
        lengths.map(|length| text.len() - length).find(|at| {
            // A sign that ends where the text does, and none that goes on behind it.
            let sign = &text[*at..];
            first_sign(sign) == Some(sign) && is_trimmed(sign)
        })
    };
    while let Some(at) = if end { last(text) } else { None } {
        text = &text[..at];
    }
    Ok(Value::String(text.into()))
}

/// How many bytes a sign has that begins so; a byte that begins none stands for itself.
fn length(first: u8) -> usize {
    let length = sign_length(first).filter(|length| *length <= 4);
    length.unwrap_or(1)
}

/// The sign that a text begins with, if all of it is there.
fn first_sign(text: &[u8]) -> Option<&[u8]> {
    text.get(..length(*text.first()?))
}

/// The signs of a text that `check` has let pass.
fn signs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let sign = first_sign(rest)?;
        rest = &rest[sign.len()..];
        Some(sign)
    })
}

/// The signs of one byte among the characters.
#[derive(Default)]
struct Ascii([u64; 2]);

/// Those of `WHITESPACE`: NUL, the five from tab to carriage return, and the space.
const BLANKS: Ascii = Ascii([1 | 0x1F << 9 | 1 << 32, 0]);

impl Ascii {
    #[inline(always)]
    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6 & 1)] >> (byte & 63) & 1 != 0
    }
}

/// Refuses characters that are no signs of UTF-8.
fn check(characters: &[u8]) -> Result<Ascii> {
    let mut ascii = Ascii::default();
    let invalid = |code, reason: &str| {
        Err(error(
            code,
            format!(
                "Failed to parse \"chars\" argument to $trim/$ltrim/$rtrim: Detected invalid UTF-8. {reason}"
            ),
        ))
    };
    let mut rest = characters;
    while let Some(first) = rest.first() {
        if is_continuation(*first) {
            return invalid(
                5_156_305,
                "Got continuation byte when expecting the start of a new code point.",
            );
        }
        let Some(behind) = rest.get(length(*first)..) else {
            return invalid(
                5_156_304,
                "Missing expected continuation byte at end of string.",
            );
        };
        if *first < 128 {
            ascii.0[usize::from(*first >> 6)] |= 1 << (*first & 63);
        }
        rest = behind;
    }
    Ok(ascii)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::Text;

    #[test]
    fn blanks_are_the_white_space_of_one_byte() {
        for byte in 0..128 {
            let is_blank = WHITESPACE.as_bytes().contains(&byte);
            assert_eq!(BLANKS.has(byte), is_blank, "{byte}");
        }
        let found = check(WHITESPACE.as_bytes()).expect("the signs are UTF-8");
        assert_eq!(found.0, BLANKS.0);
    }

    #[test]
    fn trims_signs_of_any_length_at_both_ends() {
        let trimmed = |text: &'static [u8], characters: Option<&'static [u8]>| {
            let characters = characters.map(|bytes| ValueRef::String(Text(bytes)));
            let input = ValueRef::String(Text(text));
            let value = trim(input, characters, "$trim", true, true).expect("both are strings");
            value
                .as_ref()
                .as_text()
                .map(|text| text.as_bytes().to_vec())
        };
        let long =
            "abcdefghijklmnopqrstuvwxyzé語😀ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-".as_bytes();
        for (text, characters, left) in [
            ("\u{2003} é \u{a0}".as_bytes(), None, "é".as_bytes()),
            ("é語x語é".as_bytes(), Some("é語".as_bytes()), b"x"),
            ("é語😀!😀Zé".as_bytes(), Some(long), b"!"),
            (b"\xff\xfe\xff", Some(b"\xff"), b"\xfe"),
            (b"  ", None, b""),
        ] {
            assert_eq!(trimmed(text, characters).as_deref(), Some(left));
        }
    }
}
