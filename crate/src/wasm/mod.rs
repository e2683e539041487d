//! The host's side: bindings, IndexedDB, files, host.
//!
//! One circle of files is meant: the methods of an open deployment that fetch pages have a file of their own:
//! `deployment`, `paging`.
//!
//! `Engine::run` answers with an `Outcome { reply, commit, … }`; `commit` says that there is something to persist
//! and how durable the command asked it to be. `Engine::take_batch` seals the changes that are due. A batch of pages is
//! not sealed for each command because checksumming and copying 16 KiB pages per small write would cost more than the
//! write.
//!
//! In a browser `wasm/deployment.rs` writes one batch for each `flush` (`wasm/storing.rs` has its states), and
//! `worker/flushing.ts` alone asks for it: a state machine, drawn in its header. A block of 32 pages goes into one
//! record where a batch has most of it (`wasm/blocks.rs`, `CommitBatch::whole_blocks`), because a browser takes 3 to 4
//! times as long over the same bytes in single pages; docs/format.md has the rule that tells which copy counts.
//! The changes applied since the last write began are a group. It is due at once where a command waits for its journal,
//! another tab or a script waits, or 16 MB are to be written; otherwise after a pause four times as long as the last
//! write, at most 100 ms (a server's journal interval), so that the first write after a while goes out at
//! once. While a group is written the next one gathers: **Invariant:** one write at a time; a command that waits is
//! told once, by the write of its own group, and never by a later one; a batch that could not be written
//! goes into the next group. With 128 MB still to be written commands wait until there is less, so that a fast loader
//! does not fill memory. The strictest durability asked for since the last batch holds for the next.
//!
//! Commands flow (`worker/turns.ts`): the commands that a page asks in one task travel in one message
//! (`protocol/packet.ts`; while the worker has two before it, more are gathered), are run in one lease of the
//! deployment's lock and answered as soon as they are applied, in one message with all answers that are ready in the
//! same half millisecond; a command with its journal asked for is answered by its group. A lease begins with taking the
//! lock, unless it is held, and one `reload`; it goes on while commands come and until all is stored, where another tab
//! waits for 100 ms more. Each 12 ms other events get their turn. A script waits until all is stored and runs alone.
//! Behind the fence the commands that nobody was told of run again in their order, and acknowledged ones are told by
//! the state's `lost`. A script that runs for long ends no task: when `flushing.ts` says so, `worker/slices.ts` has the
//! engine lend its changes (`lendBatch`) and a second worker stores them (`storeBatch`) behind the same fence; the page
//! revokes the blob URL that the worker made for a slice to say that it is stored, which a busy worker can see. `j:
//! true` in a script waits for its slice so; changes that were not confirmed when the script ends are flushed as ever,
//! and a stored batch that the script was not told of is known again at the fence by its header. A header carries a
//! lineage (a checksum over all batches so far): the fence compares it too, so a deployment that was deleted and made
//! anew is never taken for the
//! `Engine::refresh`. A failed connection is closed and opened again; after three pauses the deployment is read-only
//! with a reason. Without room only commands that free some run (`command/frees_room.rs`), a merged batch leaves out
//! pages freed since, and `worker/flushing.ts` tries again by itself, ever less often. Behind the fence (another tab
//! took over) changes that are not stored are dropped (`startAnew`): turns end as `displaced`, their commands run
//! again, a script gets an error. After a trap the turn ends as `broken` and another engine is opened over the stored
//! pages. **Invariant:** a reply to a command that asked for its journal carries `writeConcernError` unless the turn
//! ended as `saved`; `worker/commands.ts` alone judges that.
//!
//! A deployment in a file (`data_file.rs`, `storage/file.rs`) goes the same way with the same policy:
//! `worker/flushing.ts` asks for each write, and `flush` is the only door. It has one writer, so nothing is lent, read
//! anew or displaced.
//!
//! # Demand paging
//!
//! In a file absent pages are read in the midst of a command (`Pager::set_source`), and clean ones are forgotten
//! between commands once three quarters of the heap's cap are in use. All that follows is about IndexedDB.
//!
//! `QuireEngine.openIndexedDb` resolves with header, free list and catalog (`Engine::prepare`). A command that
//! meets an absent page is rolled back whole and says so (`Outcome::missing_page`, `run` gives 0); `fetchMissing`
//! brings that page with its block of four, and the same bytes run again. Behind the first answer everything else
//! streams in (`wasm/paging.rs`), 32 pages at a time on three lanes, each in a short transaction, so that flushes
//! and faults get their turn. `engine.command` and `commandBytes` do all this; `runDocument`, `runBytes` and
//! `runJson` cannot wait: `await engine.resident()` before them, as the worker does before a script.
//! - **Invariant:** repeating ends. After 32 faults a command that misses a page waits for everything; so does at
//!   once a `getMore`, which cannot be set back (`EVERY_PAGE`). A page that was asked for and is not stored or
//!   fails its checks is `Corrupt` from then on, with its number.
//! - **Invariant:** no page of another state is taken for ours (`storage/demand.rs`). Blocks are read beside the
//!   header of that moment; where another writer moved on, pages newer than our sequence are left, and the
//!   deployment is refreshed when it needs one of them; pages asked for before a refresh are dropped. A freed
//!   page is asked for as long as a snapshot may see it.
//! - A command does to the engine nothing but change pages and catalog before it has read all it needs; a command that
//!   keeps state elsewhere (a cursor's position) asks for `EVERY_PAGE` first. The golden scripts run a second time with
//!   every page absent before each command.

pub mod bindings;
mod blocks;
mod data_file;
pub mod deployment;
pub mod global_env;
pub mod host;
pub mod idb;
mod lent;
mod memory;
mod paging;
mod storing;

pub use bindings::QuireEngine;
pub use idb::IdbDevice;
pub use paging::IDLE_MILLIS;
