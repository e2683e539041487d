//! The bounds of an index scan: for each field of the key pattern the intervals to visit.
//!
//! Of the filter `{a: 5, b: {$gt: 2}}` the index `{a: 1, b: -1}` has `a: [5, 5]` and `b: (2, inf]`, which explain
//! prints in the index's own order: `[inf, 2)`.
//!
//! Invariant: `fields` follows the key pattern, one entry a field; intervals are kept ascending by
//! value for either direction of the field, and turned round only for printing and encoding.

use super::interval::Intervals;
use super::notation;
use crate::bson::{ArrayBuilder, DocumentBuf, DocumentBuilder};

/// The intervals of one field of the key pattern.
#[derive(Debug, Clone)]
pub struct FieldBounds {
    pub name: String,
    /// Whether the key pattern orders this field downwards.
    pub descending: bool,
    pub intervals: Intervals,
}

/// The bounds of a whole index key.
#[derive(Debug, Clone)]
pub struct IndexBounds {
    pub fields: Vec<FieldBounds>,
    /// `min` and `max`, when the keys inside are those between two whole keys.
    pub range: Option<KeyRange>,
}

/// A run of an index between two of its keys, in the index's own order: from `start` on, before `end`.
#[derive(Debug, Clone)]
pub struct KeyRange {
    /// The first key's values, without names.
    pub start: DocumentBuf,
    /// The values of the key that is not inside any more.
    pub end: DocumentBuf,
    pub start_bytes: Vec<u8>,
    pub end_bytes: Vec<u8>,
}

impl IndexBounds {
    /// The bounds of the keys in a range, over an index with these fields.
    pub fn of_range(fields: &[(String, bool)], range: KeyRange) -> Self {
        let full = |(name, descending): &(String, bool)| FieldBounds {
            name: name.clone(),
            descending: *descending,
            intervals: Intervals::full(),
        };
        Self {
            fields: fields.iter().map(full).collect(),
            range: Some(range),
        }
    }

    /// Appends the bounds as explain shows them, for a scan forward or backward.
    pub fn append_to(
        &self,
        name: &str,
        forward: bool,
        is_collated: bool,
        builder: &mut DocumentBuilder,
    ) {
        builder.begin_document(name);
        if let Some(range) = &self.range {
            // The keys under a term are a range that nobody gave.
            if !range.start.as_document().is_empty() {
                builder
                    .append("startKey", &range.start)
                    .append("startKeyInclusive", true)
                    .append("endKey", &range.end)
                    .append("endKeyInclusive", false);
            }
            builder.end();
            return;
        }
        for field in &self.fields {
            let downwards = field.descending == forward;
            let mut texts = ArrayBuilder::new();
            let mut push = |interval| {
                texts.push(notation::interval(interval, downwards, is_collated).as_str());
            };
            if downwards {
                field.intervals.as_slice().iter().rev().for_each(&mut push);
            } else {
                field.intervals.as_slice().iter().for_each(&mut push);
            }
            builder.append(&field.name, &texts.finish());
        }
        builder.end();
    }

    /// Whether no key can be inside.
    pub fn is_empty(&self) -> bool {
        self.fields.iter().any(|field| field.intervals.is_empty())
    }

    /// Whether every field is exactly one single value.
    pub fn is_single_point(&self) -> bool {
        self.fields
            .iter()
            .all(|field| field.intervals.is_single_point())
    }

    /// How many leading fields are each exactly one single value.
    pub fn leading_points(&self) -> usize {
        self.fields
            .iter()
            .take_while(|field| field.intervals.is_single_point())
            .count()
    }

    /// Whether the keys inside are one contiguous run: single values, then at most one interval,
    /// then everything.
    pub fn is_one_run(&self) -> bool {
        let points = self.leading_points();
        let next_is_one = self
            .fields
            .get(points)
            .is_none_or(|field| field.intervals.as_slice().len() == 1);
        let rest = self.fields.iter().skip(points + 1);
        next_is_one && rest.into_iter().all(|field| field.intervals.is_full())
    }

    /// Whether every key is inside.
    pub fn is_full(&self) -> bool {
        self.range.is_none() && self.fields.iter().all(|field| field.intervals.is_full())
    }
}
