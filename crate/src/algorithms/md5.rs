//! The MD5 digest (RFC 1321), fed piece by piece: hashed index keys are made of it. It guards nothing.

use super::hexadecimal;

/// A digest in the making.
pub struct Md5 {
    state: [u32; 4],
    block: [u8; 64],
    filled: usize,
    length: u64,
}

const START: [u32; 4] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];

const SHIFTS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

/// The integer parts of 2^32 times the sines of 1 to 64.
const SINES: [u32; 64] = [
    0xD76A_A478,
    0xE8C7_B756,
    0x2420_70DB,
    0xC1BD_CEEE,
    0xF57C_0FAF,
    0x4787_C62A,
    0xA830_4613,
    0xFD46_9501,
    0x6980_98D8,
    0x8B44_F7AF,
    0xFFFF_5BB1,
    0x895C_D7BE,
    0x6B90_1122,
    0xFD98_7193,
    0xA679_438E,
    0x49B4_0821,
    0xF61E_2562,
    0xC040_B340,
    0x265E_5A51,
    0xE9B6_C7AA,
    0xD62F_105D,
    0x0244_1453,
    0xD8A1_E681,
    0xE7D3_FBC8,
    0x21E1_CDE6,
    0xC337_07D6,
    0xF4D5_0D87,
    0x455A_14ED,
    0xA9E3_E905,
    0xFCEF_A3F8,
    0x676F_02D9,
    0x8D2A_4C8A,
    0xFFFA_3942,
    0x8771_F681,
    0x6D9D_6122,
    0xFDE5_380C,
    0xA4BE_EA44,
    0x4BDE_CFA9,
    0xF6BB_4B60,
    0xBEBF_BC70,
    0x289B_7EC6,
    0xEAA1_27FA,
    0xD4EF_3085,
    0x0488_1D05,
    0xD9D4_D039,
    0xE6DB_99E5,
    0x1FA2_7CF8,
    0xC4AC_5665,
    0xF429_2244,
    0x432A_FF97,
    0xAB94_23A7,
    0xFC93_A039,
    0x655B_59C3,
    0x8F0C_CC92,
    0xFFEF_F47D,
    0x8584_5DD1,
    0x6FA8_7E4F,
    0xFE2C_E6E0,
    0xA301_4314,
    0x4E08_11A1,
    0xF753_7E82,
    0xBD3A_F235,
    0x2AD7_D2BB,
    0xEB86_D391,
];

impl Default for Md5 {
    fn default() -> Self {
        Self {
            state: START,
            block: [0; 64],
            filled: 0,
            length: 0,
        }
    }
}

impl Md5 {
    /// Takes in more bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        while !bytes.is_empty() {
            let taken = bytes.len().min(64 - self.filled);
            let (now, later) = bytes.split_at(taken);
            self.block[self.filled..self.filled + taken].copy_from_slice(now);
            self.filled += taken;
            bytes = later;
            if self.filled == 64 {
                self.compress();
                self.filled = 0;
            }
        }
    }

    /// The first eight of the digest's sixteen bytes, as a little-endian number.
    pub fn first_eight_bytes(self) -> u64 {
        let [a, b, ..] = self.finish();
        u64::from(a) | u64::from(b) << 32
    }

    /// The digest in hexadecimal digits.
    pub fn text(self) -> String {
        hexadecimal::to_text(&self.digest())
    }

    /// The digest's bytes.
    pub fn digest(self) -> Vec<u8> {
        let words = self.finish();
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn finish(mut self) -> [u32; 4] {
        let bits = self.length.wrapping_mul(8);
        self.update(&[0x80]);
        while self.filled != 56 {
            self.update(&[0]);
        }
        self.update(&bits.to_le_bytes());
        self.state
    }

    fn compress(&mut self) {
        let mut words = [0_u32; 16];
        for (word, bytes) in words.iter_mut().zip(self.block.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d] = self.state;
        for step in 0..64 {
            let (mix, word) = match step / 16 {
                0 => (b & c | !b & d, step),
                1 => (d & b | !d & c, 5 * step + 1),
                2 => (b ^ c ^ d, 3 * step + 5),
                _ => (c ^ (b | !d), 7 * step),
            };
            let sum = a
                .wrapping_add(mix)
                .wrapping_add(SINES[step])
                .wrapping_add(words[word % 16]);
            let turned = sum.rotate_left(SHIFTS[step / 16][step % 4]);
            (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
        }
        for (state, word) in self.state.iter_mut().zip([a, b, c, d]) {
            *state = state.wrapping_add(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(text: &str) -> u64 {
        let mut md5 = Md5::default();
        md5.update(text.as_bytes());
        md5.first_eight_bytes()
    }

    #[test]
    fn gives_the_digests_of_the_standard() {
        assert_eq!(
            digest("").to_le_bytes(),
            [0xD4, 0x1D, 0x8C, 0xD9, 0x8F, 0x00, 0xB2, 0x04]
        );
        assert_eq!(
            digest("abc").to_le_bytes(),
            [0x90, 0x01, 0x50, 0x98, 0x3C, 0xD2, 0x4F, 0xB0]
        );
        let long = "1234567890".repeat(8);
        assert_eq!(
            digest(&long).to_le_bytes(),
            [0x57, 0xED, 0xF4, 0xA2, 0x2B, 0xE3, 0xC9, 0x55]
        );
    }
}
