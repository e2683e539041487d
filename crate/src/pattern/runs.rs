//! Runs: an item of a pattern that is repeated without a choice inside it, such as `[a-z]*`.
//!
//! Invariant: a run takes whole characters, and gives them back one by one (`Frame::Fewer`) or takes one more
//! (`Frame::More`) when the machine goes back to it.

use super::machine::{Frame, Machine, RUN_STEP, Stopped};
use super::members::{back, one_of, take, width_of};
use super::program::{NONE, Op};
use super::set::CharSet;
use super::syntax::{Mode, UNBOUNDED};

impl Machine<'_> {
    /// A greedy run gives characters back, one at a time, down to a position where the item behind it can begin.
    pub(super) fn fewer(
        &mut self,
        place: u32,
        least: usize,
        mut at: usize,
    ) -> Result<Option<usize>, Stopped> {
        let Op::Run { next, row, .. } = self.program.ops[place as usize] else {
            return Ok(None);
        };
        let began = at;
        while at > least {
            at -= 1;
            let byte = self.text[at];
            if byte & 0xC0 != 0x80 && (next > 255 || u16::from(byte) == next) {
                self.step(row)?;
                self.count(((began - at) / RUN_STEP) as u32)?;
                if at > least {
                    self.push(Frame::Fewer {
                        place,
                        least: least as u32,
                        at: at as u32,
                    })?;
                }
                return Ok(Some(at));
            }
        }
        self.count(((began - at) / RUN_STEP) as u32)?;
        Ok(None)
    }

    /// A lazy run takes one more.
    pub(super) fn more(
        &mut self,
        place: u32,
        at: usize,
        left: u32,
    ) -> Result<Option<usize>, Stopped> {
        let Op::Run { set, row, max, .. } = self.program.ops[place as usize] else {
            return Ok(None);
        };
        let Some(end) = one_of(&self.program.sets[set as usize], self.text, at) else {
            return Ok(None);
        };
        if max == UNBOUNDED && self.was_tried(row, end) {
            return Ok(None);
        }
        self.step(row)?;
        let left = if max == UNBOUNDED { left } else { left - 1 };
        if left > 0 {
            self.push(Frame::More {
                place,
                at: end as u32,
                left,
            })?;
        }
        Ok(Some(end))
    }

    /// Takes a run: where it ends at first.
    pub(super) fn run_of(&mut self, place: u32, at: usize) -> Result<Option<usize>, Stopped> {
        let Op::Run {
            set,
            min,
            max,
            mode,
            row,
            ..
        } = self.program.ops[place as usize]
        else {
            return Ok(None);
        };
        let members = &self.program.sets[set as usize];
        let Some(least) = take(members, self.text, at, min, true) else {
            return Ok(None);
        };
        if min == max {
            self.count(1 + ((least - at) / RUN_STEP) as u32)?;
            return Ok(Some(least));
        }
        let is_open = max == UNBOUNDED;
        let left = if is_open { max } else { max - min };
        // An open run, such as `x{3,}`, is remembered by the position behind its least number of characters: from there
        // on all its tries are alike.
        if self.was_tried(row, if is_open { least } else { at }) {
            return Ok(None);
        }
        self.step(row)?;
        if mode == Mode::Lazy {
            self.push(Frame::More {
                place,
                at: least as u32,
                left,
            })?;
            return Ok(Some(least));
        }
        let mut end;
        if is_open && row != NONE && self.scratch.memo.is_on() {
            // Nothing was taken further on since a loop's turn began: that is the first of the row's.
            let first = self.program.rows[row as usize].first;
            let is_known;
            (end, is_known) = self.take_untried(members, first, least);
            if end > least {
                let second = least + width_of(self.text[least]);
                self.scratch.memo.fill(first, second, end + 1);
            }
            self.count(((end - at) / RUN_STEP) as u32)?;
            if is_known {
                if mode == Mode::Possessive {
                    return Ok(None);
                }
                end = back(self.text, end, 1).unwrap_or(least);
            }
        } else {
            end = take(members, self.text, least, left, false).unwrap_or(least);
            self.count(((end - at) / RUN_STEP) as u32)?;
        }
        if mode == Mode::Greedy && end > least {
            self.push(Frame::Fewer {
                place,
                least: least as u32,
                at: end as u32,
            })?;
        }
        Ok(Some(end))
    }

    /// Takes an open run up to where one was tried before: where it ends, and whether that is such a position.
    #[inline(never)]
    pub(super) fn take_untried(
        &mut self,
        members: &CharSet,
        row: u32,
        least: usize,
    ) -> (usize, bool) {
        const STRIDE: usize = 512;
        let length = self.text.len();
        let mut at = least;
        while at < length {
            let mut bound = length.min(at + STRIDE);
            while bound < length && self.text[bound] & 0xC0 == 0x80 {
                bound += 1;
            }
            let next = at + width_of(self.text[at]);
            let known = self.scratch.memo.first_tried(row, next, bound + 1);
            let bound = known.unwrap_or(bound);
            let end = take(members, &self.text[..bound], at, UNBOUNDED, false).unwrap_or(at);
            if end < bound || known.is_some() {
                return (end, end == bound);
            }
            at = end;
        }
        (at, false)
    }
}
