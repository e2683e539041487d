//! `min` and `max` of `find`: a run of the hinted index between two of its keys.
//!
//! Manual: reference/method/cursor.min, reference/method/cursor.max.

use super::access::Access;
use super::collated;
use super::request::QueryRequest;
use crate::bson::{Array, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::keycode::{self, TypeBits};
use crate::plan::IndexBounds;
use crate::plan::bounds::KeyRange;
use crate::plan::{Direction, IndexFacts, IndexScanPlan};
use crate::storage::Pager;
use std::rc::Rc;

fn planner_error(code: i32, message: &str) -> CommandError {
    CommandError::location(
        code,
        format!("error processing query: planner returned error :: caused by :: {message}"),
    )
}

/// The error of a range without an index to be a range of.
pub fn needs_hint() -> CommandError {
    planner_error(
        51173,
        "When using min()/max() a hint of which index to use must be provided",
    )
}

fn incompatible() -> CommandError {
    planner_error(51174, "The index chosen is not compatible with min/max")
}

/// The scan between the request's `min` and `max`, over the index at a position.
///
/// # Errors
/// 51174 when the fields are not those of the index, in its order; 51175 when there is nothing between.
pub fn access(
    request: &QueryRequest,
    collection: &Collection,
    position: usize,
    pager: &Pager,
) -> Result<Access, CommandError> {
    let Some(index) = collection.indexes.get(position) else {
        return Err(needs_hint());
    };
    let facts = index.facts(position);
    if !index.definition.kind.rules().holds_every_document() {
        return Err(incompatible());
    }
    let min = bound(&request.min, &facts, false)?;
    let max = bound(&request.max, &facts, true)?;
    let keys = |bound: &DocumentBuf| -> Result<Vec<u8>, CommandError> {
        let values: Vec<ValueRef<'_>> = bound.as_document().iter().map(|one| one.value).collect();
        match collated::key_values(index, &request.matcher, &values, pager)? {
            Some(keys) => Ok(encode(keys.as_array(), &facts)),
            None => Err(incompatible()),
        }
    };
    let (start_bytes, end_bytes) = (keys(&min)?, keys(&max)?);
    if start_bytes >= end_bytes {
        return Err(planner_error(
            51175,
            "The value provided for min() does not come before the value provided for max() in the \
             hinted index",
        ));
    }
    let range = KeyRange {
        start: min,
        end: max,
        start_bytes,
        end_bytes,
    };
    Ok(Access::Index {
        scan: IndexScanPlan {
            bounds: Rc::new(IndexBounds::of_range(&facts.fields, range)),
            index: facts,
            direction: Direction::Forward,
            repeats: false,
            filter: None,
        },
        residual: (!request.matcher.is_empty()).then(|| request.matcher.root().clone()),
    })
}

/// A bound's values without names; one that is not given is the index's own end.
fn bound(
    given: &DocumentBuf,
    facts: &IndexFacts,
    is_end: bool,
) -> Result<DocumentBuf, CommandError> {
    let given = given.as_document();
    let mut builder = DocumentBuilder::new();
    if given.is_empty() {
        for (_, descending) in &facts.fields {
            let value = if *descending == is_end {
                ValueRef::MinKey
            } else {
                ValueRef::MaxKey
            };
            builder.append("", value);
        }
        return Ok(builder.finish());
    }
    let fits = given.len() == facts.fields.len()
        && given
            .iter()
            .zip(&facts.fields)
            .all(|(element, (name, _))| element.name == name);
    if !fits {
        return Err(incompatible());
    }
    for element in given.iter() {
        builder.append("", element.value);
    }
    Ok(builder.finish())
}

fn encode(values: Array<'_>, facts: &IndexFacts) -> Vec<u8> {
    let mut key = Vec::new();
    let mut type_bits = TypeBits::new();
    for (value, (_, descending)) in values.iter().zip(&facts.fields) {
        keycode::encode(value, *descending, &mut key, &mut type_bits);
    }
    key
}
