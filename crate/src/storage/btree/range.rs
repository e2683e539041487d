//! All entries between two bounds, in either direction.
//!
//! The far bound is looked up once a leaf, not compared once an entry: inside a leaf a step is an index comparison.

use super::cursor::Cursor;
use super::node::Node;
use super::search::lower_bound;
use super::tree::Tree;
use super::value::PageBytes;
use crate::error::StorageError;
use crate::storage::pager::Pager;
use std::borrow::Cow;
use std::ops::Bound;

/// Which way a range, a scan of an index or a scan of a collection is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the lowest key up.
    Forward,
    /// From the highest key down.
    Backward,
}

impl Direction {
    /// The name that explain prints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
        }
    }

    pub fn is_forward(self) -> bool {
        self == Self::Forward
    }
}

/// A range of a tree and a position in it. Like `Cursor` it borrows nothing, needs a snapshot while others write, and
/// stays where it was when a call returns an error.
#[derive(Debug, Clone)]
pub struct RangeCursor {
    cursor: Cursor,
    start: Bound<Vec<u8>>,
    end: Bound<Vec<u8>>,
    direction: Direction,
    started: bool,
    done: bool,
    /// Entries of the range that follow in the current leaf: so many steps need no look at the bounds.
    ahead: usize,
}

fn borrow(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    bound.as_ref().map(Vec::as_slice)
}

impl Tree {
    /// The entries from `start` to `end`: lower and upper bound in both directions. `next` goes to the first of them.
    pub fn range(
        &self,
        start: Bound<&[u8]>,
        end: Bound<&[u8]>,
        direction: Direction,
    ) -> RangeCursor {
        self.range_of(
            start.map(<[u8]>::to_vec),
            end.map(<[u8]>::to_vec),
            direction,
        )
    }

    /// The same, of keys that the range keeps.
    pub fn range_of(
        &self,
        start: Bound<Vec<u8>>,
        end: Bound<Vec<u8>>,
        direction: Direction,
    ) -> RangeCursor {
        RangeCursor {
            cursor: self.cursor(),
            start,
            end,
            direction,
            started: false,
            done: false,
            ahead: 0,
        }
    }
}

impl RangeCursor {
    /// Goes to the next entry of the range in its direction; false when there is none.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    #[inline]
    pub fn next(&mut self, pager: &Pager) -> Result<bool, StorageError> {
        let Some(ahead) = self.ahead.checked_sub(1) else {
            return self.next_slowly(pager);
        };
        let found = match self.direction {
            Direction::Forward => self.cursor.next(pager)?,
            Direction::Backward => self.cursor.prev(pager)?,
        };
        self.ahead = ahead;
        Ok(found)
    }

    fn next_slowly(&mut self, pager: &Pager) -> Result<bool, StorageError> {
        if self.done {
            return Ok(false);
        }
        // Everything is worked out on a copy, so that an error leaves the range where it was.
        let mut cursor = self.cursor.clone();
        let found = match (self.started, self.direction) {
            (false, Direction::Forward) => cursor.seek(pager, borrow(&self.start))?,
            (false, Direction::Backward) => cursor.seek_back(pager, borrow(&self.end))?,
            (true, Direction::Forward) => cursor.next(pager)?,
            (true, Direction::Backward) => cursor.prev(pager)?,
        };
        // Entries from the current one to the far bound, itself included: 0 when it lies beyond.
        let inside = match cursor.position().filter(|_| found) {
            None => 0,
            Some((leaf, slot)) => {
                let node = Node(leaf);
                let bound = match self.direction {
                    Direction::Forward => borrow(&self.end),
                    Direction::Backward => borrow(&self.start),
                };
                // Slots before `limit` lie before the bound, in key order.
                let limit = match (bound, self.direction) {
                    (Bound::Unbounded, Direction::Forward) => node.count(),
                    (Bound::Unbounded, Direction::Backward) => 0,
                    (Bound::Included(key) | Bound::Excluded(key), direction) => {
                        let (index, equal) = lower_bound(pager, node, key)?;
                        let included = matches!(bound, Bound::Included(_));
                        index + usize::from(equal && included == (direction == Direction::Forward))
                    }
                };
                match self.direction {
                    Direction::Forward => limit.saturating_sub(slot),
                    Direction::Backward => (slot + 1).saturating_sub(limit),
                }
            }
        };
        self.cursor = cursor;
        self.started = true;
        self.done = inside == 0;
        self.ahead = inside.saturating_sub(1);
        Ok(inside > 0)
    }

    /// Whether the cursor is on an entry of the range.
    pub fn is_valid(&self) -> bool {
        self.started && !self.done && self.cursor.is_valid()
    }

    /// The key under the cursor.
    #[inline]
    pub fn key(&self) -> &[u8] {
        self.cursor.key()
    }

    /// The value under the cursor.
    ///
    /// # Errors
    /// As `Cursor::value`.
    #[inline]
    pub fn value(&self, pager: &Pager) -> Result<PageBytes, StorageError> {
        self.cursor.value(pager)
    }

    /// The value under the cursor, borrowed when it lies in one page.
    ///
    /// # Errors
    /// As `Cursor::value_ref`.
    #[inline]
    pub fn value_ref<'a>(&'a self, pager: &'a Pager) -> Result<Cow<'a, [u8]>, StorageError> {
        self.cursor.value_ref(pager)
    }
}
