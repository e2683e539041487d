//! Whether two paths lead to one value.
//!
//! Invariant: array positions are left out of account: `a.0.b` and `a.b` are one path.

/// Whether one path is a prefix of the other.
pub fn overlap(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    let is_of_name = |byte: &u8| !byte.is_ascii_digit() && *byte != b'.';
    // Most paths differ in their first byte, which is of a name then.
    if let (Some(a), Some(b)) = (left.first(), right.first())
        && a != b
        && is_of_name(a)
        && is_of_name(b)
    {
        return false;
    }
    loop {
        match (next_name(&mut left), next_name(&mut right)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), Some(_)) => return false,
            _ => return true,
        }
    }
}

/// Takes the next part of a dotted path that is no array position.
fn next_name<'p>(rest: &mut &'p [u8]) -> Option<&'p [u8]> {
    while !rest.is_empty() {
        let mut length = 0;
        let mut is_name = false;
        while let Some(byte) = rest.get(length).filter(|byte| **byte != b'.') {
            is_name |= !byte.is_ascii_digit();
            length += 1;
        }
        let (part, after) = rest.split_at(length);
        *rest = after.get(1..).unwrap_or_default();
        if is_name {
            return Some(part);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_overlap_when_one_holds_the_other() {
        assert!(overlap("a", "a.b"));
        assert!(overlap("a.b.c", "a.b"));
        assert!(overlap("a.0.b", "a.b"));
        assert!(overlap("a.b", "a.1.b"));
        assert!(overlap("0.a", "a"));
        assert!(overlap("1", "b"));
        assert!(!overlap("a.c", "a.b"));
        assert!(!overlap("ab", "a"));
        assert!(!overlap("b", "a"));
        assert!(!overlap("b", "0.a"));
    }
}
