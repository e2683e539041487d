//! Conversions between text and bytes, with a format.
//!
//! Follows the table "Converting to a BinData Value" of the manual's "$convert" page. Invariant: an error in a value's
//! content has code 241, so that `onError` can catch it; an error in the arguments has not.

use super::super::arguments::error;
use super::super::node::Result;
use crate::algorithms::{base64, hexadecimal};
use crate::bson::{Text, Value, ValueRef};
use crate::error::Code;

/// The subtype of a UUID.
pub const UUID: u8 = 4;

/// How bytes are written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A UUID's own text, base64 for other bytes.
    Auto,
    Base64,
    Base64Url,
    Hex,
    Utf8,
    Uuid,
}

/// Every format with its name.
const FORMATS: &[(&str, Format)] = &[
    ("auto", Format::Auto),
    ("base64", Format::Base64),
    ("base64url", Format::Base64Url),
    ("hex", Format::Hex),
    ("utf8", Format::Utf8),
    ("uuid", Format::Uuid),
];

impl Format {
    /// Reads the `format` argument; `None` for null.
    ///
    /// # Errors
    /// 4341114 for another type, 4341125 for another name.
    pub fn parse(value: ValueRef<'_>) -> Result<Option<Self>> {
        let name = match value {
            value if value.is_nullish() => return Ok(None),
            ValueRef::String(name) => name,
            other => {
                return Err(error(
                    4_341_114,
                    format!(
                        "$convert requires that 'format' be a string, found: {} with value {other}",
                        other.type_name()
                    ),
                ));
            }
        };
        match FORMATS.iter().find(|(known, _)| name == *known) {
            Some((_, format)) => Ok(Some(*format)),
            None => Err(error(
                4_341_125,
                format!("Invalid 'format' argument for $convert: {name}"),
            )),
        }
    }

    /// The format, which this conversion needs.
    ///
    /// # Errors
    /// 4341115 without one, worded as the server words it.
    pub fn required(format: Option<Self>, from: &str, to: &str) -> Result<Self> {
        format.ok_or_else(|| {
            error(
                4_341_115,
                format!("Format must be speficied when converting from '{from}' to '{to}'"),
            )
        })
    }
}

/// In which order the bytes of a number stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Little,
    Big,
}

impl Order {
    /// Reads the `byteOrder` argument; null is the default.
    ///
    /// # Errors
    /// 9130001 for another type, 9130002 for another name.
    pub fn parse(value: ValueRef<'_>) -> Result<Self> {
        match value {
            value if value.is_nullish() => Ok(Self::Little),
            ValueRef::String(text) if text == "little" => Ok(Self::Little),
            ValueRef::String(text) if text == "big" => Ok(Self::Big),
            ValueRef::String(name) => Err(error(
                9_130_002,
                format!("Invalid 'byteOrder' argument for $convert: {name}"),
            )),
            other => Err(error(
                9_130_001,
                format!(
                    "$convert requires that 'byteOrder' be a string, found: {} with value {other}",
                    other.type_name()
                ),
            )),
        }
    }

    /// Bytes as the lowest first, or back: the two orders are each other's reverse.
    pub fn arranged<const COUNT: usize>(self, mut bytes: [u8; COUNT]) -> [u8; COUNT] {
        if self == Self::Big {
            bytes.reverse();
        }
        bytes
    }
}

/// The bytes of an int, a long or a double; `None` for other types, and where they were to be a UUID's.
pub fn from_number(number: ValueRef<'_>, order: Order, subtype: u8) -> Option<Value<'static>> {
    Some(match number {
        _ if subtype == UUID => return None,
        ValueRef::Int32(number) => binary(subtype, &order.arranged(number.to_le_bytes())),
        ValueRef::Int64(number) => binary(subtype, &order.arranged(number.to_le_bytes())),
        ValueRef::Double(number) => binary(subtype, &order.arranged(number.to_le_bytes())),
        _ => return None,
    })
}

/// The integer of one, two, four or eight bytes; `None` for other lengths.
pub fn to_integer(bytes: &[u8], order: Order) -> Option<i64> {
    Some(match bytes.len() {
        1 => i64::from(i8::from_le_bytes(bytes.try_into().ok()?)),
        2 => i64::from(i16::from_le_bytes(order.arranged(bytes.try_into().ok()?))),
        4 => i64::from(i32::from_le_bytes(order.arranged(bytes.try_into().ok()?))),
        8 => i64::from_le_bytes(order.arranged(bytes.try_into().ok()?)),
        _ => return None,
    })
}

/// The double of four or eight bytes; `None` for other lengths.
pub fn to_double(bytes: &[u8], order: Order) -> Option<f64> {
    Some(match bytes.len() {
        4 => f64::from(f32::from_le_bytes(order.arranged(bytes.try_into().ok()?))),
        8 => f64::from_le_bytes(order.arranged(bytes.try_into().ok()?)),
        _ => return None,
    })
}

/// The `subtype` of a target.
///
/// # Errors
/// 4341106 to 4341108.
pub fn subtype(value: ValueRef<'_>) -> Result<u8> {
    if value.as_number().is_none() {
        return Err(error(
            4_341_108,
            format!(
                "For BinData, $convert's 'subtype' argument must be a number, but is {}",
                value.type_name()
            ),
        ));
    }
    let Some(code) = value.as_exact_i64() else {
        return Err(error(
            4_341_106,
            "In $convert, numeric 'subtype' argument is not an integer",
        ));
    };
    match u8::try_from(code) {
        Ok(byte) if byte <= 9 || byte >= 128 => Ok(byte),
        _ => Err(error(
            4_341_107,
            format!(
                "In $convert, numeric value for 'subtype' does not correspond to a BinData type: {code}"
            ),
        )),
    }
}

fn binary(subtype: u8, bytes: &[u8]) -> Value<'static> {
    ValueRef::Binary { subtype, bytes }.to_value()
}

/// Bytes from their text.
///
/// # Errors
/// 241 for text of another form.
pub fn from_text(text: Text<'_>, format: Format, subtype: u8) -> Result<Value<'static>> {
    let is_text = text.to_str().is_some();
    let text = &*text.lossy();
    let refuse = |reason: String| {
        Err(error(
            Code::ConversionFailure as i32,
            format!("Failed to parse BinData '{text}' in $convert with no onError value: {reason}"),
        ))
    };
    if (format == Format::Uuid) != (subtype == UUID) {
        return refuse("Only the 'uuid' format is allowed with the UUID subtype".to_owned());
    }
    let bytes = match format {
        Format::Auto => return refuse("Invalid format 'auto'".to_owned()),
        Format::Utf8 if !is_text => return refuse(format!("Invalid UTF-8: {text}")),
        Format::Utf8 => Some(text.as_bytes().to_vec()),
        Format::Hex => hexadecimal::parse(text),
        Format::Base64 => match text.len().is_multiple_of(4) && !text.contains(['-', '_']) {
            true => base64::parse(text),
            false => None,
        },
        Format::Base64Url => match text.contains(['+', '/']) {
            true => None,
            false => base64::parse(text),
        },
        Format::Uuid => hexadecimal::parse_uuid(text).map(Vec::from),
    };
    match (bytes, format) {
        (Some(bytes), _) => Ok(binary(subtype, &bytes)),
        (None, Format::Uuid) => refuse(format!("Invalid UUID string: {text}")),
        (None, Format::Hex) => refuse(format!("Invalid hexadecimal string: {text}")),
        (None, _) => refuse("invalid base64".to_owned()),
    }
}

/// Text from bytes.
///
/// # Errors
/// 241 for bytes that have no such text.
pub fn to_text(subtype: u8, bytes: &[u8], format: Format) -> Result<Value<'static>> {
    let refuse = |reason: &str| {
        Err(error(
            Code::ConversionFailure as i32,
            format!(
                "Failed to convert '{}' to string in $convert with no onError value: {reason}",
                ValueRef::Binary { subtype, bytes }
            ),
        ))
    };
    let is_uuid = subtype == UUID && bytes.len() == 16;
    let mut text = String::new();
    match format {
        Format::Uuid if !is_uuid => return refuse("BinData does not represent a valid UUID"),
        Format::Uuid => text = hexadecimal::uuid_text(bytes),
        Format::Auto if is_uuid => text = hexadecimal::uuid_text(bytes),
        Format::Auto | Format::Base64 => base64::write(&mut text, bytes),
        Format::Base64Url => {
            base64::write(&mut text, bytes);
            let digits = text.trim_end_matches('=');
            text = digits.replace('+', "-").replace('/', "_");
        }
        Format::Hex => hexadecimal::write_upper(&mut text, bytes),
        Format::Utf8 => match std::str::from_utf8(bytes) {
            Ok(held) => held.clone_into(&mut text),
            Err(_) => return refuse("BinData does not represent a valid UTF-8 string"),
        },
    }
    Ok(Value::from(text))
}

/// Bytes as they are, in the same subtype.
///
/// # Errors
/// 241 for another subtype.
pub fn keep(held: u8, bytes: &[u8], subtype: u8) -> Result<Value<'static>> {
    if held == subtype {
        return Ok(binary(held, bytes));
    }
    Err(error(
        Code::ConversionFailure as i32,
        "Conversions between different BinData subtypes are not supported",
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn text_becomes_bytes_and_text_again() {
        for (text, format) in [
            ("AQID", "base64"),
            ("_-8", "base64url"),
            ("0AFF", "hex"),
            ("žluť", "utf8"),
        ] {
            let bytes =
                format!("{{$convert: {{input: '{text}', to: 'binData', format: '{format}'}}}}");
            let back =
                format!("{{$convert: {{input: {bytes}, to: 'string', format: '{format}'}}}}");
            evaluates(&back, "{}", &format!("'{text}'"));
        }
        let uuid = "'00112233-4455-6677-8899-aabbccddeeff'";
        let bytes = format!(
            "{{$convert: {{input: {uuid}, to: {{type: 'binData', subtype: 4}}, format: 'uuid'}}}}"
        );
        evaluates(
            &format!("{{$convert: {{input: {bytes}, to: 'string', format: 'auto'}}}}"),
            "{}",
            uuid,
        );
        evaluates(&format!("{{$toString: {bytes}}}"), "{}", uuid);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let fails = |fields: &str, code| fails(&format!("{{$convert: {{{fields}}}}}"), "{}", code);
        fails("input: 'x', to: 'binData'", 4_341_115);
        fails("input: 'x', to: 'binData', format: 5", 4_341_114);
        fails("input: 'x', to: 'binData', format: 'x'", 4_341_125);
        fails("input: 'x', to: 'binData', format: 'hex'", 241);
        fails(
            "input: 'AQID', to: {type: 'binData', subtype: 4}, format: 'base64'",
            241,
        );
        fails(
            "input: 'AQID', to: {type: 'binData', subtype: 10}, format: 'base64'",
            4_341_107,
        );
        fails(
            "input: 'AQID', to: {type: 'binData', subtype: 'x'}, format: 'base64'",
            4_341_108,
        );
        fails("input: true, to: 'binData', format: 'base64'", 241);
    }
}
