//! Finding where a match may begin, eight bytes at a time.

/// What is known of every match.
#[derive(Debug)]
pub struct Start {
    /// It begins where the text does.
    pub is_anchored: bool,
    /// The prefix is the whole match.
    pub is_whole: bool,
    /// The bytes it begins with.
    pub prefix: Vec<u8>,
    /// Bytes it contains; empty where the prefix says as much.
    pub required: Vec<u8>,
    /// The bytes it may begin with.
    pub bytes: Option<Box<[bool; 256]>>,
}

impl Start {
    /// The first position from `from` on where a match may begin: a character's beginning.
    pub fn next(&self, text: &[u8], from: usize) -> Option<usize> {
        if !self.prefix.is_empty() {
            return find(text, from, &self.prefix);
        }
        let Some(bytes) = &self.bytes else {
            return Some(from);
        };
        let rest = text.get(from..)?;
        let at = rest.iter().position(|byte| bytes[usize::from(*byte)])?;
        Some(from + at)
    }
}

/// Where `wanted` begins in a text, from a position on.
pub fn find(text: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let (first, others) = wanted.split_first()?;
    let last = text.len().checked_sub(others.len())?;
    let mut at = from;
    loop {
        at = find_byte(text.get(..last)?, at, *first)?;
        if text.get(at + 1..at + wanted.len())? == others {
            return Some(at);
        }
        at += 1;
    }
}

/// Where a byte is in a text, from a position on.
#[inline(never)]
pub fn find_byte(text: &[u8], from: usize, wanted: u8) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let rest = text.get(from..)?;
    let pattern = LOW * u64::from(wanted);
    let mut chunks = rest.chunks_exact(8);
    let mut at = from;
    for chunk in &mut chunks {
        let Ok(eight) = <[u8; 8]>::try_from(chunk) else {
            break;
        };
        // A byte that is wanted is zero now; the lowest mark is the first of these.
        let zeros = u64::from_le_bytes(eight) ^ pattern;
        let marks = zeros.wrapping_sub(LOW) & !zeros & (LOW << 7);
        if marks != 0 {
            return Some(at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let tail = chunks.remainder().iter().position(|byte| *byte == wanted)?;
    Some(at + tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_windows_find() {
        let text = b"abracadabra, \xc3\xa4bracadabra: simsalabim and so on, abracadab";
        for from in 0..text.len() {
            for wanted in [
                &b"a"[..],
                b"abra",
                b"simsalabim",
                b"\xc3\xa4",
                b"zz",
                b"dab",
                b"n, ab",
            ] {
                let expected = text[from..]
                    .windows(wanted.len())
                    .position(|window| window == wanted);
                assert_eq!(find(text, from, wanted), expected.map(|at| at + from));
            }
        }
        assert_eq!(find(b"", 0, b"a"), None);
        assert_eq!(find(b"a", 1, b"a"), None);
    }
}
