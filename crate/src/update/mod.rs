//! Updates: operators, replacements and pipelines, compiled once and applied to raw bytes.
//!
//! Compiled once from a `ValueRef` with a `CompileContext` (host, time, `let` variables), evaluated per document
//! over raw bytes.
//!
//! - `update::Update::compile(spec, array_filters, &CompileContext)`; applied to a document's bytes it gives the
//!   new bytes and the paths that changed, or nothing when nothing changed.
//!
//! One circle of files is meant: an operator is compiled through its row of the table, its compiled form lies in the
//! tree that is applied, and it is given the context of that application: `compile`, `table`, `operator`, `tree`,
//! `apply`.

mod apply;
mod array_filter;
mod compile;
mod dollar_names;
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
