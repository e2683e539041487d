//! Geometry: shapes of stored values and of queries, on the sphere and on the plane, and the cells that indexes keep.
//!
//! - `Geometry`: any shape, read from BSON by `read.rs` (GeoJSON and pairs) and `read_query.rs` (`$box`, `$center`
//!   …), with the server's checks. `contains`, `intersects` and `distance` are the three questions of the operators.
//! - `Crs` says what the numbers mean: a legacy pair is flat until it is asked for on the sphere (`project`).
//! - The sphere is S2's model: edges are geodesics, `CellId` numbers the cells of thirty levels along a Hilbert
//!   curve, and `cover` gives the cells that hold a region (`Region`). Points within a leaf cell (about a centimetre)
//!   of a border are in, as on the server.
//! - The plane has `FlatShape` and the interleaved hashes of a `Grid`, the keys of `2d` indexes.
//! - **Invariant:** whether three points turn left is decided exactly (`orientation.rs`), and never is the answer
//!   "neither": so contains, crosses and covers agree with one another for any input.
//! - **Invariant:** no shape makes this panic; what grows with the number of vertices asks `Env::checkpoint`.

mod cap;
pub mod cell;
pub mod covering;
mod edge;
pub mod flat;
pub mod geometry;
pub mod grid;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod oracle_tests;
mod orientation;
pub mod point;
mod polygon;
mod read;
mod read_query;
pub mod refusal;
mod ring;
#[cfg(test)]
mod tests;
mod validity;
mod vector;

pub use cap::Annulus;
pub use cell::{Cell, CellId};
pub use covering::{Coverer, IndexLevels, Region, cover, key_ranges, keys_above};
pub use flat::{FlatBox, FlatShape, Pair};
pub use geometry::{Crs, EARTH_RADIUS_METERS, Geometry};
pub use grid::{Grid, GridCell};
pub use point::Point;
pub use refusal::Refusal;
