//! Numbers of all four types in one order.
//!
//! A class byte tells sign and size. Magnitudes from 1 to below 2^63 follow as the integer part
//! doubled, plus one when there is a fraction, in as few bytes as it takes; then the fraction in
//! groups of 7 bits, each with a bit for "more follows". Other magnitudes follow as the double at
//! or below them and a flag. A decimal that these bits do not give exactly ends in a continuation:
//! its magnitude and all its digits. Below zero, everything after the class is inverted.
//! Invariant: equal numbers of different types have equal bytes.

use super::class;
use super::decode::Reader;
use super::encode::invert;
use super::type_bits::{Mark, TypeBits};
use crate::bson::ValueRef;
use crate::bson::decimal128::{Decimal, Decimal128, MAX_DIGITS};
use crate::bson::float::{self, Rounding};

const TWO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_56: f64 = 72_057_594_037_927_936.0;
/// Groups of fraction bits: a double from 1 up has at most 52, in 8 groups of 7.
const GROUPS: usize = 8;
/// Makes the magnitude in a continuation positive.
const MAGNITUDE_BIAS: i32 = 6200;

pub(super) fn append_int(number: i64, is_int64: bool, key: &mut Vec<u8>, type_bits: &mut TypeBits) {
    if number == i64::MIN {
        type_bits.mark(Mark::Int64);
        append_double_bits(number as f64, class::NEGATIVE_LARGE, key);
        return close_double(key, true, None);
    }
    if is_int64 && i32::try_from(number).is_ok() {
        type_bits.mark(Mark::Int64);
    } else {
        type_bits.plain();
    }
    append_whole(number < 0, number.unsigned_abs(), false, key);
}

/// Class and integer part; the fraction, if there is one, is still to follow.
fn append_whole(negative: bool, whole: u64, fraction: bool, key: &mut Vec<u8>) {
    if whole == 0 {
        return key.push(class::ZERO);
    }
    let doubled = whole << 1 | u64::from(fraction);
    let length = 8 - doubled.leading_zeros() as usize / 8;
    key.push(match negative {
        true => class::NEGATIVE_INTEGER - length as u8,
        false => class::POSITIVE_INTEGER + length as u8,
    });
    // All eight bytes at once and the surplus taken back: cheaper than a copy of unknown length.
    let kept = key.len() + length;
    let aligned = doubled << (64 - 8 * length);
    let aligned = if negative { !aligned } else { aligned };
    key.extend_from_slice(&aligned.to_be_bytes());
    key.truncate(kept);
}

pub(super) fn append_double(number: f64, key: &mut Vec<u8>, type_bits: &mut TypeBits) {
    let negative = number < 0.0;
    let magnitude = number.abs();
    if number == 0.0 {
        type_bits.mark(match number.is_sign_negative() {
            true => Mark::NegativeZero,
            false => Mark::Double,
        });
        return key.push(class::ZERO);
    }
    if number.is_nan() {
        type_bits.plain();
        return key.push(class::NAN);
    }
    if !(1.0..TWO_63).contains(&magnitude) {
        type_bits.plain();
        append_double_bits(magnitude, outer_class(negative, magnitude >= 1.0), key);
        return close_double(key, negative, None);
    }
    let whole = magnitude as u64;
    let rest = magnitude - whole as f64;
    append_whole(negative, whole, rest != 0.0, key);
    if rest == 0.0 {
        return type_bits.mark(Mark::Double);
    }
    type_bits.plain();
    // At most 52 bits: exact in 56.
    let mut bits = (rest * TWO_56) as u64;
    let invert = if negative { 0xFF } else { 0 };
    while bits != 0 {
        let group = (bits >> 49) as u8;
        bits = (bits << 7) & (TWO_56 as u64 - 1);
        key.push((group << 1 | u8::from(bits != 0)) ^ invert);
    }
}

fn outer_class(negative: bool, large: bool) -> u8 {
    match (negative, large) {
        (true, true) => class::NEGATIVE_LARGE,
        (true, false) => class::NEGATIVE_SMALL,
        (false, false) => class::POSITIVE_SMALL,
        (false, true) => class::POSITIVE_LARGE,
    }
}

fn append_double_bits(magnitude: f64, class: u8, key: &mut Vec<u8>) {
    key.push(class);
    key.extend_from_slice(&magnitude.abs().to_bits().to_be_bytes());
}

/// Flag and continuation after the bits of a double, and the inversion of all that.
fn close_double(key: &mut Vec<u8>, negative: bool, continuation: Option<(u128, i32)>) {
    let start = key.len() - 8;
    key.push(u8::from(continuation.is_some()));
    if let Some((coefficient, exponent)) = continuation {
        append_continuation(coefficient, exponent, key);
    }
    if negative {
        invert(&mut key[start..]);
    }
}

fn append_continuation(coefficient: u128, exponent: i32, key: &mut Vec<u8>) {
    let digits = float::digit_count(coefficient);
    let magnitude = exponent + digits as i32 + MAGNITUDE_BIAS;
    let lifted = coefficient * 10_u128.pow(MAX_DIGITS - digits);
    key.extend_from_slice(&(magnitude as u16).to_be_bytes());
    key.extend_from_slice(&lifted.to_be_bytes()[1..]);
}

pub(super) fn append_decimal(bits: Decimal128, key: &mut Vec<u8>, type_bits: &mut TypeBits) {
    let whole_mark = Mark::Whole(bits.bytes());
    let (negative, coefficient, exponent) = match Decimal::from_bits(bits) {
        Decimal::NaN => {
            type_bits.mark(whole_mark);
            return key.push(class::NAN);
        }
        Decimal::Infinity { negative } => {
            type_bits.mark(whole_mark);
            append_double_bits(f64::INFINITY, outer_class(negative, true), key);
            return close_double(key, negative, None);
        }
        Decimal::Finite {
            negative,
            coefficient,
            exponent,
        } => (negative, coefficient, exponent),
    };
    let scaled = match u8::try_from(-exponent) {
        Ok(scale) if coefficient != 0 || !negative => Mark::Scaled(scale),
        _ => whole_mark,
    };
    if coefficient == 0 {
        type_bits.mark(scaled);
        return key.push(class::ZERO);
    }
    let Some((whole, rest, scale)) = split(coefficient, exponent) else {
        let (double, exact) = float::decimal_to_double(coefficient, exponent, Rounding::TowardZero);
        type_bits.mark(if exact { whole_mark } else { scaled });
        append_double_bits(double, outer_class(negative, double >= 1.0), key);
        let continuation = (!exact).then_some((coefficient, exponent));
        return close_double(key, negative, continuation);
    };
    append_whole(negative, whole, rest != 0, key);
    if rest == 0 {
        return type_bits.mark(scaled);
    }
    let start = key.len();
    let mut rest = rest;
    for _ in 0..GROUPS {
        let shifted = rest * 128;
        rest = shifted % scale;
        key.push(((shifted / scale) as u8) << 1 | u8::from(rest != 0));
        if rest == 0 {
            break;
        }
    }
    if rest != 0 {
        append_continuation(coefficient, exponent, key);
    }
    type_bits.mark(if rest == 0 { whole_mark } else { scaled });
    if negative {
        invert(&mut key[start..]);
    }
}

/// Integer part, and the fraction as `rest / scale`; `None` unless 1 <= value < 2^63.
fn split(coefficient: u128, exponent: i32) -> Option<(u64, u128, u128)> {
    let scale = 10_u128.checked_pow(exponent.unsigned_abs())?;
    let (whole, rest, scale) = match exponent {
        ..0 => (coefficient / scale, coefficient % scale, scale),
        _ => (coefficient.checked_mul(scale)?, 0, 1),
    };
    match u64::try_from(whole) {
        Ok(whole @ 1..=0x7FFF_FFFF_FFFF_FFFF) => Some((whole, rest, scale)),
        _ => None,
    }
}

/// The bytes after the class, read.
struct Parts {
    whole: u64,
    /// The fraction in units of 2^-56, or all of a small or large magnitude.
    fraction: f64,
    /// The 34 digits and magnitude of a continuation.
    continuation: Option<(u128, i32)>,
}

fn read_continuation(reader: &mut Reader<'_>) -> Option<(u128, i32)> {
    let magnitude = i32::from(reader.byte()?) << 8 | i32::from(reader.byte()?);
    let mut lifted = 0_u128;
    for _ in 0..15 {
        lifted = lifted << 8 | u128::from(reader.byte()?);
    }
    Some((lifted, magnitude - MAGNITUDE_BIAS))
}

/// Reads the bytes behind a number's class byte.
fn read_parts(class: u8, reader: &mut Reader<'_>) -> Option<Parts> {
    let mut parts = Parts {
        whole: 0,
        fraction: 0.0,
        continuation: None,
    };
    let length = match class {
        class::NAN | class::ZERO => return Some(parts),
        class::NEGATIVE_LARGE
        | class::NEGATIVE_SMALL
        | class::POSITIVE_SMALL
        | class::POSITIVE_LARGE => {
            parts.fraction = f64::from_bits(reader.big_endian(8)?);
            if reader.byte()? != 0 {
                parts.continuation = Some(read_continuation(reader)?);
            }
            return Some(parts);
        }
        ..class::NEGATIVE_SMALL => class::NEGATIVE_INTEGER - class,
        _ => class - class::POSITIVE_INTEGER,
    };
    let doubled = reader.big_endian(usize::from(length))?;
    parts.whole = doubled >> 1;
    if doubled & 1 == 0 {
        return Some(parts);
    }
    let mut unit = 1.0 / 128.0;
    for position in 0..GROUPS {
        let group = reader.byte()?;
        parts.fraction += f64::from(group >> 1) * unit;
        unit /= 128.0;
        if group & 1 == 0 {
            break;
        }
        if position == GROUPS - 1 {
            parts.continuation = Some(read_continuation(reader)?);
        }
    }
    Some(parts)
}

/// Passes over the bytes behind a number's class byte.
pub(super) fn skip(class: u8, reader: &mut Reader<'_>) -> Option<()> {
    let negative = class < class::ZERO && class != class::NAN;
    reader.flip(negative);
    let parts = read_parts(class, reader);
    reader.flip(negative);
    parts.map(drop)
}

/// Decodes the number whose class byte was just read.
pub(super) fn decode(
    class: u8,
    reader: &mut Reader<'_>,
    mark: Option<Mark>,
) -> Option<ValueRef<'static>> {
    let negative = class < class::ZERO && class != class::NAN;
    reader.flip(negative);
    let parts = read_parts(class, reader);
    reader.flip(negative);
    let parts = parts?;
    let whole = match negative {
        true => -(parts.whole as i64),
        false => parts.whole as i64,
    };
    let as_double = match class {
        class::NAN => f64::NAN,
        _ => parts.whole as f64 + parts.fraction,
    };
    let as_double = if negative { -as_double } else { as_double };
    Some(match mark {
        None if parts.fraction != 0.0 || class == class::NAN => ValueRef::Double(as_double),
        None => match i32::try_from(whole) {
            Ok(narrow) => ValueRef::Int32(narrow),
            Err(_) => ValueRef::Int64(whole),
        },
        Some(Mark::Int64) if class == class::NEGATIVE_LARGE => ValueRef::Int64(i64::MIN),
        Some(Mark::Int64) => ValueRef::Int64(whole),
        Some(Mark::Double) => ValueRef::Double(as_double),
        Some(Mark::NegativeZero) => ValueRef::Double(-0.0),
        Some(Mark::Whole(bits)) => ValueRef::Decimal128(Decimal128::from_bytes(bits)),
        Some(Mark::Scaled(scale)) => {
            let exponent = -i32::from(scale);
            let coefficient = match parts.continuation {
                Some((lifted, magnitude)) => {
                    let excess = exponent + MAX_DIGITS as i32 - magnitude;
                    lifted / 10_u128.checked_pow(u32::try_from(excess).ok()?)?
                }
                None => match parts.whole {
                    0 => 0,
                    whole => {
                        let factor = 10_u128.checked_pow(u32::from(scale))?;
                        u128::from(whole).checked_mul(factor)?
                    }
                },
            };
            let decimal = Decimal::Finite {
                negative,
                coefficient,
                exponent,
            };
            ValueRef::Decimal128(decimal.to_bits())
        }
        Some(Mark::Symbol | Mark::Undefined) => return None,
    })
}
