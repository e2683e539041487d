//! The SHA-256 digest (FIPS 180-4).
//!
//! Invariant: the constants are computed as the standard defines them, from the roots of the first primes.

/// The fractions of the cube roots of the first 64 primes, and of the square roots of the first eight.
const CONSTANTS: ([u32; 64], [u32; 8]) = constants();

const fn constants() -> ([u32; 64], [u32; 8]) {
    let (mut cubes, mut squares) = ([0; 64], [0; 8]);
    let (mut found, mut number) = (0, 2_u128);
    while found < 64 {
        if is_prime(number) {
            cubes[found] = root(number << 96, true);
            if found < 8 {
                squares[found] = root(number << 64, false);
            }
            found += 1;
        }
        number += 1;
    }
    (cubes, squares)
}

const fn is_prime(number: u128) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

/// The low 32 bits of the whole part of a root.
const fn root(number: u128, cube: bool) -> u32 {
    let (mut found, mut bit) = (0_u128, 1 << 36);
    while bit > 0 {
        let tried = found | bit;
        let power = tried * tried * if cube { tried } else { 1 };
        if power <= number {
            found = tried;
        }
        bit >>= 1;
    }
    found as u32
}

/// The digest of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut state = CONSTANTS.1;
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        compress(&mut state, block);
    }
    let mut last = [0; 128];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    let end = if rest.len() < 56 { 64 } else { 128 };
    let bits = (bytes.len() as u64).wrapping_mul(8);
    last[end - 8..end].copy_from_slice(&bits.to_be_bytes());
    for block in last[..end].as_chunks::<64>().0 {
        compress(&mut state, block);
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    digest
}

fn compress(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for at in 16..64 {
        let (near, far) = (words[at - 2], words[at - 15]);
        let low = far.rotate_right(7) ^ far.rotate_right(18) ^ far >> 3;
        let high = near.rotate_right(17) ^ near.rotate_right(19) ^ near >> 10;
        let sum = words[at - 16].wrapping_add(low).wrapping_add(words[at - 7]);
        words[at] = sum.wrapping_add(high);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in words.iter().zip(CONSTANTS.0) {
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let first = h
            .wrapping_add(turned)
            .wrapping_add(e & f ^ !e & g)
            .wrapping_add(constant)
            .wrapping_add(*word);
        let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = turned.wrapping_add(a & b ^ a & c ^ b & c);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (held, word) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *held = held.wrapping_add(word);
    }
}

#[cfg(test)]
mod tests {
    use super::super::hexadecimal::to_text;
    use super::*;

    #[test]
    fn gives_the_digests_of_the_standard() {
        for (text, digest) in [
            (
                "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ] {
            assert_eq!(to_text(&sha256(text.as_bytes())), digest);
        }
    }
}
