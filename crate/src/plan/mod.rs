//! Plans as data: the planner makes them and the executor runs them. Neither of these imports the other.

pub mod bounds;
pub mod covering;
pub mod interval;
pub mod notation;
mod text;
mod tree;
mod trials;

pub use bounds::{FieldBounds, IndexBounds};
pub use interval::{Interval, Intervals};
pub use text::TextMatching;
pub use tree::{
    Direction, GeoNearPlan, IndexFacts, IndexScanPlan, Plan, ProjectionKind, ShownSortKey,
};
pub use trials::{Ranked, Trials};
