//! States of the data: views to read them, units to change them, moments to keep them.
//!
//! A **state** is pages and the collections whose trees lie in them. Pages are copied when they change, so several
//! states share what they have alike, and one is told from another by the handles of its trees.
//!
//! - `View` (`view.rs`): a state as a reader sees it. Every reader has one, and nothing else of the deployment. A
//!   `HeldView` is a view that outlives a command: an open cursor's. It holds only what differs from the present: the
//!   collections of a moment, a snapshot that keeps pages, the state that was left when another tab moved the
//!   deployment on.
//! - `Base` (`base.rs`): the present, on which units are begun.
//! - `Unit` (`unit.rs`): changes that are kept or undone together. `Base::begin`, then `commit` or `undo`. A command
//!   that may write is a unit. A `Fork` is a unit inside another, on the same pages, with collections and cursors of
//!   its own; it is undone.
//! - `Run` (`run.rs`): many commands that belong together, a script's. Each of them stays done as it ends, so the
//!   beginning is no savepoint but a moment, which the engine keeps when the first of them writes.
//! - `keep` (`keep.rs`), `kept`, `room`: the moments. `Difference` (`differences.rs`) says how two states differ, and
//!   so whether they are the same.
//! - `CursorTable` (`cursors.rs`): the open cursors, each with its view.
//! - `Transaction`, `TransactionTable`, `Claims`: see "Several units at once".
//!
//! **Invariant:** a command reads through its context's view and writes through its context's unit. To have it run on
//! another state it is given another context (`CommandContext::on`, `CommandContext::fork`): nothing is put into the
//! place of something else and put back later.
//!
//! # Who sees what, in time
//! One document, `{_id: 1, stock: …}` of `herbs`, as each reader finds it. A dash: the reader is not there; a cross:
//! the document is not there.
//!
//! ```text
//!  time  what happens                                    present  cursor A  moment 7  fork F  cursor B
//!   1    insert {_id: 1, stock: 3}                          3        -         -        -        -
//!   2    find, batchSize 0: cursor A is opened              3        3         -        -        -
//!   3    update begins a unit and writes stock: 5           5        3         -        -        -
//!   4    it misses a page: undo, the page is fetched        3        3         -        -        -
//!   5    it is run again, stock: 5, commit                  5        3         -        -        -
//!   6    quireMoment keeps moment 7                         5        3         5        -        -
//!   7    quireFork: fork F begins                           5        3         5        5        -
//!   8    update in the fork, stock: 9                       5        3         5        9        -
//!   9    the fork is undone                                 5        3         5        -        -
//!  10    update, stock: 6, commit                           6        3         5        -        -
//!  11    quireAt 7, find, batchSize 0: cursor B             6        3         5        -        5
//!  12    another tab stores stock: 8: the engine moves on   8        3         5        -        5
//!  13    drop herbs: ends cursor A, which was of it         x        -         5        -        5
//!  14    quireDropMoment 7: cursor B holds a snapshot       x        -         -        -        5
//!  15    getMore on B gives its last document               x        -         -        -        -
//! ```
//!
//! Between 3 and 4 nobody else can look: a command is run to its end. At 12 cursor A goes on over the state that was
//! left; a page of it that was never read cannot be had any more, and A would end there. `$lookup` in cursor B looks up
//! documents of moment 7 in each of its batches, because B has no other collections than those of its view.
//!
//! # Several units at once
//! A `Transaction` (`transaction.rs`) is open between commands, beside others over one base. It lies in the table of
//! the sessions (`transactions.rs`) and has, with no borrow:
//!
//! - pages of its own: a branch of the base's pages as they were at its beginning (`storage/branch.rs`). Both share
//!   their buffers, and whichever changes one copies it. A snapshot of the base keeps the pages that the branch has not
//!   read yet;
//! - collections, whose trees grow in that branch, and cursors, which end with it;
//! - its `Changes`, with documents.
//!
//! A command of it is a unit on these (`Base::begin_within`), with a savepoint there: one that misses a page is undone
//! and run again, any other failure ends the transaction, and nothing is to be undone about the base.
//!
//! `commit` does not put the branch's trees in the base's place, since others may have committed since. It makes the
//! `Changes` once more on the base, as one unit (`commit.rs`), also where nobody else has committed: one way for both.
//! **The first writer wins:** `Claims` (`claims.rs`) know for each open transaction which documents and unique keys it
//! wrote. A write that meets another one's claim, or finds in the base another document than the transaction has,
//! fails at once with 112 `WriteConflict`; a transaction is aborted by that. So at `commit` every document is in the
//! base as it was when the transaction read it, unless another tab has moved the base on: then the commit fails.
//!
//! ```text
//!  time  transaction S              transaction T              present  S sees  T sees
//!   1    begin                                                    3       3       -
//!   2                               begin                         3       3       3
//!   3    stock: 4                                                 3       4       3
//!   4    find: cursor C of S                                      3       4       3
//!   5                               stock: 9 → 112, aborted       3       4       -
//!   6    an update outside → 112                                  3       4       -
//!   7    commit; C ends                                           4       -       -
//!   8                               begin again                   4       -       4
//!   9                               stock: 9, commit              9       -       -
//! ```
//!
//! # The oplog
//! The oplog (`oplog.rs`) is the changes of each unit, in the order of their commits, as entries of `local.oplog.rs`.
//! While that collection is there the door to write notes each change as an entry too (`log.rs`; `delta.rs` says what
//! an update changed), and `Unit::log` writes the entries into the unit itself, before it is kept: a crash leaves both
//! or neither. A transaction notes none while it is open: its commit makes its operations once more through the door,
//! and their entries are written as one. Documents that the server inserts or deletes at once are one entry too. A unit
//! that is undone has no entry. A change stream reads the oplog alone, of the present at each `getMore`. Without the
//! collection nothing is noted, and a write costs what it did.

pub mod base;
pub mod changes;
pub mod claims;
pub mod commit;
mod copying;
pub mod cursors;
mod delta;
pub mod differences;
pub mod keep;
pub mod kept;
pub mod log;
pub mod oplog;
mod putting;
mod replacement;
mod restored;
pub mod room;
pub mod run;
pub mod session_id;
pub mod transaction;
pub mod transactions;
pub mod unit;
pub mod view;
pub mod write;
#[cfg(test)]
mod write_tests;

pub use base::{Base, StoreMut};
pub use changes::{Changes, DocumentTotals, Interest, Kind, NamespaceChanges, Operation};
pub use commit::commit;
pub use cursors::{CursorKind, CursorTable, OpenCursor};
pub use differences::{ChangeCounts, CollectionDifference, Difference, DocumentChange};
pub use keep::{Made, Wish, keep};
pub use putting::put;
pub use replacement::Replacement;
pub use run::Run;
pub use transaction::Transaction;
pub use transactions::{State as TransactionState, TransactionTable};
pub use unit::{Fork, Unit};
pub use view::{HeldView, View};
pub use write::{CollectionWriter, Writer};
