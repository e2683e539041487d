//! Bytes as hexadecimal digits, and UUIDs as text.

const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";
/// Where a UUID's text has hyphens.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

fn write_with(digits: &[u8; 16], out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        out.push(char::from(digits[usize::from(byte >> 4)]));
        out.push(char::from(digits[usize::from(byte & 15)]));
    }
}

/// Appends bytes as lower-case digits.
pub fn write(out: &mut String, bytes: &[u8]) {
    write_with(LOWER, out, bytes);
}

/// Appends bytes as upper-case digits.
pub fn write_upper(out: &mut String, bytes: &[u8]) {
    write_with(UPPER, out, bytes);
}

/// Bytes as lower-case digits.
pub fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    write(&mut text, bytes);
    text
}

/// The bytes of digits of either case.
pub fn parse(text: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    { digits.chunks_exact(2) }
        .map(|pair| Some(nibble(pair[0])? << 4 | nibble(pair[1])?))
        .collect()
}

/// Exactly so many bytes of digits of either case.
pub fn parse_exact<const N: usize>(text: &str) -> Option<[u8; N]> {
    parse(text)?.try_into().ok()
}

/// The text of a UUID's sixteen bytes.
pub fn uuid_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (position, byte) in bytes.iter().enumerate() {
        if matches!(position, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        write(&mut text, &[*byte]);
    }
    text
}

/// The bytes of a UUID's text.
pub fn parse_uuid(text: &str) -> Option<[u8; 16]> {
    let hyphens = text.match_indices('-').map(|(at, _)| at);
    match hyphens.eq(HYPHENS) {
        true => parse_exact(&text.replace('-', "")),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_go_both_ways() {
        let id = [0, 1, 2, 0xAB, 0xCD, 0xEF, 6, 7, 8, 9, 10, 0xFF];
        assert_eq!(to_text(&id), "000102abcdef060708090aff");
        assert_eq!(parse_exact("000102ABCDEF060708090aff"), Some(id));
        for refused in ["00", "00010zabcdef060708090aff", "+0010zabcdef060708090aff"] {
            assert_eq!(parse_exact::<12>(refused), None, "{refused}");
        }
        for refused in ["0", "+f", "é", "f é"] {
            assert_eq!(parse(refused), None, "{refused}");
        }
        assert_eq!(parse(""), Some(Vec::new()));
    }

    #[test]
    fn uuids_have_hyphens_at_four_places() {
        let text = "ab01abab-abab-abab-abab-abababababfe";
        let bytes = parse_uuid(text).expect("it is one");
        assert_eq!(uuid_text(&bytes), text);
        for refused in [
            "ab01abababababababababababababfe",
            "ab01abab-abab-abab-abababab-ababfe",
            "ab01abab-abab-abab-abab-abababababf",
            "ab01abab-abab-abab-abab-ababab-babfe",
        ] {
            assert_eq!(parse_uuid(refused), None, "{refused}");
        }
    }
}
