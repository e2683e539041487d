//! Simplifies a tree and puts it in canonical order, without changing which documents it matches.
//!
//! Does the same steps as the server before planning, because explain shows the result.

use super::node::MatchNode;
use super::predicate::comparison::{Comparison, ComparisonKind};
use super::predicate::membership::Membership;
use super::predicate::regex::RegexTest;
use crate::algorithms::sorting;
use crate::bson::Value;
use crate::collation::Collation;

impl MatchNode {
    /// The simplified tree, sorted.
    ///
    /// What it does for each kind of node is a function of its own: a filter may be nested as deeply as a document, and
    /// each of its levels has this function's frame on the host's stack.
    pub fn optimise(self) -> Self {
        match self {
            Self::And(children) => and(children),
            Self::Or(children) => or(children),
            Self::Nor(children) => nor(children),
            Self::Not(child) => negate(child.optimise()),
            Self::In(test) => membership(test),
            Self::ElemMatchObject(mut test) => {
                test.filter = Box::new(test.filter.optimise());
                match *test.filter {
                    Self::AlwaysFalse => Self::AlwaysFalse,
                    _ => Self::ElemMatchObject(test),
                }
            }
            Self::ElemMatchValue(mut test) => {
                test.predicates = test.predicates.into_iter().map(Self::optimise).collect();
                if test
                    .predicates
                    .iter()
                    .any(|predicate| matches!(predicate, Self::AlwaysFalse))
                {
                    return Self::AlwaysFalse;
                }
                sorting::sort_by(&mut test.predicates, &mut Self::compare);
                Self::ElemMatchValue(test)
            }
            other => other,
        }
    }
}

#[inline(never)]
fn membership(test: Membership) -> MatchNode {
    match (test.values.len(), test.regexes.len()) {
        (0, 0) => MatchNode::AlwaysFalse,
        (0, 1) => test
            .regexes
            .into_iter()
            .next()
            .map_or(MatchNode::AlwaysFalse, MatchNode::Regex),
        (1, 0) => test
            .values
            .into_iter()
            .next()
            .map_or(MatchNode::AlwaysFalse, |operand| {
                MatchNode::Compare(Comparison {
                    path: test.path,
                    kind: ComparisonKind::Equal,
                    operand,
                    collation: test.collation,
                })
            }),
        _ => MatchNode::In(test),
    }
}

#[inline(never)]
fn and(children: Vec<MatchNode>) -> MatchNode {
    let mut kept = Vec::with_capacity(children.len());
    for child in children {
        match child.optimise() {
            MatchNode::And(inner) => kept.extend(inner),
            MatchNode::AlwaysTrue => {}
            MatchNode::AlwaysFalse => return MatchNode::AlwaysFalse,
            other => kept.push(other),
        }
    }
    finish(kept, MatchNode::And)
}

#[inline(never)]
fn or(children: Vec<MatchNode>) -> MatchNode {
    let mut kept = Vec::with_capacity(children.len());
    for child in children {
        match child.optimise() {
            MatchNode::Or(inner) => kept.extend(inner),
            MatchNode::AlwaysFalse => {}
            node if node.is_trivially_true() => return MatchNode::AlwaysTrue,
            other => kept.push(other),
        }
    }
    let kept = gather_equalities(kept);
    if kept.is_empty() {
        return MatchNode::AlwaysFalse;
    }
    finish(kept, MatchNode::Or)
}

#[inline(never)]
fn nor(children: Vec<MatchNode>) -> MatchNode {
    let mut kept = Vec::with_capacity(children.len());
    for child in children {
        match child.optimise() {
            MatchNode::AlwaysFalse => {}
            node if node.is_trivially_true() => return MatchNode::AlwaysFalse,
            other => kept.push(other),
        }
    }
    match kept.len() {
        0 => MatchNode::AlwaysTrue,
        1 => negate(kept.remove(0)),
        _ => finish(kept, MatchNode::Nor),
    }
}

/// The negation of an optimised node.
fn negate(node: MatchNode) -> MatchNode {
    match node {
        MatchNode::Not(child) => *child,
        MatchNode::AlwaysFalse => MatchNode::AlwaysTrue,
        node if node.is_trivially_true() => MatchNode::AlwaysFalse,
        other => MatchNode::Not(Box::new(other)),
    }
}

fn finish(mut children: Vec<MatchNode>, list: fn(Vec<MatchNode>) -> MatchNode) -> MatchNode {
    if children.len() == 1 {
        return children.remove(0);
    }
    sorting::sort_by(&mut children, &mut MatchNode::compare);
    list(children)
}

/// Turns alternatives over one path into one `$in`.
fn gather_equalities(children: Vec<MatchNode>) -> Vec<MatchNode> {
    let mut kept: Vec<MatchNode> = Vec::with_capacity(children.len());
    let mut lists: Vec<Membership> = Vec::new();
    for child in children {
        let (path, values, regexes, collation): (
            _,
            Vec<Value<'static>>,
            Vec<RegexTest>,
            Collation,
        ) = match child {
            MatchNode::Compare(test) if test.kind == ComparisonKind::Equal => {
                (test.path, vec![test.operand], Vec::new(), test.collation)
            }
            MatchNode::Regex(test) => {
                (test.path.clone(), Vec::new(), vec![test], Collation::SIMPLE)
            }
            MatchNode::In(test) => (test.path, test.values, test.regexes, test.collation),
            other => {
                kept.push(other);
                continue;
            }
        };
        match lists.iter_mut().find(|list| list.path == path) {
            Some(list) => {
                list.values.extend(values);
                list.regexes.extend(regexes);
                // Only a list without strings has the simple collation in the place of the operation's.
                if list.collation.is_simple() {
                    list.collation = collation;
                }
            }
            None => lists.push(Membership {
                path,
                values,
                regexes,
                has_null: false,
                collation,
            }),
        }
    }
    for list in lists {
        let list = Membership::new(list.path, list.values, list.regexes, &list.collation);
        kept.push(membership(list));
    }
    kept
}

#[cfg(test)]
mod tests {
    use crate::query::testing::matcher;

    fn optimised(filter: &str) -> String {
        matcher(filter).map_or_else(|message| message, |matcher| format!("{:?}", matcher.root()))
    }

    #[test]
    fn constants_disappear() {
        assert_eq!(optimised("{$and: [{}, {a: 1}]}"), "{ a: { $eq: 1 } }");
        assert_eq!(optimised("{$or: [{}, {a: 1}]}"), "{ $alwaysTrue: 1 }");
        assert_eq!(
            optimised("{$or: [{$alwaysFalse: 1}, {a: 1}]}"),
            "{ a: { $eq: 1 } }"
        );
        assert_eq!(optimised("{a: {$in: []}, b: 1}"), "{ $alwaysFalse: 1 }");
        assert_eq!(optimised("{$nor: [{}]}"), "{ $alwaysFalse: 1 }");
        assert_eq!(optimised("{a: {$nin: []}}"), "{ $alwaysTrue: 1 }");
        assert_eq!(optimised("{$alwaysTrue: 1, $and: [{}]}"), "{}");
    }

    #[test]
    fn alternatives_over_one_path_become_a_list() {
        assert_eq!(
            optimised("{$or: [{a: 3}, {b: 1}, {a: {$in: [1, /x/]}}, {a: 3}]}"),
            "{ $or: [ { b: { $eq: 1 } }, { a: { $in: [ 1, 3, /x/ ] } } ] }"
        );
        assert_eq!(
            optimised("{$or: [{a: 1}, {$or: [{a: 2}, {a: {$gt: 5}}]}]}"),
            "{ $or: [ { a: { $gt: 5 } }, { a: { $in: [ 1, 2 ] } } ] }"
        );
    }

    #[test]
    fn double_negation_disappears() {
        assert_eq!(
            optimised("{a: {$not: {$not: {$gt: 5}}}}"),
            "{ a: { $gt: 5 } }"
        );
        assert_eq!(optimised("{$nor: [{a: {$ne: 5}}]}"), "{ a: { $eq: 5 } }");
    }
}
