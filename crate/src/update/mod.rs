//! Updates: operators, replacements and pipelines, compiled once and applied to raw bytes.

mod apply;
mod array_filter;
mod compile;
mod errors;
mod operator;
mod path;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod upsert;

pub use compile::{ApplyContext, PipelineUpdate, Update, UpdateScratch};
pub use errors::ensure_storable_id;
pub use table::TABLE;
pub use upsert::document_for_upsert;
