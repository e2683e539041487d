//! Views over the bytes of whole documents and arrays.
//!
//! Invariant: the bytes passed `validate` or came from a builder. Should they be malformed all the
//! same (a bug elsewhere), iteration ends early; it never panics and never reads out of bounds.

use super::builder::{ArrayBuf, DocumentBuf};
use super::decimal128::Decimal128;
use super::stored_text::Text;
use super::types::BsonType;
use super::value::ValueRef;

/// A document's bytes: total length, elements, terminator.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    bytes: &'a [u8],
}

/// An array's bytes: a document whose keys are positions and are never looked at.
#[derive(Debug, Clone, Copy)]
pub struct Array<'a> {
    bytes: &'a [u8],
}

/// One field: its name and value, and its bytes (type byte, name, value).
#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    pub name: &'a str,
    pub value: ValueRef<'a>,
    pub raw: &'a [u8],
}

const EMPTY: &[u8] = &[5, 0, 0, 0, 0];

impl Default for Document<'_> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<'a> Document<'a> {
    /// The empty document.
    pub const EMPTY: Document<'static> = Document { bytes: EMPTY };

    /// Views bytes that are known to be valid.
    pub fn from_valid_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The whole document's bytes.
    pub fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    pub fn to_buf(self) -> DocumentBuf {
        DocumentBuf::from_valid_bytes(self.bytes.to_vec())
    }

    pub fn iter(self) -> Elements<'a> {
        Elements {
            rest: body(self.bytes),
        }
    }

    pub fn is_empty(self) -> bool {
        body(self.bytes).is_empty()
    }

    /// The number of fields (walks the document).
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// The value of the first field of that name, or `Missing`.
    pub fn get(self, name: &str) -> ValueRef<'a> {
        self.find_raw(name.as_bytes())
            .map_or(ValueRef::Missing, |element| element.value())
    }

    /// The first field of that name, not decoded. This is the inner loop of every scan: it looks at one word of
    /// a name and one byte of a type for each field that it skips.
    #[inline]
    pub fn find_raw(self, name: &[u8]) -> Option<RawElement<'a>> {
        find(body(self.bytes), &mut |_, found| {
            found.len() == name.len() && found == name
        })
        .map(|(element, _)| element)
    }

    /// The fields that storing a document has to look at: those named `_id`, and timestamps.
    pub fn storing_fields(self) -> impl Iterator<Item = RawElement<'a>> {
        let mut rest = body(self.bytes);
        std::iter::from_fn(move || {
            let (element, after) = find(rest, &mut |kind, name| {
                kind == BsonType::Timestamp as u8 || name == b"_id"
            })?;
            rest = after;
            Some(element)
        })
    }

    /// The elements without decoding names or values: for scans that look for a few fields.
    pub fn raw_elements(self) -> RawElements<'a> {
        RawElements::new(self.bytes)
    }
}

impl<'a> Array<'a> {
    /// The empty array.
    pub const EMPTY: Array<'static> = Array { bytes: EMPTY };

    pub fn from_valid_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    pub fn to_buf(self) -> ArrayBuf {
        ArrayBuf::from_valid_bytes(self.bytes.to_vec())
    }

    pub fn iter(self) -> Items<'a> {
        Items {
            elements: RawElements::new(self.bytes),
        }
    }

    pub fn is_empty(self) -> bool {
        body(self.bytes).is_empty()
    }

    /// The number of items (walks the array).
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Where the element of each item begins in the array's bytes.
    pub fn item_starts(self) -> impl Iterator<Item = usize> {
        let mut start = 4;
        RawElements::new(self.bytes).map(move |element| {
            let begins = start;
            start += element.raw.len();
            begins
        })
    }

    /// The item whose element begins at this byte of the array; `Missing` where none does.
    pub fn item_at(self, start: usize) -> ValueRef<'a> {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let element = RawElements { rest }.next();
        element.map_or(ValueRef::Missing, |element| element.value())
    }

    /// The item at a position, or `Missing`.
    pub fn get(self, index: usize) -> ValueRef<'a> {
        self.iter().nth(index).unwrap_or(ValueRef::Missing)
    }
}

/// The first element that is wanted, by type byte and name, and the bytes behind it.
#[inline(always)]
fn find<'a>(
    elements: &'a [u8],
    wanted: &mut impl FnMut(u8, &[u8]) -> bool,
) -> Option<(RawElement<'a>, &'a [u8])> {
    let mut rest = elements;
    while let Some((&kind, after)) = rest.split_first() {
        let name_length = first_nul(after)?;
        let (found, values) = after.split_at_checked(name_length + 1)?;
        let length = match SKIPS[kind as usize] {
            FIXED_END.. => value_length(BsonType::from_byte(kind)?, values)?,
            COUNTED => read_length(values)?.checked_add(4)?,
            NESTED => read_length(values)?,
            fixed => fixed as usize,
        };
        let (value_bytes, next) = values.split_at_checked(length)?;
        if wanted(kind, &found[..name_length]) {
            let element = RawElement {
                kind: BsonType::from_byte(kind)?,
                name: &found[..name_length],
                value_bytes,
                raw: rest.get(..name_length + 2 + length)?,
            };
            return Some((element, next));
        }
        rest = next;
    }
    None
}

fn body(bytes: &[u8]) -> &[u8] {
    match bytes.len() {
        0..=4 => &[],
        length => &bytes[4..length - 1],
    }
}

/// Iterates over a document's fields.
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        let mut walker = RawElements { rest: self.rest };
        let element = walker.next()?;
        self.rest = walker.rest;
        Some(Element {
            name: std::str::from_utf8(element.name).ok()?,
            value: element.value(),
            raw: element.raw,
        })
    }
}

/// Iterates over an array's values.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    elements: RawElements<'a>,
}

impl<'a> Iterator for Items<'a> {
    type Item = ValueRef<'a>;

    fn next(&mut self) -> Option<ValueRef<'a>> {
        self.elements.next().map(|element| element.value())
    }
}

/// A field whose name is bytes and whose value is not yet decoded.
#[derive(Debug, Clone, Copy)]
pub struct RawElement<'a> {
    pub kind: BsonType,
    pub name: &'a [u8],
    /// The value's bytes alone.
    pub value_bytes: &'a [u8],
    /// Type byte, name with terminator, value.
    pub raw: &'a [u8],
}

impl<'a> RawElement<'a> {
    /// Decodes the value.
    #[inline]
    pub fn value(&self) -> ValueRef<'a> {
        decode(self.kind, self.value_bytes).unwrap_or(ValueRef::Missing)
    }
}

/// Walks elements without decoding them.
#[derive(Debug, Clone)]
pub struct RawElements<'a> {
    rest: &'a [u8],
}

impl<'a> RawElements<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { rest: body(bytes) }
    }
}

impl<'a> Iterator for RawElements<'a> {
    type Item = RawElement<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawElement<'a>> {
        let rest = self.rest;
        let kind = BsonType::from_byte(*rest.first()?)?;
        let name_length = first_nul(&rest[1..])?;
        let name = &rest[1..1 + name_length];
        let value_start = name_length + 2;
        let length = value_length(kind, rest.get(value_start..)?)?;
        let value_bytes = rest.get(value_start..value_start.checked_add(length)?)?;
        let end = value_start + length;
        self.rest = &rest[end..];
        Some(RawElement {
            kind,
            name,
            value_bytes,
            raw: &rest[..end],
        })
    }
}

/// A type's value has a counted string's length.
const COUNTED: u8 = 0x80;
/// A type's value begins with its own length.
const NESTED: u8 = 0x81;
/// From here on a type's length takes more than a look (or no such type exists).
const FIXED_END: u8 = 0xF0;

/// How to skip a value, by type byte: its length, or one of the marks above.
static SKIPS: [u8; 256] = {
    let mut skips = [FIXED_END; 256];
    skips[BsonType::Double as usize] = 8;
    skips[BsonType::String as usize] = COUNTED;
    skips[BsonType::Document as usize] = NESTED;
    skips[BsonType::Array as usize] = NESTED;
    skips[BsonType::ObjectId as usize] = 12;
    skips[BsonType::Boolean as usize] = 1;
    skips[BsonType::DateTime as usize] = 8;
    skips[BsonType::Null as usize] = 0;
    skips[BsonType::Int32 as usize] = 4;
    skips[BsonType::Timestamp as usize] = 8;
    skips[BsonType::Int64 as usize] = 8;
    skips[BsonType::Decimal128 as usize] = 16;
    skips
};

/// Where the first NUL byte is. Names are short and every scan of a document looks for their ends, so
/// eight bytes are tested at once: the lowest bit set below marks the first zero byte.
#[inline]
pub(super) fn first_nul(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut start = 0;
    while let Some(eight) = bytes.get(start..start + 8) {
        let word = u64::from_le_bytes(fixed(eight)?);
        let zeros = word.wrapping_sub(LOW) & !word & HIGH;
        if zeros != 0 {
            return Some(start + (zeros.trailing_zeros() / 8) as usize);
        }
        start += 8;
    }
    let rest = bytes.get(start..)?.iter().position(|byte| *byte == 0)?;
    Some(start + rest)
}

/// The length of the value of that type byte at the front of the bytes, or some length that leads out of them.
#[inline(always)]
pub(super) fn skip_length(kind: u8, values: &[u8]) -> Option<usize> {
    let skip = SKIPS[kind as usize];
    if skip < COUNTED {
        return Some(skip as usize);
    }
    if skip >= FIXED_END {
        return rare_length(kind, values);
    }
    let length = usize::try_from(i32::from_le_bytes(*values.first_chunk()?)).ok()?;
    Some(length + if skip == COUNTED { 4 } else { 0 })
}

/// The bytes of a value of that type byte, but for those that its first four bytes count, and whether they count some;
/// `None` where it takes more to tell.
pub(super) fn skip_parts(kind: u8) -> Option<(usize, bool)> {
    match SKIPS[kind as usize] {
        skip if skip < COUNTED => Some((skip as usize, false)),
        FIXED_END.. => match BsonType::from_byte(kind)? {
            BsonType::Binary => Some((5, true)),
            _ => None,
        },
        skip => Some((if skip == COUNTED { 4 } else { 0 }, true)),
    }
}

#[inline(never)]
fn rare_length(kind: u8, values: &[u8]) -> Option<usize> {
    value_length(BsonType::from_byte(kind)?, values)
}

/// The length of a value of that type at the front of `bytes`.
#[inline]
pub(super) fn value_length(kind: BsonType, bytes: &[u8]) -> Option<usize> {
    Some(match kind {
        BsonType::Missing => return None,
        BsonType::Undefined | BsonType::Null | BsonType::MinKey | BsonType::MaxKey => 0,
        BsonType::Boolean => 1,
        BsonType::Int32 => 4,
        BsonType::Double | BsonType::DateTime | BsonType::Timestamp | BsonType::Int64 => 8,
        BsonType::ObjectId => 12,
        BsonType::Decimal128 => 16,
        BsonType::String | BsonType::Symbol | BsonType::JavaScript => 4 + read_length(bytes)?,
        BsonType::Binary => 5 + read_length(bytes)?,
        BsonType::DbPointer => 16 + read_length(bytes)?,
        BsonType::Document | BsonType::Array | BsonType::JavaScriptWithScope => read_length(bytes)?,
        BsonType::Regex => {
            let pattern = bytes.iter().position(|byte| *byte == 0)?;
            let options = bytes[pattern + 1..].iter().position(|byte| *byte == 0)?;
            pattern + options + 2
        }
    })
}

fn read_length(bytes: &[u8]) -> Option<usize> {
    let length = i32::from_le_bytes(fixed(bytes)?);
    usize::try_from(length).ok()
}

fn fixed<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    bytes.get(..N)?.try_into().ok()
}

fn counted_text(bytes: &[u8]) -> Option<Text<'_>> {
    let length = read_length(bytes)?.checked_sub(1)?;
    bytes.get(4..4 + length).map(Text)
}

/// Decodes the bytes of one value.
pub(super) fn decode(kind: BsonType, bytes: &[u8]) -> Option<ValueRef<'_>> {
    Some(match kind {
        BsonType::Missing => ValueRef::Missing,
        BsonType::MinKey => ValueRef::MinKey,
        BsonType::MaxKey => ValueRef::MaxKey,
        BsonType::Undefined => ValueRef::Undefined,
        BsonType::Null => ValueRef::Null,
        BsonType::Boolean => ValueRef::Boolean(*bytes.first()? != 0),
        BsonType::Int32 => ValueRef::Int32(i32::from_le_bytes(fixed(bytes)?)),
        BsonType::Int64 => ValueRef::Int64(i64::from_le_bytes(fixed(bytes)?)),
        BsonType::Double => ValueRef::Double(f64::from_le_bytes(fixed(bytes)?)),
        BsonType::Decimal128 => ValueRef::Decimal128(Decimal128::from_bytes(fixed(bytes)?)),
        BsonType::DateTime => ValueRef::DateTime(i64::from_le_bytes(fixed(bytes)?)),
        BsonType::Timestamp => ValueRef::Timestamp {
            increment: u32::from_le_bytes(fixed(bytes)?),
            time: u32::from_le_bytes(fixed(bytes.get(4..)?)?),
        },
        BsonType::ObjectId => ValueRef::ObjectId(fixed(bytes)?),
        BsonType::String => ValueRef::String(counted_text(bytes)?),
        BsonType::Symbol => ValueRef::Symbol(counted_text(bytes)?),
        BsonType::JavaScript => ValueRef::JavaScript(counted_text(bytes)?),
        BsonType::Document => ValueRef::Document(Document { bytes }),
        BsonType::Array => ValueRef::Array(Array { bytes }),
        BsonType::Binary => {
            let length = read_length(bytes)?;
            ValueRef::Binary {
                subtype: *bytes.get(4)?,
                bytes: bytes.get(5..5 + length)?,
            }
        }
        BsonType::Regex => {
            let pattern = bytes.iter().position(|byte| *byte == 0)?;
            let options = &bytes[pattern + 1..];
            let end = options.iter().position(|byte| *byte == 0)?;
            ValueRef::Regex {
                pattern: Text(&bytes[..pattern]),
                options: Text(&options[..end]),
            }
        }
        BsonType::DbPointer => {
            let namespace = counted_text(bytes)?;
            ValueRef::DbPointer {
                namespace,
                id: fixed(bytes.get(5 + namespace.len()..)?)?,
            }
        }
        BsonType::JavaScriptWithScope => {
            let code = counted_text(bytes.get(4..)?)?;
            let scope = bytes.get(9 + code.len()..)?;
            ValueRef::JavaScriptWithScope {
                code,
                scope: Document { bytes: scope },
            }
        }
    })
}
