//! Typed command parameters: every field of a request is asked for by name and type.
//!
//! Invariant: a field that nobody asked for is an error (`finish`), so nothing is ever accepted and
//! ignored. Follows the server's generated parsers: absent and null optional fields are alike.

use crate::bson::{Array, Document, Element, Number, ValueRef};
use crate::error::{Code, CommandError};
use std::borrow::Cow;
use std::cell::RefCell;

/// Fields every command may carry; `Request::parse` reads them.
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
    "lsid",
    "maxTimeMS",
    "mayBypassWriteBlocking",
    "readConcern",
    "startTransaction",
    "txnNumber",
    "writeConcern",
];

/// A validated command document, with what is common to all commands read from it.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub document: Document<'a>,
    /// The first field's name: what the client called the command.
    pub name: &'a str,
    pub database: &'a str,
    /// 0 means no limit.
    pub max_time_millis: i64,
    pub comment: ValueRef<'a>,
}

impl<'a> Request<'a> {
    /// The value of the command field itself (`find: "posts"`).
    pub fn argument(&self) -> ValueRef<'a> {
        self.document
            .iter()
            .next()
            .map_or(ValueRef::Missing, |element| element.value)
    }

    /// The collection a command names, checked to be a non-empty string.
    pub fn collection(&self) -> Result<&'a str, CommandError> {
        match self.argument() {
            ValueRef::String("") => Err(CommandError::new(
                Code::InvalidNamespace,
                format!("Invalid namespace specified '{}.'", self.database),
            )),
            ValueRef::String(name) if name.contains('\0') => Err(CommandError::new(
                Code::InvalidNamespace,
                "namespaces cannot have embedded null characters",
            )),
            ValueRef::String(name) => Ok(name),
            ValueRef::Symbol(name) if !name.is_empty() => Ok(name),
            other => Err(CommandError::new(
                Code::InvalidNamespace,
                format!("collection name has invalid type {}", other.type_name()),
            )),
        }
    }

    /// `database.collection`.
    pub fn namespace(&self) -> Result<String, CommandError> {
        Ok(format!("{}.{}", self.database, self.collection()?))
    }

    /// The typed parameters, without the command field and the generic ones.
    pub fn params(&self) -> Params<'a> {
        Params::new(self.document, self.name, Some(self.name))
    }
}

/// The fields of one request document (or of a nested one, such as an `updates` item).
pub struct Params<'a> {
    /// The document's fields, walked once: commands ask for dozens of names that are mostly absent.
    fields: Vec<Element<'a>>,
    /// Names the document in messages: the command, or `update.updates`.
    context: Cow<'a, str>,
    /// The command field, which is not a parameter of its own.
    skip: Option<&'a str>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Params<'a> {
    /// Reads a command (`skip` names its command field) or a nested document (`skip` is `None`).
    pub fn new(
        document: Document<'a>,
        context: impl Into<Cow<'a, str>>,
        skip: Option<&'a str>,
    ) -> Self {
        let mut fields = Vec::with_capacity(12);
        fields.extend(document.iter());
        Self {
            fields,
            context: context.into(),
            skip,
            asked: RefCell::new(Vec::with_capacity(32)),
        }
    }

    /// The value as it is; null counts as absent only to the typed readers.
    pub fn value(&self, name: &'static str) -> ValueRef<'a> {
        self.asked.borrow_mut().push(name);
        self.fields
            .iter()
            .find(|field| field.name == name)
            .map_or(ValueRef::Missing, |field| field.value)
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
                "BSON field '{}.{name}' is the wrong type '{}', expected type{} '{expected}'",
                self.context,
                value.type_name(),
                if expected.contains(',') { "s" } else { "" },
            ),
        )
    }

    /// The error of a required field that is absent.
    pub fn missing(&self, name: &str) -> CommandError {
        CommandError::location(
            40414,
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

    pub fn required_document(&self, name: &'static str) -> Result<Document<'a>, CommandError> {
        self.document(name)?.ok_or_else(|| self.missing(name))
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

    pub fn required_array(&self, name: &'static str) -> Result<Array<'a>, CommandError> {
        self.array(name)?.ok_or_else(|| self.missing(name))
    }

    pub fn string(&self, name: &'static str) -> Result<Option<&'a str>, CommandError> {
        self.optional(name)
            .map(|value| {
                value
                    .as_str()
                    .ok_or_else(|| self.wrong_type(name, value, "string"))
            })
            .transpose()
    }

    pub fn required_string(&self, name: &'static str) -> Result<&'a str, CommandError> {
        self.string(name)?.ok_or_else(|| self.missing(name))
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

    pub fn number(&self, name: &'static str) -> Result<Option<Number>, CommandError> {
        let Some(value) = self.optional(name) else {
            return Ok(None);
        };
        match value.as_number() {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong_type(name, value, "long, int, decimal, double")),
        }
    }

    /// An integer of any numeric type; a fractional part is cut off (the server's "safeInt").
    pub fn integer(&self, name: &'static str) -> Result<Option<i64>, CommandError> {
        Ok(self.number(name)?.map(Number::to_i64_saturating))
    }

    /// An integer that must not be negative.
    pub fn non_negative(&self, name: &'static str) -> Result<Option<i64>, CommandError> {
        match self.integer(name)? {
            Some(number) if number < 0 => Err(CommandError::location(
                51024,
                format!("BSON field '{name}' value must be >= 0, actual value '{number}'"),
            )),
            other => Ok(other),
        }
    }

    /// Accepts no collation but the simple one: `{locale: "simple"}`.
    pub fn simple_collation(&self) -> Result<(), CommandError> {
        let Some(collation) = self.document("collation")? else {
            return Ok(());
        };
        match collation.get("locale") {
            ValueRef::String("simple") => Ok(()),
            ValueRef::Missing if collation.is_empty() => Ok(()),
            ValueRef::Missing => Err(CommandError::location(
                40414,
                "BSON field 'collation.locale' is missing but a required field",
            )),
            ValueRef::String(locale) => Err(CommandError::new(
                Code::NotImplemented,
                format!("collation locale '{locale}' is not supported; only 'simple' is"),
            )),
            other => Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field 'collation.locale' is the wrong type '{}', expected type 'string'",
                    other.type_name()
                ),
            )),
        }
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

    /// Ends the reading: a field nobody asked for is an error.
    pub fn finish(self) -> Result<(), CommandError> {
        let asked = self.asked.borrow();
        for (position, element) in self.fields.iter().enumerate() {
            let known = asked.contains(&element.name)
                || match self.skip {
                    Some(command) => {
                        (position == 0 && element.name == command)
                            || GENERIC_FIELDS.contains(&element.name)
                    }
                    None => false,
                };
            if !known {
                return Err(CommandError::location(
                    40415,
                    format!(
                        "BSON field '{}.{}' is an unknown field.",
                        self.context, element.name
                    ),
                ));
            }
        }
        Ok(())
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
        let params = Params::new(document.as_document(), "find", Some("find"));
        let error = params.integer("limit").expect_err("a string is no limit");
        assert_eq!(
            error.message,
            "BSON field 'find.limit' is the wrong type 'string', expected types 'long, int, decimal, double'"
        );
        let error = params.finish().expect_err("bogus is unknown");
        assert_eq!(error.code, 40415);
        assert_eq!(
            error.message,
            "BSON field 'find.bogus' is an unknown field."
        );
    }
}
