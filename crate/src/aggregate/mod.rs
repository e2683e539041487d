//! The pipeline: stages and accumulators over documents pulled lazily.

pub mod memory;
pub mod output;
pub mod projection;
