//! Exact conversion between doubles and decimal digits, both ways, without tables.
//!
//! Everything that needs digits of a double goes through here (Decimal128, Extended JSON, `$toString`)
//! instead of the standard library's formatter and parser, whose tables would weigh more than this.
//! Invariant: results are exact (correctly rounded, or truncated with a note that something was cut).

use std::cmp::Ordering;

/// How a conversion picks one of the two nearest doubles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    NearestEven,
    TowardZero,
}

/// Room for `2^1074 * 10^38` and for `10^38 * 10^308`, with slack.
const LIMBS: usize = 52;

/// A natural number of up to 1664 bits.
struct Natural {
    limbs: [u32; LIMBS],
    length: usize,
}

impl Natural {
    fn new(value: u128) -> Self {
        let mut limbs = [0; LIMBS];
        for (position, limb) in limbs.iter_mut().take(4).enumerate() {
            *limb = (value >> (32 * position)) as u32;
        }
        let mut natural = Self { limbs, length: 4 };
        natural.trim();
        natural
    }

    fn trim(&mut self) {
        while self.length > 0 && self.limbs[self.length - 1] == 0 {
            self.length -= 1;
        }
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0_u64;
        for limb in &mut self.limbs[..self.length] {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry != 0 && self.length < LIMBS {
            self.limbs[self.length] = carry as u32;
            self.length += 1;
        }
    }

    /// Divides in place and gives the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut remainder = 0_u64;
        for limb in self.limbs[..self.length].iter_mut().rev() {
            let dividend = (remainder << 32) | u64::from(*limb);
            *limb = (dividend / u64::from(divisor)) as u32;
            remainder = dividend % u64::from(divisor);
        }
        self.trim();
        remainder as u32
    }

    /// Multiplies by `base^power`, where `chunk = base^step` fits 32 bits.
    fn multiply_power(&mut self, base: u32, chunk: u32, step: u32, power: u32) {
        for _ in 0..power / step {
            self.multiply(chunk);
        }
        self.multiply(base.pow(power % step));
    }

    /// Divides by `base^power`; whether anything was cut off.
    fn divide_power(&mut self, base: u32, chunk: u32, step: u32, power: u32) -> bool {
        let mut cut = false;
        for _ in 0..power / step {
            cut |= self.divide(chunk) != 0;
        }
        cut | (self.divide(base.pow(power % step)) != 0)
    }

    fn bit_length(&self) -> i32 {
        match self.length {
            0 => 0,
            length => length as i32 * 32 - self.limbs[length - 1].leading_zeros() as i32,
        }
    }

    fn bit(&self, position: i32) -> bool {
        position >= 0
            && (position as usize / 32) < self.length
            && (self.limbs[position as usize / 32] >> (position % 32)) & 1 == 1
    }

    /// Whether any of the lowest `count` bits is set.
    fn any_below(&self, count: i32) -> bool {
        let count = count.max(0) as usize;
        let whole = (count / 32).min(self.length);
        self.limbs[..whole].iter().any(|limb| *limb != 0)
            || (whole < self.length && self.limbs[whole] & ((1 << (count % 32)) - 1) != 0)
    }

    fn shift_left(&mut self, bits: u32) {
        for _ in 0..bits / 31 {
            self.multiply(1 << 31);
        }
        self.multiply(1 << (bits % 31));
    }

    /// The bits from `position` upwards, as far as 128 of them.
    fn bits_from(&self, position: i32) -> u128 {
        let position = position.max(0) as usize;
        let (first, offset) = (position / 32, position % 32);
        let mut value = 0_u128;
        for index in (0..5).rev() {
            let limb = match first + index {
                at if at < self.length => u128::from(self.limbs[at]),
                _ => 0,
            };
            match index {
                0 => value |= limb >> offset,
                _ if index * 32 - offset < 128 => value |= limb << (index * 32 - offset),
                _ => {}
            }
        }
        value
    }
}

const TEN_NINE: u32 = 1_000_000_000;
const FIVE_THIRTEEN: u32 = 1_220_703_125;

/// The number of decimal digits of a number; 1 for 0.
pub fn digit_count(number: u128) -> u32 {
    number.checked_ilog10().map_or(1, |log| log + 1)
}

/// The double for `coefficient * 10^exponent`, and whether it is exactly that.
pub fn decimal_to_double(coefficient: u128, exponent: i32, rounding: Rounding) -> (f64, bool) {
    if coefficient == 0 {
        return (0.0, true);
    }
    if coefficient < 1 << 53 && (-22..=22).contains(&exponent) && rounding == Rounding::NearestEven
    {
        // Both operands are exact, so the hardware rounds once; exactness is not known this way
        // but callers that round to nearest do not ask.
        let scale = power_of_ten(exponent.unsigned_abs());
        let whole = coefficient as f64;
        return match exponent < 0 {
            true => (whole / scale, exponent == 0),
            false => (whole * scale, exponent == 0),
        };
    }
    let magnitude = exponent.saturating_add(digit_count(coefficient) as i32 - 1);
    if magnitude > 308 {
        return match rounding {
            Rounding::NearestEven => (f64::INFINITY, false),
            Rounding::TowardZero => (f64::MAX, false),
        };
    }
    if magnitude < -326 {
        return (0.0, false);
    }
    let mut natural = Natural::new(coefficient);
    let mut binary_exponent = 0;
    let mut cut = false;
    if exponent >= 0 {
        natural.multiply_power(10, TEN_NINE, 9, exponent as u32);
    } else {
        let power = exponent.unsigned_abs();
        let wanted = (power * 233) / 100 + 68;
        let shift = wanted.saturating_sub(natural.bit_length() as u32);
        natural.shift_left(shift);
        cut = natural.divide_power(5, FIVE_THIRTEEN, 13, power);
        binary_exponent = -((shift + power) as i32);
    }
    let length = natural.bit_length();
    let top = length - 1 + binary_exponent;
    let precision = if top >= -1022 { 53 } else { top + 1075 };
    let shift = length - precision;
    let mut mantissa = match shift {
        ..0 => natural.bits_from(0) << -shift,
        _ => natural.bits_from(shift),
    } as u64;
    let half = shift > 0 && natural.bit(shift - 1);
    let below = cut || natural.any_below(shift - 1);
    if rounding == Rounding::NearestEven && half && (below || mantissa & 1 == 1) {
        mantissa += 1;
    }
    let result = scale_by_power_of_two(mantissa, shift + binary_exponent);
    match rounding {
        Rounding::TowardZero if result.is_infinite() => (f64::MAX, false),
        _ => (result, !half && !below),
    }
}

/// `10^power` for powers that are exact in a double (up to 22).
fn power_of_ten(power: u32) -> f64 {
    match power {
        0..=19 => 10_u64.pow(power) as f64,
        _ => 1e19 * 10_u64.pow(power - 19) as f64,
    }
}

fn scale_by_power_of_two(mantissa: u64, exponent: i32) -> f64 {
    let power = match exponent {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::INFINITY,
    };
    mantissa as f64 * power
}

/// The first `count` (at most 37) digits of a finite double's magnitude: a coefficient of exactly
/// that many digits, its power of ten, and whether digits were cut off. 0 gives `(0, 0, false)`.
pub fn double_digits(value: f64, count: u32) -> (u128, i32, bool) {
    let bits = value.to_bits() & !(1 << 63);
    if bits == 0 {
        return (0, 0, false);
    }
    let (mantissa, binary_exponent) = match bits >> 52 {
        0 => (bits, -1074),
        biased => ((bits & ((1 << 52) - 1)) | 1 << 52, biased as i32 - 1075),
    };
    let top = 63 - mantissa.leading_zeros() as i32 + binary_exponent;
    // An estimate of floor(log10(value)) that is at most one too low.
    let mut magnitude = (top * 30_103).div_euclid(100_000);
    loop {
        let scale = count as i32 - 1 - magnitude;
        let mut natural = Natural::new(u128::from(mantissa));
        let mut cut = false;
        if binary_exponent > 0 {
            natural.shift_left(binary_exponent as u32);
        }
        if scale >= 0 {
            natural.multiply_power(10, TEN_NINE, 9, scale as u32);
        } else {
            cut = natural.divide_power(10, TEN_NINE, 9, scale.unsigned_abs());
        }
        let shift = (-binary_exponent).max(0);
        cut |= natural.any_below(shift);
        let coefficient = natural.bits_from(shift);
        if digit_count(coefficient) <= count {
            return (coefficient, -scale, cut);
        }
        magnitude += 1;
    }
}

/// Rounds half to even at a power of ten: `coefficient / 10^digits`. `cut` says that something
/// nonzero lies below the coefficient's last digit.
pub fn round_digits(coefficient: u128, digits: u32, cut: bool) -> u128 {
    if digits == 0 {
        return coefficient;
    }
    let Some(divisor) = 10_u128.checked_pow(digits) else {
        return 0;
    };
    let quotient = coefficient / divisor;
    let rest = coefficient % divisor;
    let up = match rest.cmp(&(divisor / 2)) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => cut || quotient & 1 == 1,
    };
    quotient + u128::from(up)
}

/// The shortest digits that read back as this positive finite double, and their power of ten.
pub fn shortest_digits(value: f64) -> (u64, i32) {
    if let Some(found) = shortest_by_division(value) {
        return found;
    }
    let first = if value < f64::MIN_POSITIVE { 1 } else { 15 };
    let (digits, exponent, cut) = double_digits(value, 20);
    for count in first..=17 {
        let drop = 20 - count;
        let divisor = 10_u128.pow(drop);
        let rounded = round_digits(digits, drop, cut);
        let other = match rounded == digits / divisor {
            true => rounded + 1,
            false => rounded - 1,
        };
        for candidate in [rounded, other] {
            let power = exponent + drop as i32;
            if decimal_to_double(candidate, power, Rounding::NearestEven).0 == value {
                return strip_zeros(candidate as u64, power);
            }
        }
    }
    strip_zeros(round_digits(digits, 3, cut) as u64, exponent + 3)
}

/// Most numbers people write are a short integer over a small power of ten.
fn shortest_by_division(value: f64) -> Option<(u64, i32)> {
    if !(1e-7..1e15).contains(&value) {
        return None;
    }
    for power in 0..=15 {
        let scale = power_of_ten(power);
        let scaled = (value * scale).round();
        if scaled >= 1e15 {
            return None;
        }
        if scaled / scale == value {
            return Some(strip_zeros(scaled as u64, -(power as i32)));
        }
    }
    None
}

fn strip_zeros(mut digits: u64, mut exponent: i32) -> (u64, i32) {
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    (digits, exponent)
}

/// The first `count` digits of a positive finite double, rounded and without zeros at the end, and their power of ten.
pub fn rounded_digits(value: f64, count: u32) -> (u64, i32) {
    let (digits, exponent, cut) = double_digits(value, 20);
    let drop = 20 - count;
    strip_zeros(
        round_digits(digits, drop, cut) as u64,
        exponent + drop as i32,
    )
}

/// Appends an integer's digits.
pub fn write_digits(out: &mut String, mut number: u128) {
    let mut digits = [0_u8; 39];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend(digits[start..].iter().map(|digit| char::from(*digit)));
}

/// Appends a double as JavaScript's `String(number)` gives it.
pub fn write_double(out: &mut String, value: f64) {
    if value.is_nan() {
        return out.push_str("NaN");
    }
    if value.is_sign_negative() && value != 0.0 {
        out.push('-');
    }
    if value.is_infinite() {
        return out.push_str("Infinity");
    }
    if value == 0.0 {
        return out.push('0');
    }
    let (digits, exponent) = shortest_digits(value.abs());
    let start = out.len();
    write_digits(out, u128::from(digits));
    let count = (out.len() - start) as i32;
    let point = count + exponent;
    if (1..=21).contains(&point) {
        if point < count {
            out.insert(start + point as usize, '.');
        } else {
            out.extend((count..point).map(|_| '0'));
        }
    } else if (-5..=0).contains(&point) {
        out.insert_str(start, &"0.00000"[..2 + point.unsigned_abs() as usize]);
    } else {
        if count > 1 {
            out.insert(start + 1, '.');
        }
        out.push('e');
        out.push(if point > 0 { '+' } else { '-' });
        write_digits(out, u128::from((point - 1).unsigned_abs()));
    }
}

/// A decimal numeral in pieces: its value is `± coefficient * 10^exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numeral {
    pub negative: bool,
    /// At most 37 significant digits.
    pub coefficient: u128,
    pub exponent: i32,
    /// Whether nonzero digits beyond those were cut off.
    pub cut: bool,
}

/// Reads `[sign] digits [. digits] [e exponent]`, all of the text; `None` when it is not that.
pub fn parse_numeral(text: &str) -> Option<Numeral> {
    let mut bytes = text.as_bytes();
    let negative = bytes.first() == Some(&b'-');
    if negative || bytes.first() == Some(&b'+') {
        bytes = &bytes[1..];
    }
    let mut numeral = Numeral {
        negative,
        coefficient: 0,
        exponent: 0,
        cut: false,
    };
    let mut any = false;
    let mut after_point = false;
    let mut position = 0;
    while let Some(byte) = bytes.get(position) {
        match byte {
            b'0'..=b'9' => {
                any = true;
                if numeral.coefficient < 10_u128.pow(36) {
                    numeral.coefficient = numeral.coefficient * 10 + u128::from(byte - b'0');
                    numeral.exponent -= i32::from(after_point);
                } else {
                    numeral.cut |= *byte != b'0';
                    numeral.exponent += i32::from(!after_point);
                }
            }
            b'.' if !after_point => after_point = true,
            _ => break,
        }
        position += 1;
    }
    if !any {
        return None;
    }
    if position == bytes.len() {
        return Some(numeral);
    }
    if !matches!(bytes[position], b'e' | b'E') {
        return None;
    }
    let rest = &bytes[position + 1..];
    let (sign, rest) = match rest.first()? {
        b'-' => (-1, &rest[1..]),
        b'+' => (1, &rest[1..]),
        _ => (1, rest),
    };
    if rest.is_empty() {
        return None;
    }
    let mut power = 0_i32;
    for byte in rest {
        if !byte.is_ascii_digit() {
            return None;
        }
        power = (power * 10 + i32::from(byte - b'0')).min(1_000_000);
    }
    numeral.exponent = numeral.exponent.saturating_add(sign * power);
    Some(numeral)
}

impl Numeral {
    /// The nearest double.
    pub fn to_double(self) -> f64 {
        let coefficient = self.coefficient * 10 + u128::from(self.cut);
        let magnitude = match self.cut {
            true => decimal_to_double(coefficient, self.exponent - 1, Rounding::NearestEven).0,
            false => decimal_to_double(self.coefficient, self.exponent, Rounding::NearestEven).0,
        };
        if self.negative { -magnitude } else { magnitude }
    }
}

/// Reads a double: a numeral, or `Infinity` or `NaN` with an optional sign.
pub fn parse_double(text: &str) -> Option<f64> {
    if let Some(numeral) = parse_numeral(text) {
        return Some(numeral.to_double());
    }
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" | "+Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;

    fn text(value: f64) -> String {
        let mut out = String::new();
        write_double(&mut out, value);
        out
    }

    #[test]
    fn writes_doubles_as_javascript_does() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (19.99, "19.99"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e21, "1e+21"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e-6, "0.000001"),
            (1.5e-7, "1.5e-7"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (-2.5, "-2.5"),
            (f64::NEG_INFINITY, "-Infinity"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (4.35, "4.35"),
        ] {
            assert_eq!(text(value), expected);
        }
    }

    #[test]
    fn agrees_with_the_standard_library_on_random_doubles() {
        let mut random = Random::new(7);
        for _ in 0..20_000 {
            let value = f64::from_bits(random.next_u64());
            if !value.is_finite() {
                continue;
            }
            let written = text(value);
            assert_eq!(written.parse::<f64>().ok(), Some(value), "{value:e}");
            assert_eq!(parse_double(&written), Some(value), "{value:e}");
            let standard = format!("{value:e}");
            let count = |text: &str| {
                let digits = text.split('e').next().unwrap_or("");
                let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
                digits.trim_matches('0').len()
            };
            assert_eq!(count(&written), count(&standard), "{written} {standard}");
        }
    }

    #[test]
    fn reads_numerals_and_refuses_other_text() {
        assert_eq!(parse_double("1e400"), Some(f64::INFINITY));
        assert_eq!(parse_double("1e-400"), Some(0.0));
        assert_eq!(parse_double("+.5"), Some(0.5));
        assert_eq!(
            parse_double("2.2250738585072011e-308"),
            Some(2.225_073_858_507_201e-308)
        );
        for bad in ["", ".", "-", "1e", "1e+", "1x", "0x10", "1.2.3"] {
            assert_eq!(parse_double(bad), None, "{bad}");
        }
    }

    #[test]
    fn truncates_and_says_so() {
        let (value, exact) = decimal_to_double(1, -1, Rounding::TowardZero);
        assert!(value < 0.1 + f64::EPSILON && !exact);
        assert_eq!(decimal_to_double(5, -1, Rounding::TowardZero), (0.5, true));
        assert_eq!(
            decimal_to_double(1, 400, Rounding::TowardZero),
            (f64::MAX, false)
        );
        assert_eq!(double_digits(0.5, 3), (500, -3, false));
        assert_eq!(double_digits(1234.5, 3), (123, 1, true));
    }
}
