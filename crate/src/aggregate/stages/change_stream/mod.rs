//! `$changeStream` and `$changeStreamSplitLargeEvent`: the changes of a collection, a database or all of them.
//!
//! Manual: changeStreams, reference/change-events. The oplog's entries (`state/oplog.rs`) become events (`event.rs`);
//! `specification.rs` reads the options, `token.rs` the tokens to resume after.

mod description;
mod event;
mod place;
pub mod source;
pub mod specification;
pub mod split;
mod token;

pub use place::{NAME, check_place, needs_split};
