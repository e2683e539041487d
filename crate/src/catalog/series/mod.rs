//! Time series: measurements that lie in buckets, many in one document.
//!
//! ```text
//! sensors                 a view: [{$_internalUnpackBucket: {timeField: "t", metaField: "m", …}}]
//! system.buckets.sensors  {_id, control: {version, min, max, count}, meta, data: {t: BinData(7), …}}
//! ```
//!
//! Manual: core/timeseries-collections. `options` says how measurements are gathered, `bucket` is one document of them
//! in memory, `bounds` its least and greatest values, `index_keys` how an index of measurements is one of buckets.

pub mod bounds;
pub mod bucket;
pub mod index_keys;
pub mod options;

pub use bucket::{Bucket, column_of};
pub use options::{Granularity, Series};
