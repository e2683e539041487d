//! The pipeline: stages and accumulators over documents pulled lazily.
//!
//! - `aggregate::Pipeline::compile` optimises (`optimize`, `filters`: filters move to where their fields come from,
//!   `$lookup` takes over the `$unwind` and the `$match` behind it), `take_leading` takes the front stages that the
//!   collection read can do itself, `start` runs the rest behind it.
//!   `command/read/pipeline_source.rs::prepare_read` prepares the read: a leading filter, sort, skip, limit and
//!   `$project`, and what else is read of each document, which the plan names (`ProjectionKind::Read`) and makes only
//!   when an index covers it; a leading `$group` of one document for each value of an indexed field becomes a
//!   DISTINCT_SCAN (`planner::choose_grouping`). `start_observed` watches each stage, for explain. `$unwind`, `$lookup`
//!   and `$setWindowFields` copy only the fields that are read later (`Kept`), and a join by equality alone keeps what
//!   it found out of its collection (`EqualityJoin::target`) until that is written to; where a unique index answers,
//!   documents are read ahead and looked up together, in the order of keys and records (`lookup_batch`,
//!   `key_look_up::look_up_each`). Before a pipeline starts each stage learns what the ones after it read
//!   (`StagePlan::narrow`, from the last stage to the first). Before a stage that only reads paths (`reads_values`)
//!   `$unwind` then writes no documents but binds each item to its path (`unwound`, `expr::Bound`, `Record::bound`),
//!   and `Scope` reads the bound items. Before a `$project` or `$addFields` that only computes from joined documents
//!   (`reads_bound`) `$lookup` binds those too: no document is written, and of the joined ones only the paths that are
//!   read are copied, where there is but one not even into an array: what each path leads to (`expr::Ends`).
//!   **Invariant:** an optimised pipeline gives what it gives as written (`aggregate/optimize_tests.rs`). Collections
//!   are reached through `exec::Namespaces`, which `command/read/pipeline_source.rs` implements with the planner, so
//!   `$lookup` uses indexes. `$out` and `$merge` are no running stages but writers (`writing`):
//!   `command/read/pipeline_writes.rs` reads a batch, writes it and reads on. Their command runs under a savepoint
//!   (`WriteAccess::ByPipeline`), its reads behind snapshots. What a `$merge` has written stays when it then fails: its
//!   error is the reply, not an `Err`.
//! - A stage that describes (`$collStats`, `$indexStats`, `$currentOp`…) is a `DescribePlan`:
//!   `command/read/describe.rs` gives it its documents before the pipeline starts. What it counts lies in memory
//!   beside definitions (`UseCount`, `ScanCounts`, `catalog/latencies.rs`, `command/session/sessions.rs`); a use is
//!   noted in the pager's accounting and counted when the command has ended, because a command that misses a page
//!   runs again.
//! - What `$meta` asks for is told by one stage of the read's plan (`Plan::Metadata`, above sorting and below
//!   projecting) to the `expr::Metadata` that all stages compiled together share, and `$meta` reads there: row
//!   by row nothing is handed on. The first `$meta` that is compiled makes it; metadata wanted only behind a stage
//!   that makes documents is not asked of the read. **Invariant:** while a stage looks at a row, it tells of that
//!   row: stages that hold rows back keep their metadata with them (`StagePlan::carry`), those that make documents
//!   clear it (`makes_documents`). A filter's `$expr` sees none of it, as on the server.
//! - `$accumulator` and `mapReduce` gather what their functions are to see and call the host for many documents at
//!   once (`accumulators/script.rs`, `command/read/map_reduce_functions.rs`); `out` of `mapReduce` is a pipeline's
//!   `$out` or `$merge` over its results. Its explain writes down the pipeline that a server would run in its
//!   place.
//!
//! One circle of files is meant. A stage with a pipeline of its own (`$facet`, `$lookup`, `$unionWith`) compiles it by
//! the table in which the stage stands: `pipeline`, `stages/table`, the stages. The optimiser asks a stage which kind
//! it is, and the answer names the kinds that it moves: `stage::Part`, `optimize`, `filters`.

pub mod accumulators;
pub mod filters;
pub mod kept;
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
pub use writing::{Target, Writer};
