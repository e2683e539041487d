//! Typed command parameters: every field of a request is asked for by name and type.
//!
//! Invariant: a field that no code asked for is an error (`finish`), so nothing is ever accepted and ignored (but by
//! commands that the server itself reads so: `finish_open`). Follows the server's generated parsers: absent and null
//! optional fields are alike, and a required field that is absent is told last, after the unknown ones.

use crate::bson::document::RawElement;
use crate::bson::{Array, Document, Number, ValueRef};
use crate::error::{Code, CommandError};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// Fields every command may carry; `Incoming::read` reads them.
pub const GENERIC_FIELDS: &[&str] = &[
    "$audit",
    "$client",
    "$clusterTime",
    "$configServerState",
    "$configTime",
    "$db",
    "$readPreference",
    "$topologyTime",
    "apiDeprecationErrors",
    "apiStrict",
    "apiVersion",
    "autocommit",
    "comment",
    "help",
    "lsid",
    "maxTimeMS",
    "mayBypassWriteBlocking",
    "readConcern",
    "startTransaction",
    "txnNumber",
    "writeConcern",
];

/// Whether every command may have a field.
pub(in crate::command) fn is_generic(name: &[u8]) -> bool {
    // The field that every command has.
    name == b"$db"
        || GENERIC_FIELDS
            .binary_search_by(|generic| generic.as_bytes().cmp(name))
            .is_ok()
}

/// The fields of one request document (or of a nested one, such as an `updates` item).
pub struct Params<'a> {
    /// The document's fields, walked once: commands ask for dozens of names that are mostly absent.
    fields: Vec<RawElement<'a>>,
    /// Names the document in messages: the command, or `update.updates`.
    context: Cow<'a, str>,
    /// The command field, which is not a parameter of its own.
    skip: Option<&'a str>,
    /// A bit for each length and first byte of a name that is there: a name without its bit is absent.
    present: u64,
    /// A bit for each of the first 64 fields that was asked for.
    asked: Cell<u64>,
    /// The fields beyond the first 64 that were asked for.
    asked_more: RefCell<Vec<usize>>,
    /// The first required field that was found absent; none: an empty name.
    lacking: Cell<&'static str>,
}

/// The error of binary data that should be a UUID.
pub fn invalid_uuid() -> CommandError {
    CommandError::new(
        Code::InvalidUUID,
        "uuid must be a 16-byte binary field with UUID (4) subtype",
    )
}

/// The bit of a name in `Params::present`.
#[inline]
fn name_bit(name: &[u8]) -> u64 {
    let first = name.first().copied().unwrap_or(0);
    1 << ((name.len() as u8).wrapping_mul(5).wrapping_add(first) & 63)
}

impl<'a> Params<'a> {
    /// Reads a command (`skip` names its command field) or a nested document (`skip` is `None`).
    pub fn new(
        document: Document<'a>,
        context: impl Into<Cow<'a, str>>,
        skip: Option<&'a str>,
    ) -> Self {
        let mut fields = Vec::with_capacity(8);
        let mut present = 0;
        for element in document.raw_elements() {
            present |= name_bit(element.name);
            fields.push(element);
        }
        Self {
            fields,
            context: context.into(),
            skip,
            present,
            asked: Cell::new(0),
            asked_more: RefCell::default(),
            lacking: Cell::new(""),
        }
    }

    /// The value as it is; null counts as absent only to the typed readers.
    pub fn value(&self, name: &'static str) -> ValueRef<'a> {
        if self.present & name_bit(name.as_bytes()) == 0 {
            return ValueRef::Missing;
        }
        for (position, field) in self.fields.iter().enumerate() {
            if field.name == name.as_bytes() {
                match position {
                    0..64 => self.asked.set(self.asked.get() | 1 << position),
                    _ => self.asked_more.borrow_mut().push(position),
                }
                return field.value();
            }
        }
        ValueRef::Missing
    }

    fn optional(&self, name: &'static str) -> Option<ValueRef<'a>> {
        let value = self.value(name);
        (!value.is_nullish()).then_some(value)
    }

    /// The error of a field of the wrong type, worded as the server words it.
    pub fn wrong_type(&self, name: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
        CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field '{}.{name}' is the wrong type '{}', expected type{}{expected}'{}",
                self.context,
                value.type_name(),
                // The server's own quotes are crossed.
                if expected.contains(',') { "s '[" } else { " '" },
                if expected.contains(',') { "]" } else { "" },
            ),
        )
    }

    /// Refuses a null, which does not count as absent for a few fields.
    ///
    /// # Errors
    /// 14 `TypeMismatch`.
    pub fn refuse_null(&self, name: &'static str, expected: &str) -> Result<(), CommandError> {
        match self.value(name) {
            ValueRef::Null => Err(self.wrong_type(name, ValueRef::Null, expected)),
            _ => Ok(()),
        }
    }

    /// The error of a text that is none of those that a field may have.
    pub fn no_such_value(&self, name: &str, given: &str) -> CommandError {
        CommandError::new(
            Code::BadValue,
            format!(
                "Enumeration value '{given}' for field '{}.{name}' is not a valid value.",
                self.context
            ),
        )
    }

    /// Notes that a required field is absent, which `finish` tells if there is nothing else to tell.
    pub fn lack(&self, name: &'static str) {
        if !self.is_lacking() {
            self.lacking.set(name);
        }
    }

    /// Whether a required field was found absent, so that what was read is not to be judged.
    pub fn is_lacking(&self) -> bool {
        !self.lacking.get().is_empty()
    }

    /// The error of a required field that is absent, where there is nothing to read beside it.
    pub fn missing(&self, name: &str) -> CommandError {
        CommandError::new(
            Code::IDLFailedToParse,
            format!(
                "BSON field '{}.{name}' is missing but a required field",
                self.context
            ),
        )
    }

    pub fn document(&self, name: &'static str) -> Result<Option<Document<'a>>, CommandError> {
        self.optional(name)
            .map(|value| {
                value
                    .as_document()
                    .ok_or_else(|| self.wrong_type(name, value, "object"))
            })
            .transpose()
    }

    /// A required document: an empty one where it is absent, which `finish` refuses.
    pub fn required_document(&self, name: &'static str) -> Result<Document<'a>, CommandError> {
        Ok(self.document(name)?.unwrap_or_else(|| {
            self.lack(name);
            Document::EMPTY
        }))
    }

    pub fn array(&self, name: &'static str) -> Result<Option<Array<'a>>, CommandError> {
        self.optional(name)
            .map(|value| {
                value
                    .as_array()
                    .ok_or_else(|| self.wrong_type(name, value, "array"))
            })
            .transpose()
    }

    /// A required array: an empty one where it is absent, which `finish` refuses.
    pub fn required_array(&self, name: &'static str) -> Result<Array<'a>, CommandError> {
        Ok(self.array(name)?.unwrap_or_else(|| {
            self.lack(name);
            Array::EMPTY
        }))
    }

    pub fn string(&self, name: &'static str) -> Result<Option<&'a str>, CommandError> {
        self.optional(name)
            .map(|value| match value.as_text() {
                Some(text) => text.checked(),
                None => Err(self.wrong_type(name, value, "string")),
            })
            .transpose()
    }

    /// A required text: an empty one where it is absent, which `finish` refuses.
    pub fn required_string(&self, name: &'static str) -> Result<&'a str, CommandError> {
        Ok(self.string(name)?.unwrap_or_else(|| {
            self.lack(name);
            ""
        }))
    }

    /// A strict boolean.
    pub fn boolean(&self, name: &'static str) -> Result<Option<bool>, CommandError> {
        self.optional(name)
            .map(|value| {
                value
                    .as_bool()
                    .ok_or_else(|| self.wrong_type(name, value, "bool"))
            })
            .transpose()
    }

    /// A boolean that may also be a number (the server's "safeBool").
    pub fn safe_bool(&self, name: &'static str) -> Result<Option<bool>, CommandError> {
        let Some(value) = self.optional(name) else {
            return Ok(None);
        };
        match (value.as_bool(), value.as_number()) {
            (Some(flag), _) => Ok(Some(flag)),
            (None, Some(number)) => Ok(Some(!number.is_zero())),
            (None, None) => Err(self.wrong_type(name, value, "bool, long, int, decimal, double")),
        }
    }

    /// Whether a field is there that counts as true: the server reads some options of whatever type.
    pub fn truthy(&self, name: &'static str) -> bool {
        self.optional(name).is_some_and(ValueRef::is_truthy)
    }

    pub fn number(&self, name: &'static str) -> Result<Option<Number>, CommandError> {
        let Some(value) = self.optional(name) else {
            return Ok(None);
        };
        match value.as_number() {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong_type(name, value, "long, int, decimal, double")),
        }
    }

    /// An integer of any numeric type (the server's "safeInt"): a double's fraction is cut off, a decimal is rounded.
    pub fn integer(&self, name: &'static str) -> Result<Option<i64>, CommandError> {
        Ok(self.number(name)?.map(Number::to_i64_rounded))
    }

    /// An integer that must not be negative.
    pub fn non_negative(&self, name: &'static str) -> Result<Option<i64>, CommandError> {
        match self.integer(name)? {
            Some(number) if number < 0 => Err(CommandError::new(
                Code::BadValue,
                format!("BSON field '{name}' value must be >= 0, actual value '{number}'"),
            )),
            other => Ok(other),
        }
    }

    /// A UUID: 16 bytes of binary subtype 4.
    ///
    /// # Errors
    /// 14 `TypeMismatch` for other values and other subtypes, 207 `InvalidUUID` for other lengths.
    pub fn uuid(&self, name: &'static str) -> Result<Option<[u8; 16]>, CommandError> {
        let Some(value) = self.optional(name) else {
            return Ok(None);
        };
        match value {
            ValueRef::Binary { subtype: 4, bytes } => {
                bytes.try_into().map(Some).map_err(|_| invalid_uuid())
            }
            ValueRef::Binary { .. } => Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field '{}.{name}' is the wrong binData type, expected type 'UUID'",
                    self.context
                ),
            )),
            other => Err(self.wrong_type(name, other, "binData")),
        }
    }

    /// The document of a collation; an empty one is as good as none.
    pub fn collation(&self) -> Result<Option<Document<'a>>, CommandError> {
        let given = self.document("collation")?;
        Ok(given.filter(|collation| !collation.is_empty()))
    }

    /// Refuses a known option that this build does not have, when it is given.
    pub fn refuse(&self, name: &'static str) -> Result<(), CommandError> {
        match self.optional(name) {
            None => Ok(()),
            Some(_) => Err(CommandError::new(
                Code::NotImplemented,
                format!("'{}.{name}' is not supported", self.context),
            )),
        }
    }

    /// An array of documents, and of nothing else.
    #[inline(never)]
    pub fn documents(&self, name: &'static str) -> Result<Option<Array<'a>>, CommandError> {
        let Some(array) = self.array(name)? else {
            return Ok(None);
        };
        for (position, item) in array.iter().enumerate() {
            if item.as_document().is_none() {
                return Err(self.wrong_type(&format!("{name}.{position}"), item, "object"));
            }
        }
        Ok(Some(array))
    }

    /// Ends the reading: a field that no code asked for is an error, and so are one given twice and a required one
    /// that is absent.
    pub fn finish(self) -> Result<(), CommandError> {
        for (position, field) in self.fields.iter().enumerate() {
            let known = self.was_asked(position)
                || match self.skip {
                    Some(command) => {
                        (position == 0 && field.name == command.as_bytes())
                            || is_generic(field.name)
                    }
                    None => false,
                };
            if !known {
                return Err(self.refused(position, field.name));
            }
        }
        self.complete()
    }

    fn complete(&self) -> Result<(), CommandError> {
        match self.lacking.get() {
            "" => Ok(()),
            name => Err(self.missing(name)),
        }
    }

    /// Ends the reading of a request whose unknown fields are left alone; one given twice is an
    /// error.
    pub fn finish_open(self) -> Result<(), CommandError> {
        for (position, field) in self.fields.iter().enumerate() {
            if self.repeats(position, field.name) {
                return Err(self.refused(position, field.name));
            }
        }
        self.complete()
    }

    /// The error of a field that no code asked for, or that is given twice.
    #[cold]
    #[inline(never)]
    fn refused(&self, position: usize, name: &[u8]) -> CommandError {
        let (code, what) = match self.repeats(position, name) {
            true => (Code::IDLDuplicateField, "a duplicate field"),
            false => (Code::IDLUnknownField, "an unknown field."),
        };
        CommandError::new(
            code,
            format!(
                "BSON field '{}.{}' is {what}",
                self.context,
                String::from_utf8_lossy(name)
            ),
        )
    }

    fn was_asked(&self, position: usize) -> bool {
        match position {
            0..64 => self.asked.get() >> position & 1 == 1,
            _ => self.asked_more.borrow().contains(&position),
        }
    }

    /// Whether the field has the name of one before it that was asked for.
    fn repeats(&self, position: usize, name: &[u8]) -> bool {
        self.fields
            .iter()
            .take(position)
            .enumerate()
            .any(|(earlier, field)| field.name == name && self.was_asked(earlier))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;

    #[test]
    fn refuses_unknown_and_mistyped_fields() {
        let mut builder = DocumentBuilder::new();
        builder
            .append("find", "posts")
            .append("limit", "ten")
            .append("bogus", 1)
            .append("$db", "d");
        let document = builder.finish();
        let params = Params::new(document.as_document(), "FindCommandRequest", Some("find"));
        let error = params.integer("limit").expect_err("a string is no limit");
        assert_eq!(
            error.message,
            "BSON field 'FindCommandRequest.limit' is the wrong type 'string', expected types '[long, int, decimal, double']"
        );
        let error = params.finish().expect_err("bogus is unknown");
        assert_eq!(error.code, 40415);
        assert_eq!(
            error.message,
            "BSON field 'FindCommandRequest.bogus' is an unknown field."
        );
    }

    #[test]
    fn many_fields_are_known_once_asked_for() {
        const NAMES: [&str; 68] = {
            let mut names = ["generic"; 68];
            names[0] = "first";
            names[67] = "last";
            names
        };
        let mut builder = DocumentBuilder::new();
        for name in NAMES {
            builder.append(if name == "generic" { "comment" } else { name }, 3);
        }
        let document = builder.finish();
        let params = Params::new(document.as_document(), "c", Some("c"));
        assert_eq!(params.integer("first"), Ok(Some(3)));
        assert_eq!(params.integer("last"), Ok(Some(3)));
        assert_eq!(params.finish(), Ok(()));
        let params = Params::new(document.as_document(), "c", Some("c"));
        params.value("first");
        assert!(params.finish().is_err(), "last was not asked for");
    }

    #[test]
    fn tells_an_unknown_field_before_an_absent_one() {
        let refused = |name: &str| {
            let mut builder = DocumentBuilder::new();
            builder.append(name, 1);
            let document = builder.finish();
            let params = Params::new(document.as_document(), "c", None);
            assert_eq!(params.required_string("first"), Ok(""));
            assert!(params.required_array("second").is_ok_and(Array::is_empty));
            params.value("known");
            let error = params.finish().expect_err("two are absent");
            error.message.clone()
        };
        assert_eq!(
            refused("bogus"),
            "BSON field 'c.bogus' is an unknown field."
        );
        assert_eq!(
            refused("known"),
            "BSON field 'c.first' is missing but a required field"
        );
    }

    #[test]
    fn refuses_a_field_that_stands_there_twice() {
        let mut builder = DocumentBuilder::new();
        builder.append("limit", 1).append("limit", 2);
        let document = builder.finish();
        let params = Params::new(document.as_document(), "c", None);
        assert_eq!(params.integer("limit"), Ok(Some(1)));
        let error = params.finish().expect_err("limit stands there twice");
        assert_eq!(error.code, 40413);
        assert_eq!(error.message, "BSON field 'c.limit' is a duplicate field");
    }
}
