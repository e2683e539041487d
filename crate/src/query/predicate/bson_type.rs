//! `$type`: whether a value has one of some BSON types.
//!
//! Follows the manual's "$type" page. An array has the type of each item and `array` itself.

use crate::algorithms::sorting;
use crate::bson::document::RawElement;
use crate::bson::types::TYPE_ALIASES;
use crate::bson::{ArrayBuilder, BsonType, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::query::compile::{Compiler, Operand, bad_value, failed_to_parse};
use crate::query::node::MatchNode;
use crate::query::path::QueryPath;

/// A set of types.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeSet {
    /// Whether the alias "number" was used: every numeric type.
    pub all_numbers: bool,
    /// The other types, in ascending order of their `$type` number.
    pub types: Vec<BsonType>,
}

impl TypeSet {
    /// Reads a number, an alias or an array of them.
    pub fn parse(value: ValueRef<'_>) -> Result<Self, CommandError> {
        let mut set = Self::default();
        match value {
            ValueRef::Array(items) => {
                for item in items.iter() {
                    set.add(item)?;
                }
            }
            one => set.add(one)?,
        }
        sorting::sort_by(&mut set.types, &mut |left, right| {
            left.number().cmp(&right.number())
        });
        set.types.dedup();
        Ok(set)
    }

    fn add(&mut self, value: ValueRef<'_>) -> Result<(), CommandError> {
        if let ValueRef::String(alias) = value {
            if alias == "number" {
                self.all_numbers = true;
                return Ok(());
            }
            let kind = (alias.to_str())
                .and_then(BsonType::from_alias)
                .filter(|kind| *kind != BsonType::Missing)
                .ok_or_else(|| bad_value(format!("Unknown type name alias: {alias}")))?;
            self.types.push(kind);
            return Ok(());
        }
        let Some(number) = value.as_number() else {
            return Err(CommandError::new(
                Code::TypeMismatch,
                "type must be represented as a number or a string",
            ));
        };
        let code = number.to_exact_i64();
        if code == Some(0) {
            return Err(bad_value(
                "Invalid numerical type code: 0. Instead use {$exists:false}.",
            ));
        }
        let kind = TYPE_ALIASES
            .iter()
            .map(|(kind, _)| *kind)
            .find(|kind| Some(i64::from(kind.number())) == code)
            .ok_or_else(|| bad_value(format!("Invalid numerical type code: {value}")))?;
        self.types.push(kind);
        Ok(())
    }

    /// Whether the set holds a type.
    pub fn contains(&self, kind: BsonType) -> bool {
        (self.all_numbers && kind.is_number()) || self.types.contains(&kind)
    }

    pub fn is_empty(&self) -> bool {
        !self.all_numbers && self.types.is_empty()
    }
}

/// `path $type types`.
#[derive(Debug, Clone)]
pub struct TypeTest {
    pub path: QueryPath,
    pub types: TypeSet,
}

impl TypeTest {
    /// Whether one value (or `MISSING`) satisfies the predicate.
    pub fn matches(&self, element: &RawElement<'_>) -> bool {
        self.types.contains(element.kind)
    }

    /// Writes `{$type: [2]}` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        let mut items = ArrayBuilder::new();
        if self.types.all_numbers {
            items.push("number");
        }
        for kind in &self.types.types {
            items.push(kind.number());
        }
        builder.append("$type", &items.finish());
    }
}

pub(super) fn parse(
    _: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let types = TypeSet::parse(operand.value)?;
    if types.is_empty() {
        return Err(failed_to_parse(format!(
            "{} must match at least one type",
            operand.path.dotted()
        )));
    }
    Ok(Some(MatchNode::Type(TypeTest {
        path: operand.path.clone(),
        types,
    })))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn takes_aliases_numbers_and_arrays() {
        assert!(matches("{a: {$type: \"string\"}}", "{a: \"x\"}"));
        assert!(matches("{a: {$type: 2}}", "{a: \"x\"}"));
        assert!(matches("{a: {$type: 2.0}}", "{a: \"x\"}"));
        assert!(matches("{a: {$type: \"number\"}}", "{a: long(5)}"));
        assert!(matches("{a: {$type: [\"bool\", \"number\"]}}", "{a: 1}"));
        assert!(!matches("{a: {$type: \"int\"}}", "{a: 1.0}"));
        assert!(matches("{a: {$type: -1}}", "{a: minKey}"));
        assert!(matches("{a: {$type: 127}}", "{a: maxKey}"));
        assert!(!matches("{a: {$type: \"null\"}}", "{}"));
        assert!(matches("{a: {$type: \"array\"}}", "{a: []}"));
        assert!(matches("{a: {$type: \"string\"}}", "{a: [1, \"x\"]}"));
        assert!(matches("{a: {$type: 4}}", "{a: [1]}"));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(
            refusal("{a: {$type: \"foo\"}}"),
            "2: Unknown type name alias: foo"
        );
        assert_eq!(
            refusal("{a: {$type: 99}}"),
            "2: Invalid numerical type code: 99"
        );
        assert_eq!(
            refusal("{a: {$type: []}}"),
            "9: a must match at least one type"
        );
        assert_eq!(
            refusal("{a: {$type: null}}"),
            "14: type must be represented as a number or a string"
        );
    }
}
