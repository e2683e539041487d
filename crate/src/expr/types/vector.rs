//! Vectors, the binary data of subtype 9, and the arrays that they stand for: conversions of `$convert`.
//!
//! Follows the driver specification "BSON Binary Vector". Its first byte tells the type of the items, its second how
//! many bits of the last byte count for nothing.

use super::super::arguments::error;
use super::super::node::Result;
use super::binary::Order;
use super::conversion::failure;
use crate::bson::{Array, ArrayBuilder, Value, ValueRef};

/// The subtype of a vector.
pub const VECTOR: u8 = 9;
const BITS: u8 = 0x10;
const BYTES: u8 = 0x03;
const FLOATS: u8 = 0x27;

/// The array of a vector.
///
/// # Errors
/// 10506600 to 10506606 for bytes that are no vector.
pub fn to_array(bytes: &[u8], order: Order) -> Result<Value<'static>> {
    let mut array = ArrayBuilder::new();
    let [kind, padding, items @ ..] = bytes else {
        return match bytes {
            [] => Ok(Value::Array(array.finish())),
            _ => Err(error(10_506_601, "binData length invalid")),
        };
    };
    if ![BITS, BYTES, FLOATS].contains(kind) {
        return Err(error(
            10_506_600,
            "Invalid dType for provided BinData vector. Valid options are 0x10 for PACKED_BIT, 0x03 for INT8, or \
             0x27 for FLOAT32.",
        ));
    }
    if *padding > if *kind == BITS { 7 } else { 0 } {
        return Err(error(
            10_506_606,
            "Padding must be between 0 and 7 for PACKED_BIT vectors, or 0 otherwise",
        ));
    }
    let (floats, rest) = items.as_chunks::<4>();
    if *kind == FLOATS && !rest.is_empty() {
        return Err(error(
            10_506_602,
            "BinData vector of type FLOAT32 has a length that is not a multiple of 4",
        ));
    }
    match *kind {
        BITS => {
            let count = (items.len() * 8).saturating_sub(usize::from(*padding));
            for bit in 0..count {
                array.push(ValueRef::Boolean(items[bit / 8] & 0x80 >> (bit % 8) != 0));
            }
        }
        BYTES => {
            for byte in items {
                array.push(i32::from(*byte as i8));
            }
        }
        _ => {
            for float in floats {
                array.push(f64::from(f32::from_le_bytes(order.arranged(*float))));
            }
        }
    }
    Ok(Value::Array(array.finish()))
}

/// The vector of an array, of the narrowest items that hold all of its.
///
/// # Errors
/// 241 for items that no vector has.
pub fn from_array(items: Array<'_>, order: Order) -> Result<Value<'static>> {
    let mut kind = BITS;
    for item in items.iter() {
        let needed = match (item, item.as_exact_i64()) {
            (ValueRef::Boolean(_), _) | (ValueRef::Int32(_), Some(0 | 1)) => BITS,
            (ValueRef::Int32(_) | ValueRef::Double(_), Some(-128..=127)) => BYTES,
            (ValueRef::Double(_), _) => FLOATS,
            (ValueRef::Int32(_), _) => {
                return Err(failure(
                    "Converting a BSON array with integers larger than INT8 is not supported.",
                ));
            }
            _ => {
                return Err(failure(
                    "Converting array to BinData requires an array with numeric or bool content",
                ));
            }
        };
        if kind == BITS || needed == FLOATS {
            kind = needed;
        }
    }
    let mut bytes = vec![kind, 0];
    for (position, item) in items.iter().enumerate() {
        let number = match item {
            ValueRef::Boolean(flag) => f64::from(u8::from(flag)),
            item => item.as_number().map_or(0.0, |number| number.to_f64()),
        };
        match kind {
            BITS => {
                let bit = position % 8;
                if bit == 0 {
                    bytes.push(0);
                }
                bytes[1] = 7 - bit as u8;
                if let (true, Some(last)) = (number != 0.0, bytes.last_mut()) {
                    *last |= 0x80 >> bit;
                }
            }
            BYTES => bytes.push(number as i8 as u8),
            _ => bytes.extend(order.arranged((number as f32).to_le_bytes())),
        }
    }
    let (subtype, bytes) = (VECTOR, bytes.as_slice());
    Ok(ValueRef::Binary { subtype, bytes }.to_value())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    fn vector(array: &str, order: &str) -> String {
        format!(
            "{{$convert: {{input: {array}, to: {{type: 'binData', subtype: 9}}, byteOrder: '{order}'}}}}"
        )
    }

    fn bytes_are(array: &str, order: &str, digits: &str) {
        let text = format!(
            "{{$convert: {{input: {}, to: 'string', format: 'hex'}}}}",
            vector(array, order)
        );
        evaluates(&text, "{}", &format!("'{digits}'"));
    }

    #[test]
    fn arrays_become_vectors_and_arrays_again() {
        bytes_are("{$literal: []}", "little", "1000");
        bytes_are("[1, true, 0]", "little", "1005C0");
        bytes_are("[1, 0, 0, 0, 0, 0, 0, 1, 1]", "little", "10078180");
        bytes_are("[5, -1, true]", "little", "030005FF01");
        bytes_are("[1.5]", "little", "27000000C03F");
        bytes_are("[1.5]", "big", "27003FC00000");
        for (array, back) in [
            ("[true, false, true]", "[true, false, true]"),
            ("[1, -128]", "[1, -128]"),
            ("[0.5, 2.0]", "[0.5, 2.0]"),
        ] {
            for order in ["little", "big"] {
                let bytes = vector(array, order);
                evaluates(
                    &format!("{{$convert: {{input: {bytes}, to: 'array', byteOrder: '{order}'}}}}"),
                    "{}",
                    back,
                );
            }
        }
        for array in ["[200]", "['x']", "[NumberLong(1)]"] {
            fails(&vector(array, "little"), "{}", 241);
        }
        let read = |digits: &str, code| {
            let bytes = format!(
                "{{$convert: {{input: '{digits}', to: {{type: 'binData', subtype: 9}}, format: 'hex'}}}}"
            );
            fails(
                &format!("{{$convert: {{input: {bytes}, to: 'array'}}}}"),
                "{}",
                code,
            );
        };
        read("EA0000", 10_506_600);
        read("10", 10_506_601);
        read("2700001100", 10_506_602);
        read("030101", 10_506_606);
        fails("{$toArray: Binary('ab')}", "{}", 241);
    }
}
