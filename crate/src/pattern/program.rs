//! A pattern as instructions.
//!
//! Invariant: every place that an instruction names is one of the program, and every slot one of its slots.

use super::search::Start;
use super::set::CharSet;
use super::syntax::{Assertion, Mode};

/// No place, row, slot or position.
pub const NONE: u32 = u32::MAX;
/// No byte that is known.
pub const NO_BYTE: u16 = u16::MAX;
/// The slot that holds the innermost call.
pub const CALL_SLOT: u32 = 0;
/// Where the match begins, and behind it where it ends; each group has two slots after these.
pub const FIRST_SLOT: u32 = 1;

/// One instruction. Those that say nothing else go on with the next one.
#[derive(Debug, Clone, Copy)]
pub enum Op {
    /// The end: a match, or the end of a call of the whole pattern.
    Match,
    Fail,
    Byte(u8),
    /// Bytes of the program's `literals`.
    Bytes {
        start: u32,
        length: u32,
    },
    /// A character of a set.
    Set(u32),
    /// The longest run of characters of a set.
    Run {
        set: u32,
        min: u32,
        max: u32,
        mode: Mode,
        row: u32,
        /// The byte that must follow; beyond 255 when not known.
        next: u16,
    },
    /// Goes on at the first place, and at the second when that fails.
    Split {
        first: u32,
        second: u32,
        row: u32,
        /// The bytes that must come at the two places; beyond 255 when not known.
        guards: [u16; 2],
    },
    Jump(u32),
    /// Notes the position in a slot.
    Save(u32),
    /// Copies the value of slot `from` into slot `to`.
    Copy {
        from: u32,
        to: u32,
    },
    Assert(Assertion),
    /// Notes where a turn of a loop begins.
    Mark(u32),
    /// Leaves a loop whose turn took nothing.
    Check {
        slot: u32,
        out: u32,
    },
    /// Notes the height of the stack, and in the next slot the position, for a later cut.
    Enter {
        slot: u32,
        /// Where to go on when the body fails: `NONE` to fail.
        otherwise: u32,
    },
    /// Gives up the choices since `Enter`.
    Cut(u32),
    /// As `Cut`, and back to the position of `Enter`.
    Return(u32),
    /// Undoes everything since `Enter`; goes on at `then`, or fails where that is `NONE`.
    Undo {
        slot: u32,
        then: u32,
    },
    /// Moves back by this number of characters.
    Back(u32),
    Reference {
        group: u32,
        fold: bool,
    },
    Call {
        group: u32,
    },
    /// The end of a group: goes back to its caller if the group was called.
    Called(u32),
    IfCaptured {
        group: u32,
        otherwise: u32,
    },
    /// `NONE`: whether anything is being called.
    IfCalled {
        group: u32,
        otherwise: u32,
    },
}

/// Where a choice remembers the positions at which it failed.
#[derive(Debug)]
pub struct FailureBits {
    /// The first of its rows of bits: one for each combination of loops around it whose turn took nothing yet.
    pub first: u32,
    /// The marks of these loops.
    pub marks: Box<[u32]>,
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Program {
    pub ops: Vec<Op>,
    pub literals: Vec<u8>,
    pub sets: Vec<CharSet>,
    pub groups: u32,
    pub slots: u32,
    /// Where each group begins, for calls; `NONE` where nothing calls it.
    pub entries: Vec<u32>,
    pub rows: Vec<FailureBits>,
    /// How many rows of bits `rows` need together; none where remembering would be wrong.
    pub row_count: u32,
    /// Whether captured text decides about a match, as in `(a|b)\1`. Captures are then kept even when only yes or no is
    /// asked.
    pub needs_captures: bool,
    pub start: Start,
}
