//! Decoded values of every BSON type, and their order, for the naive matcher.
//!
//! Invariant: nothing here is fast. Numbers of different types are compared by their decimal digits, all of them.

use quire::bson::{Decimal, ValueRef};
use std::cmp::Ordering;

/// The class of all numbers.
pub const NUMBER: u8 = 10;

/// A decoded value.
#[derive(Debug, Clone)]
pub enum Tree {
    MinKey,
    Undefined,
    Null,
    Int(i32),
    Long(i64),
    Double(f64),
    /// The decimal as it is printed.
    Decimal(String),
    Text(Vec<u8>),
    Symbol(Vec<u8>),
    Fields(Vec<(String, Tree)>),
    Items(Vec<Tree>),
    /// Length, subtype, bytes: the order of comparison.
    Binary(usize, u8, Vec<u8>),
    ObjectId([u8; 12]),
    Bool(bool),
    Date(i64),
    Timestamp(u32, u32),
    /// Pattern and options.
    Regex(String, String),
    DbPointer(Vec<u8>, [u8; 12]),
    Code(Vec<u8>),
    CodeWithScope(Vec<u8>, Box<Tree>),
    MaxKey,
}

impl Tree {
    /// Decodes a value.
    pub fn decode(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Missing | ValueRef::Undefined => Self::Undefined,
            ValueRef::MinKey => Self::MinKey,
            ValueRef::MaxKey => Self::MaxKey,
            ValueRef::Null => Self::Null,
            ValueRef::Boolean(flag) => Self::Bool(flag),
            ValueRef::Int32(number) => Self::Int(number),
            ValueRef::Int64(number) => Self::Long(number),
            ValueRef::Double(number) => Self::Double(number),
            ValueRef::Decimal128(_) => Self::Decimal(printed_decimal(value)),
            ValueRef::String(text) => Self::Text(text.as_bytes().to_owned()),
            ValueRef::Symbol(text) => Self::Symbol(text.as_bytes().to_owned()),
            ValueRef::Document(document) => Self::Fields(
                document
                    .iter()
                    .map(|element| (element.name.to_owned(), Self::decode(element.value)))
                    .collect(),
            ),
            ValueRef::Array(array) => Self::Items(array.iter().map(Self::decode).collect()),
            ValueRef::Binary { subtype, bytes } => {
                Self::Binary(bytes.len(), subtype, bytes.to_vec())
            }
            ValueRef::ObjectId(id) => Self::ObjectId(id),
            ValueRef::DateTime(millis) => Self::Date(millis),
            ValueRef::Timestamp { time, increment } => Self::Timestamp(time, increment),
            ValueRef::Regex { pattern, options } => {
                Self::Regex(pattern.to_string(), options.to_string())
            }
            ValueRef::DbPointer { namespace, id } => {
                Self::DbPointer(namespace.as_bytes().to_owned(), id)
            }
            ValueRef::JavaScript(code) => Self::Code(code.as_bytes().to_owned()),
            ValueRef::JavaScriptWithScope { code, scope } => Self::CodeWithScope(
                code.as_bytes().to_owned(),
                Box::new(Self::decode(scope.into())),
            ),
        }
    }

    /// The place of the type in the order of types; types that compare with each other share it.
    pub fn class(&self) -> u8 {
        match self {
            Self::MinKey => 0,
            Self::Undefined => 1,
            Self::Null => 5,
            Self::Int(_) | Self::Long(_) | Self::Double(_) | Self::Decimal(_) => NUMBER,
            Self::Text(_) | Self::Symbol(_) => 15,
            Self::Fields(_) => 20,
            Self::Items(_) => 25,
            Self::Binary(..) => 30,
            Self::ObjectId(_) => 35,
            Self::Bool(_) => 40,
            Self::Date(_) => 45,
            Self::Timestamp(..) => 47,
            Self::Regex(..) => 50,
            Self::DbPointer(..) => 55,
            Self::Code(_) => 60,
            Self::CodeWithScope(..) => 65,
            Self::MaxKey => 127,
        }
    }

    /// The type's alias and number.
    pub fn type_name(&self) -> (&'static str, i8) {
        match self {
            Self::MinKey => ("minKey", -1),
            Self::Double(_) => ("double", 1),
            Self::Text(_) => ("string", 2),
            Self::Fields(_) => ("object", 3),
            Self::Items(_) => ("array", 4),
            Self::Binary(..) => ("binData", 5),
            Self::Undefined => ("undefined", 6),
            Self::ObjectId(_) => ("objectId", 7),
            Self::Bool(_) => ("bool", 8),
            Self::Date(_) => ("date", 9),
            Self::Null => ("null", 10),
            Self::Regex(..) => ("regex", 11),
            Self::DbPointer(..) => ("dbPointer", 12),
            Self::Code(_) => ("javascript", 13),
            Self::Symbol(_) => ("symbol", 14),
            Self::CodeWithScope(..) => ("javascriptWithScope", 15),
            Self::Int(_) => ("int", 16),
            Self::Timestamp(..) => ("timestamp", 17),
            Self::Long(_) => ("long", 18),
            Self::Decimal(_) => ("decimal", 19),
            Self::MaxKey => ("maxKey", 127),
        }
    }

    /// The number, roughly; 0 for anything else.
    pub fn number(&self) -> f64 {
        match self {
            Self::Int(number) => f64::from(*number),
            Self::Long(number) => *number as f64,
            Self::Double(number) => *number,
            Self::Decimal(text) => text.parse().unwrap_or(0.0),
            _ => 0.0,
        }
    }

    /// The number without its fraction, if 64 bits hold it.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(i64::from(*number)),
            Self::Long(number) => Some(*number),
            Self::Double(_) | Self::Decimal(_) => {
                let Exact::Finite {
                    negative, whole, ..
                } = self.exact()
                else {
                    return None;
                };
                let whole = if whole.is_empty() { "0" } else { &whole };
                format!("{}{whole}", if negative { "-" } else { "" })
                    .parse()
                    .ok()
            }
            _ => None,
        }
    }

    /// Which bits are set, of a value that has bits: whole numbers of 64 bits, and binary data.
    pub fn bits(&self) -> Option<Box<dyn Fn(i64) -> bool + '_>> {
        if let Self::Binary(_, _, bytes) = self {
            return Some(Box::new(|position| {
                let byte = bytes.get(position as usize / 8);
                byte.is_some_and(|byte| byte >> (position % 8) & 1 == 1)
            }));
        }
        if let Exact::Finite { fraction, .. } = self.exact()
            && !fraction.is_empty()
        {
            return None;
        }
        let number = self.integer()?;
        Some(Box::new(move |position| {
            number >> position.min(63) & 1 == 1
        }))
    }

    /// Whether the value stands for yes.
    pub fn is_true(&self) -> bool {
        match self {
            Self::Bool(flag) => *flag,
            Self::Undefined | Self::Null => false,
            _ => self.class() != NUMBER || self.number() != 0.0,
        }
    }

    pub fn is_nan(&self) -> bool {
        match self {
            Self::Double(number) => number.is_nan(),
            Self::Decimal(text) => text.contains("NaN"),
            _ => false,
        }
    }

    fn exact(&self) -> Exact {
        match self {
            Self::Double(number) if number.is_infinite() => Exact::Infinite(*number < 0.0),
            Self::Double(number) => Exact::read(&format!("{number:.1074}")),
            Self::Int(number) => Exact::read(&number.to_string()),
            Self::Long(number) => Exact::read(&number.to_string()),
            Self::Decimal(text) if text.contains("Inf") => Exact::Infinite(text.starts_with('-')),
            Self::Decimal(text) => Exact::read(text),
            _ => Exact::read("0"),
        }
    }

    /// The order of values; NaN is below all numbers.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Text(one) | Self::Symbol(one), Self::Text(two) | Self::Symbol(two)) => {
                one.cmp(two)
            }
            (Self::Bool(one), Self::Bool(two)) => one.cmp(two),
            (Self::Items(one), Self::Items(two)) => {
                for (left, right) in one.iter().zip(two) {
                    let ordering = left.order(right);
                    if ordering.is_ne() {
                        return ordering;
                    }
                }
                one.len().cmp(&two.len())
            }
            (Self::Fields(one), Self::Fields(two)) => {
                for ((name, left), (other, right)) in one.iter().zip(two) {
                    let ordering = left
                        .class()
                        .cmp(&right.class())
                        .then_with(|| name.cmp(other))
                        .then_with(|| left.order(right));
                    if ordering.is_ne() {
                        return ordering;
                    }
                }
                one.len().cmp(&two.len())
            }
            (Self::Binary(length, subtype, bytes), Self::Binary(length2, subtype2, bytes2)) => {
                (length, subtype, bytes).cmp(&(length2, subtype2, bytes2))
            }
            (Self::ObjectId(one), Self::ObjectId(two)) => one.cmp(two),
            (Self::Date(one), Self::Date(two)) => one.cmp(two),
            (Self::Timestamp(time, count), Self::Timestamp(time2, count2)) => {
                (time, count).cmp(&(time2, count2))
            }
            (Self::Regex(pattern, options), Self::Regex(pattern2, options2)) => {
                (pattern, options).cmp(&(pattern2, options2))
            }
            (Self::DbPointer(one, id), Self::DbPointer(two, id2)) => {
                (one.len(), one, id).cmp(&(two.len(), two, id2))
            }
            (Self::Code(one), Self::Code(two)) => one.cmp(two),
            (Self::CodeWithScope(one, scope), Self::CodeWithScope(two, scope2)) => {
                one.cmp(two).then_with(|| scope.order(scope2))
            }
            (Self::Int(one), Self::Int(two)) => one.cmp(two),
            _ if self.class() == NUMBER && other.class() == NUMBER => {
                match (self.is_nan(), other.is_nan()) {
                    (true, true) => Ordering::Equal,
                    (true, false) => Ordering::Less,
                    (false, true) => Ordering::Greater,
                    // Below 2^53 doubles are exact.
                    (false, false) if self.is_small() && other.is_small() => self
                        .number()
                        .partial_cmp(&other.number())
                        .unwrap_or(Ordering::Equal),
                    (false, false) => self.exact().order(&other.exact()),
                }
            }
            _ => self.class().cmp(&other.class()),
        }
    }

    fn is_small(&self) -> bool {
        !matches!(self, Self::Decimal(_)) && self.number().abs() < 9e15
    }
}

/// A decimal as the value prints itself.
fn printed_decimal(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Decimal128(bits) => Decimal::from_bits(bits).to_string(),
        _ => String::new(),
    }
}

/// A number by its digits.
enum Exact {
    Infinite(bool),
    Finite {
        negative: bool,
        /// Digits before the point, without leading zeros.
        whole: String,
        /// Digits after the point, without trailing zeros.
        fraction: String,
    },
}

impl Exact {
    /// Reads `-12.5E+3` and the like.
    fn read(text: &str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (digits, exponent) = text.split_once(['E', 'e']).unwrap_or((text, "0"));
        let exponent: i64 = exponent.trim_start_matches('+').parse().unwrap_or(0);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let (mut whole, mut fraction) = (whole.to_owned(), fraction.to_owned());
        for _ in 0..exponent {
            let moved = if fraction.is_empty() {
                '0'
            } else {
                fraction.remove(0)
            };
            whole.push(moved);
        }
        for _ in exponent..0 {
            fraction.insert(0, whole.pop().unwrap_or('0'));
        }
        let whole = whole.trim_start_matches('0').to_owned();
        let fraction = fraction.trim_end_matches('0').to_owned();
        Self::Finite {
            negative: negative && !(whole.is_empty() && fraction.is_empty()),
            whole,
            fraction,
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Infinite(one), Self::Infinite(two)) => two.cmp(one),
            (Self::Infinite(negative), _) if *negative => Ordering::Less,
            (Self::Infinite(_), _) => Ordering::Greater,
            (_, Self::Infinite(_)) => other.order(self).reverse(),
            (
                Self::Finite {
                    negative,
                    whole,
                    fraction,
                },
                Self::Finite {
                    negative: negative2,
                    whole: whole2,
                    fraction: fraction2,
                },
            ) => {
                if negative != negative2 {
                    return negative2.cmp(negative);
                }
                let order = whole
                    .len()
                    .cmp(&whole2.len())
                    .then_with(|| whole.cmp(whole2))
                    .then_with(|| fraction.cmp(fraction2));
                if *negative { order.reverse() } else { order }
            }
        }
    }
}
