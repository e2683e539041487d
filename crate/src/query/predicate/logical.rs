//! `$and`, `$or` and `$nor`.
//!
//! Follows the manual's "Logical Query Operators".

use crate::bson::ValueRef;
use crate::error::CommandError;
use crate::query::compile::{Compiler, bad_value};
use crate::query::node::MatchNode;

pub(super) fn parse(
    compiler: &Compiler<'_>,
    name: &str,
    value: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let Some(items) = value.as_array() else {
        return Err(bad_value(format!("{name} must be an array")));
    };
    if items.is_empty() {
        return Err(bad_value("$and/$or/$nor must be a nonempty array"));
    }
    let mut children = Vec::new();
    for item in items.iter() {
        let Some(filter) = item.as_document() else {
            return Err(bad_value("$or/$and/$nor entries need to be full objects"));
        };
        children.push(compiler.filter(filter)?);
    }
    Ok(Some(match name {
        "$and" => MatchNode::And(children),
        "$or" => MatchNode::Or(children),
        _ => MatchNode::Nor(children),
    }))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn combine_filters() {
        assert!(matches("{$or: [{a: 1}, {b: 2}]}", "{b: 2}"));
        assert!(!matches("{$or: [{a: 1}, {b: 2}]}", "{a: 2, b: 1}"));
        assert!(matches("{$and: [{a: 1}, {b: 2}]}", "{a: 1, b: 2}"));
        assert!(!matches("{$and: [{a: 1}, {b: 2}]}", "{a: 1}"));
        assert!(matches("{$nor: [{a: 1}, {b: 2}]}", "{a: 2}"));
        assert!(!matches("{$nor: [{a: 1}, {b: 2}]}", "{b: 2}"));
        assert!(matches("{$or: [{}]}", "{a: 1}"));
        assert!(!matches("{$nor: [{}]}", "{a: 1}"));
        assert!(matches(
            "{$or: [{a: 1, b: 1}, {$and: [{c: 1}, {$nor: [{d: 1}]}]}]}",
            "{c: 1}"
        ));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(refusal("{$or: 5}"), "2: $or must be an array");
        assert_eq!(
            refusal("{$and: []}"),
            "2: $and/$or/$nor must be a nonempty array"
        );
        assert_eq!(
            refusal("{$nor: [5]}"),
            "2: $or/$and/$nor entries need to be full objects"
        );
    }
}
