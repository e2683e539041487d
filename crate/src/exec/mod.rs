//! Plan execution: scan, fetch, filter, sort, cursors.
