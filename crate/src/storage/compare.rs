//! Byte-string comparison, eight bytes at a time: `memcmp` goes byte by byte under wasm.

use std::cmp::Ordering;

#[inline]
fn word(bytes: &[u8]) -> Option<u64> {
    bytes
        .first_chunk::<8>()
        .map(|eight| u64::from_le_bytes(*eight))
}

/// The length of the longest common prefix.
#[inline]
pub fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let shorter = a.len().min(b.len());
    let (mut rest_a, mut rest_b) = (&a[..shorter], &b[..shorter]);
    let mut at = 0;
    while let (Some(x), Some(y)) = (word(rest_a), word(rest_b)) {
        if x != y {
            return at + ((x ^ y).trailing_zeros() / 8) as usize;
        }
        at += 8;
        rest_a = &rest_a[8..];
        rest_b = &rest_b[8..];
    }
    at + rest_a
        .iter()
        .zip(rest_b)
        .take_while(|(x, y)| x == y)
        .count()
}

/// The order of two byte strings: the first differing byte decides, else the shorter comes first.
#[inline]
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let at = common_prefix(a, b);
    match (a.get(at), b.get(at)) {
        (Some(x), Some(y)) => x.cmp(y),
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_slices_own_order() {
        let mut state = 1u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize
        };
        for _ in 0..20_000 {
            let make = |next: &mut dyn FnMut() -> usize| -> Vec<u8> {
                (0..next() % 40)
                    .map(|_| u8::from(next().is_multiple_of(5)) * 255)
                    .collect()
            };
            let a = make(&mut next);
            let b = make(&mut next);
            assert_eq!(compare(&a, &b), a.cmp(&b), "{a:?} {b:?}");
            let prefix = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
            assert_eq!(common_prefix(&a, &b), prefix);
        }
    }
}
