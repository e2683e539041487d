//! Plan execution: scan, fetch, filter, sort, cursors; lazy stages over a snapshot.

pub mod cursors;
pub mod row;
pub mod stage;

pub use cursors::{CursorKind, CursorTable, DocumentSource, OpenCursor, PullContext};
pub use row::{Row, RowDocument};
pub use stage::{ExecContext, Progress, Stage, StageStatistics, total_examined};
