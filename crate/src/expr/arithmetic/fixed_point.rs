//! Fixed-point numbers of 256 fractional bits, for functions whose decimal results have 34 digits.
//!
//! Invariant: a number's magnitude is below 2^64, and rounding takes off less than 2^-250; results of 34 digits come
//! out right but for the last digit of near ties, as long as they are above 10^-40.

use std::cmp::Ordering;

/// Words of a magnitude, the least first: four of fraction, one whole.
const WORDS: usize = 5;

/// A signed fixed-point number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedPoint {
    negative: bool,
    words: [u64; WORDS],
}

impl FixedPoint {
    /// π / 2.
    pub const HALF_PI: Self = Self::of([
        0x0417_7d4c_7627_3645,
        0x5204_9c11_14cf_98e8,
        0x898c_c517_01b8_39a2,
        0x921f_b544_42d1_8469,
        1,
    ]);
    /// The natural logarithm of ten.
    pub const LN_10: Self = Self::of([
        0x0f18_7a08_07c0_b5ca,
        0x8a3f_b3e7_6977_e43a,
        0xa95b_58ae_0b4c_28a3,
        0x4d76_3776_aaa2_b05b,
        2,
    ]);
    pub const ZERO: Self = Self::of([0; WORDS]);
    pub const ONE: Self = Self::of([0, 0, 0, 0, 1]);

    const fn of(words: [u64; WORDS]) -> Self {
        Self {
            negative: false,
            words,
        }
    }

    pub fn is_negative(self) -> bool {
        self.negative
    }

    pub fn is_zero(self) -> bool {
        self.words == [0; WORDS]
    }

    /// The number nearest a double below 2^63 in size.
    pub fn from_f64(number: f64) -> Self {
        let mut rest = number.abs();
        let mut words = [0; WORDS];
        for word in words.iter_mut().rev() {
            let whole = rest.floor();
            *word = whole as u64;
            rest = (rest - whole) * 18_446_744_073_709_551_616.0;
        }
        Self {
            negative: number < 0.0,
            words,
        }
    }

    /// The nearest double, roughly.
    pub fn to_f64(self) -> f64 {
        let mut sum = 0.0;
        for word in self.words {
            sum = sum / 18_446_744_073_709_551_616.0 + word as f64;
        }
        if self.negative { -sum } else { sum }
    }

    pub fn negate(self) -> Self {
        Self {
            negative: !self.negative,
            ..self
        }
    }

    pub fn abs(self) -> Self {
        Self {
            negative: false,
            ..self
        }
    }

    /// Compares sizes, without the signs.
    pub fn compare_size(self, other: Self) -> Ordering {
        self.words.iter().rev().cmp(other.words.iter().rev())
    }

    pub fn plus(self, other: Self) -> Self {
        if self.negative != other.negative {
            let (large, small) = match self.compare_size(other) {
                Ordering::Less => (other, self),
                _ => (self, other),
            };
            let mut words = large.words;
            let mut borrow = false;
            for (word, less) in words.iter_mut().zip(small.words) {
                let (first, under) = word.overflowing_sub(less);
                let (second, again) = first.overflowing_sub(u64::from(borrow));
                *word = second;
                borrow = under || again;
            }
            return Self {
                negative: large.negative,
                words,
            };
        }
        let mut words = self.words;
        let mut carry = false;
        for (word, more) in words.iter_mut().zip(other.words) {
            let (first, over) = word.overflowing_add(more);
            let (second, again) = first.overflowing_add(u64::from(carry));
            *word = second;
            carry = over || again;
        }
        Self {
            negative: self.negative,
            words,
        }
    }

    pub fn subtract(self, other: Self) -> Self {
        self.plus(other.negate())
    }

    pub fn multiply(self, other: Self) -> Self {
        let mut product = [0_u64; 2 * WORDS];
        for (at, left) in self.words.iter().enumerate() {
            let mut carry = 0_u128;
            for (offset, right) in other.words.iter().enumerate() {
                let place = at + offset;
                let sum =
                    u128::from(*left) * u128::from(*right) + u128::from(product[place]) + carry;
                product[place] = sum as u64;
                carry = sum >> 64;
            }
            product[at + WORDS] = carry as u64;
        }
        let mut words = [0; WORDS];
        words.copy_from_slice(&product[WORDS - 1..2 * WORDS - 1]);
        Self {
            negative: self.negative != other.negative,
            words,
        }
    }

    pub fn multiply_small(self, factor: u64) -> Self {
        let mut words = self.words;
        let mut carry = 0_u128;
        for word in &mut words {
            let product = u128::from(*word) * u128::from(factor) + carry;
            *word = product as u64;
            carry = product >> 64;
        }
        Self { words, ..self }
    }

    pub fn divide_small(self, divisor: u64) -> Self {
        let mut words = self.words;
        let divisor = u128::from(divisor.max(1));
        let mut rest = 0_u128;
        for word in words.iter_mut().rev() {
            let held = rest << 64 | u128::from(*word);
            *word = (held / divisor) as u64;
            rest = held % divisor;
        }
        Self { words, ..self }
    }

    /// One divided by the number, which is not tiny.
    pub fn reciprocal(self) -> Self {
        let mut guess = Self::from_f64(1.0 / self.to_f64());
        let two = Self::ONE.multiply_small(2);
        for _ in 0..3 {
            guess = guess.multiply(two.subtract(self.multiply(guess)));
        }
        guess
    }

    pub fn square_root(self) -> Self {
        if self.is_zero() {
            return self;
        }
        // The reciprocal root needs no division by a changing number.
        let mut guess = Self::from_f64(1.0 / self.to_f64().sqrt());
        let three = Self::ONE.multiply_small(3);
        for _ in 0..4 {
            let square = self.multiply(guess).multiply(guess);
            guess = guess.multiply(three.subtract(square)).divide_small(2);
        }
        self.multiply(guess)
    }

    /// `coefficient · 10^exponent`, which is below 2^63.
    pub fn from_decimal(negative: bool, coefficient: u128, exponent: i32) -> Self {
        // The coefficient is whole here: two words above the fraction.
        let mut words = [0, 0, 0, 0, coefficient as u64, (coefficient >> 64) as u64];
        scale_up(&mut words, exponent);
        let mut left = exponent;
        while left < 0 {
            let step = (-left).min(18) as u32;
            let mut rest = 0_u128;
            for word in words.iter_mut().rev() {
                let held = rest << 64 | u128::from(*word);
                *word = (held / u128::from(10_u64.pow(step))) as u64;
                rest = held % u128::from(10_u64.pow(step));
            }
            left += step as i32;
        }
        let mut kept = [0; WORDS];
        kept.copy_from_slice(&words[..WORDS]);
        Self {
            negative,
            words: kept,
        }
    }

    /// Coefficient and exponent of the nearest decimal of 34 digits, without zeros at its end.
    pub fn to_decimal(self) -> (u128, i32) {
        const LEAST: u128 = 10_u128.pow(33);
        let size = self.to_f64().abs();
        if self.is_zero() || size == 0.0 {
            return (0, 0);
        }
        let mut places = 33 - size.log10().floor() as i32;
        loop {
            let mut words = [0_u64; 7];
            words[..WORDS].copy_from_slice(&self.words);
            scale_up(&mut words, places);
            let mut coefficient = u128::from(words[5]) << 64 | u128::from(words[4]);
            coefficient += u128::from(words[3] >> 63);
            if coefficient >= LEAST * 10 {
                places -= 1;
                continue;
            }
            if coefficient < LEAST && places < 80 {
                places += 1;
                continue;
            }
            let mut exponent = -places;
            while coefficient != 0 && coefficient.is_multiple_of(10) {
                coefficient /= 10;
                exponent += 1;
            }
            return (coefficient, exponent);
        }
    }
}

/// Multiplies words, lowest first, by a power of ten; a power below 0 leaves them as they are.
fn scale_up(words: &mut [u64], power: i32) {
    let mut left = power;
    while left > 0 {
        let step = left.min(18) as u32;
        let mut carry = 0_u128;
        for word in &mut *words {
            let product = u128::from(*word) * u128::from(10_u64.pow(step)) + carry;
            *word = product as u64;
            carry = product >> 64;
        }
        left -= step as i32;
    }
}
