//! The pipeline: stages and accumulators over documents pulled lazily.

pub mod accumulators;
pub mod collector;
pub mod filters;
pub mod kept;
pub mod memory;
pub mod observed;
pub mod optimize;
#[cfg(test)]
mod optimize_tests;
pub mod output;
pub mod pipeline;
pub mod source;
pub mod stage;
pub mod stages;
#[cfg(test)]
pub mod testing;
pub mod window;

pub use observed::SharedReport;
pub use pipeline::{Leading, Pipeline};
pub use source::{
    Cursor, EqualityJoin, Namespaces, PipelineContext, PlacedVisitor, Reads, Running,
};
pub use stage::{Flow, Part, SomeVisitor, Stage, StagePlan, Visitor};
pub use stages::describe::DescribePlan;
