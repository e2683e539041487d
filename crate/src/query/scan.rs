//! The part of a filter that one walk over a document's fields decides: predicates over paths.
//!
//! Invariant: the scan decides as each predicate's own walk would decide; a comparison of plain numbers, the
//! commonest test of a scan, is done without decoding, and everything else by the predicate itself.

use super::evaluate::MatchContext;
use super::node::MatchNode;
use super::path::{Found, MISSING};
use super::predicate::comparison::ComparisonKind;
use crate::bson::document::RawElement;
use crate::bson::path_reader::MOST_PATHS;
use crate::bson::{BsonType, Document, Number, PathReader, ReadValue};

/// Documents that are matched before a scan is set up: a look-up matches one.
const UNPREPARED: u8 = 4;

/// A matcher's scan, set up when enough documents went by.
#[derive(Clone, Debug)]
pub enum Scanning {
    /// The number of documents that were matched without a scan so far.
    NotYet(u8),
    Ready(Box<Scan>),
    /// No predicate of the filter can be tested so.
    Never,
}

/// The root's children whose predicates one walk over a document tests.
#[derive(Clone, Debug)]
pub struct Scan {
    reader: PathReader,
    /// One for each path of the reader.
    leaves: Vec<Leaf>,
    /// The positions of the children that the walk does not decide.
    others: Vec<usize>,
    /// Where in the document a value was found last.
    reach: usize,
}

#[derive(Clone, Debug)]
struct Leaf {
    /// The leaf's position among the root's children.
    child: usize,
    /// A comparison with a number that a double holds exactly, and that is not NaN.
    number: Option<(ComparisonKind, f64)>,
}

impl Scanning {
    /// The scan, if there is one by now.
    #[inline]
    pub fn get(&mut self, root: &MatchNode) -> Option<&mut Scan> {
        if let Self::NotYet(matched) = self {
            if *matched < UNPREPARED {
                *matched += 1;
            } else {
                *self = match Scan::of(root) {
                    Some(scan) => Self::Ready(Box::new(scan)),
                    None => Self::Never,
                };
            }
        }
        match self {
            Self::Ready(scan) => Some(scan),
            _ => None,
        }
    }
}

impl Scan {
    fn of(root: &MatchNode) -> Option<Self> {
        let mut scan = Self {
            reader: PathReader::default(),
            leaves: Vec::new(),
            others: Vec::new(),
            reach: 0,
        };
        for (position, child) in root.conjuncts().iter().enumerate() {
            let scanned = match child {
                MatchNode::Not(inner) if !inner.is_leaf() => None,
                _ => child.path(),
            };
            let added = scanned.and_then(|path| {
                let parts = path.parts().iter().map(|part| part.name.as_bytes());
                scan.reader.add(parts)
            });
            match added {
                Some(_) => scan.leaves.push(Leaf {
                    child: position,
                    number: number_test(child),
                }),
                None => scan.others.push(position),
            }
        }
        (!scan.leaves.is_empty()).then_some(scan)
    }

    /// The children that are still to be evaluated where the walk found nothing against the document.
    pub fn others(&self) -> &[usize] {
        &self.others
    }

    /// How far into the last documents the walk went.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// Whether a document satisfies every predicate that the walk tests.
    #[inline(always)]
    pub fn holds(
        &mut self,
        root: &MatchNode,
        document: Document<'_>,
        context: &MatchContext<'_>,
    ) -> bool {
        let children = root.conjuncts();
        let leaves = &self.leaves;
        let start = document.as_bytes().as_ptr() as usize;
        let reach = &mut self.reach;
        let mut open = self.reader.all();
        let mut test = |paths: u32, value: ReadValue<'_>| {
            *reach = (value.value_bytes.as_ptr() as usize).wrapping_sub(start);
            open &= !paths;
            let mut rest = paths;
            while rest != 0 {
                let leaf = leaves.get(rest.trailing_zeros() as usize);
                rest &= rest - 1;
                if !leaf.is_some_and(|leaf| leaf.holds(children, &value, context)) {
                    return false;
                }
            }
            true
        };
        if !self.reader.read_here(document.as_bytes(), &mut test) {
            return false;
        }
        open == 0 || self.missing_hold(children, open, context)
    }

    /// Whether the predicates over paths that led nowhere hold of a missing value.
    #[inline(never)]
    fn missing_hold(&self, children: &[MatchNode], open: u32, context: &MatchContext<'_>) -> bool {
        (0..MOST_PATHS).zip(&self.leaves).all(|(path, leaf)| {
            open >> path & 1 == 0
                || children
                    .get(leaf.child)
                    .is_some_and(|child| child.matches_value(Found::Value(MISSING), context))
        })
    }
}

impl Leaf {
    #[inline(always)]
    fn holds(
        &self,
        children: &[MatchNode],
        value: &ReadValue<'_>,
        context: &MatchContext<'_>,
    ) -> bool {
        if let Some((kind, operand)) = self.number {
            let number = match value.kind {
                BsonType::Double => value
                    .value_bytes
                    .first_chunk()
                    .map(|b| f64::from_le_bytes(*b)),
                BsonType::Int32 => value
                    .value_bytes
                    .first_chunk()
                    .map(|b| f64::from(i32::from_le_bytes(*b))),
                _ => None,
            };
            if let Some(number) = number {
                return match kind {
                    ComparisonKind::Equal => number == operand,
                    ComparisonKind::LessOrEqual => number <= operand,
                    ComparisonKind::Less => number < operand,
                    ComparisonKind::Greater => number > operand,
                    ComparisonKind::GreaterOrEqual => number >= operand,
                };
            }
        }
        self.holds_slowly(children, value, context)
    }

    #[inline(never)]
    fn holds_slowly(
        &self,
        children: &[MatchNode],
        value: &ReadValue<'_>,
        context: &MatchContext<'_>,
    ) -> bool {
        let Some(child) = children.get(self.child) else {
            return false;
        };
        let element = RawElement {
            kind: value.kind,
            value_bytes: value.value_bytes,
            ..MISSING
        };
        let found = match (value.kind, child.path()) {
            (BsonType::Array, Some(path)) => Found::Array(
                element,
                path.parts().get(value.walked..).unwrap_or_default(),
            ),
            _ => Found::Value(element),
        };
        child.matches_value(found, context)
    }
}

/// The comparison that two doubles decide, if the node is one. Integers beyond 2^53 are not: neighbours fall together.
fn number_test(node: &MatchNode) -> Option<(ComparisonKind, f64)> {
    let MatchNode::Compare(test) = node else {
        return None;
    };
    let number = match test.operand.as_ref().as_number()? {
        Number::Int32(number) => f64::from(number),
        Number::Int64(number) if number.unsigned_abs() <= 1 << 53 => number as f64,
        Number::Double(number) if !number.is_nan() => number,
        _ => return None,
    };
    Some((test.kind, number))
}

impl MatchNode {
    /// Whether the values at a predicate's path satisfy the predicate, or its negation.
    fn matches_value(&self, found: Found<'_, '_>, context: &MatchContext<'_>) -> bool {
        match self {
            Self::Not(child) => !child.matches_value(found, context),
            leaf => leaf.matches_found(found, context, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{TestEnv, document, matcher};

    /// Compares a matcher that has seen the documents before with one that has seen none, on each document.
    fn agrees(filter: &str, documents: &[&str]) {
        let warm = matcher(filter).expect("a valid filter");
        for round in 0..3 {
            for subject in documents {
                let subject = document(subject);
                let fresh = matcher(filter).expect("a valid filter");
                let matched = |matcher: &crate::query::Matcher| {
                    matcher
                        .matches(subject.as_document(), &TestEnv)
                        .expect("no expressions")
                };
                assert_eq!(
                    matched(&warm),
                    matched(&fresh),
                    "{filter} on {} in round {round}",
                    subject.as_document()
                );
            }
        }
    }

    #[test]
    fn answers_do_not_depend_on_the_documents_before() {
        let documents = [
            "{a: 1, b: {c: 2}}",
            "{b: {c: 2}, a: 1}",
            "{a: [1, {b: 3}], b: [{c: 2}, {c: 7}]}",
            "{a: 1, a: 2, b: 5}",
            "{a: 2, a: 1, b: {c: 1, c: 2}}",
            "{}",
            "{b: {}}",
            "{b: {c: [5, 2]}, a: null}",
            "{a: long(1), b: {x: 1, c: NaN}}",
            "{a: 1.0, b: {c: \"2\"}}",
            "{b: [[{c: 2}]], a: [[1]]}",
            "{x: 1, y: 2, a: 1, z: 3, b: {c: 2.5}}",
        ];
        for filter in [
            "{a: 1}",
            "{a: {$ne: 1}}",
            "{\"b.c\": {$gt: 1}}",
            "{\"b.c\": {$gt: NaN}}",
            "{\"b.c\": {$lte: NaN}}",
            "{\"b.c\": 2, a: 1}",
            "{\"b.c\": {$exists: false}, a: {$gte: 1}}",
            "{\"b.c\": null}",
            "{a: {$gte: 1, $lt: 2}}",
            "{\"a.b\": 3}",
            "{\"a.0\": 1}",
            "{\"b.0.c\": 2}",
            "{\"a.1.b\": 3, a: 1}",
            "{b: {c: 2}}",
            "{a: {$size: 2}}",
            "{b: {$elemMatch: {c: 7}}}",
            "{a: {$in: [1, null]}, $or: [{b: 5}, {\"b.c\": 2}]}",
        ] {
            agrees(filter, &documents);
        }
    }

    #[test]
    fn integers_beyond_doubles_are_told_apart() {
        let documents = [
            "{a: long(9007199254740993)}",
            "{a: long(9007199254740992)}",
            "{a: 9007199254740992.0}",
            "{a: 5}",
        ];
        for filter in [
            "{a: long(9007199254740993)}",
            "{a: {$lt: long(9007199254740993)}}",
            "{a: 9007199254740992.0}",
            "{a: {$gt: 9007199254740992.0}}",
            "{a: {$lt: 1e300}}",
        ] {
            agrees(filter, &documents);
        }
    }
}
