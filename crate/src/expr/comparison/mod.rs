//! Comparison expressions: by the total order of all values.

pub mod cmp;
pub mod eq;
pub mod gt;
pub mod gte;
pub mod lt;
pub mod lte;
pub mod ne;
