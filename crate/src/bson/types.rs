//! The BSON types: their wire codes, aliases and the canonical classes that order them.
//!
//! Follows the manual's "BSON Types" and "Comparison/Sort Order" pages.

/// A BSON type. The discriminant is the byte on the wire; `Missing` is MongoDB's EOO.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BsonType {
    Missing = 0x00,
    Double = 0x01,
    String = 0x02,
    Document = 0x03,
    Array = 0x04,
    Binary = 0x05,
    Undefined = 0x06,
    ObjectId = 0x07,
    Boolean = 0x08,
    DateTime = 0x09,
    Null = 0x0A,
    Regex = 0x0B,
    DbPointer = 0x0C,
    JavaScript = 0x0D,
    Symbol = 0x0E,
    JavaScriptWithScope = 0x0F,
    Int32 = 0x10,
    Timestamp = 0x11,
    Int64 = 0x12,
    Decimal128 = 0x13,
    MaxKey = 0x7F,
    MinKey = 0xFF,
}

/// `(wire type, alias)` for every type a stored value can have, sorted by `$type` number.
pub const TYPE_ALIASES: &[(BsonType, &str)] = &[
    (BsonType::MinKey, "minKey"),
    (BsonType::Double, "double"),
    (BsonType::String, "string"),
    (BsonType::Document, "object"),
    (BsonType::Array, "array"),
    (BsonType::Binary, "binData"),
    (BsonType::Undefined, "undefined"),
    (BsonType::ObjectId, "objectId"),
    (BsonType::Boolean, "bool"),
    (BsonType::DateTime, "date"),
    (BsonType::Null, "null"),
    (BsonType::Regex, "regex"),
    (BsonType::DbPointer, "dbPointer"),
    (BsonType::JavaScript, "javascript"),
    (BsonType::Symbol, "symbol"),
    (BsonType::JavaScriptWithScope, "javascriptWithScope"),
    (BsonType::Int32, "int"),
    (BsonType::Timestamp, "timestamp"),
    (BsonType::Int64, "long"),
    (BsonType::Decimal128, "decimal"),
    (BsonType::MaxKey, "maxKey"),
];

impl BsonType {
    /// The type of a wire byte; `None` for a byte that names no type.
    pub fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0x01 => Self::Double,
            0x02 => Self::String,
            0x03 => Self::Document,
            0x04 => Self::Array,
            0x05 => Self::Binary,
            0x06 => Self::Undefined,
            0x07 => Self::ObjectId,
            0x08 => Self::Boolean,
            0x09 => Self::DateTime,
            0x0A => Self::Null,
            0x0B => Self::Regex,
            0x0C => Self::DbPointer,
            0x0D => Self::JavaScript,
            0x0E => Self::Symbol,
            0x0F => Self::JavaScriptWithScope,
            0x10 => Self::Int32,
            0x11 => Self::Timestamp,
            0x12 => Self::Int64,
            0x13 => Self::Decimal128,
            0x7F => Self::MaxKey,
            0xFF => Self::MinKey,
            _ => return None,
        })
    }

    /// The alias that `$type` takes and gives ("missing" for an absent value).
    pub fn alias(self) -> &'static str {
        TYPE_ALIASES
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("missing", |(_, alias)| alias)
    }

    /// The type of a `$type` alias, "number" excepted.
    pub fn from_alias(alias: &str) -> Option<Self> {
        TYPE_ALIASES
            .iter()
            .find(|(_, name)| *name == alias)
            .map(|(kind, _)| *kind)
    }

    /// The number that `$type` takes: -1 for MinKey, 127 for MaxKey.
    pub fn number(self) -> i32 {
        match self {
            Self::MinKey => -1,
            other => i32::from(other as u8),
        }
    }

    /// The class that orders values of different types; equal for types that compare by value
    /// (all numbers; string and symbol; null is apart from missing and undefined).
    pub fn canonical_class(self) -> u8 {
        match self {
            Self::MinKey => 1,
            Self::Missing | Self::Undefined => 5,
            Self::Null => 10,
            Self::Int32 | Self::Int64 | Self::Double | Self::Decimal128 => 15,
            Self::String | Self::Symbol => 20,
            Self::Document => 25,
            Self::Array => 30,
            Self::Binary => 35,
            Self::ObjectId => 40,
            Self::Boolean => 45,
            Self::DateTime => 50,
            Self::Timestamp => 52,
            Self::Regex => 55,
            Self::DbPointer => 60,
            Self::JavaScript => 65,
            Self::JavaScriptWithScope => 70,
            Self::MaxKey => 127,
        }
    }

    /// Whether values of this type are numbers.
    pub fn is_number(self) -> bool {
        matches!(
            self,
            Self::Int32 | Self::Int64 | Self::Double | Self::Decimal128
        )
    }
}
