//! The grid of a `2d` index: points as interleaved hashes, and the ranges of hashes that hold a shape.

use super::flat::{FlatBox, FlatShape};
use crate::env::Env;
use crate::error::CommandError;

/// The grid of one index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Bits of each coordinate, 1 to 32.
    pub bits: u32,
    /// The lowest coordinate.
    pub min: f64,
    /// The highest coordinate.
    pub max: f64,
}

/// A square of a grid: the leading `2 * bits` of a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GridCell {
    pub hash: u64,
    pub bits: u32,
}

impl GridCell {
    /// The first and the last hash in it. Eight bytes, highest first, are the index's key (binary of subtype 128).
    pub fn range(self) -> (u64, u64) {
        todo!()
    }
}

impl Grid {
    /// What an index has that names nothing else.
    pub const DEFAULT: Self = Self {
        bits: 26,
        min: -180.0,
        max: 180.0,
    };

    /// A grid of an index definition.
    ///
    /// # Errors
    /// 72 `InvalidOptions`.
    pub fn new(_bits: f64, _min: f64, _max: f64) -> Result<Self, CommandError> {
        todo!()
    }

    /// The hash of a point; `None` outside the grid.
    pub fn hash(&self, _x: f64, _y: f64) -> Option<GridCell> {
        todo!()
    }

    /// The box that holds all points of a cell, with room for rounding.
    pub fn box_of(&self, _cell: GridCell) -> FlatBox {
        todo!()
    }

    /// The largest distance between two points of one cell of the finest level, the error of a point's hash.
    pub fn error(&self) -> f64 {
        todo!()
    }

    /// The cells that hold a shape, sorted, none inside another; about `max_cells` (the server's is 16).
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn cover(
        &self,
        _shape: &FlatShape,
        _max_cells: usize,
        _env: &dyn Env,
    ) -> Result<Vec<GridCell>, CommandError> {
        todo!()
    }
}
