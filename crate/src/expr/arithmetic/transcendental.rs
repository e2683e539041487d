//! Logarithms, powers and trigonometry of decimals, to 34 digits.
//!
//! Deviation: results are rounded from 60 digits and more, where MongoDB's library goes through a binary format of 113
//! bits, so that its last digits may differ; a sine, cosine or tangent of a number beyond 10^18 is computed as a
//! double.

use super::fixed_point::FixedPoint;
use crate::bson::Decimal;
use std::cmp::Ordering;

/// A function of one decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atanh,
    Cos,
    Cosh,
    Exp,
    Ln,
    Log10,
    Sin,
    Sinh,
    Tan,
    Tanh,
}

/// Below this, a number and its sine cannot be told apart in 34 digits.
const TINY: f64 = 1e-18;
/// Beyond this a number is not held with enough digits behind the point.
const LARGE: f64 = 1e18;
/// Beyond this e to the negative number is nothing beside e to the number.
const FLAT: f64 = 43.0;
/// No decimal's logarithm is greater, in size.
const MOST_EXPONENT: f64 = 14_500.0;

fn to_fixed_point(number: Decimal) -> Option<FixedPoint> {
    match number {
        Decimal::Finite {
            negative,
            coefficient,
            exponent,
        } if number.to_double().abs() < LARGE => {
            Some(FixedPoint::from_decimal(negative, coefficient, exponent))
        }
        _ => None,
    }
}

fn decimal(number: FixedPoint) -> Decimal {
    shifted(number, 0)
}

/// A number times a power of ten.
fn shifted(number: FixedPoint, power: i32) -> Decimal {
    let (coefficient, exponent) = number.to_decimal();
    let result = Decimal::Finite {
        negative: number.is_negative() && coefficient != 0,
        coefficient,
        exponent: exponent + power,
    };
    // A product keeps within the exponents there are.
    match power {
        0 => result,
        _ => result * Decimal::from_i64(1),
    }
}

/// The sum of a series whose terms `next` gives, until they are nothing.
fn series(first: FixedPoint, mut next: impl FnMut(FixedPoint, u64) -> FixedPoint) -> FixedPoint {
    let (mut sum, mut term) = (first, first);
    for count in 1.. {
        term = next(term, count);
        if term.is_zero() {
            break;
        }
        sum = sum.plus(term);
    }
    sum
}

/// e to a number of a few units.
fn exp_small(number: FixedPoint) -> FixedPoint {
    const HALVINGS: u32 = 8;
    let part = number.divide_small(1 << HALVINGS);
    let mut power = series(FixedPoint::ONE, |term, count| {
        term.multiply(part).divide_small(count)
    });
    for _ in 0..HALVINGS {
        power = power.multiply(power);
    }
    power
}

/// e to a number, as a factor and a power of ten.
fn exp_parts(number: FixedPoint) -> (FixedPoint, i32) {
    let tens = (number.to_f64() / std::f64::consts::LN_10).round();
    let mut whole = FixedPoint::LN_10.multiply_small(tens.abs() as u64);
    if tens < 0.0 {
        whole = whole.negate();
    }
    (exp_small(number.subtract(whole)), tens as i32)
}

fn exp(number: FixedPoint) -> Decimal {
    let (factor, power) = exp_parts(number);
    shifted(factor, power)
}

/// The natural logarithm of a number between one half and twenty.
fn ln_small(number: FixedPoint) -> FixedPoint {
    let guess = FixedPoint::from_f64(number.to_f64().ln());
    // e^guess is so near the number that a few terms of ln(1 + rest) are all.
    let rest = number
        .multiply(exp_small(guess.negate()))
        .subtract(FixedPoint::ONE);
    let mut power = rest;
    let mut sum = rest;
    for count in 2..7 {
        power = power.multiply(rest).negate();
        sum = sum.plus(power.divide_small(count));
    }
    guess.plus(sum)
}

/// The natural logarithm of a positive decimal.
fn ln(number: Decimal) -> Option<FixedPoint> {
    let Decimal::Finite {
        coefficient,
        exponent,
        ..
    } = number
    else {
        return None;
    };
    let digits = coefficient.checked_ilog10()? as i32;
    let mantissa = FixedPoint::from_decimal(false, coefficient, -digits);
    let tens = exponent + digits;
    let mut whole = FixedPoint::LN_10.multiply_small(u64::from(tens.unsigned_abs()));
    if tens < 0 {
        whole = whole.negate();
    }
    Some(ln_small(mantissa).plus(whole))
}

/// Sine and cosine.
fn sine(number: FixedPoint) -> (FixedPoint, FixedPoint) {
    let quarters = (number.to_f64() / std::f64::consts::FRAC_PI_2).round();
    let mut whole = FixedPoint::HALF_PI.multiply_small(quarters.abs() as u64);
    if quarters < 0.0 {
        whole = whole.negate();
    }
    let rest = number.subtract(whole);
    let square = rest.multiply(rest).negate();
    let sin = series(rest, |term, count| {
        term.multiply(square)
            .divide_small(2 * count)
            .divide_small(2 * count + 1)
    });
    let cos = series(FixedPoint::ONE, |term, count| {
        term.multiply(square)
            .divide_small(2 * count)
            .divide_small(2 * count - 1)
    });
    match (quarters as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, sin.negate()),
        2 => (sin.negate(), cos.negate()),
        _ => (cos.negate(), sin),
    }
}

/// The angle of a point whose coordinates are of size one or less, one of them not tiny.
fn angle(y: FixedPoint, x: FixedPoint) -> FixedPoint {
    let guess = y.to_f64().atan2(x.to_f64());
    let turned = FixedPoint::from_f64(guess);
    let (sin, cos) = sine(turned);
    // The angle left after turning the point back by the guess is small.
    let high = y.multiply(cos).subtract(x.multiply(sin));
    let wide = x.multiply(cos).plus(y.multiply(sin));
    let rest = high.multiply(wide.reciprocal());
    let square = rest.multiply(rest);
    let mut power = rest;
    let mut sum = rest;
    for count in 1..4 {
        power = power.multiply(square).negate();
        sum = sum.plus(power.divide_small(2 * count + 1));
    }
    turned.plus(sum)
}

/// The other side of a right triangle below the unit circle.
fn other_side(number: FixedPoint) -> FixedPoint {
    let one = FixedPoint::ONE;
    one.subtract(number)
        .multiply(one.plus(number))
        .square_root()
}

/// The angle of a point, both of whose coordinates may have any size; `None` where doubles must do.
pub fn angle_of(y: Decimal, x: Decimal) -> Option<Decimal> {
    if y.is_zero() || x.is_zero() {
        let (y, x) = (to_fixed_point(y)?, to_fixed_point(x)?);
        let quarters = match (y.is_zero(), x.is_zero(), x.is_negative()) {
            (true, _, false) => return Some(decimal(FixedPoint::ZERO)),
            (true, _, true) => 2,
            _ => 1,
        };
        let whole = FixedPoint::HALF_PI.multiply_small(quarters);
        return Some(decimal(if y.is_negative() {
            whole.negate()
        } else {
            whole
        }));
    }
    // Both sides are divided by the greater.
    let (rise, run) = (y.abs(), x.abs());
    let (high, wide_side) = match rise.compare(run) {
        Ordering::Greater => (FixedPoint::ONE, to_fixed_point(run / rise)?),
        _ => (to_fixed_point(rise / run)?, FixedPoint::ONE),
    };
    let sign = |number: Decimal, size: FixedPoint| match number.is_negative() {
        true => size.negate(),
        false => size,
    };
    let found = angle(sign(y, high), sign(x, wide_side));
    if found.to_f64().abs() < TINY {
        return Some(y / x);
    }
    Some(decimal(found))
}

/// A number to a power; `None` where doubles must do.
pub fn power(base: Decimal, exponent: Decimal) -> Option<Decimal> {
    if base.is_zero() {
        return None;
    }
    if base.is_negative() {
        let whole = exponent.to_double();
        if whole.fract() != 0.0 || whole.abs() > 9e15 {
            return None;
        }
        let size = power(base.abs(), exponent)?;
        let odd = whole.rem_euclid(2.0) == 1.0;
        return Some(if odd {
            Decimal::from_i64(0) - size
        } else {
            size
        });
    }
    let product = ln(base)?.to_f64() * exponent.to_double();
    if product.is_nan() || product.abs() >= MOST_EXPONENT {
        return None;
    }
    Some(exp(ln(base)?.multiply(to_fixed_point(exponent)?)))
}

/// A logarithm to a base: the quotient of two logarithms of 34 digits, as the server has it, which may miss a whole
/// number by its last digit.
pub fn logarithm(number: Decimal, base: Decimal) -> Option<Decimal> {
    let base = apply(Function::Ln, base)?;
    if base.to_double().abs() < TINY {
        return None;
    }
    Some(apply(Function::Ln, number)? / base)
}

/// Applies a function; `None` where doubles must do, as for numbers that are not finite.
pub fn apply(function: Function, number: Decimal) -> Option<Decimal> {
    let double = number.to_double();
    let size = double.abs();
    let keeps_tiny = !matches!(
        function,
        Function::Acos
            | Function::Cos
            | Function::Cosh
            | Function::Exp
            | Function::Ln
            | Function::Log10
            | Function::Acosh
    );
    if keeps_tiny && size < TINY && size.is_finite() {
        return Some(number);
    }
    let one = FixedPoint::ONE;
    let beside_one = number.abs().compare(Decimal::from_i64(1));
    match function {
        Function::Ln => return ln(number).map(decimal),
        Function::Log10 => {
            return Some(decimal(
                ln(number)?.multiply(FixedPoint::LN_10.reciprocal()),
            ));
        }
        Function::Exp if size < MOST_EXPONENT => return to_fixed_point(number).map(exp),
        Function::Atan => return angle_of(number, Decimal::from_i64(1)),
        Function::Asinh | Function::Acosh if size > LARGE / 10.0 && size.is_finite() => {
            let sum = ln(number.abs())?.plus(ln(Decimal::from_i64(2))?);
            return Some(decimal(if double < 0.0 { sum.negate() } else { sum }));
        }
        Function::Sinh | Function::Cosh if size > FLAT && size < MOST_EXPONENT => {
            let (factor, tens) = exp_parts(to_fixed_point(number)?.abs());
            let half = factor.divide_small(2);
            let negative = function == Function::Sinh && double < 0.0;
            return Some(shifted(if negative { half.negate() } else { half }, tens));
        }
        _ => {}
    }
    let x = to_fixed_point(number)?;
    Some(decimal(match function {
        Function::Sin => sine(x).0,
        Function::Cos => sine(x).1,
        Function::Tan => {
            let (sin, cos) = sine(x);
            if cos.to_f64().abs() < TINY {
                return None;
            }
            sin.multiply(cos.reciprocal())
        }
        Function::Asin | Function::Acos if beside_one.is_gt() => return None,
        Function::Asin => angle(x, other_side(x)),
        Function::Acos => angle(other_side(x), x),
        Function::Sinh | Function::Cosh => {
            let (factor, tens) = exp_parts(x);
            let up = tenfold(factor, tens);
            let down = tenfold(factor.reciprocal(), -tens);
            match function {
                Function::Sinh => up.subtract(down).divide_small(2),
                _ => up.plus(down).divide_small(2),
            }
        }
        Function::Tanh => {
            let (factor, tens) = exp_parts(x.abs().multiply_small(2).negate());
            let falling = tenfold(factor, tens);
            let ratio = one
                .subtract(falling)
                .multiply(one.plus(falling).reciprocal());
            with_sign(ratio, double)
        }
        Function::Atanh if beside_one.is_ge() => return None,
        Function::Atanh => {
            let below = match size > 0.5 {
                true => ln(Decimal::from_i64(1) - number.abs())?,
                false => ln_small(one.subtract(x.abs())),
            };
            let above = ln_small(one.plus(x.abs()));
            with_sign(above.subtract(below).divide_small(2), double)
        }
        Function::Asinh if size < 1.0 => {
            let root = one.plus(x.multiply(x)).square_root();
            with_sign(ln_small(x.abs().plus(root)), double)
        }
        Function::Acosh if double < 0.0 || beside_one.is_lt() => return None,
        Function::Asinh | Function::Acosh => {
            let part = x.abs().reciprocal();
            let square = part.multiply(part);
            let root = match function {
                Function::Asinh => one.plus(square).square_root(),
                _ => one.subtract(square).square_root(),
            };
            let sum = ln(number.abs())?.plus(ln_small(one.plus(root)));
            with_sign(sum, double)
        }
        _ => return None,
    }))
}

/// A number times a power of ten that leaves it below 2^64.
fn tenfold(number: FixedPoint, tens: i32) -> FixedPoint {
    let factor = 10_u64.pow(tens.unsigned_abs().min(19));
    match tens.cmp(&0) {
        Ordering::Greater => number.multiply_small(factor),
        Ordering::Equal => number,
        Ordering::Less if tens < -80 => FixedPoint::ZERO,
        Ordering::Less if tens < -19 => tenfold(number.divide_small(factor), tens + 19),
        Ordering::Less => number.divide_small(factor),
    }
}

/// A size with the sign of a number.
fn with_sign(size: FixedPoint, number: f64) -> FixedPoint {
    match number < 0.0 {
        true => size.negate(),
        false => size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).expect("a decimal")
    }

    #[track_caller]
    fn gives(found: Option<Decimal>, expected: &str) {
        let mut text = String::new();
        found.expect("a decimal").write(&mut text);
        assert_eq!(text, expected);
    }

    #[test]
    fn functions_have_34_digits() {
        for (function, number, expected) in [
            (Function::Exp, "1", "2.718281828459045235360287471352662"),
            (Function::Exp, "0", "1"),
            (Function::Ln, "2", "0.6931471805599453094172321214581766"),
            (Function::Log10, "1000", "3"),
            (Function::Sin, "1", "0.841470984807896506652502321630299"),
            (
                Function::Cos,
                "100000",
                "-0.9993608074382124518911354141448022",
            ),
            (Function::Tan, "0.5", "0.5463024898437905132551794657802854"),
            (Function::Asin, "1", "1.570796326794896619231321691639751"),
            (Function::Acos, "-1", "3.141592653589793238462643383279503"),
            (
                Function::Atan,
                "1E+30",
                "1.570796326794896619231321691638751",
            ),
            (Function::Tanh, "-500", "-1"),
            (
                Function::Atanh,
                "0.5",
                "0.5493061443340548456976226184612629",
            ),
            (Function::Sin, "1E-30", "1E-30"),
        ] {
            gives(apply(function, decimal(number)), expected);
        }
    }

    #[test]
    fn powers_logarithms_and_angles() {
        gives(
            power(decimal("2"), decimal("0.5")),
            "1.414213562373095048801688724209698",
        );
        gives(power(decimal("-2"), decimal("3")), "-8");
        let three = "3.000000000000000000000000000000000";
        gives(logarithm(decimal("1000"), decimal("10")), three);
        gives(
            angle_of(decimal("0"), decimal("-1")),
            "3.141592653589793238462643383279503",
        );
        gives(
            angle_of(decimal("1"), decimal("-1")),
            "2.356194490192344928846982537459627",
        );
    }

    #[test]
    fn leaves_to_doubles_what_it_cannot_do() {
        assert_eq!(apply(Function::Sin, decimal("1E+30")), None);
        assert_eq!(apply(Function::Asin, decimal("1.1")), None);
        assert_eq!(apply(Function::Exp, Decimal::NaN), None);
        assert_eq!(power(decimal("-2"), decimal("0.5")), None);
    }
}
