//! `$not`: the negation of operators over a field, or of a regular expression.
//!
//! Follows the manual's "$not" page. It is true of documents without the field.

use crate::bson::ValueRef;
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand, bad_value};
use crate::query::node::MatchNode;

pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let child = match operand.value {
        ValueRef::Regex { pattern, options } => {
            MatchNode::Regex(compiler.regex(operand.path.clone(), pattern, options)?)
        }
        ValueRef::Document(operators) if operators.is_empty() => {
            return Err(bad_value("$not cannot be empty"));
        }
        ValueRef::Document(operators) => {
            let mut children = Vec::new();
            compiler.operators(operand.path, operators, &mut children)?;
            MatchNode::And(children)
        }
        _ => return Err(bad_value("$not needs a regex or a document")),
    };
    Ok(Some(MatchNode::Not(Box::new(child))))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn negates_and_is_true_of_absent_fields() {
        assert!(matches("{a: {$not: {$gt: 5}}}", "{a: 5}"));
        assert!(matches("{a: {$not: {$gt: 5}}}", "{}"));
        assert!(matches("{a: {$not: {$gt: 5}}}", "{a: \"x\"}"));
        assert!(!matches("{a: {$not: {$gt: 5}}}", "{a: [1, 6]}"));
        assert!(matches("{a: {$not: /^x/}}", "{a: \"ax\"}"));
        assert!(!matches("{a: {$not: {$regex: \"^x\"}}}", "{a: \"xa\"}"));
        assert!(matches("{a: {$not: {$gt: 5, $lt: 9}}}", "{a: 10}"));
        assert!(matches("{a: {$not: {$not: {$gt: 5}}}}", "{a: 10}"));
        assert!(matches(
            "{a: {$not: {$elemMatch: {b: 1}}}}",
            "{a: [{b: 2}]}"
        ));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(
            refusal("{a: {$not: 5}}"),
            "2: $not needs a regex or a document"
        );
        assert_eq!(refusal("{a: {$not: {}}}"), "2: $not cannot be empty");
        assert_eq!(refusal("{a: {$not: {b: 1}}}"), "2: unknown operator: b");
    }
}
