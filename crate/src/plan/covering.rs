//! The intervals of a geospatial index that hold a region: of its cells, and of the larger cells around them.
//!
//! Follows the explains of the manual's geospatial pages. Invariant: every key of a geometry that meets the region lies
//! in the intervals.

use super::interval::{Interval, Intervals};
use crate::bson::{Value, ValueRef};
use crate::geo::{self, CellId, GridCell, IndexLevels};

fn ends(low: Value<'static>, high: Value<'static>, has_high: bool) -> Interval {
    Interval::new(low, true, high, has_high)
}

/// The intervals of a `2dsphere` index for a covering.
pub fn sphere_intervals(cells: &[CellId], levels: &IndexLevels) -> Intervals {
    let coarsest = levels.coverer.coarsest;
    if levels.version == 3 {
        let ranges = geo::key_ranges(cells, coarsest).into_iter();
        return Intervals::union_of(
            ranges
                .map(|(first, last)| ends(first.into(), last.into(), true))
                .collect(),
        );
    }
    let above = geo::keys_above(cells, coarsest).into_iter();
    let mut all: Vec<Interval> = above
        .map(|cell| Interval::point(cell.key_text().into()))
        .collect();
    all.extend(cells.iter().map(|cell| {
        let first = cell.key_text();
        // What lies in a cell begins as its own key does; the last mark is a digit, or the letter behind the face.
        let mut behind = first.clone();
        if let Some(last) = behind.pop() {
            behind.push(char::from_u32(u32::from(last) + 1).unwrap_or(last));
        }
        ends(first.into(), behind.into(), false)
    }));
    Intervals::union_of(all)
}

/// The intervals of a `2d` index for a covering.
pub fn flat_intervals(cells: &[GridCell]) -> Intervals {
    let key = |hash: u64| {
        let bytes = hash.to_be_bytes();
        ValueRef::Binary {
            subtype: GridCell::SUBTYPE,
            bytes: &bytes,
        }
        .to_value()
    };
    Intervals::union_of(
        { cells.iter() }
            .map(|cell| {
                let (first, last) = cell.range();
                ends(key(first), key(last), true)
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_what_lies_in_it_and_the_cells_around_it() {
        let cell = CellId::at(10.0, 20.0).parent(4);
        for (version, ranges) in [(1, 4), (3, 3)] {
            let mut levels = IndexLevels::of_version(version);
            levels.coverer.coarsest = 4 - ranges + 1;
            let found = sphere_intervals(&[cell], &levels);
            assert_eq!(found.as_slice().len(), ranges as usize, "version {version}");
            let inside = CellId::at(10.0, 20.0).parent(9);
            let key: Value<'static> = match version {
                3 => inside.key().into(),
                _ => inside.key_text().into(),
            };
            assert!(!found.intersect(&Intervals::point(key)).is_empty());
        }
    }
}
