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
//! A transaction is a unit that is open between commands, beside others over one base. It is to be a fork that may be
//! committed, and lies between two of its commands as a cursor does, with what it needs and no borrow:
//!
//! - a `HeldView` of the state that it began on, whose snapshot keeps that state's pages;
//! - a `Fork`: its own collections, whose trees grow away from the base's by copied pages, and its own cursors. A
//!   cursor that is opened in it stands in the fork's table, reads the fork's view, and ends with the unit;
//! - its `Changes`, with documents: each document written, by collection and RecordId, as it was and as it is;
//! - the pages that it made, and those of the base that it has others for. In a fork the undo log knows both, in the
//!   order of one unit inside another; units side by side need a list each. `undo` frees the first. The second were
//!   never freed for the base, so there is nothing to undo about them.
//!
//! `commit` does not put the unit's trees in the base's place, since others have committed since. It makes its
//! `Changes` once more on the base, as one command's unit, and drops the fork. **The first writer wins:** the base
//! knows for each open unit which RecordIds it wrote. A unit that would write one that another open unit has written,
//! or that was committed after its own beginning, fails at that write with 112 `WriteConflict` and is undone. So at
//! `commit` every document in its `Changes` is in the base as it was when the unit read it.
//!
//! ```text
//!  time  transaction S              transaction T              present  S sees  T sees
//!   1    begin                                                    3       3       -
//!   2                               begin                         3       3       3
//!   3    stock: 4                                                 3       4       3
//!   4    find: cursor C of S                                      3       4       3
//!   5                               stock: 9 → 112, undone        3       4       -
//!   6    commit; C ends                                           4       -       -
//!   7                               begin again                   4       -       4
//!   8                               stock: 9, commit              9       -       -
//! ```
//!
//! # The oplog
//! The oplog (`oplog.rs`) is the changes of each unit, in the order of their commits, as entries of `local.oplog.rs`.
//! While that collection is there the door to write notes each change as an entry too (`log.rs`; `delta.rs` says what
//! an update changed), and `Unit::log` writes the entries into the unit itself, before it is kept: a crash leaves both
//! or neither. The entries of a transaction are those that its commands made; its commit writes them as one. A unit
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
mod restored;
pub mod room;
pub mod run;
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
pub use run::Run;
pub use transaction::Transaction;
pub use transactions::{State as TransactionState, TransactionTable};
pub use unit::{Fork, Unit};
pub use view::{HeldView, View};
pub use write::{CollectionWriter, Replacement, Writer};
