//! Pages, B+trees, free list, commits. Storage knows bytes, not BSON.

pub mod accounting;
pub mod btree;
pub mod check;
pub mod commit;
mod compact;
pub mod compare;
pub mod conformance;
pub mod demand;
pub mod device;
pub mod fault;
mod freelist;
mod header;
mod key_map;
pub mod memory;
mod overflow;
pub mod page;
pub mod pager;
mod runs;
pub mod snapshot;
mod sorted_map;
pub mod survey;
mod undo;

pub use accounting::{Accounting, Counters};
pub use btree::{
    Cursor, Direction, EachFound, Entry, EntryBuffer, Located, NumberSet, PageBytes, RangeCursor,
    Tree,
};
pub use check::{CheckReport, Problem, TreeReport, check};
pub use commit::CommitBatch;
pub use demand::{Delivery, EVERY_PAGE, Fetched};
pub use device::{Durability, Loaded, PageDevice, load};
pub use fault::{Fault, FaultDevice};
pub use header::{
    FORMAT_VERSION, HEADER_COPIES, current_header, header_identity, header_page_count,
    header_sequence,
};
pub use key_map::KeyMap;
pub use memory::MemoryDevice;
pub use page::{Buffer, PAGE_SIZE, PageNumber, zeroed_buffer};
pub use pager::Pager;
pub use snapshot::Snapshot;
pub use sorted_map::SortedMap;
pub use survey::{LeafEntries, Loss, Reach, Survey, SurveyedEntry};
pub use undo::Savepoint;

#[cfg(test)]
mod tests;
