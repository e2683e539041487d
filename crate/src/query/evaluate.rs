//! Evaluating a tree over a document's bytes.
//!
//! Invariant: a predicate over a path through plain documents allocates nothing. Predicates that run expressions can
//! fail; they never stand inside `$elemMatch`. A pattern that is given up tells the context, which has the last word.

use super::node::MatchNode;
use super::path::{Found, LeafArrays, visit_found};
use super::predicate::sample_rate::random;
use crate::bson::document::RawElement;
use crate::bson::{BsonType, Document};
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::Frame;
use std::cell::Cell;

/// The most predicates that are evaluated without asking `Env::checkpoint`.
const FEW_PREDICATES: usize = 16;

/// The context of an evaluation, beside the document.
pub struct MatchContext<'v> {
    pub env: &'v dyn Env,
    /// Variables that change per document (`$lookup`'s `let`), for `$expr`.
    pub frame: Option<&'v Frame<'v>>,
    /// Why a pattern was given up, so that predicates need not answer with results.
    stopped: Cell<Option<CommandError>>,
    is_stopped: Cell<bool>,
}

impl<'v> MatchContext<'v> {
    pub fn new(env: &'v dyn Env, frame: Option<&'v Frame<'v>>) -> Self {
        Self {
            env,
            frame,
            stopped: Cell::new(None),
            is_stopped: Cell::new(false),
        }
    }

    /// Asks whether to go on, before one of so many predicates that look at the document one after the other.
    #[inline]
    pub(super) fn ask(&self, predicates: usize) -> Result<(), CommandError> {
        match predicates > FEW_PREDICATES {
            true => self.env.checkpoint(),
            false => Ok(()),
        }
    }

    /// Notes an error that ends the command, even below an `$or` or a `$not`.
    #[cold]
    #[inline(never)]
    pub fn stop(&self, answer: Result<bool, CommandError>) -> bool {
        answer.unwrap_or_else(|error| {
            self.stopped.set(Some(error));
            self.is_stopped.set(true);
            false
        })
    }

    /// Whether such an error was noted: the rest of the document is not worth looking at.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.get()
    }

    /// The answer, unless an error ended the command meanwhile.
    #[inline]
    pub(super) fn conclude(self, answer: Result<bool, CommandError>) -> Result<bool, CommandError> {
        match self.stopped.into_inner() {
            None => answer,
            Some(error) => Err(error),
        }
    }
}

/// The facts of a match beside yes or no.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MatchDetails {
    /// The position of the array item that the filter's last array predicate matched: the positional `$` is this.
    pub array_index: Option<u32>,
}

impl MatchNode {
    /// Whether a document satisfies the node.
    pub fn matches(
        &self,
        document: Document<'_>,
        context: &MatchContext<'_>,
        details: Option<&mut MatchDetails>,
    ) -> Result<bool, CommandError> {
        match self {
            Self::AlwaysTrue => Ok(true),
            Self::AlwaysFalse => Ok(false),
            Self::And(children) => {
                let mut details = details;
                for child in children {
                    context.ask(children.len())?;
                    if !child.matches(document, context, details.as_deref_mut())? {
                        if let Some(details) = details {
                            details.array_index = None;
                        }
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            // Alternatives tell no position: the server asks none of them for one.
            Self::Or(children) => {
                for child in children {
                    context.ask(children.len())?;
                    if child.matches(document, context, None)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Nor(children) => {
                for child in children {
                    context.ask(children.len())?;
                    if child.matches(document, context, None)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Not(child) => Ok(!child.matches(document, context, None)?),
            // The stage that finds the nearest has tested it.
            Self::Near(_) => Ok(true),
            Self::Expr(test) => test.matches(document, context),
            Self::JsonSchema(test) => Ok(test.matches(document, context)),
            Self::Where(test) => test.matches(document, context),
            // Only documents that an index found for it come here.
            Self::Text(_) => Ok(true),
            Self::SampleRate(rate) => Ok(random(context.env) < *rate),
            leaf => Ok(match leaf.path() {
                Some(path) => leaf.matches_found(path.find(document), context, details),
                None => false,
            }),
        }
    }

    /// Whether the values at a leaf's path satisfy the leaf.
    #[inline]
    pub(super) fn matches_found(
        &self,
        found: Found<'_, '_>,
        context: &MatchContext<'_>,
        details: Option<&mut MatchDetails>,
    ) -> bool {
        if let Found::Value(element) = &found
            && details.is_none()
        {
            return self.test(element, context, &mut None);
        }
        let leaf = match self {
            Self::Size(_) | Self::ElemMatchObject(_) | Self::ElemMatchValue(_) => LeafArrays::Whole,
            _ => LeafArrays::Items,
        };
        let mut index = None;
        let matched = visit_found(found, leaf, &mut |element, position| {
            let mut inner = None;
            let matched = self.test(element, context, &mut inner);
            if matched {
                index = position.or(inner);
            }
            matched
        });
        if matched
            && index.is_some()
            && let Some(details) = details
        {
            details.array_index = index;
        }
        matched
    }

    /// Whether one value (or `MISSING`) satisfies a leaf; `index` is the item an `$elemMatch` found.
    fn test(
        &self,
        element: &RawElement<'_>,
        context: &MatchContext<'_>,
        index: &mut Option<u32>,
    ) -> bool {
        match self {
            Self::Compare(test) => test.matches(element),
            Self::In(test) => test.matches(element, context),
            Self::Exists(_) => element.kind != BsonType::Missing,
            Self::Type(test) => test.matches(element),
            Self::Regex(test) => test.matches(element, context),
            Self::Mod(test) => test.matches(element),
            Self::Size(test) => test.matches(element),
            Self::Bits(test) => test.matches(element),
            Self::Geo(test) => test.matches(element, context),
            Self::ElemMatchObject(test) => find_item(element, index, |item| {
                // An array's items are its fields, named by their positions.
                matches!(item.kind, BsonType::Document | BsonType::Array)
                    && test
                        .filter
                        .matches(Document::from_valid_bytes(item.value_bytes), context, None)
                        .unwrap_or(false)
            }),
            Self::ElemMatchValue(test) => find_item(element, index, |item| {
                test.predicates
                    .iter()
                    .all(|predicate| predicate.test(item, context, &mut None))
            }),
            Self::Not(child) => !child.test(element, context, &mut None),
            Self::And(children) => children
                .iter()
                .all(|child| child.test(element, context, &mut None)),
            Self::Or(children) => children
                .iter()
                .any(|child| child.test(element, context, &mut None)),
            Self::Nor(children) => !children
                .iter()
                .any(|child| child.test(element, context, &mut None)),
            Self::AlwaysTrue | Self::Near(_) => true,
            Self::AlwaysFalse
            | Self::Expr(_)
            | Self::Where(_)
            | Self::JsonSchema(_)
            | Self::Text(_)
            | Self::SampleRate(_) => false,
        }
    }
}

fn find_item(
    element: &RawElement<'_>,
    index: &mut Option<u32>,
    holds: impl Fn(&RawElement<'_>) -> bool,
) -> bool {
    if element.kind != BsonType::Array {
        return false;
    }
    let items = Document::from_valid_bytes(element.value_bytes).raw_elements();
    for (position, item) in items.enumerate() {
        if holds(&item) {
            *index = Some(position as u32);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{TestEnv, document, matcher};

    fn index(filter: &str, subject: &str) -> Option<u32> {
        let subject = document(subject);
        let matcher = matcher(filter).expect("a valid filter");
        let mut details = MatchDetails::default();
        let matched = matcher
            .matches_with_details(subject.as_document(), &TestEnv, &mut details)
            .expect("no expressions");
        assert!(matched, "{filter}");
        details.array_index
    }

    #[test]
    fn the_matching_position_is_told() {
        assert_eq!(index("{a: 7}", "{a: [5, 7]}"), Some(1));
        assert_eq!(index("{a: 7}", "{a: 7}"), None);
        assert_eq!(index("{\"a.b\": 2}", "{a: [{b: 1}, {b: [0, 2]}]}"), Some(1));
        assert_eq!(
            index("{a: {$elemMatch: {b: 2}}}", "{a: [{b: 1}, {b: 2}]}"),
            Some(1)
        );
        assert_eq!(
            index("{a: {$elemMatch: {$gt: 5}}}", "{a: [1, 2, 6]}"),
            Some(2)
        );
        assert_eq!(
            index(
                "{\"a.b\": {$elemMatch: {c: 1}}}",
                "{a: [{b: []}, {b: [{}, {c: 1}]}]}"
            ),
            Some(1)
        );
        assert_eq!(index("{a: {$ne: 5}}", "{a: [1]}"), None);
        assert_eq!(
            index("{$or: [{a: 9}, {b: 3}]}", "{a: [1], b: [1, 3]}"),
            None
        );
        assert_eq!(index("{$or: [{a: 9}, {a: 3}]}", "{a: [1, 3]}"), Some(1));
        assert_eq!(index("{\"a.1\": 7}", "{a: [5, 7]}"), None);
        assert_eq!(index("{a: [5, 7]}", "{a: [5, 7]}"), None);
    }
}
