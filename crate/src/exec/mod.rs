//! Plan execution: scan, fetch, filter, sort, cursors; lazy stages over a snapshot.

pub mod and_sorted;
pub mod build;
pub mod collection_scan;
pub mod count_scan;
pub mod cursors;
pub mod distinct_scan;
pub mod eof;
pub mod execution;
pub mod express;
pub mod fetch;
pub mod index_key;
pub mod index_scan;
pub mod key_ranges;
pub mod limit;
pub mod merge_sort;
pub mod metadata;
pub mod or;
pub mod past;
pub mod projection;
pub mod record_set;
pub mod return_key;
pub mod row;
pub mod skip;
pub mod sort;
pub mod sort_key;
pub mod stage;
pub mod usage;
pub mod virtual_scan;

pub use build::build;
pub use cursors::{CursorKind, CursorTable, DocumentSource, Given, OpenCursor, PullContext, Took};
pub use execution::Execution;
pub use past::Past;
pub use row::{Row, RowDocument};
pub use sort::MEMORY_LIMIT as SORT_MEMORY_LIMIT;
pub use stage::{ExecContext, Progress, Stage, StageStatistics, total_examined};
