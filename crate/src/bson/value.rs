//! Values: `ValueRef` borrows validated bytes, `Value` is borrowed or computed.
//!
//! Invariant: a `ValueRef` only ever borrows bytes that passed `validate` or were written by a
//! builder, so reading one cannot fail.

use super::builder::{ArrayBuf, DocumentBuf};
use super::decimal128::Decimal128;
use super::document::{Array, Document};
use super::number::Number;
use super::stored_text::Text;
use super::types::BsonType;

/// A borrowed BSON value. `Missing` stands for an absent field and is never written.
#[derive(Debug, Clone, Copy)]
pub enum ValueRef<'a> {
    Missing,
    MinKey,
    MaxKey,
    Undefined,
    Null,
    Boolean(bool),
    Int32(i32),
    Int64(i64),
    Double(f64),
    Decimal128(Decimal128),
    String(Text<'a>),
    Symbol(Text<'a>),
    Document(Document<'a>),
    Array(Array<'a>),
    Binary {
        subtype: u8,
        bytes: &'a [u8],
    },
    ObjectId([u8; 12]),
    /// Milliseconds since the Unix epoch.
    DateTime(i64),
    Timestamp {
        time: u32,
        increment: u32,
    },
    Regex {
        pattern: Text<'a>,
        options: Text<'a>,
    },
    DbPointer {
        namespace: Text<'a>,
        id: [u8; 12],
    },
    JavaScript(Text<'a>),
    JavaScriptWithScope {
        code: Text<'a>,
        scope: Document<'a>,
    },
}

impl<'a> ValueRef<'a> {
    /// The value's type.
    pub fn bson_type(self) -> BsonType {
        match self {
            Self::Missing => BsonType::Missing,
            Self::MinKey => BsonType::MinKey,
            Self::MaxKey => BsonType::MaxKey,
            Self::Undefined => BsonType::Undefined,
            Self::Null => BsonType::Null,
            Self::Boolean(_) => BsonType::Boolean,
            Self::Int32(_) => BsonType::Int32,
            Self::Int64(_) => BsonType::Int64,
            Self::Double(_) => BsonType::Double,
            Self::Decimal128(_) => BsonType::Decimal128,
            Self::String(_) => BsonType::String,
            Self::Symbol(_) => BsonType::Symbol,
            Self::Document(_) => BsonType::Document,
            Self::Array(_) => BsonType::Array,
            Self::Binary { .. } => BsonType::Binary,
            Self::ObjectId(_) => BsonType::ObjectId,
            Self::DateTime(_) => BsonType::DateTime,
            Self::Timestamp { .. } => BsonType::Timestamp,
            Self::Regex { .. } => BsonType::Regex,
            Self::DbPointer { .. } => BsonType::DbPointer,
            Self::JavaScript(_) => BsonType::JavaScript,
            Self::JavaScriptWithScope { .. } => BsonType::JavaScriptWithScope,
        }
    }

    /// The `$type` alias of the value.
    pub fn type_name(self) -> &'static str {
        self.bson_type().alias()
    }

    pub fn is_missing(self) -> bool {
        matches!(self, Self::Missing)
    }

    /// Missing, undefined or null: expressions call these "nullish".
    pub fn is_nullish(self) -> bool {
        matches!(self, Self::Missing | Self::Undefined | Self::Null)
    }

    /// The text of a string that is UTF-8.
    pub fn as_str(self) -> Option<&'a str> {
        self.as_text().and_then(Text::to_str)
    }

    /// A string's bytes, whatever they are.
    pub fn as_text(self) -> Option<Text<'a>> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_document(self) -> Option<Document<'a>> {
        match self {
            Self::Document(document) => Some(document),
            _ => None,
        }
    }

    pub fn as_array(self) -> Option<Array<'a>> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    pub fn as_bool(self) -> Option<bool> {
        match self {
            Self::Boolean(flag) => Some(flag),
            _ => None,
        }
    }

    /// The value as a number of any numeric type.
    pub fn as_number(self) -> Option<Number> {
        match self {
            Self::Int32(number) => Some(Number::Int32(number)),
            Self::Int64(number) => Some(Number::Int64(number)),
            Self::Double(number) => Some(Number::Double(number)),
            Self::Decimal128(number) => Some(Number::Decimal128(number)),
            _ => None,
        }
    }

    /// The value as an integer, when it is a number that is exactly one and fits.
    pub fn as_exact_i64(self) -> Option<i64> {
        self.as_number().and_then(Number::to_exact_i64)
    }

    /// Truth as expressions and loose command flags see it: false, null, undefined, missing and
    /// zero are false; everything else is true.
    pub fn is_truthy(self) -> bool {
        match self {
            Self::Missing | Self::Undefined | Self::Null => false,
            Self::Boolean(flag) => flag,
            other => other.as_number().is_none_or(|number| !number.is_zero()),
        }
    }

    /// Copies the value out of the bytes it borrows.
    pub fn to_value(self) -> Value<'static> {
        match self {
            Self::Missing => Value::Borrowed(ValueRef::Missing),
            Self::MinKey => Value::Borrowed(ValueRef::MinKey),
            Self::MaxKey => Value::Borrowed(ValueRef::MaxKey),
            Self::Undefined => Value::Borrowed(ValueRef::Undefined),
            Self::Null => Value::Borrowed(ValueRef::Null),
            Self::Boolean(flag) => Value::Borrowed(ValueRef::Boolean(flag)),
            Self::Int32(number) => Value::Borrowed(ValueRef::Int32(number)),
            Self::Int64(number) => Value::Borrowed(ValueRef::Int64(number)),
            Self::Double(number) => Value::Borrowed(ValueRef::Double(number)),
            Self::Decimal128(number) => Value::Borrowed(ValueRef::Decimal128(number)),
            Self::ObjectId(id) => Value::Borrowed(ValueRef::ObjectId(id)),
            Self::DateTime(millis) => Value::Borrowed(ValueRef::DateTime(millis)),
            Self::Timestamp { time, increment } => {
                Value::Borrowed(ValueRef::Timestamp { time, increment })
            }
            Self::String(text) => Value::String(text.as_bytes().into()),
            Self::Document(document) => Value::Document(document.to_buf()),
            Self::Array(array) => Value::Array(array.to_buf()),
            Self::Symbol(_)
            | Self::Binary { .. }
            | Self::Regex { .. }
            | Self::DbPointer { .. }
            | Self::JavaScript(_)
            | Self::JavaScriptWithScope { .. } => Value::Other(Boxed::new(self)),
        }
    }
}

/// An owned value of a rare type, kept as a one-field document.
#[derive(Debug, Clone)]
pub struct Boxed(DocumentBuf);

impl Boxed {
    fn new(value: ValueRef<'_>) -> Self {
        let mut builder = super::builder::DocumentBuilder::new();
        builder.append("", value);
        Self(builder.finish())
    }

    fn as_ref(&self) -> ValueRef<'_> {
        self.0
            .as_document()
            .iter()
            .next()
            .map_or(ValueRef::Missing, |element| element.value)
    }
}

/// A value that is borrowed from a document or was computed.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    Borrowed(ValueRef<'a>),
    String(Box<[u8]>),
    Document(DocumentBuf),
    Array(ArrayBuf),
    /// A computed value of a rare type (symbol, binary, regex, code, DBPointer).
    Other(Boxed),
}

impl<'a> Value<'a> {
    pub const MISSING: Value<'static> = Value::Borrowed(ValueRef::Missing);
    pub const NULL: Value<'static> = Value::Borrowed(ValueRef::Null);

    /// The value as a borrowed one.
    pub fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Self::Borrowed(value) => *value,
            Self::String(text) => ValueRef::String(Text(text)),
            Self::Document(document) => ValueRef::Document(document.as_document()),
            Self::Array(array) => ValueRef::Array(array.as_array()),
            Self::Other(boxed) => boxed.as_ref(),
        }
    }

    /// Makes a value that owns its bytes.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Self::Borrowed(value) => value.to_value(),
            Self::String(text) => Value::String(text),
            Self::Document(document) => Value::Document(document),
            Self::Array(array) => Value::Array(array),
            Self::Other(boxed) => Value::Other(boxed),
        }
    }
}

impl<'a> From<ValueRef<'a>> for Value<'a> {
    fn from(value: ValueRef<'a>) -> Self {
        Self::Borrowed(value)
    }
}

macro_rules! scalar_from {
    ($($kind:ty => $variant:ident),*) => {$(
        impl From<$kind> for Value<'static> {
            fn from(value: $kind) -> Self { Value::Borrowed(ValueRef::$variant(value)) }
        }
        impl From<$kind> for ValueRef<'static> {
            fn from(value: $kind) -> Self { ValueRef::$variant(value) }
        }
    )*};
}

scalar_from!(bool => Boolean, i32 => Int32, i64 => Int64, f64 => Double, Decimal128 => Decimal128);

impl<'a> From<&'a str> for ValueRef<'a> {
    fn from(value: &'a str) -> Self {
        ValueRef::String(value.into())
    }
}

impl<'a> From<Text<'a>> for ValueRef<'a> {
    fn from(value: Text<'a>) -> Self {
        ValueRef::String(value)
    }
}

impl<'a> From<Document<'a>> for ValueRef<'a> {
    fn from(value: Document<'a>) -> Self {
        ValueRef::Document(value)
    }
}

impl<'a> From<Array<'a>> for ValueRef<'a> {
    fn from(value: Array<'a>) -> Self {
        ValueRef::Array(value)
    }
}

impl<'a> From<&'a DocumentBuf> for ValueRef<'a> {
    fn from(value: &'a DocumentBuf) -> Self {
        ValueRef::Document(value.as_document())
    }
}

impl<'a> From<&'a ArrayBuf> for ValueRef<'a> {
    fn from(value: &'a ArrayBuf) -> Self {
        ValueRef::Array(value.as_array())
    }
}

impl From<String> for Value<'static> {
    fn from(value: String) -> Self {
        Value::String(value.into_bytes().into())
    }
}

impl From<DocumentBuf> for Value<'static> {
    fn from(value: DocumentBuf) -> Self {
        Value::Document(value)
    }
}

impl From<ArrayBuf> for Value<'static> {
    fn from(value: ArrayBuf) -> Self {
        Value::Array(value)
    }
}
