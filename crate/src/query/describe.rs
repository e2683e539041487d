//! A tree as the document that explain prints as `parsedQuery`, and the order of its parts.
//!
//! Invariant: the document is a filter that compiles to an equal tree.

use super::node::MatchNode;
use super::path::QueryPath;
use crate::bson::{DocumentBuf, DocumentBuilder};
use std::cmp::Ordering;

impl MatchNode {
    /// The canonical form of the filter: `{$and: [{a: {$eq: 1}}, {b: {$gt: 2}}]}`.
    pub fn to_bson(&self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        self.write(&mut builder);
        builder.finish()
    }

    /// Writes the node's fields into an open document.
    pub fn write(&self, builder: &mut DocumentBuilder) {
        match self {
            Self::AlwaysTrue => {
                builder.append("$alwaysTrue", 1);
            }
            Self::AlwaysFalse => {
                builder.append("$alwaysFalse", 1);
            }
            Self::And(children) if children.is_empty() => {}
            Self::And(children) => write_list("$and", children, builder),
            Self::Or(children) => write_list("$or", children, builder),
            Self::Nor(children) => write_list("$nor", children, builder),
            Self::Not(child) => match child.path() {
                Some(path) if child.is_leaf() => {
                    builder.begin_document(path.dotted()).begin_document("$not");
                    child.write_operator(builder);
                    builder.end().end();
                }
                _ => write_list("$nor", std::slice::from_ref(child), builder),
            },
            Self::Expr(test) => test.describe(builder),
            Self::JsonSchema(test) => test.describe(builder),
            Self::Where(test) => test.describe(builder),
            Self::Text(test) => test.describe(builder),
            Self::SampleRate(rate) => {
                builder.append("$sampleRate", *rate);
            }
            leaf => {
                builder.begin_document(leaf.path().map_or("", QueryPath::dotted));
                leaf.write_operator(builder);
                builder.end();
            }
        }
    }

    /// Writes the operator and the operand of a leaf: `{$gt: 5}` of `{price: {$gt: 5}}`.
    fn write_operator(&self, builder: &mut DocumentBuilder) {
        match self {
            Self::Compare(test) => test.describe(builder),
            Self::In(test) => test.describe(builder),
            Self::Exists(_) => {
                builder.append("$exists", true);
            }
            Self::Type(test) => test.describe(builder),
            Self::Regex(test) => test.describe(builder),
            Self::Mod(test) => test.describe(builder),
            Self::Size(test) => test.describe(builder),
            Self::Bits(test) => test.describe(builder),
            Self::Geo(test) => test.describe(builder),
            Self::Near(test) => test.describe(builder),
            Self::ElemMatchObject(test) => {
                builder.begin_document("$elemMatch");
                test.filter.write(builder);
                builder.end();
            }
            Self::ElemMatchValue(test) => {
                builder.begin_document("$elemMatch");
                for predicate in &test.predicates {
                    match predicate {
                        Self::Not(child) => {
                            builder.begin_document("$not");
                            if let Self::And(children) = &**child {
                                for child in children {
                                    child.write_operator(builder);
                                }
                            } else {
                                child.write_operator(builder);
                            }
                            builder.end();
                        }
                        other => other.write_operator(builder),
                    }
                }
                builder.end();
            }
            Self::Not(child) => {
                builder.begin_document("$not");
                child.write_operator(builder);
                builder.end();
            }
            Self::And(children) => {
                for child in children {
                    child.write_operator(builder);
                }
            }
            _ => {}
        }
    }

    /// Where the server puts the node among its siblings.
    fn rank(&self) -> u8 {
        use super::predicate::comparison::ComparisonKind;
        match self {
            Self::And(_) => 0,
            Self::Or(_) => 1,
            Self::ElemMatchObject(_) => 2,
            Self::ElemMatchValue(_) => 3,
            Self::Size(_) => 4,
            Self::Compare(test) => match test.kind {
                ComparisonKind::Equal => 5,
                ComparisonKind::LessOrEqual => 6,
                ComparisonKind::Less => 7,
                ComparisonKind::Greater => 8,
                ComparisonKind::GreaterOrEqual => 9,
            },
            Self::Regex(_) => 10,
            Self::Mod(_) => 11,
            Self::Exists(_) => 12,
            Self::In(_) => 13,
            Self::Bits(test) => 14 + test.kind as u8,
            Self::Not(_) => 18,
            Self::Nor(_) => 19,
            Self::Type(_) => 20,
            Self::Geo(_) => 21,
            Self::JsonSchema(_) | Self::Where(_) | Self::Expr(_) | Self::SampleRate(_) => 22,
            Self::AlwaysFalse => 23,
            Self::AlwaysTrue => 24,
            Self::Near(_) => 25,
            Self::Text(_) => 26,
        }
    }

    /// The order among siblings: kind, then path, then children.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let path = |node: &Self| match node {
            Self::Not(_) => String::new(),
            node => node
                .path()
                .map_or(String::new(), |path| path.dotted().into()),
        };
        let (mine, theirs) = (self.ordered_children(), other.ordered_children());
        self.rank()
            .cmp(&other.rank())
            .then_with(|| path(self).cmp(&path(other)))
            .then_with(|| mine.len().cmp(&theirs.len()))
            .then_with(|| {
                mine.iter()
                    .zip(theirs)
                    .map(|(one, another)| one.compare(another))
                    .find(|ordering| ordering.is_ne())
                    .unwrap_or(Ordering::Equal)
            })
    }

    fn ordered_children(&self) -> &[MatchNode] {
        match self {
            Self::ElemMatchObject(test) => std::slice::from_ref(&*test.filter),
            Self::ElemMatchValue(test) => &test.predicates,
            node => node.children(),
        }
    }
}

fn write_list(name: &str, children: &[MatchNode], builder: &mut DocumentBuilder) {
    builder.begin_array(name);
    for (position, child) in children.iter().enumerate() {
        builder.begin_document(&position.to_string());
        child.write(builder);
        builder.end();
    }
    builder.end();
}

#[cfg(test)]
mod tests {
    use crate::query::testing::matcher;

    fn parsed(filter: &str) -> String {
        matcher(filter).map_or_else(|message| message, |matcher| format!("{:?}", matcher.root()))
    }

    #[test]
    fn prints_as_the_server_does() {
        for (filter, expected) in [
            ("{}", "{}"),
            ("{a: 1}", "{ a: { $eq: 1 } }"),
            (
                "{b: 1, a: 1}",
                "{ $and: [ { a: { $eq: 1 } }, { b: { $eq: 1 } } ] }",
            ),
            (
                "{a: {$gt: 1, $lt: 5}}",
                "{ $and: [ { a: { $lt: 5 } }, { a: { $gt: 1 } } ] }",
            ),
            (
                "{q: {$gte: 100, $lte: 300}}",
                "{ $and: [ { q: { $lte: 300 } }, { q: { $gte: 100 } } ] }",
            ),
            ("{a: {$ne: 1}}", "{ a: { $not: { $eq: 1 } } }"),
            ("{a: {$nin: [1, 2]}}", "{ a: { $not: { $in: [ 1, 2 ] } } }"),
            (
                "{a: {$exists: false}}",
                "{ a: { $not: { $exists: true } } }",
            ),
            ("{a: {$in: [5]}}", "{ a: { $eq: 5 } }"),
            ("{a: {$in: []}}", "{ $alwaysFalse: 1 }"),
            ("{a: {$in: [/x/]}}", "{ a: { $regex: \"x\" } }"),
            ("{a: /x/i}", "{ a: { $regex: \"x\", $options: \"i\" } }"),
            (
                "{a: {$type: \"number\"}}",
                "{ a: { $type: [ \"number\" ] } }",
            ),
            ("{a: {$all: [1]}}", "{ a: { $eq: 1 } }"),
            ("{$or: [{a: 1}, {a: 2}]}", "{ a: { $in: [ 1, 2 ] } }"),
            ("{$or: [{a: 1}]}", "{ a: { $eq: 1 } }"),
            ("{$nor: [{a: 1}]}", "{ a: { $not: { $eq: 1 } } }"),
            (
                "{a: {$not: {$gt: 1, $lt: 5}}}",
                "{ $nor: [ { $and: [ { a: { $lt: 5 } }, { a: { $gt: 1 } } ] } ] }",
            ),
            (
                "{a: {$elemMatch: {$gte: 1, $lt: 5}}}",
                "{ a: { $elemMatch: { $lt: 5, $gte: 1 } } }",
            ),
            (
                "{a: {$elemMatch: {c: 1, b: 2}}}",
                "{ a: { $elemMatch: { $and: [ { b: { $eq: 2 } }, { c: { $eq: 1 } } ] } } }",
            ),
            (
                "{$and: [{a: 1}, {$and: [{b: 2}, {c: 3}]}]}",
                "{ $and: [ { a: { $eq: 1 } }, { b: { $eq: 2 } }, { c: { $eq: 3 } } ] }",
            ),
        ] {
            assert_eq!(parsed(filter), expected, "{filter}");
        }
    }
}
