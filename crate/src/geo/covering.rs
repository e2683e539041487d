//! Covering a region with cells.

use super::cell::CellId;
use crate::env::Env;
use crate::error::CommandError;

/// A region of the sphere that can be covered with cells.
pub trait Region {
    /// The axis and the angle in radians of a cap that holds it.
    fn cap_bound(&self) -> ([f64; 3], f64);

    /// Whether all of a cell is inside. False where that isn't known.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    fn holds(&self, cell: CellId, env: &dyn Env) -> Result<bool, CommandError>;

    /// Whether a cell has a point of it. True where that isn't known.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    fn may_meet(&self, cell: CellId, env: &dyn Env) -> Result<bool, CommandError>;
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
    /// The levels of an index whose definition names none.
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

/// Covers a region: sorted cells, none inside another.
///
/// # Errors
/// `Env::checkpoint`'s.
pub fn cover(
    _region: &dyn Region,
    _coverer: &Coverer,
    _env: &dyn Env,
) -> Result<Vec<CellId>, CommandError> {
    todo!()
}

/// The cells above those of a covering, down from the coarsest level of an index: shapes larger than the covering's cells
/// have these as keys. Sorted, each once.
pub fn keys_above(_cells: &[CellId], _coarsest: u32) -> Vec<CellId> {
    todo!()
}

/// The keys of an index of version 3 to read for a covering, first and last of each range, sorted as signed numbers, and
/// disjoint: what lies in each cell, and the single keys of `keys_above`.
pub fn key_ranges(_cells: &[CellId], _coarsest: u32) -> Vec<(i64, i64)> {
    todo!()
}
