//! Running a program over a text: backtracking with a stack of its own, which remembers what failed once a match takes
//! long.
//!
//! Invariant: positions are characters' beginnings; every slot that changes is noted on the stack first, so going back
//! to a choice restores all that was then.

use super::fold::fold;
use super::members::{back, one_of, take, width_of};
use super::memo::Memo;
use super::program::{CALL_SLOT, FIRST_SLOT, NO_BYTE, NONE, Op, Program};
use super::search::find;
use super::syntax::{Assertion, UNBOUNDED};
use crate::env::Env;
use crate::error::CommandError;

/// The most choices that one match may try, where it cannot be made linear: five times the server's limit, because
/// the two count differently.
const MOST_STEPS: u32 = 1_000_000;
/// The most calls of groups that go on at once: the server's limit of depth.
const MOST_CALLS: u32 = 4000;
/// The most entries of the stack: 64 MiB.
const MOST_FRAMES: usize = 4 << 20;
/// The most slots that calls may have kept: 64 MiB.
const MOST_KEPT: usize = 16 << 20;
/// A stack beyond this is given back after the match.
const KEPT_FRAMES: usize = 4096;
/// Steps after which a match begins to remember the positions at which choices failed, to which `PATIENCE_A_BYTE` adds
/// for each byte of the text. Most matches end before and never pay for the bits.
const PATIENCE: u32 = 1024;
const PATIENCE_A_BYTE: u32 = 4;
/// How often the environment is asked whether to go on.
const ROUND: u32 = 256;
/// A step for so many characters of a run.
pub(super) const RUN_STEP: usize = 32;

/// Why a match was given up.
#[derive(Debug)]
pub enum Stopped {
    /// The match took more steps or memory than it may. The words are PCRE2's.
    Limit(&'static str),
    /// The command was told to end.
    Command(CommandError),
}

impl Stopped {
    /// A filter's reading: a match that a limit ended counts as no match.
    ///
    /// # Errors
    /// The command was told to end.
    pub fn as_no_match(self) -> Result<bool, CommandError> {
        match self {
            Self::Limit(_) => Ok(false),
            Self::Command(error) => Err(error),
        }
    }
}

/// An entry of the stack of backtracking: the next way to try, or a value to restore on the way back to it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Frame {
    /// Go on here.
    Choice { place: u32, at: u32 },
    /// The slot's value before.
    Slot { slot: u32, before: u32 },
    /// A run that took a character too many, maybe.
    Fewer { place: u32, least: u32, at: u32 },
    /// A run that may take one more.
    More { place: u32, at: u32, left: u32 },
    /// Calls beyond these are over.
    Calls(u32),
}

/// A call of a group that goes on.
#[derive(Debug, Clone, Copy)]
struct Call {
    group: u32,
    at: u32,
    back: u32,
    /// Where the slots before it are kept.
    kept: u32,
    /// How many calls it lies in.
    depth: u32,
}

/// Memory that one match leaves to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    stack: Vec<Frame>,
    pub slots: Vec<u32>,
    calls: Vec<Call>,
    kept: Vec<u32>,
    pub(super) memo: Memo,
    #[cfg(test)]
    pub is_impatient: bool,
}

/// One search.
pub struct Machine<'a> {
    pub program: &'a Program,
    pub text: &'a [u8],
    pub env: &'a dyn Env,
    pub scratch: &'a mut Scratch,
    /// Whether groups are wanted.
    pub captures: bool,
    steps: u32,
    /// Work until the environment is asked again.
    round: u32,
    /// Work until failed positions begin to be remembered; `None` from then on.
    patience: Option<u32>,
    begin: usize,
}

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        text: &'a [u8],
        env: &'a dyn Env,
        scratch: &'a mut Scratch,
        captures: bool,
    ) -> Self {
        scratch.slots.clear();
        scratch.slots.resize(program.slots as usize, NONE);
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let patience = PATIENCE.saturating_add(length.saturating_mul(PATIENCE_A_BYTE));
        #[cfg(test)]
        let patience = if scratch.is_impatient { 0 } else { patience };
        Self {
            program,
            text,
            env,
            scratch,
            captures: captures || program.needs_captures,
            steps: 0,
            round: patience.min(ROUND),
            patience: Some(patience),
            begin: 0,
        }
    }

    /// The first match from a position on; the slots then say where. `false`: there is none.
    pub fn search(&mut self, begin: usize) -> Result<bool, Stopped> {
        let start = &self.program.start;
        self.begin = begin;
        if !start.required.is_empty() && find(self.text, begin, &start.required).is_none() {
            return Ok(false);
        }
        let found = if start.is_anchored {
            match begin {
                0 => self.run(0),
                _ => Ok(false),
            }
        } else {
            self.search_from(begin)
        };
        let scratch = &mut *self.scratch;
        scratch.memo.end();
        scratch.stack.clear();
        scratch.calls.clear();
        scratch.kept.clear();
        if scratch.stack.capacity() > KEPT_FRAMES {
            scratch.stack = Vec::new();
            scratch.kept = Vec::new();
        }
        found
    }

    fn search_from(&mut self, begin: usize) -> Result<bool, Stopped> {
        let mut from = begin;
        while let Some(at) = self.program.start.next(self.text, from) {
            if self.run(at)? {
                return Ok(true);
            }
            if at >= self.text.len() {
                break;
            }
            from = at + width_of(self.text[at]);
            if let Some(members) = self.program.sets.get(self.program.start.run as usize) {
                // A match that begins later in the same run ends the run at the same positions, and fails there too.
                from = from.max(take(members, self.text, at, UNBOUNDED, false).unwrap_or(at));
            }
            self.count(1)?;
        }
        Ok(false)
    }

    /// Counts work. Now and then the environment is asked whether to go on.
    #[inline(always)]
    pub(super) fn count(&mut self, work: u32) -> Result<(), Stopped> {
        if self.round > work {
            self.round -= work;
            return Ok(());
        }
        self.next_round(work)
    }

    #[inline(never)]
    fn next_round(&mut self, mut work: u32) -> Result<(), Stopped> {
        // Much work at once counts as several rounds: the environment looks at the clock after a number of rounds.
        while work >= self.round {
            work -= self.round;
            self.round = ROUND;
            if let Some(left) = self.patience {
                self.patience = left.checked_sub(ROUND).filter(|left| *left > 0);
                if self.patience.is_none() {
                    self.remember();
                }
            }
            self.env.checkpoint().map_err(Stopped::Command)?;
        }
        self.round -= work;
        Ok(())
    }

    /// Counts work on many slots or entries, of which a match may do no more than it may try choices.
    fn toil(&mut self, entries: usize) -> Result<(), Stopped> {
        let work = 1 + (entries / RUN_STEP) as u32;
        self.steps = self.steps.saturating_add(work);
        if self.steps >= MOST_STEPS {
            self.give_up()?;
        }
        self.count(work)
    }

    /// Begins to remember at which positions choices failed, where the pattern allows it and the bits fit in memory.
    fn remember(&mut self) {
        self.patience = None;
        let rows = self.program.row_count;
        if rows > 0 && self.scratch.memo.begin(rows, self.text.len() + 1) {
            self.steps = 0;
        }
    }

    /// Counts a choice, which has a row if it remembers where it failed. Those that do not are limited.
    #[inline(always)]
    pub(super) fn step(&mut self, row: u32) -> Result<(), Stopped> {
        if row == NONE || !self.scratch.memo.is_on() {
            self.steps += 1;
            if self.steps >= MOST_STEPS {
                return self.give_up();
            }
        }
        self.count(1)
    }

    /// Too many choices: an error, unless they can be remembered from now on.
    #[inline(never)]
    fn give_up(&mut self) -> Result<(), Stopped> {
        if self.patience.is_some() {
            self.remember();
        }
        match self.steps {
            0 => Ok(()),
            _ => Err(Stopped::Limit("match limit exceeded")),
        }
    }

    /// Whether a choice was tried in this state before.
    #[inline(always)]
    pub(super) fn was_tried(&mut self, row: u32, at: usize) -> bool {
        row != NONE && self.scratch.memo.is_on() && self.look_up(row, at)
    }

    #[inline(never)]
    fn look_up(&mut self, row: u32, at: usize) -> bool {
        let row = &self.program.rows[row as usize];
        let mut bits = 0;
        for (bit, mark) in row.marks.iter().enumerate() {
            bits |= u32::from(self.scratch.slots[*mark as usize] == at as u32) << bit;
        }
        self.scratch.memo.was_tried(row.first + bits, at)
    }

    pub(super) fn push(&mut self, frame: Frame) -> Result<(), Stopped> {
        let stack = &mut self.scratch.stack;
        if stack.len() == stack.capacity()
            && (stack.len() >= MOST_FRAMES || stack.try_reserve(stack.len().max(64)).is_err())
        {
            return Err(Stopped::Limit("heap limit exceeded"));
        }
        stack.push(frame);
        Ok(())
    }

    fn set_slot(&mut self, slot: u32, value: u32) -> Result<(), Stopped> {
        let before = std::mem::replace(&mut self.scratch.slots[slot as usize], value);
        self.push(Frame::Slot { slot, before })
    }

    fn slot(&self, slot: u32) -> u32 {
        self.scratch.slots[slot as usize]
    }

    /// Whether the program matches at a position.
    fn run(&mut self, start: usize) -> Result<bool, Stopped> {
        self.scratch.stack.clear();
        self.scratch.slots[FIRST_SLOT as usize] = start as u32;
        let mut place = 0;
        let mut at = start;
        loop {
            let next = place + 1;
            let text = self.text;
            // The next instruction; `NONE` to go back to the last choice.
            place = match self.program.ops[place as usize] {
                Op::Byte(byte) => match text.get(at) {
                    Some(other) if *other == byte => {
                        at += 1;
                        next
                    }
                    _ => NONE,
                },
                Op::Bytes { start, length } => {
                    let literal = &self.program.literals[start as usize..][..length as usize];
                    if text[at..].starts_with(literal) {
                        at += literal.len();
                        next
                    } else {
                        NONE
                    }
                }
                Op::Set(set) => match one_of(&self.program.sets[set as usize], text, at) {
                    Some(end) => {
                        at = end;
                        next
                    }
                    None => NONE,
                },
                Op::Split {
                    first,
                    second,
                    row,
                    guards,
                } => {
                    let byte = text.get(at).map_or(NO_BYTE, |byte| u16::from(*byte));
                    let holds = |guard: u16| guard == byte || guard == NO_BYTE;
                    if !holds(guards[0]) {
                        second
                    } else if !holds(guards[1]) {
                        first
                    } else if self.was_tried(row, at) {
                        NONE
                    } else {
                        self.step(row)?;
                        self.push(Frame::Choice {
                            place: second,
                            at: at as u32,
                        })?;
                        first
                    }
                }
                Op::Run { .. } => match self.run_of(next - 1, at)? {
                    Some(end) => {
                        at = end;
                        next
                    }
                    None => NONE,
                },
                Op::Jump(to) => to,
                Op::Save(slot) => {
                    if self.captures {
                        self.set_slot(slot, at as u32)?;
                    }
                    next
                }
                Op::Assert(assertion) => match self.holds(assertion, at) {
                    true => next,
                    false => NONE,
                },
                Op::Mark(slot) => {
                    self.set_slot(slot, at as u32)?;
                    next
                }
                Op::Check { slot, out } => match self.slot(slot) == at as u32 {
                    true => out,
                    false => next,
                },
                Op::Fail => NONE,
                Op::Match => {
                    if self.slot(CALL_SLOT) == NONE {
                        self.scratch.slots[FIRST_SLOT as usize + 1] = at as u32;
                        return Ok(true);
                    }
                    self.come_back(0, next)?
                }
                op => self.seldom(op, next, &mut at)?,
            };
            if place == NONE {
                match self.go_back()? {
                    Some((to, position)) => (place, at) = (to, position),
                    None => return Ok(false),
                }
            }
        }
    }

    /// The instructions of references, looks around, atomic groups, conditions and calls.
    #[inline(never)]
    fn seldom(&mut self, op: Op, next: u32, at: &mut usize) -> Result<u32, Stopped> {
        Ok(match op {
            Op::Copy { from, to } => {
                self.set_slot(to, self.slot(from))?;
                next
            }
            Op::Enter { slot, otherwise } => {
                let height = self.scratch.stack.len() as u32;
                self.step(NONE)?;
                if otherwise != NONE {
                    self.push(Frame::Choice {
                        place: otherwise,
                        at: *at as u32,
                    })?;
                }
                self.set_slot(slot, height)?;
                self.set_slot(slot + 1, *at as u32)?;
                next
            }
            Op::Cut(slot) => {
                self.cut(slot)?;
                next
            }
            Op::Return(slot) => {
                self.cut(slot)?;
                *at = self.slot(slot + 1) as usize;
                next
            }
            Op::Undo { slot, then } => {
                *at = self.slot(slot + 1) as usize;
                let height = self.slot(slot) as usize;
                while self.scratch.stack.len() > height {
                    self.undo();
                }
                then
            }
            Op::Back(count) => match back(self.text, *at, count) {
                Some(before) => {
                    *at = before;
                    next
                }
                None => NONE,
            },
            Op::Reference { group, fold } => {
                let length = self.captured(group).map_or(0, |(start, end)| end - start);
                self.count(1 + (length / RUN_STEP) as u32)?;
                match self.reference(group, fold, *at) {
                    Some(end) => {
                        *at = end;
                        next
                    }
                    None => NONE,
                }
            }
            Op::Call { group } => self.call(group, next, *at)?,
            Op::Called(group) => self.come_back(group, next)?,
            Op::IfCaptured { group, otherwise } => match self.captured(group) {
                Some(_) => next,
                None => otherwise,
            },
            Op::IfCalled { group, otherwise } => match self.innermost() {
                Some(call) if group == NONE || call.group == group => next,
                _ => otherwise,
            },
            _ => NONE,
        })
    }

    /// Undoes the newest entry of the stack.
    fn undo(&mut self) {
        match self.scratch.stack.pop() {
            Some(Frame::Slot { slot, before }) => self.scratch.slots[slot as usize] = before,
            Some(Frame::Calls(count)) => self.scratch.calls.truncate(count as usize),
            _ => {}
        }
    }

    /// Back to the newest choice: where to go on, and at which position.
    fn go_back(&mut self) -> Result<Option<(u32, usize)>, Stopped> {
        self.count(1)?;
        loop {
            let Some(frame) = self.scratch.stack.last().copied() else {
                return Ok(None);
            };
            match frame {
                Frame::Slot { .. } | Frame::Calls(_) => self.undo(),
                Frame::Choice { place, at } => {
                    self.scratch.stack.pop();
                    return Ok(Some((place, at as usize)));
                }
                Frame::Fewer { place, least, at } => {
                    self.scratch.stack.pop();
                    if let Some(before) = self.fewer(place, least as usize, at as usize)? {
                        return Ok(Some((place + 1, before)));
                    }
                }
                Frame::More { place, at, left } => {
                    self.scratch.stack.pop();
                    if let Some(end) = self.more(place, at as usize, left)? {
                        return Ok(Some((place + 1, end)));
                    }
                }
            }
        }
    }

    fn holds(&self, assertion: Assertion, at: usize) -> bool {
        let text = self.text;
        let is_word = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        match assertion {
            Assertion::TextStart => at == 0,
            Assertion::LineStart => at == 0 || (before == Some(&b'\n') && at < text.len()),
            Assertion::TextEnd => at == text.len(),
            Assertion::LastLineEnd => at == text.len() || text[at..] == [b'\n'],
            Assertion::LineEnd => text.get(at).is_none_or(|byte| *byte == b'\n'),
            Assertion::WordBoundary => is_word(before) != is_word(text.get(at)),
            Assertion::NotWordBoundary => is_word(before) == is_word(text.get(at)),
            Assertion::SearchStart => at == self.begin,
        }
    }

    /// Gives up the choices since a slot was entered; slots stay as they are, and are still restored further back.
    fn cut(&mut self, slot: u32) -> Result<(), Stopped> {
        let height = self.slot(slot) as usize;
        self.toil(self.scratch.stack.len() - height)?;
        let stack = &mut self.scratch.stack;
        let mut kept = height;
        for at in height..stack.len() {
            if let Frame::Slot { .. } | Frame::Calls(_) = stack[at] {
                stack[kept] = stack[at];
                kept += 1;
            }
        }
        stack.truncate(kept);
        Ok(())
    }

    /// The text that a group captured, from its first byte to behind its last. `None` if the group took no part.
    fn captured(&self, group: u32) -> Option<(usize, usize)> {
        let slot = FIRST_SLOT + 2 * group;
        let (start, end) = (self.slot(slot), self.slot(slot + 1));
        (start != NONE && end != NONE).then_some((start as usize, end as usize))
    }

    /// Where the text of a group ends when a position repeats it.
    fn reference(&self, group: u32, ignore_case: bool, at: usize) -> Option<usize> {
        let (start, end) = self.captured(group)?;
        let wanted = self.text.get(start..end)?;
        if !ignore_case {
            return self.text[at..]
                .starts_with(wanted)
                .then_some(at + wanted.len());
        }
        let wanted = std::str::from_utf8(wanted).ok()?;
        // No more is looked at than as many characters may take.
        let mut bound = self.text.len().min(at + wanted.len() * 4);
        while self.text.get(bound).is_some_and(|byte| byte & 0xC0 == 0x80) {
            bound += 1;
        }
        let rest = std::str::from_utf8(self.text.get(at..bound)?).ok()?;
        let mut characters = rest.chars();
        for character in wanted.chars() {
            if fold(characters.next()?) != fold(character) {
                return None;
            }
        }
        Some(bound - characters.as_str().len())
    }

    fn innermost(&self) -> Option<Call> {
        self.scratch
            .calls
            .get(self.slot(CALL_SLOT) as usize)
            .copied()
    }

    /// Calls a group, as `(?1)` does. Its captures are kept aside: on the return the groups are as they were before.
    fn call(&mut self, group: u32, back: u32, at: usize) -> Result<u32, Stopped> {
        self.toil(self.scratch.slots.len())?;
        let depth = self.innermost().map_or(0, |call| call.depth + 1);
        if depth >= MOST_CALLS {
            return Err(Stopped::Limit("matching depth limit exceeded"));
        }
        let mut outer = self.slot(CALL_SLOT);
        while let Some(call) = self.scratch.calls.get(outer as usize).copied()
            && call.at == at as u32
        {
            self.count(1)?;
            if call.group == group {
                return Err(Stopped::Limit(
                    "nested recursion at the same subject position",
                ));
            }
            outer = self.scratch.kept[call.kept as usize + CALL_SLOT as usize];
        }
        let scratch = &mut *self.scratch;
        let kept = scratch.kept.len();
        if kept + scratch.slots.len() > MOST_KEPT
            || scratch.kept.try_reserve(scratch.slots.len()).is_err()
        {
            return Err(Stopped::Limit("heap limit exceeded"));
        }
        scratch.kept.extend_from_slice(&scratch.slots);
        let count = scratch.calls.len() as u32;
        scratch.calls.push(Call {
            group,
            at: at as u32,
            back,
            kept: kept as u32,
            depth,
        });
        self.push(Frame::Calls(count))?;
        self.set_slot(CALL_SLOT, count)?;
        Ok(self.program.entries[group as usize])
    }

    /// The end of a group: back to the caller, if this group was called last.
    fn come_back(&mut self, group: u32, next: u32) -> Result<u32, Stopped> {
        let Some(call) = self.innermost().filter(|call| call.group == group) else {
            return Ok(next);
        };
        self.toil(self.program.slots as usize)?;
        for slot in 0..self.program.slots {
            let before = self.scratch.kept[call.kept as usize + slot as usize];
            if before != self.slot(slot) {
                self.set_slot(slot, before)?;
            }
        }
        Ok(call.back)
    }
}
