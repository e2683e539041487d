//! Pipeline stages, one a file, and their table.

pub mod bucket;
pub mod bucket_auto;
pub mod count;
pub mod describe;
pub mod documents;
pub mod facet;
pub mod foreign;
pub mod graph_lookup;
pub mod group;
pub mod hashing;
pub mod limit;
pub mod lookup;
pub mod matching;
pub mod merge;
pub mod out;
pub mod project;
pub mod redact;
pub mod replace_root;
pub mod sample;
pub mod set_window_fields;
pub mod skip;
pub mod sort;
pub mod sort_by_count;
pub mod table;
pub mod union_with;
pub mod unwind;
