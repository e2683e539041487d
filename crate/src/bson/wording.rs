//! Doubles as messages word them: as the standard library's `{}` and `{:?}` do, by this crate's own digits.
//!
//! Invariant: the same text as the standard library's, whose formatter and tables so stay out of the downloaded module;
//! only where two last digits are equally near, this takes the even one.

use super::float;
use std::fmt;

/// All digits and no exponent, as `{}` writes a double.
pub struct Plain(pub f64);

/// At least one digit after the point, and an exponent far from 1, as `{:?}` writes a double.
pub struct Exact(pub f64);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&word(self.0, false))
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&word(self.0, true))
    }
}

fn word(value: f64, exact: bool) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let mut text = String::new();
    if value.is_sign_negative() {
        text.push('-');
    }
    let size = value.abs();
    if size.is_infinite() {
        text.push_str("inf");
        return text;
    }
    let start = text.len();
    let (digits, exponent) = match size {
        0.0 => (0, 0),
        size => float::shortest_digits(size),
    };
    float::write_digits(&mut text, u128::from(digits));
    let count = text.len() - start;
    if exact && size != 0.0 && !(1e-4..1e16).contains(&size) {
        if count > 1 {
            text.insert(start + 1, '.');
        }
        let power = exponent + count as i32 - 1;
        text.push_str(if power < 0 { "e-" } else { "e" });
        float::write_digits(&mut text, u128::from(power.unsigned_abs()));
        return text;
    }
    let point = count as i32 + exponent;
    if point <= 0 {
        let zeros = "0".repeat(point.unsigned_abs() as usize);
        text.insert_str(start, &zeros);
        text.insert_str(start, "0.");
    } else if exponent < 0 {
        text.insert(start + point as usize, '.');
    } else {
        text.push_str(&"0".repeat(exponent as usize));
        if exact {
            text.push_str(".0");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_doubles_as_the_standard_library_does() {
        let mut values = vec![
            0.0,
            1.0,
            -5.0,
            0.1,
            1e15,
            1e16,
            123_456_789_012_345_680.0,
            9_007_199_254_740_993.0,
            1e-4,
            9.999e-5,
            1.5e-7,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::EPSILON,
            5e-324,
            f64::INFINITY,
            f64::NAN,
            std::f64::consts::PI,
        ];
        let mut bits = 0x1234_5678_9ABC_DEF0_u64;
        for _ in 0..2000 {
            bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            values.push(f64::from_bits(bits));
            values.push((bits >> 40) as f64 / 1000.0);
        }
        let mut ties = 0;
        for value in values {
            for value in [value, -value] {
                for (ours, theirs) in [
                    (Plain(value).to_string(), format!("{value}")),
                    (Exact(value).to_string(), format!("{value:?}")),
                ] {
                    let same_but_for_a_tie = ours.len() == theirs.len()
                        && ours.parse::<f64>().map(f64::to_bits) == Ok(value.to_bits())
                        && ours.matches(['.', 'e']).eq(theirs.matches(['.', 'e']));
                    assert!(ours == theirs || same_but_for_a_tie, "{ours} {theirs}");
                    ties += u32::from(ours != theirs);
                }
            }
        }
        assert!(ties < 50, "{ties} last digits differ");
    }
}
