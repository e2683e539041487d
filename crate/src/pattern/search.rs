//! Finding where a match may begin, eight bytes at a time.

/// Facts that hold for every match of a pattern.
#[derive(Debug)]
pub struct Start {
    /// Every match begins where the text does.
    pub is_anchored: bool,
    /// The prefix is the whole match.
    pub is_whole: bool,
    /// The set of the open run that every match begins with: it lets a search pass over positions. `NONE` without one.
    pub run: u32,
    /// The bytes that every match begins with.
    pub prefix: Vec<u8>,
    /// Bytes that every match contains; empty where the prefix says as much.
    pub required: Vec<u8>,
    /// The bytes that a match may begin with.
    pub bytes: Option<Box<[bool; 256]>>,
    /// The members of `bytes`, where they are two or one.
    pub pair: Option<(u8, u8)>,
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
        if let Some((one, other)) = self.pair {
            return find_either(text, from, one, other);
        }
        let rest = text.get(from..)?;
        let at = rest.iter().position(|byte| bytes[usize::from(*byte)])?;
        Some(from + at)
    }
}

/// The only two bytes of a set, or the only one twice.
pub fn pair_of(bytes: &[bool; 256]) -> Option<(u8, u8)> {
    let mut members = (0..=255).filter(|byte: &u8| bytes[usize::from(*byte)]);
    let first = members.next()?;
    let second = members.next().unwrap_or(first);
    members.next().is_none().then_some((first, second))
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
    let pattern = LOW * u64::from(wanted);
    scan(
        text,
        from,
        |word| zeros(word ^ pattern),
        |byte| byte == wanted,
    )
}

/// Where one of two bytes is in a text, from a position on.
#[inline(never)]
fn find_either(text: &[u8], from: usize, one: u8, other: u8) -> Option<usize> {
    let (first, second) = (LOW * u64::from(one), LOW * u64::from(other));
    let marks = |word| zeros(word ^ first) | zeros(word ^ second);
    scan(text, from, marks, |byte| byte == one || byte == other)
}

const LOW: u64 = 0x0101_0101_0101_0101;

/// Marks the bytes of a word that are zero; above the lowest of them others may be marked too.
#[inline(always)]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & (LOW << 7)
}

#[inline(always)]
fn scan(
    text: &[u8],
    from: usize,
    marks: impl Fn(u64) -> u64,
    is_wanted: impl Fn(u8) -> bool,
) -> Option<usize> {
    let rest = text.get(from..)?;
    let mut chunks = rest.chunks_exact(8);
    let mut at = from;
    for chunk in &mut chunks {
        let Ok(eight) = <[u8; 8]>::try_from(chunk) else {
            break;
        };
        let marks = marks(u64::from_le_bytes(eight));
        if marks != 0 {
            return Some(at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let tail = chunks
        .remainder()
        .iter()
        .position(|byte| is_wanted(*byte))?;
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
        for from in 0..text.len() {
            let expected = text[from..].iter().position(|byte| b"z:m".contains(byte));
            let either = find_either(text, from, b':', b'm');
            assert_eq!(either, expected.map(|at| at + from));
        }
        let mut bytes = [false; 256];
        assert_eq!(pair_of(&bytes), None);
        for (byte, pair) in [(7, Some((7, 7))), (255, Some((7, 255))), (9, None)] {
            bytes[byte] = true;
            assert_eq!(pair_of(&bytes), pair);
        }
        assert_eq!(find(b"", 0, b"a"), None);
        assert_eq!(find(b"a", 1, b"a"), None);
    }
}
