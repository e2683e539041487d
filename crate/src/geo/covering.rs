//! Covering a region with cells.

use super::cell::{Cell, CellId};
use super::vector::Vector;
use crate::algorithms::sorting;
use crate::env::Env;
use crate::error::CommandError;

/// A region of the sphere that can be covered with cells.
pub trait Region {
    /// The axis and the angle in radians of a cap that holds it.
    fn cap_bound(&self) -> (Vector, f64);

    /// Whether all of a cell is inside. False where that isn't known.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    fn holds(&self, cell: &Cell, env: &dyn Env) -> Result<bool, CommandError>;

    /// Whether a cell has a point of it. True where that isn't known.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    fn may_meet(&self, cell: &Cell, env: &dyn Env) -> Result<bool, CommandError>;
}

/// Which cells a covering is made of, and about how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverer {
    pub coarsest: u32,
    pub finest: u32,
    pub max_cells: usize,
}

impl Coverer {
    /// The coverings of queries.
    pub const QUERY: Self = Self {
        coarsest: 0,
        finest: 23,
        max_cells: 20,
    };
}

/// The coverings that the keys of a `2dsphere` index are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexLevels {
    /// `2dsphereIndexVersion`.
    pub version: i32,
    pub coverer: Coverer,
}

impl IndexLevels {
    /// The levels of an index whose definition names none: cells of 500 metres to 100 kilometres in versions 1 and 2,
    /// of 110 metres to 2000 kilometres in version 3.
    pub fn of_version(version: i32) -> Self {
        let (coarsest, finest, max_cells) = if version <= 2 {
            (7, 14, 50)
        } else {
            (2, 16, 20)
        };
        Self {
            version,
            coverer: Coverer {
                coarsest,
                finest,
                max_cells,
            },
        }
    }
}

/// The width that every cell of a level has at least is this over two to the level.
const WIDTH: f64 = 0.942_809_041_582_063_4;

/// Covers a region: sorted cells, none inside another.
///
/// # Errors
/// `Env::checkpoint`'s.
pub fn cover(
    region: &dyn Region,
    coverer: &Coverer,
    env: &dyn Env,
) -> Result<Vec<CellId>, CommandError> {
    let finest = coverer.finest.min(CellId::LEAF_LEVEL);
    let (axis, radius) = region.cap_bound();
    // The cells around one corner hold a small region; others begin with the faces.
    let level = (0..finest.min(CellId::LEAF_LEVEL - 1))
        .take_while(|level| WIDTH / (2_u64 << level) as f64 >= 2.0 * radius)
        .count() as u32;
    let mut first: Vec<Leveled> = Vec::new();
    if level > 0 && coverer.max_cells >= 4 {
        for cell in CellId::of_place(&axis).around_corner(level) {
            first.push((cell.0, level));
        }
    } else {
        for face in 0..6 {
            first.push((CellId::of_face(face).0, 0));
        }
    }
    let cells = refine(
        &first,
        coverer.max_cells,
        &mut |(id, level)| {
            env.checkpoint()?;
            let cell = Cell::new(CellId(id));
            if !region.may_meet(&cell, env)? {
                return Ok(None);
            }
            let is_done =
                level >= coverer.coarsest && (level >= finest || region.holds(&cell, env)?);
            Ok(Some(is_done))
        },
        &|(id, _)| CellId(id).children(),
        coverer.coarsest,
    )?;
    Ok(joined(&cells, coverer.coarsest))
}

/// Drops cells inside others, and puts the cell above in the place of four that fill it, down from `coarsest`.
fn joined(cells: &[Leveled], coarsest: u32) -> Vec<CellId> {
    let mut kept: Vec<CellId> = Vec::with_capacity(cells.len());
    for (cell, _) in cells {
        let mut cell = CellId(*cell);
        if kept.last().is_some_and(|last| last.holds(cell)) {
            continue;
        }
        while kept.last().is_some_and(|last| cell.holds(*last)) {
            kept.pop();
        }
        while cell.level() > coarsest {
            let above = cell.parent(cell.level() - 1);
            let parts = above.children();
            if parts[3] != cell.0
                || !kept
                    .iter()
                    .rev()
                    .zip([2, 1, 0])
                    .all(|(last, part)| last.0 == parts[part])
                || kept.len() < 3
            {
                break;
            }
            kept.truncate(kept.len() - 3);
            cell = above;
        }
        kept.push(cell);
    }
    kept
}

/// The number of a cell, and its level.
pub(super) type Leveled = (u64, u32);

/// A cell that is divided further, and those of its parts that meet the region.
struct Candidate {
    cell: Leveled,
    /// Each part, and whether it is divided no further.
    parts: Vec<(Leveled, bool)>,
    /// The coarsest first, then the one of fewest parts, then the one of fewest parts that are done.
    rank: (u32, usize, usize),
}

/// Divides cells that meet a region until there are about `max_cells`: the coarsest are divided first. `look` answers
/// `None` for a cell that doesn't meet the region, else whether it is divided no further; `divide` gives a cell's four
/// parts. The cells of the sphere and those of a plane are both divided here.
///
/// # Errors
/// Those of `look`.
pub(super) fn refine(
    first: &[Leveled],
    max_cells: usize,
    look: &mut dyn FnMut(Leveled) -> Result<Option<bool>, CommandError>,
    divide: &dyn Fn(Leveled) -> [u64; 4],
    coarsest: u32,
) -> Result<Vec<Leveled>, CommandError> {
    let mut done = Vec::new();
    let mut queue: Vec<Candidate> = Vec::new();
    let mut next: Vec<(Leveled, bool)> = Vec::new();
    for cell in first {
        next.extend(look(*cell)?.map(|is_done| (*cell, is_done)));
    }
    loop {
        for (cell, is_done) in next.drain(..) {
            if is_done {
                done.push(cell);
                continue;
            }
            let level = cell.1;
            let mut parts = Vec::with_capacity(4);
            for child in divide(cell) {
                let child = (child, level + 1);
                parts.extend(look(child)?.map(|is_done| (child, is_done)));
            }
            let ready = parts.iter().filter(|(_, is_done)| *is_done).count();
            if ready == 4 && level >= coarsest {
                done.push(cell);
            } else if !parts.is_empty() {
                let rank = (level, parts.len(), ready);
                queue.push(Candidate { cell, parts, rank });
            }
        }
        let Some(best) = (0..queue.len()).min_by_key(|index| queue[*index].rank) else {
            sorting::sort(&mut done);
            return Ok(done);
        };
        let best = queue.remove(best);
        let has_room = done.len() + queue.len() + best.parts.len() <= max_cells;
        if best.rank.0 < coarsest || best.parts.len() == 1 || has_room {
            next.extend(best.parts);
        } else {
            done.push(best.cell);
        }
    }
}

/// The cells above those of a covering, down from the coarsest level of an index: shapes larger than the covering's
/// cells have these as keys. Sorted, each once.
pub fn keys_above(cells: &[CellId], coarsest: u32) -> Vec<CellId> {
    let mut above: Vec<CellId> = Vec::new();
    let mut last: Option<CellId> = None;
    for cell in cells {
        for level in coarsest..cell.level() {
            let parent = cell.parent(level);
            // Cells come in order, so those below one cell follow each other.
            if !last.is_some_and(|last| parent.holds(last)) {
                above.push(parent);
            }
        }
        last = Some(*cell);
    }
    sorting::sort(&mut above);
    above
}

/// The keys of an index of version 3 to read for a covering, first and last of each range, sorted as signed numbers,
/// and disjoint: what lies in each cell, and the single keys of `keys_above`.
pub fn key_ranges(cells: &[CellId], coarsest: u32) -> Vec<(i64, i64)> {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for cell in keys_above(cells, coarsest) {
        ranges.push((cell.key(), cell.key()));
    }
    for cell in cells {
        let (first, last) = cell.range();
        ranges.push((first as i64, last as i64));
    }
    sorting::sort(&mut ranges);
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::NoEnv;
    use crate::env::testing::Patience;
    use crate::geo::tests::{asked, stored};
    use crate::geo::{Crs, Geometry};

    const TRIANGLE: &str =
        "{\"type\": \"Polygon\", \"coordinates\": [[[10,50],[11,50],[10.5,51],[10,50]]]}";

    fn triangle() -> Geometry {
        asked("$geometry", TRIANGLE).expect("it is one")
    }

    #[test]
    fn coverings_keep_to_their_levels_and_about_their_number() {
        for coverer in [
            Coverer::QUERY,
            IndexLevels::of_version(3).coverer,
            IndexLevels::of_version(2).coverer,
            Coverer {
                coarsest: 12,
                finest: 13,
                max_cells: 1,
            },
        ] {
            let cells = cover(&triangle(), &coverer, &NoEnv).expect("nothing stops it");
            let levels = coverer.coarsest..=coverer.finest;
            assert!(cells.iter().all(|cell| levels.contains(&cell.level())));
            assert!(coverer.coarsest > 10 || (4..=coverer.max_cells).contains(&cells.len()));
        }
    }

    #[test]
    fn points_have_one_key() {
        let mut point = stored("[10, 50]").expect("a pair");
        assert!(point.project(Crs::Sphere));
        for (version, level) in [(3, 30), (2, 14), (1, 14)] {
            let levels = IndexLevels::of_version(version);
            let cells = point
                .index_cells(&levels, &NoEnv)
                .expect("nothing stops it");
            assert_eq!(cells, [CellId::at(10.0, 50.0).parent(level)]);
        }
    }

    #[test]
    fn ranges_are_disjoint_and_hold_the_keys_of_what_is_inside_and_around() {
        let cells = cover(&triangle(), &Coverer::QUERY, &NoEnv).expect("nothing stops it");
        let ranges = key_ranges(&cells, 0);
        assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
        let has = |key: i64| {
            ranges
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&key))
        };
        let leaf = CellId::at(10.5, 50.3);
        assert!((0..=30).all(|level| has(leaf.parent(level).key())));
        assert!(!has(CellId::at(20.0, 50.0).key()));
    }

    #[test]
    fn a_covering_without_end_can_be_stopped() {
        let endless = Coverer {
            coarsest: 30,
            finest: 30,
            max_cells: 1,
        };
        let error = cover(&triangle(), &endless, &Patience::of(500)).expect_err("it was stopped");
        assert_eq!(error.message, "no more patience");
    }
}
