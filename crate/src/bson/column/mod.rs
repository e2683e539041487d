//! BSONColumn: the values of one field, one behind another, as binary data of subtype 7.
//!
//! The layout that MongoDB gives the fields of a time series' buckets; `docs/format.md` tells it. A value is a literal,
//! or its difference from the one before it; differences lie in words of Simple-8b.
//!
//! `values` is a column unpacked, `encode` and `decode` go between the two; `numeric` has values as whole numbers.

mod decode;
mod encode;
mod numeric;
mod simple8b;
mod values;

pub use decode::decode;
pub use encode::encode;
pub use values::{Column, MOST_VALUES, SUBTYPE};
