//! Pages, B+trees, free list, commits. Storage knows bytes, not BSON.
//!
//! Bytes only. `Pager` owns the resident pages of one deployment; `Tree` is a small `Copy` handle (root page and
//! counters) whose operations take the pager: reads `&Pager`, writes `&mut Pager`. All return `Result<_,
//! StorageError>`. Walks over many pages (`check`, `Survey`, `sweep`, `move_down`, `compaction_limit`) take an `Env`
//! and ask it for each page; a no is the fault `Stopped`.
//!
//! - **Trees.** `Tree::new()` is empty and has no page; `plant(&mut Pager)` gives it an empty root, and from its
//!   first page on a tree keeps one until `drop_tree`. A collection's records and indexes are planted when they are
//!   created, so that sizes count the pages that they really take. `insert(&mut self, &mut Pager, key, value) -> bool`
//!   (false: key was there, nothing done), `replace -> bool` (false: absent), `put -> bool` (true: was there), `remove
//!   -> bool`, `drop_tree`; `get -> Option<PageBytes>` (shares the page: drop it before writing there, or the write
//!   copies the page), `get_ref -> Option<Cow<[u8]>>` (borrows the pager: read, compute, drop, then write), `contains`,
//!   `first`, `last`, `len`, `get_each` and `near_each` (many keys about in order, looked for together), `key_bytes`,
//!   `value_bytes`, `page_count` (and per kind), `height`, `encode() -> [u8; 48]`, `decode`. Keys and values have any
//!   length. Keys that arrive in order fill pages wholly. `sweep(&mut Pager, &NumberSet, appended, env) -> u64` takes
//!   out all entries whose keys end with a number of a set in one pass, and packs the leaves it changes.
//!   `insert_sorted(&mut self, &mut Pager, &[Entry], suffix) -> bool` adds many entries in key order and opens each
//!   leaf once; false (after which the caller rolls back) when one clashes. `EntryBuffer` collects entries in any order
//!   and gives them sorted, some at a time.
//! - **Cursors** borrow nothing between calls. `tree.cursor()` → `seek(&Pager, Bound)`, `seek_back`, `first`,
//!   `last`, `next`, `prev` (each `Result<bool>`: on an entry), `key() -> &[u8]`, `value(&Pager) -> PageBytes`,
//!   `value_ref -> Cow`. `tree.range(start, end, Direction)` → `next(&Pager)`, `key`, `value`,
//!   `value_ref`. An error leaves the cursor where it was: repeat the call. If anything writes to the tree
//!   while a cursor lives, hold a snapshot.
//! - **Snapshots.** `pager.open_snapshot() -> Snapshot`, then copy the `Tree` handles: they keep reading that
//!   moment until the guard is dropped. A snapshot opened inside a savepoint does not survive its rollback.
//! - **Savepoints.** `pager.savepoint()`, then exactly one of `rollback_to(savepoint)` (undoes and ends it) and
//!   `release(savepoint)` (keeps and ends it); they nest. The caller restores its own `Tree` handles (copies made
//!   at the savepoint); the pager restores the catalog root. After any `Err` of a write, roll back.
//! - **Moments.** `make_moment(note) -> number` keeps the state of the catalog root; `moment(number)` gives that
//!   root, whose trees are read as the present's; `drop_moment` frees the pages that nobody else has (`settle_moments`
//!   before, outside of savepoints), `pages_kept_by` counts them. `Tree::differences` and `Tree::restore` compare and
//!   bring back. Making, dropping and restoring are undone by savepoints.
//! - **Commit.** Between two seals a page changed by this batch is changed again in place, unless a snapshot froze
//!   it. `pager.set_catalog_root(tree)`, then `seal() -> Option<CommitBatch>` (never inside a savepoint): checksums
//!   are computed here. Each batch expects its predecessor stored. `confirm(sequence)` once durable: only then are
//!   pages freed by it reusable. `unconfirmed_batch()` merges all unconfirmed batches into one, for group commit
//!   and for retrying. A memory-only deployment never needs to seal.
//! - **Links.** A page names another by a `PageLink`: its number and its birth. Inside of trees, chains and the free
//!   list all are links, and the pager's methods take them; tables, runs and errors have numbers (`page::number_of`).
//!   Who follows a link looks at the birth (`page::is_meant`), so an older page of the same number is never taken for
//!   the one that is meant. Pages of another deployment are refused by the identity in them (`Pager::identify`).
//! - **Time.** `pager.clock()` is the deployment's logical clock (`logical_clock.rs`); each header keeps its last time.
//! - **Room.** A seal releases the free pages at the end (`freelist.rs`), and `confirm` asks for one more batch
//!   when a drop freed such; `compact` moves trees down (`Tree::move_down`, `Pager::compaction_limit`). A
//!   deployment in memory releases them after each command.
//! - **Devices.** `PageDevice {read_header, stored_pages, read_pages, write(&CommitBatch, Durability)}` (async, not
//!   `Send`) keeps the header twice (`current_header`) and takes pages without one for damage, `load(&device)`
//!   reads a whole deployment; `Pager::open(header)` + `deliver` do it page by page ("Demand paging"); a page that
//!   is not there gives `NotResident`. A batch that is stored already is accepted again; another sequence than the
//!   expected one is `Fenced`. Another tab moves on by `pager.refresh(header, changed pages)`, then delivers those;
//!   it gives the old state, which shares the pages that did not change and which open cursors go on over
//!   (`exec::Past`, `tests/native/refreshed.rs`). A page of it that was never read and is overwritten ends the cursor
//!   with 175. `MemoryDevice`, `FaultDevice`, and `conformance::run` for any device.
//! - **Files.** `FileDevice` keeps a deployment in one file, whose bytes a `ByteFile` reads and writes: pages, sync,
//!   header, sync (`file.rs`; `tests/native/files.rs` cuts the power at every write). It is a `PageSource` too:
//!   `Pager::set_source` has absent pages read at once, so no command stops at one, and `Pager::spare` forgets clean
//!   ones again.
//! - **Check.** `check(&pager, &[(name, tree)], env)` with all trees there are (the catalog's too) gives a
//!   `CheckReport`: measures of each tree and every problem with its page. Index↔collection pairing is the
//!   catalog's part.
//! - **Survey.** `Survey::tree` reads around damaged pages: the leaves that can be read, and each `Loss` with its
//!   page and keys; `orphans` are pages of trees whose branches are lost. `validate` pairs and repairs with
//!   it (`catalog/pairing.rs`, `catalog/repair.rs`), and `Engine::salvage` (`QuireEngine.openDamaged`,
//!   `catalog/salvage.rs`) copies all that can be read of a damaged deployment into memory, to be exported.
//! - **Accounting.** `pager.accounting()` has `Cell` counters (distinct pages read and written by the command;
//!   `exec` bumps `keys_examined`, `documents_examined`); `take_accounting()` ends a command's count. `touched` notes
//!   the pages of a whole run of commands.
//! - Roots of trees live in memory in `catalog` and are written to the catalog tree just before a seal.
//!
//! One circle of files is meant. The pager holds the state of each of its concerns, and the methods of `Pager` that
//! change that state lie with it: `pager`, `commit`, `demand`, `freelist`, `header`, `moments`, `overflow`, `touched`,
//! `undo`. A tree is a handle whose operations take the pager, and the pager holds the roots of a few trees: `btree`.

pub mod accounting;
mod branch;
pub mod btree;
pub mod check;
pub mod commit;
mod compact;
pub mod compare;
pub mod conformance;
pub mod demand;
pub mod device;
pub mod fault;
pub mod file;
mod freelist;
mod header;
mod key_map;
mod logical_clock;
pub mod map;
pub mod memory;
mod moments;
mod overflow;
pub mod page;
pub mod pager;
mod runs;
pub mod snapshot;
mod sorted_map;
mod source;
pub mod survey;
pub mod touched;
mod undo;

pub use accounting::{Accounting, PageCounters};
pub use btree::{
    Cursor, Difference, Differences, Direction, EachFound, Entry, EntryBuffer, Located, NumberSet,
    PageBytes, RangeCursor, Tree,
};
pub use check::{CheckReport, Problem, TreeReport, check};
pub use commit::{BLOCK_PAGES, CommitBatch, FreedRecords};
pub use demand::{Delivery, EVERY_PAGE, Fetched};
pub use device::{Durability, Loaded, PageDevice, load};
pub use fault::{Fault, FaultDevice};
pub use file::{ByteFile, FileDevice};
pub use header::{
    FORMAT_VERSION, HEADER_COPIES, current_header, header_identity, header_keeps_moments,
    header_page_count, header_sequence,
};
pub use key_map::KeyMap;
pub use logical_clock::LogicalClock;
pub use memory::MemoryDevice;
pub use moments::Moment;
pub use page::{Buffer, PAGE_SIZE, PageNumber, zeroed_buffer};
pub use pager::Pager;
pub use snapshot::Snapshot;
#[cfg(test)]
pub(crate) use sorted_map::MOVED;
pub use sorted_map::SortedMap;
pub use source::PageSource;
pub use survey::{LeafEntries, Loss, Reach, Survey, SurveyedEntry};
pub use undo::Savepoint;

#[cfg(test)]
mod identity_tests;
#[cfg(test)]
mod moments_tests;
#[cfg(test)]
mod tests;
