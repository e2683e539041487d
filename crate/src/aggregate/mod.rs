//! The pipeline: stages and accumulators over documents pulled lazily.
//!
//! - **Compiling.** `aggregate::Pipeline::compile` optimises (`optimize`, `filters`): filters move to where their
//!   fields come from, and `$lookup` takes over the `$unwind` and the `$match` behind it. **Invariant:** an optimised
//!   pipeline gives the same documents as the one written (`aggregate/optimize_tests.rs`).
//! - **The read.** `take_leading` takes the front stages that the collection read can do itself, `start` runs the rest
//!   behind it. `command/read/pipeline_source.rs::prepare_read` prepares the read: a leading filter, sort, skip, limit
//!   and `$project`. The other fields that are read of each document are named by the plan (`ProjectionKind::Read`),
//!   which makes documents of them only when an index covers them. A leading `$group` of one document for each value of
//!   an indexed field becomes a DISTINCT_SCAN (`planner::choose_grouping`). `start_observed` watches each stage, for
//!   explain.
//! - **Narrowing.** Before a pipeline starts each stage learns which fields the ones after it read
//!   (`StagePlan::narrow`, from the last stage to the first). `$unwind`, `$lookup` and `$setWindowFields` copy only
//!   those (`Kept`).
//! - **Binding.** Before a stage that only reads paths (`reads_values`) `$unwind` writes no documents but binds each
//!   item to its path (`unwound`, `expr::Bound`, `Record::bound`), and `Scope` reads the bound items. Before a
//!   `$project` or `$addFields` that only computes from joined documents (`reads_bound`) `$lookup` binds those too: of
//!   each only the paths that are read are copied. A single joined document is not even put into an array: only the
//!   values at these paths are kept (`expr::Ends`).
//! - **Joining.** A join by equality alone keeps the facts it found about its collection (`EqualityJoin::target`) until
//!   that is written to. Where a unique index answers, documents are read ahead and looked up together, in the order of
//!   keys and records (`lookup_batch`, `key_look_up::look_up_each`). Collections are reached through
//!   `exec::Namespaces`, which `command/read/pipeline_source.rs` implements with the planner, so `$lookup` uses
//!   indexes.
//! - **Writing.** `$out` and `$merge` are no running stages but writers (`writing`): `command/read/pipeline_writes.rs`
//!   reads a batch, writes it and reads on. Their command runs under a savepoint (`WriteAccess::ByPipeline`), its reads
//!   behind snapshots. Documents that a `$merge` has written stay when it then fails: its error is the reply, not an
//!   `Err`.
//! - A stage that describes (`$collStats`, `$indexStats`, `$currentOp`…) is a `DescribePlan`:
//!   `command/read/describe.rs` gives it its documents before the pipeline starts. Its counts lie in memory beside
//!   definitions (`UseCount`, `ScanCounts`, `catalog/latencies.rs`, `command/session/sessions.rs`); a use is noted in
//!   the pager's accounting and counted when the command has ended, because a command that misses a page runs again.
//! - One stage of the read's plan (`Plan::Metadata`, above sorting and below projecting) tells the metadata that
//!   `$meta` asks for to the `expr::Metadata` that all stages compiled together share, and `$meta` reads there: row by
//!   row nothing is handed on. The first `$meta` that is compiled makes it; metadata wanted only behind a stage that
//!   makes documents is not asked of the read. **Invariant:** while a stage looks at a row, it tells of that row:
//!   stages that hold rows back keep their metadata with them (`StagePlan::carry`), those that make documents clear it
//!   (`makes_documents`). A filter's `$expr` sees none of it, as on the server.
//! - `$accumulator` and `mapReduce` gather the arguments of their functions and call the host for many documents at
//!   once (`accumulators/script.rs`, `command/read/map_reduce_functions.rs`); `out` of `mapReduce` is a pipeline's
//!   `$out` or `$merge` over its results. Its explain writes down the pipeline that a server would run in its place.
//!
//! One circle of files is meant. A stage with a pipeline of its own (`$facet`, `$lookup`, `$unionWith`) compiles it by
//! the table in which the stage stands: `pipeline`, `stages/table`, the stages. The optimiser asks a stage which kind
//! it is, and the answer names the kinds that it moves: `stage::Part`, `optimize`, `filters`.

pub mod accumulators;
pub mod filters;
pub mod kept;
pub mod nested;
pub mod observed;
pub mod optimize;
#[cfg(test)]
mod optimize_tests;
pub mod output;
pub mod pipeline;
pub mod stage;
pub mod stages;
#[cfg(test)]
pub mod testing;
pub mod window;
pub mod writing;

pub use observed::SharedReport;
pub use pipeline::{Leading, Pipeline};
pub use stage::{Flow, Following, Part, StagePlan};
pub use stages::describe::DescribePlan;
pub use stages::unpack_filter::{bucket_filter, meta_filter};
pub use writing::{Target, Writer};
