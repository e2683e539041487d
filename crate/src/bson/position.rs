//! Parts of dotted paths that may be positions in arrays.
//!
//! Invariant: a part is a position only as a number is written (`0`, `17`, not `007`); a part of digits alone may still
//! be a field's name, so code that must not mistake one for the other asks for digits.

/// Whether a part of a path has no byte but digits; one without any has none either.
pub fn is_digits(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

/// The position that a part of a path means, if any.
pub fn array_position(part: &str) -> Option<u32> {
    let is_number = is_digits(part) && (part == "0" || !part.starts_with('0'));
    if is_number { part.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_numbers_as_one_writes_them() {
        assert_eq!(array_position("0"), Some(0));
        assert_eq!(array_position("17"), Some(17));
        for name in ["", "007", "-1", "1x", "+1", "1.0", "4294967296"] {
            assert_eq!(array_position(name), None, "{name}");
        }
    }

    #[test]
    fn digits_need_not_be_a_position() {
        assert!(is_digits("007") && is_digits("4294967296"));
        assert!(!is_digits("-1") && !is_digits("a1"));
    }
}
