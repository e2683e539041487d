//! From a filter document to a tree of predicates.
//!
//! Follows the manual's "Query and Projection Operators" pages. Invariant: every name that starts with `$` is
//! looked up in `predicate::TABLE`; an unknown operator is an error, never ignored.

use super::node::MatchNode;
use super::path::QueryPath;
use super::predicate::comparison::{Comparison, ComparisonKind};
use super::predicate::regex::RegexTest;
use super::predicate::{self, Parse, near};
use crate::bson::{Document, MAX_NESTING, Text, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

/// The context of compiling a predicate, beside its operand.
#[derive(Clone, Copy)]
pub struct Compiler<'c> {
    pub context: &'c CompileContext<'c>,
    /// Whether the predicate looks at a part of the stored document (inside `$elemMatch`).
    pub nested: bool,
    /// Whether the filter may call functions of scripts (`$where`).
    pub scripts: bool,
    /// Whether documents may be asked for by their distance (`$near`).
    pub near: bool,
    /// Whether the filter may search in texts (`$text`): an index can be read for it.
    pub texts: bool,
}

/// The operand of an operator over a field, and the operators beside it.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    /// The operator's own name.
    pub name: &'a str,
    pub value: ValueRef<'a>,
    /// The field's path; the empty path inside an `$elemMatch` over values.
    pub path: &'a QueryPath,
    /// The document that holds the operator.
    pub siblings: Document<'a>,
}

/// A `BadValue` error.
pub fn bad_value(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

/// A `FailedToParse` error.
pub fn failed_to_parse(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::FailedToParse, message)
}

/// Refuses the path of a predicate that goes deeper than a stored document.
fn check_length(path: &str) -> Result<(), CommandError> {
    // Seldom is a path so long that its names are worth counting.
    match path.len() >= MAX_NESTING && path.split('.').count() > MAX_NESTING {
        false => Ok(()),
        true => Err(CommandError::location(5_729_100, "FieldPath is too long")),
    }
}

impl<'c> Compiler<'c> {
    pub fn new(context: &'c CompileContext<'c>) -> Self {
        Self {
            context,
            nested: false,
            scripts: true,
            near: false,
            texts: true,
        }
    }

    /// The same, for a filter which may call no functions.
    pub fn without_scripts(self) -> Self {
        Self {
            scripts: false,
            ..self
        }
    }

    /// The same, for a filter which may not search in texts.
    pub fn without_texts(self) -> Self {
        Self {
            texts: false,
            ..self
        }
    }

    /// The same, for predicates over a part of the document.
    pub fn inside(self) -> Self {
        Self {
            nested: true,
            ..self
        }
    }

    /// Compiles a whole filter, without optimising it.
    pub fn filter(&self, filter: Document<'_>) -> Result<MatchNode, CommandError> {
        let mut children = Vec::new();
        for element in filter.iter() {
            if element.name.starts_with('$') {
                children.extend(self.top_level(element.name, element.value)?);
                continue;
            }
            check_length(element.name)?;
            let path = QueryPath::new(element.name);
            match element.value {
                ValueRef::Document(operators) if is_operators(element.value, false) => {
                    self.operators(&path, operators, &mut children)?;
                }
                ValueRef::Regex { pattern, options } => {
                    children.push(MatchNode::Regex(self.regex(
                        path.clone(),
                        pattern,
                        options,
                    )?));
                }
                value => children.push(Comparison::compile(
                    path,
                    ComparisonKind::Equal,
                    value,
                    &self.context.collation,
                )?),
            }
        }
        Ok(single(children))
    }

    fn top_level(
        &self,
        name: &str,
        value: ValueRef<'_>,
    ) -> Result<Option<MatchNode>, CommandError> {
        // The fields of a DBRef are the only ones whose names start with a dollar sign.
        if matches!(name, "$ref" | "$id" | "$db") {
            let path = QueryPath::new(name);
            return Comparison::compile(
                path,
                ComparisonKind::Equal,
                value,
                &self.context.collation,
            )
            .map(Some);
        }
        match predicate::find(name) {
            Some(Parse::TopLevel(parse)) => parse(self, name, value),
            _ => Err(bad_value(format!(
                "unknown top level operator: {name}. If you have a field name that starts with a '$' symbol, \
                 consider using $getField or $setField."
            ))),
        }
    }

    /// Compiles `{$gt: 5, $lt: 8}` over a path, appending a predicate for each operator.
    pub fn operators(
        &self,
        path: &QueryPath,
        operators: Document<'_>,
        children: &mut Vec<MatchNode>,
    ) -> Result<(), CommandError> {
        let is_near = near::takes_all(operators);
        for element in operators.iter() {
            let operand = Operand {
                name: element.name,
                value: element.value,
                path,
                siblings: operators,
            };
            match predicate::find(element.name) {
                Some(Parse::Field(parse)) => {
                    children.extend(parse(self, &operand)?);
                    // What is beside it are its options.
                    if is_near {
                        return Ok(());
                    }
                }
                _ if element.name == "$where" => {
                    return Err(bad_value("$where cannot be applied to a field"));
                }
                _ => return Err(bad_value(format!("unknown operator: {}", element.name))),
            }
        }
        Ok(())
    }

    /// Compiles a regular expression over a path.
    pub fn regex(
        &self,
        path: QueryPath,
        pattern: Text<'_>,
        options: Text<'_>,
    ) -> Result<RegexTest, CommandError> {
        RegexTest::compile(path, pattern, options, self.context.env)
    }
}

/// One child as itself, several as their conjunction.
pub fn single(mut children: Vec<MatchNode>) -> MatchNode {
    match children.len() {
        1 => children.remove(0),
        _ => MatchNode::And(children),
    }
}

/// Whether a value is a document of operators: its first name starts with `$`, and it is not a DBRef
/// (`{$ref, $id}`; with `incomplete`, any one of `$ref`, `$id`, `$db` makes it one).
pub fn is_operators(value: ValueRef<'_>, incomplete: bool) -> bool {
    let ValueRef::Document(document) = value else {
        return false;
    };
    let starts = document
        .iter()
        .next()
        .is_some_and(|element| element.name.starts_with('$'));
    if !starts {
        return false;
    }
    let has = |name: &str| document.iter().any(|element| element.name == name);
    let is_reference = if incomplete {
        has("$ref") || has("$id") || has("$db")
    } else {
        has("$ref") && has("$id")
    };
    !is_reference
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn unknown_operators_are_refused_by_name() {
        assert_eq!(refusal("{a: {$foo: 1}}"), "2: unknown operator: $foo");
        assert_eq!(refusal("{a: {$gt: 1, b: 2}}"), "2: unknown operator: b");
        assert_eq!(
            refusal("{$foo: 1}"),
            "2: unknown top level operator: $foo. If you have a field name that starts with a '$' \
             symbol, consider using $getField or $setField."
        );
        assert_eq!(
            refusal("{a: {$where: \"1\"}}"),
            "2: $where cannot be applied to a field"
        );
        assert_eq!(refusal("{a: {$and: []}}"), "2: unknown operator: $and");
        assert!(refusal("{$not: {a: 1}}").starts_with("2: unknown top level operator: $not"));
    }

    #[test]
    fn a_document_without_operators_is_a_value() {
        assert!(matches("{a: {b: 1}}", "{a: {b: 1}}"));
        assert!(!matches("{a: {b: 1}}", "{a: {b: 1, c: 2}}"));
        assert!(!matches("{a: {b: 1, c: 2}}", "{a: {c: 2, b: 1}}"));
        assert!(matches("{a: {}}", "{a: {}}"));
        assert!(matches(
            "{a: {$ref: \"c\", $id: 1}}",
            "{a: {$ref: \"c\", $id: 1}}"
        ));
        assert!(matches("{}", "{a: 1}"));
    }
}
