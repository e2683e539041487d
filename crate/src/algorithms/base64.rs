//! Base64 with the standard alphabet.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends the text of some bytes, padded.
pub fn write(out: &mut String, bytes: &[u8]) {
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for position in 0..4 {
            if position > chunk.len() {
                out.push('=');
            } else {
                let digit = group >> (18 - 6 * position) & 63;
                out.push(char::from(ALPHABET[digit as usize]));
            }
        }
    }
}

/// Reads base64 text; the padding may be absent, and the URL alphabet is taken too.
pub fn parse(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut out = Vec::with_capacity(digits.len() * 3 / 4);
    for chunk in digits.chunks(4) {
        let mut group = 0_u32;
        for position in 0..4 {
            let value = match chunk.get(position) {
                None => 0,
                Some(digit @ b'A'..=b'Z') => digit - b'A',
                Some(digit @ b'a'..=b'z') => digit - b'a' + 26,
                Some(digit @ b'0'..=b'9') => digit - b'0' + 52,
                Some(b'+' | b'-') => 62,
                Some(b'/' | b'_') => 63,
                Some(_) => return None,
            };
            group = group << 6 | u32::from(value);
        }
        match chunk.len() {
            1 => return None,
            length => out.extend_from_slice(&group.to_be_bytes()[1..length]),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_both_ways() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (&[0xFF, 0xEF, 0xBE, 0xFF], "/+++/w=="),
        ] {
            let mut written = String::new();
            write(&mut written, bytes);
            assert_eq!(written, text);
            assert_eq!(parse(text).as_deref(), Some(bytes));
        }
        assert_eq!(parse("A"), None);
        assert_eq!(parse("A*=="), None);
    }
}
