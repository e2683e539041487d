//! Plan execution: scan, fetch, filter, sort, cursors; lazy stages over a snapshot.
//!
//! Pull-based stages that own their state and borrow nothing; every call passes a context, so that a cursor can lie
//! between two commands.
//!
//! - `work` is one unit, for trial runs; `advance` goes to the next result, and `visit` hands all results that are
//!   left to a closure, in place. A collection scan tests the entries of a leaf without a step of the cursor
//!   between them, and counts them as if it had made one; it touches the lines of a whole leaf in order before it
//!   looks at the first entry, because a scan waits for memory more than for anything else, and a processor that
//!   waits for one entry asks for few of the next. `count`, deletes and updates by filter, `$group`, `$unwind`,
//!   `$setWindowFields` and a sort with a limit visit.
//! - Stages of a plan and stages of a pipeline are one trait. `current` and `visit` show a `Record`: the document, its
//!   number, the index key it was found by, and the values that a stage below bound to paths without writing them into
//!   the document. Sort, skip, limit and projection are the same stages in both.
//! - `build` makes one stage for each of a plan, for explain and trial runs, or joins the parts that only read keys
//!   and documents: a look-up (`key_look_up::KeyLookUp`), a run of keys (`range_read::RangeRead`).
//! - `run` starts a plan, `run_read` a prepared read; write commands use `record_ids`. `Stage::statistics` feeds
//!   `executionStats`. `run_watched` starts a plan whose stages can be looked at while its cursor lies open.
//!
//! One circle of files is meant: a stage reads other collections through `Namespaces`, which gives it stages, and a
//! meter (`watch`) is a stage around the stage that it measures: `stage`, `namespaces`, `watch`.

pub mod and_sorted;
pub mod build;
pub mod collection_scan;
pub mod count_scan;
pub mod distinct_scan;
pub mod documents;
pub mod eof;
pub mod explain;
pub mod fetch;
pub mod geo_near;
pub mod index_key;
pub mod index_scan;
pub mod key_look_up;
pub mod key_ranges;
pub mod limit;
pub mod memory;
pub mod merge_sort;
pub mod metadata;
pub mod namespaces;
pub mod or;
pub mod path_values;
pub mod projection;
pub mod range_read;
pub mod record;
pub mod record_set;
pub mod return_key;
pub mod run;
pub mod show_record_id;
pub mod skip;
pub mod sort;
pub mod sort_key;
pub mod sorter;
pub mod stage;
pub mod stream;
mod text_match;
mod text_or;
pub mod trial;
pub mod usage;
pub mod watch;

pub use build::{Build, Root, build};
pub use documents::Documents;
pub use namespaces::Namespaces;
pub use record::{IndexKey, Record, Visitor};
pub use run::{record_ids, run, run_read, run_watched};
pub use stage::{ExecContext, Progress, Stage, StageStatistics, total_examined};
