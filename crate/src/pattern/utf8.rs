//! Why bytes are no UTF-8, in PCRE2's words, which look at no text and no pattern of such bytes.

use crate::bson::Text;

/// The first fault of bytes that are no UTF-8.
pub fn utf8_fault(text: Text<'_>) -> &'static str {
    let bytes = text.as_bytes();
    let start = match std::str::from_utf8(bytes) {
        Ok(_) => return "UTF-8 error",
        Err(fault) => fault.valid_up_to(),
    };
    let fault = bytes.get(start..).unwrap_or_default();
    let first = fault.first().copied().unwrap_or_default();
    let length: usize = match first {
        0xFE.. => return "UTF-8 error: illegal byte (0xfe or 0xff)",
        // Their further bytes are not looked at.
        0xFC.. => return "UTF-8 error: 6-byte character is not allowed (RFC 3629)",
        0xF8.. => return "UTF-8 error: 5-byte character is not allowed (RFC 3629)",
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => return "UTF-8 error: isolated byte with 0x80 bit set",
    };
    if let Some(missing) = length.checked_sub(fault.len()).filter(|count| *count > 0) {
        return match missing {
            1 => "UTF-8 error: 1 byte missing at end",
            2 => "UTF-8 error: 2 bytes missing at end",
            _ => "UTF-8 error: 3 bytes missing at end",
        };
    }
    let others = fault.get(1..length).unwrap_or_default();
    match others.iter().position(|byte| byte & 0xC0 != 0x80) {
        Some(0) => return "UTF-8 error: byte 2 top bits not 0x80",
        Some(1) => return "UTF-8 error: byte 3 top bits not 0x80",
        Some(_) => return "UTF-8 error: byte 4 top bits not 0x80",
        None => {}
    }
    match first {
        0xF4.. => "UTF-8 error: code points greater than 0x10ffff are not defined",
        0xF0.. => "UTF-8 error: overlong 4-byte sequence",
        0xED => "UTF-8 error: code points 0xd800-0xdfff are not defined",
        0xE0.. => "UTF-8 error: overlong 3-byte sequence",
        _ => "UTF-8 error: overlong 2-byte sequence",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_first_fault() {
        for (bytes, fault) in [
            (&b"ab\xff"[..], "illegal byte (0xfe or 0xff)"),
            (b"\x80", "isolated byte with 0x80 bit set"),
            (b"a\xe2\x82", "1 byte missing at end"),
            (b"\xf0", "3 bytes missing at end"),
            (b"\xc3a", "byte 2 top bits not 0x80"),
            (b"\xe2\x82a", "byte 3 top bits not 0x80"),
            (b"\xc0\x80", "overlong 2-byte sequence"),
            (b"\xe0\x80\x80", "overlong 3-byte sequence"),
            (b"\xed\xa0\x80", "code points 0xd800-0xdfff are not defined"),
            (
                b"\xf4\x90\x80\x80",
                "code points greater than 0x10ffff are not defined",
            ),
            (
                b"\xf8\x88\x80\x80\x80",
                "5-byte character is not allowed (RFC 3629)",
            ),
        ] {
            assert_eq!(utf8_fault(Text(bytes)), format!("UTF-8 error: {fault}"));
        }
    }
}
