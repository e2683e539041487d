//! `$alwaysTrue` and `$alwaysFalse`.

use crate::bson::ValueRef;
use crate::error::CommandError;
use crate::query::compile::{Compiler, failed_to_parse};
use crate::query::integer::exact_integer;
use crate::query::node::MatchNode;

pub(super) fn parse(
    _: &Compiler<'_>,
    name: &str,
    value: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    if exact_integer(name, value)? != 1 {
        return Err(failed_to_parse(format!(
            "{name} must be an integer value of 1"
        )));
    }
    Ok(Some(if name == "$alwaysTrue" {
        MatchNode::AlwaysTrue
    } else {
        MatchNode::AlwaysFalse
    }))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn are_constant() {
        assert!(matches("{$alwaysTrue: 1}", "{}"));
        assert!(!matches("{$alwaysFalse: 1.0}", "{}"));
        assert!(!matches("{$or: [{$alwaysFalse: 1}, {a: 1}]}", "{}"));
        assert_eq!(
            refusal("{$alwaysTrue: 2}"),
            "9: $alwaysTrue must be an integer value of 1"
        );
        assert_eq!(
            refusal("{$alwaysFalse: \"x\"}"),
            "9: Expected a number in: $alwaysFalse: \"x\""
        );
    }
}
