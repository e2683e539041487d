//! Values as the whole numbers of which a column writes the differences.

use super::super::types::BsonType;

/// What doubles are multiplied by.
const SCALES: [f64; 5] = [1.0, 10.0, 100.0, 10_000.0, 100_000_000.0];
/// The scale of doubles that are taken as their bits.
pub const AS_BITS: usize = SCALES.len();
/// Up to here every whole number is a double.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// The bytes of an ObjectId in the order of its number, the lowest first: counter and time, which grow together.
const ID_ORDER: [usize; 7] = [11, 3, 10, 2, 9, 1, 0];

/// Whether a type's differences are taken of its differences.
pub fn is_twofold(kind: BsonType) -> bool {
    matches!(
        kind,
        BsonType::ObjectId | BsonType::DateTime | BsonType::Timestamp
    )
}

/// The number of a value that is no double; `None` for a type without numbers of 64 bits.
pub fn number(kind: BsonType, value: &[u8]) -> Option<i64> {
    Some(match kind {
        BsonType::Boolean => i64::from(*value.first()? != 0),
        BsonType::Int32 => i64::from(i32::from_le_bytes(*value.first_chunk()?)),
        BsonType::Int64 | BsonType::DateTime | BsonType::Timestamp => {
            i64::from_le_bytes(*value.first_chunk()?)
        }
        BsonType::ObjectId => {
            let mut number = 0;
            for (place, from) in ID_ORDER.into_iter().enumerate() {
                number |= i64::from(*value.get(from)?) << (8 * place);
            }
            number
        }
        _ => return None,
    })
}

/// Writes the value of a number; `before` is where the value before it lies. `None` for a type that has none.
pub fn write(
    kind: BsonType,
    number: i64,
    scale: usize,
    before: usize,
    bytes: &mut Vec<u8>,
) -> Option<()> {
    match kind {
        BsonType::Boolean => bytes.push(u8::from(number != 0)),
        BsonType::Double => bytes.extend_from_slice(&to_double(number, scale).to_le_bytes()),
        BsonType::Int32 => bytes.extend_from_slice(&(number as i32).to_le_bytes()),
        BsonType::Int64 | BsonType::DateTime | BsonType::Timestamp => {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        BsonType::ObjectId => {
            let mut id: [u8; 12] = *bytes.get(before..)?.first_chunk()?;
            for (place, to) in ID_ORDER.into_iter().enumerate() {
                id[to] = (number >> (8 * place)) as u8;
            }
            bytes.extend_from_slice(&id);
        }
        _ => return None,
    }
    Some(())
}

/// The number of a double by a scale; `None` when it would not come back bit for bit.
pub fn of_double(value: f64, scale: usize) -> Option<i64> {
    let Some(factor) = SCALES.get(scale) else {
        return Some(value.to_bits() as i64);
    };
    let scaled = value * factor;
    if !(-EXACT..=EXACT).contains(&scaled) {
        return None;
    }
    let number = scaled.round() as i64;
    ((number as f64 / factor).to_bits() == value.to_bits()).then_some(number)
}

/// The double of a number.
fn to_double(number: i64, scale: usize) -> f64 {
    match SCALES.get(scale) {
        Some(factor) => number as f64 / factor,
        None => f64::from_bits(number as u64),
    }
}

/// Writes a signed number so that small ones are small, whatever their sign.
pub fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// The reverse.
pub fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
