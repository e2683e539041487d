//! `Matcher`: a compiled filter.
//!
//! Invariant: several predicates of one conjunction are tested while the document's top-level fields go by
//! once; what cannot be tested so (`$or`, `$expr`) is evaluated after it.

use super::compile::Compiler;
use super::evaluate::{MatchContext, MatchDetails};
use super::node::MatchNode;
use super::path::MISSING;
use crate::bson::Document;
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::{CompileContext, Frame};

/// A compiled filter.
#[derive(Clone, Debug)]
pub struct Matcher {
    root: MatchNode,
    scan: Option<Scan>,
}

/// Which children of the root `And` one walk over the top-level fields can test.
#[derive(Clone, Debug)]
struct Scan {
    /// By child: its position, and the first component of its path.
    leaves: Vec<(usize, Box<[u8]>)>,
    /// The other children's positions.
    others: Vec<usize>,
}

/// More leaves than this are evaluated one by one: what is still open is kept in a bit mask.
const MOST_SCANNED: usize = 32;

impl Matcher {
    /// Compiles a filter; see the manual's "Query and Projection Operators".
    pub fn compile(
        filter: Document<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        let root = Compiler::new(context).filter(filter)?.optimise();
        Ok(Self::from_node(root))
    }

    /// A matcher of an optimised tree.
    pub fn from_node(root: MatchNode) -> Self {
        let scan = Scan::of(&root);
        Self { root, scan }
    }

    /// The tree that the planner reads.
    pub fn root(&self) -> &MatchNode {
        &self.root
    }

    /// Whether every document matches.
    pub fn is_empty(&self) -> bool {
        self.root.is_trivially_true()
    }

    /// Whether a document matches; only expressions can fail.
    pub fn matches(&self, document: Document<'_>, env: &dyn Env) -> Result<bool, CommandError> {
        self.matches_in(document, &MatchContext { env, frame: None })
    }

    /// The same, with variables for `$expr`.
    pub fn matches_with_frame(
        &self,
        document: Document<'_>,
        env: &dyn Env,
        frame: Option<&Frame<'_>>,
    ) -> Result<bool, CommandError> {
        self.matches_in(document, &MatchContext { env, frame })
    }

    /// The same, telling which array item matched.
    pub fn matches_with_details(
        &self,
        document: Document<'_>,
        env: &dyn Env,
        details: &mut MatchDetails,
    ) -> Result<bool, CommandError> {
        details.array_index = None;
        let context = MatchContext { env, frame: None };
        self.root.matches(document, &context, Some(details))
    }

    #[inline]
    fn matches_in(
        &self,
        document: Document<'_>,
        context: &MatchContext<'_>,
    ) -> Result<bool, CommandError> {
        let (Some(scan), MatchNode::And(children)) = (&self.scan, &self.root) else {
            return self.root.matches(document, context, None);
        };
        if !scan.holds(children, document, context) {
            return Ok(false);
        }
        for position in &scan.others {
            if let Some(child) = children.get(*position)
                && !child.matches(document, context, None)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Scan {
    fn of(root: &MatchNode) -> Option<Self> {
        let MatchNode::And(children) = root else {
            return None;
        };
        let (mut leaves, mut others) = (Vec::new(), Vec::new());
        for (position, child) in children.iter().enumerate() {
            match child {
                MatchNode::Not(inner) if !inner.is_leaf() => others.push(position),
                _ => match child.path() {
                    Some(path) => leaves.push((position, path.first().as_bytes().into())),
                    None => others.push(position),
                },
            }
        }
        (leaves.len() > 1 && leaves.len() <= MOST_SCANNED).then_some(Self { leaves, others })
    }

    fn holds(
        &self,
        children: &[MatchNode],
        document: Document<'_>,
        context: &MatchContext<'_>,
    ) -> bool {
        let mut open: u32 = u32::MAX >> (32 - self.leaves.len() as u32);
        for element in document.raw_elements() {
            let mut candidates = open;
            while candidates != 0 {
                let slot = candidates.trailing_zeros();
                candidates &= candidates - 1;
                let Some((position, name)) = self.leaves.get(slot as usize) else {
                    continue;
                };
                if **name != *element.name {
                    continue;
                }
                open &= !(1 << slot);
                let holds = children
                    .get(*position)
                    .is_some_and(|child| child.matches_first(element, context));
                if !holds {
                    return false;
                }
            }
            if open == 0 {
                return true;
            }
        }
        self.leaves
            .iter()
            .enumerate()
            .filter(|(slot, _)| open >> slot & 1 == 1)
            .all(|(_, (position, _))| {
                children
                    .get(*position)
                    .is_some_and(|child| child.matches_first(MISSING, context))
            })
    }
}

impl MatchNode {
    /// Whether the value of the path's first component leads to what satisfies a leaf or a negated leaf.
    #[inline]
    fn matches_first(
        &self,
        first: crate::bson::document::RawElement<'_>,
        context: &MatchContext<'_>,
    ) -> bool {
        match self {
            Self::Not(child) => !child.matches_first(first, context),
            leaf => leaf
                .path()
                .is_some_and(|path| leaf.matches_found(path.find_below(first), context, None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::query::testing::matches;

    #[test]
    fn conjunctions_are_tested_in_one_walk() {
        let filter = "{a: 1, \"b.c\": {$gt: 2}, d: {$exists: false}, e: {$ne: 5}, \"f.0\": 1}";
        assert!(matches(filter, "{b: {c: 3}, a: 1, f: [1]}"));
        assert!(matches(
            filter,
            "{f: [1], b: [{c: 1}, {c: 3}], a: [1], e: 6}"
        ));
        assert!(!matches(filter, "{b: {c: 3}, a: 1, f: [1], d: null}"));
        assert!(!matches(filter, "{b: {c: 3}, a: 1, f: [1], e: [5]}"));
        assert!(!matches(filter, "{b: {c: 3}, a: 1}"));
        assert!(!matches(filter, "{b: 5, a: 1, f: [1]}"));
    }

    #[test]
    fn other_children_are_evaluated_too() {
        let filter = "{a: 1, b: 2, $or: [{c: 1}, {d: 1}], e: {$not: {$gt: 1, $lt: 3}}}";
        assert!(matches(filter, "{a: 1, b: 2, d: 1}"));
        assert!(!matches(filter, "{a: 1, b: 2}"));
        assert!(!matches(filter, "{a: 1, b: 2, d: 1, e: 2}"));
    }

    #[test]
    fn the_first_of_two_fields_of_one_name_counts() {
        assert!(matches("{a: 1, b: 1}", "{a: 1, b: 1, a: 2}"));
        assert!(!matches("{a: 2, b: 1}", "{a: 1, b: 1, a: 2}"));
    }
}
