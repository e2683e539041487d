//! The grid of a `2d` index: points as interleaved hashes, and the ranges of hashes that hold a shape.

use super::covering::refine;
use super::flat::{FlatBox, FlatShape};
use crate::bson::wording::Plain;
use crate::env::Env;
use crate::error::{Code, CommandError};

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

/// A square of a grid: the leading `2 * bits` of a hash, one bit of `x` and one of `y` in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GridCell {
    pub hash: u64,
    pub bits: u32,
}

/// Coordinates as whole numbers reach up to here.
const BUCKETS: f64 = 4_294_967_296.0;

/// The largest relative error of one rounding.
const ROUNDING: f64 = f64::EPSILON / 2.0;

impl GridCell {
    /// The binary subtype of an index's keys.
    pub const SUBTYPE: u8 = 128;

    /// The first and the last hash in it. Eight bytes, highest first, are the index's key (binary of subtype 128).
    pub fn range(self) -> (u64, u64) {
        let rest = u64::MAX.checked_shr(2 * self.bits).unwrap_or(0);
        (self.hash, self.hash | rest)
    }

    /// A coordinate of its lower left corner as a whole number: that of `x`, or of `y` with the offset 1.
    fn corner(self, offset: u32) -> u32 {
        (0..32).fold(0, |whole, bit| {
            whole << 1 | ((self.hash >> (63 - 2 * bit - offset)) & 1) as u32
        })
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
    pub fn new(bits: f64, min: f64, max: f64) -> Result<Self, CommandError> {
        let refuse = |message: String| Err(CommandError::new(Code::InvalidOptions, message));
        let whole = bits.trunc();
        if !(1.0..=32.0).contains(&whole) {
            return refuse(format!(
                "bits for hash must be > 0 and <= 32, but {} bits were specified",
                Plain(whole)
            ));
        }
        let grid = Self {
            bits: whole as u32,
            min,
            max,
        };
        let (low, high) = (Plain(min), Plain(max));
        if min >= max || !min.is_finite() || !max.is_finite() {
            return refuse(format!(
                "region for hash must be valid and have positive area, but [{low}, {high}] was specified"
            ));
        }
        if !grid.scaling().is_finite() || grid.scaling() <= 0.0 {
            return refuse(format!("range [{low}, {high}] is too small."));
        }
        if grid.error() / 2.0 > max - min {
            return refuse(format!(
                "invalid computed error: {} on range [{low}, {high}].",
                Plain(grid.error())
            ));
        }
        Ok(grid)
    }

    fn scaling(&self) -> f64 {
        BUCKETS / (self.max - self.min)
    }

    /// The hash of a point; `None` outside the grid.
    pub fn hash(&self, x: f64, y: f64) -> Option<GridCell> {
        let range = self.min..=self.max;
        if !range.contains(&x) || !range.contains(&y) {
            return None;
        }
        let whole = |at: f64| {
            // The highest coordinate is in the last square.
            let at = if at == self.max {
                at - self.error() / 2.0
            } else {
                at
            };
            ((at - self.min) * self.scaling()) as u32
        };
        let (x, y) = (whole(x), whole(y));
        let hash = (0..self.bits).fold(0, |hash, bit| {
            let of = |whole: u32| u64::from((whole >> (31 - bit)) & 1);
            hash | of(x) << (63 - 2 * bit) | of(y) << (62 - 2 * bit)
        });
        Some(GridCell {
            hash,
            bits: self.bits,
        })
    }

    /// The server's words about a point outside.
    pub fn outside(&self) -> String {
        let (low, high) = (Plain(self.min), Plain(self.max));
        format!("point not in interval of [ {low}, {high} ]")
    }

    /// The box that holds all points of a cell, with room for rounding.
    pub fn box_of(&self, cell: GridCell) -> FlatBox {
        if cell.bits == 0 {
            return FlatBox {
                min: [self.min; 2],
                max: [self.max; 2],
            };
        }
        let side = (self.max - self.min) / (1_u64 << cell.bits.min(32)) as f64;
        let room = self.min.abs().max(self.max.abs()) * ROUNDING * 8.0;
        let low = |offset: u32| f64::from(cell.corner(offset)) / self.scaling() + self.min;
        let (x, y) = (low(0), low(1));
        FlatBox {
            min: [x - room, y - room],
            max: [x + side + room, y + side + room],
        }
    }

    /// The largest distance between two points of one cell of the finest level, the error of a point's hash.
    pub fn error(&self) -> f64 {
        let side = (self.max - self.min) / (1_u64 << self.bits.min(32)) as f64;
        side * std::f64::consts::SQRT_2 + 0.001 / self.scaling()
    }

    /// The cells that hold a shape, sorted, none inside another; about `max_cells` (the server's is 16).
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn cover(
        &self,
        shape: &FlatShape,
        max_cells: usize,
        env: &dyn Env,
    ) -> Result<Vec<GridCell>, CommandError> {
        let finest = self.bits;
        let cells = refine(
            &[(0, 0)],
            max_cells,
            &mut |(hash, bits)| {
                env.checkpoint()?;
                let area = self.box_of(GridCell { hash, bits });
                Ok(shape
                    .may_meet(&area)
                    .then(|| bits >= finest || shape.holds(&area)))
            },
            &|(hash, bits)| {
                let step = 1_u64 << (62 - 2 * bits.min(31));
                [hash, hash | step, hash | (2 * step), hash | (3 * step)]
            },
            0,
        )?;
        let cell = |(hash, bits)| GridCell { hash, bits };
        Ok(cells.into_iter().map(cell).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;
    use crate::env::NoEnv;

    #[test]
    fn hashes_interleave_the_bits_of_both_coordinates() {
        let grid = Grid::new(2.0, 0.0, 4.0).expect("it is one");
        let bits = |x: f64, y: f64| grid.hash(x, y).map(|cell| cell.hash >> 60);
        assert_eq!(bits(0.0, 0.0), Some(0b0000));
        assert_eq!(bits(2.0, 1.0), Some(0b1001));
        assert_eq!(bits(3.0, 3.0), Some(0b1111));
        // The highest coordinate is in the last square.
        assert_eq!(bits(4.0, 0.5), Some(0b1010));
        assert_eq!(bits(4.1, 0.0), None);
        assert_eq!(bits(f64::NAN, 0.0), None);
    }

    #[test]
    fn grids_are_checked() {
        let refusal = |bits: f64, min: f64, max: f64| {
            Grid::new(bits, min, max).map_err(|error| (error.code, error.message.clone()))
        };
        assert_eq!(
            refusal(33.0, -180.0, 180.0),
            Err((
                72,
                "bits for hash must be > 0 and <= 32, but 33 bits were specified".to_owned()
            ))
        );
        assert!(refusal(0.5, -180.0, 180.0).is_err() && refusal(f64::NAN, 0.0, 1.0).is_err());
        assert_eq!(
            refusal(26.0, 5.0, 5.0),
            Err((
                72,
                "region for hash must be valid and have positive area, but [5, 5] was specified"
                    .to_owned()
            ))
        );
        assert!(
            refusal(26.0, f64::NEG_INFINITY, 5.0).is_err() && refusal(26.0, f64::NAN, 5.0).is_err()
        );
        assert_eq!(Grid::new(26.0, -180.0, 180.0).ok(), Some(Grid::DEFAULT));
        for bits in 1..=32 {
            assert!(Grid::new(f64::from(bits), -1e9, 1e9).is_ok());
        }
    }

    #[test]
    fn coverings_hold_the_points_of_their_shape() {
        let mut random = Random::new(8);
        for round in 0..400 {
            let grid = Grid {
                bits: 1 + (round % 32) as u32,
                min: -10.0,
                max: 10.0,
            };
            let mut at = || random.below(200_001) as f64 / 10_000.0 - 10.0;
            let (center, size) = ([at(), at()], at().abs() / 4.0);
            let shape = match round % 4 {
                0 => FlatShape::Box(FlatBox::around(&[center, [at(), at()]])),
                1 => FlatShape::Polygon(vec![center, [at(), at()], [at(), at()]]),
                2 => FlatShape::Circle {
                    center,
                    radius: size,
                },
                _ => FlatShape::Annulus {
                    center,
                    inner: size / 2.0,
                    outer: size,
                },
            };
            let cells = grid.cover(&shape, 16, &NoEnv).expect("nothing stops it");
            assert!(cells.len() <= 16);
            assert!(
                cells
                    .windows(2)
                    .all(|pair| pair[0].range().1 < pair[1].range().0)
            );
            for _ in 0..100 {
                let point = [at(), at()];
                let hash = grid
                    .hash(point[0], point[1])
                    .expect("it is on the grid")
                    .hash;
                let is_covered = cells.iter().any(|cell| {
                    let (first, last) = cell.range();
                    (first..=last).contains(&hash)
                });
                assert!(is_covered || !shape.contains(point), "{shape:?} {point:?}");
            }
        }
    }

    #[test]
    fn the_box_of_a_cell_holds_its_points() {
        let mut random = Random::new(9);
        for bits in 1..=32 {
            let grid = Grid {
                bits,
                ..Grid::DEFAULT
            };
            for _ in 0..200 {
                let [x, y] = [0, 1].map(|_| random.below(3_600_001) as f64 / 10_000.0 - 180.0);
                let area = grid.box_of(grid.hash(x, y).expect("it is on the grid"));
                assert!(FlatShape::Box(area).contains([x, y]), "{bits} {x} {y}");
            }
        }
    }
}
