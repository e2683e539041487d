//! The filter as the bounds of each index are made of it, where the index or the query has a collation.
//!
//! Follows the manual's "Collation" and "Collation and Index Use": an index serves comparisons with strings (and with
//! documents and arrays, which may hold some) only of queries with its own collation. All other comparisons it serves.
//! Invariant: the tree that bounds are made of has the shape of the filter's own: only leaves differ. Strings in it are
//! the index's labels, and `UNHELPED` takes the place of a predicate that the index cannot serve.

use crate::bson::{ArrayBuf, ArrayBuilder, Value, ValueRef};
use crate::catalog::{Collection, Index};
use crate::collation::is_collatable;
use crate::error::CommandError;
use crate::query::{MatchNode, Matcher};
use crate::storage::Pager;

/// A predicate that no index helps with.
const UNHELPED: MatchNode = MatchNode::Nor(Vec::new());

/// For each index of a collection the tree that its bounds are made of; `None` where it is the filter's own.
pub struct Bounding(Vec<Option<MatchNode>>);

impl Bounding {
    /// Works out the trees of all indexes.
    ///
    /// # Errors
    /// Storage errors.
    pub fn of(
        collection: &Collection,
        matcher: &Matcher,
        pager: &Pager,
    ) -> Result<Self, CommandError> {
        let is_simple = matcher.collation().is_simple();
        let mut trees = Vec::new();
        for index in &collection.indexes {
            let collation = &index.definition.collation;
            trees.push(if is_simple && collation.is_simple() {
                None
            } else {
                let translator = Translator {
                    index,
                    is_same: collation == matcher.collation(),
                    is_index_simple: collation.is_simple(),
                    pager,
                };
                Some(translator.node(matcher.root())?)
            });
        }
        Ok(Self(trees))
    }

    /// The tree of the index at a position, of a filter whose own is `root`.
    pub fn root<'n>(&'n self, position: usize, root: &'n MatchNode) -> &'n MatchNode {
        match self.0.get(position) {
            Some(Some(tree)) => tree,
            _ => root,
        }
    }
}

struct Translator<'i> {
    index: &'i Index,
    /// Whether index and query have one collation.
    is_same: bool,
    is_index_simple: bool,
    pager: &'i Pager,
}

impl Translator<'_> {
    fn value(&self, value: ValueRef<'_>) -> Result<Value<'static>, CommandError> {
        Ok(self.index.key_of(self.pager, value)?.into_owned())
    }

    fn node(&self, node: &MatchNode) -> Result<MatchNode, CommandError> {
        let all = |nodes: &[MatchNode]| -> Result<Vec<MatchNode>, CommandError> {
            nodes.iter().map(|node| self.node(node)).collect()
        };
        Ok(match node {
            MatchNode::And(children) => MatchNode::And(all(children)?),
            MatchNode::Or(children) => MatchNode::Or(all(children)?),
            MatchNode::Not(child) => MatchNode::Not(Box::new(self.node(child)?)),
            MatchNode::Compare(test) if is_collatable(test.operand.as_ref()) => {
                if !self.is_same {
                    return Ok(UNHELPED);
                }
                let mut test = test.clone();
                test.operand = self.value(test.operand.as_ref())?;
                MatchNode::Compare(test)
            }
            MatchNode::In(test) => {
                let has_strings = test
                    .values
                    .iter()
                    .any(|value| is_collatable(value.as_ref()));
                if (has_strings && !self.is_same)
                    || (!test.regexes.is_empty() && !self.is_index_simple)
                {
                    return Ok(UNHELPED);
                }
                let mut test = test.clone();
                for value in &mut test.values {
                    *value = self.value(value.as_ref())?;
                }
                MatchNode::In(test)
            }
            // Labels do not begin as their strings do.
            MatchNode::Regex(_) if !self.is_index_simple => UNHELPED,
            MatchNode::Expr(_) => UNHELPED,
            MatchNode::ElemMatchObject(test) => {
                let mut test = test.clone();
                *test.filter = self.node(&test.filter)?;
                MatchNode::ElemMatchObject(test)
            }
            MatchNode::ElemMatchValue(test) => {
                let mut test = test.clone();
                test.predicates = all(&test.predicates)?;
                MatchNode::ElemMatchValue(test)
            }
            other => other.clone(),
        })
    }
}

/// The values of a key of the index, of a query with the given collation; `None` when the index cannot compare them so.
///
/// # Errors
/// Storage errors.
pub fn key_values(
    index: &Index,
    matcher: &Matcher,
    values: &[ValueRef<'_>],
    pager: &Pager,
) -> Result<Option<ArrayBuf>, CommandError> {
    let is_same = index.definition.collation == *matcher.collation();
    let mut keys = ArrayBuilder::new();
    for value in values {
        if !is_same && is_collatable(*value) {
            return Ok(None);
        }
        keys.push(index.key_of(pager, *value)?.as_ref());
    }
    Ok(Some(keys.finish()))
}
