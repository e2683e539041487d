//! Comparing and copying byte strings, eight bytes at a time: `memcmp` goes byte by byte under wasm, and `memcpy`
//! leaves it for the host.

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
    // The last eight bytes, of which those before `at` agree.
    if at > 0
        && let (Some(x), Some(y)) = (word(&a[shorter - 8..]), word(&b[shorter - 8..]))
    {
        return shorter - 8 + ((x ^ y).trailing_zeros() / 8) as usize;
    }
    at + rest_a
        .iter()
        .zip(rest_b)
        .take_while(|(x, y)| x == y)
        .count()
}

/// Whether two byte strings agree in so many leading bytes: one comparison where these are few and the strings longer.
#[inline(always)]
pub fn agrees(a: &[u8], b: &[u8], leading: usize) -> bool {
    if leading <= 8
        && let (Some(x), Some(y)) = (word(a), word(b))
    {
        return leading == 0 || (x ^ y) << (64 - 8 * leading) == 0;
    }
    common_prefix(a, b) >= leading
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

/// Eight key bytes from `depth` on as a number that sorts as they do; missing ones are zeros. Read as halves:
/// WebAssembly has no instruction to turn the bytes of a word.
#[inline(always)]
pub fn word_at(key: &[u8], depth: usize) -> u64 {
    match key.get(depth..).and_then(<[u8]>::first_chunk) {
        Some([a, b, c, d, e, f, g, h]) => {
            let high = u32::from_be_bytes([*a, *b, *c, *d]);
            let low = u32::from_be_bytes([*e, *f, *g, *h]);
            u64::from(high) << 32 | u64::from(low)
        }
        None => last_word(key, depth),
    }
}

#[inline(never)]
fn last_word(key: &[u8], depth: usize) -> u64 {
    let rest = key.get(depth..).unwrap_or_default();
    rest.iter().enumerate().fold(0, |word, (at, byte)| {
        word | u64::from(*byte) << (56 - 8 * at)
    })
}

/// Copies bytes, most often a few: a call to the host for each would take longer than the copying.
///
/// Without loops, because a loop would be compiled into that call. Two words are copied, one from the front and one
/// from the back; bytes that both cover are copied twice.
pub fn copy_short(to: &mut [u8], from: &[u8]) {
    let length = from.len();
    if to.len() != length || length > 64 {
        to.copy_from_slice(from);
        return;
    }
    if length < 8 {
        if let (Some(front), Some(back)) = (from.first_chunk::<4>(), from.last_chunk::<4>()) {
            let (front, back) = (*front, *back);
            if let Some(place) = to.first_chunk_mut() {
                *place = front;
            }
            if let Some(place) = to.last_chunk_mut() {
                *place = back;
            }
        } else if let (Some(first), Some(last)) = (from.first(), from.last()) {
            let middle = from[length / 2];
            to[length / 2] = middle;
            to[0] = *first;
            to[length - 1] = *last;
        }
        return;
    }
    copy_words(to, from, 0);
    if length > 16 {
        copy_words(to, from, 8);
    }
    if length > 32 {
        copy_words(to, from, 16);
    }
    if length > 48 {
        copy_words(to, from, 24);
    }
}

/// Copies the word at `depth` and the one as far from the end.
#[inline(always)]
fn copy_words(to: &mut [u8], from: &[u8], depth: usize) {
    let back = from.len() - 8 - depth;
    if let (Some(low), Some(high)) = (chunk(from, depth), chunk(from, back)) {
        put_chunk(to, depth, low);
        put_chunk(to, back, high);
    }
}

#[inline(always)]
fn chunk(bytes: &[u8], at: usize) -> Option<[u8; 8]> {
    bytes.get(at..)?.first_chunk::<8>().copied()
}

#[inline(always)]
fn put_chunk(bytes: &mut [u8], at: usize, eight: [u8; 8]) {
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *place = eight;
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
            let leading = next() % 12;
            assert_eq!(agrees(&a, &b, leading), prefix >= leading);
        }
    }

    #[test]
    fn copies_every_length() {
        for length in 0..200 {
            let from: Vec<u8> = (0..length).map(|at| at as u8 + 1).collect();
            let mut to = vec![0; length];
            copy_short(&mut to, &from);
            assert_eq!(to, from);
        }
    }
}
