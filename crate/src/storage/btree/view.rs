//! A tree page as `check` looks at it: every field of every cell, with the page's checks done.

use super::node::{CellValue, Node, SLOT, head_of};
use super::search::{tree_page, value_cow, whole_key};
use crate::error::StorageError;
use crate::storage::compare::compare;
use crate::storage::page::{PageLink, PageNumber, number_of};
use crate::storage::pager::Pager;
use std::borrow::Cow;
use std::cmp::Ordering;

/// The level of a tree page: 0 for leaves.
pub(crate) type Level = u8;

/// A tree page.
#[derive(Clone, Copy)]
pub(crate) struct NodeView<'a>(Node<'a>);

impl<'a> NodeView<'a> {
    /// The page, which must be a tree page of that level.
    pub(crate) fn open(
        pager: &'a Pager,
        number: PageLink,
        level: Level,
    ) -> Result<Self, StorageError> {
        tree_page(pager, number, level).map(|buffer| Self(Node(buffer)))
    }

    pub(crate) fn count(self) -> usize {
        self.0.count()
    }

    /// Bytes of slots and cells, as the header says.
    pub(crate) fn used(self) -> usize {
        self.0.used()
    }

    /// Bytes of slots and cells, counted.
    pub(crate) fn counted_bytes(self) -> usize {
        (0..self.count())
            .map(|index| self.0.cell_length(index) + SLOT)
            .sum()
    }

    /// Whether the head of a key and the page's shared bytes are right.
    pub(crate) fn head_is_right(self, index: usize) -> bool {
        let (key, first) = (self.0.key_inline(index).0, self.0.key_inline(0).0);
        let shared = self.0.shared();
        key.get(..shared)
            .is_some_and(|start| first.get(..shared) == Some(start))
            && self.0.head(index) == head_of(key, shared)
    }

    /// Where cell `index` lies, and how long it is.
    pub(crate) fn cell_range(self, index: usize) -> (usize, usize) {
        (self.0.cell_at(index), self.0.cell_length(index))
    }

    /// The head of key `index`, as its slot has it.
    pub(crate) fn head(self, index: usize) -> u32 {
        self.0.head(index)
    }

    /// Bytes of the whole key.
    pub(crate) fn key_length(self, index: usize) -> u64 {
        self.0.key_length(index)
    }

    /// The slots that a search for a key compares, and the first that is not below the key, with whether it is equal.
    pub(crate) fn search(
        self,
        pager: &Pager,
        key: &[u8],
    ) -> Result<(Vec<usize>, usize, bool), StorageError> {
        let (mut low, mut high, mut compared) = (0, self.count(), Vec::new());
        while low < high {
            let middle = (low + high) / 2;
            compared.push(middle);
            match compare(&self.key(pager, middle)?, key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok((compared, middle, true)),
                Ordering::Greater => high = middle,
            }
        }
        Ok((compared, low, false))
    }

    pub(crate) fn key(self, pager: &Pager, index: usize) -> Result<Cow<'a, [u8]>, StorageError> {
        whole_key(pager, self.0, index)
    }

    /// The number of child `index`.
    pub(crate) fn child(self, index: usize) -> PageNumber {
        number_of(self.child_link(index))
    }

    /// The link to child `index`.
    pub(crate) fn child_link(self, index: usize) -> PageLink {
        self.0.child(index)
    }

    /// The overflow chain of a long key: first page and bytes.
    pub(crate) fn key_chain(self, index: usize) -> Option<(PageLink, u64)> {
        let inline = self.0.key_inline(index).0.len() as u64;
        self.0
            .key_rest(index)
            .map(|rest| (rest.page, rest.length.saturating_sub(inline)))
    }

    /// The overflow chain of a large value: first page and bytes.
    pub(crate) fn value_chain(self, index: usize) -> Option<(PageLink, u64)> {
        match self.0.value(index) {
            CellValue::Overflow(value) => Some((value.page, value.length)),
            CellValue::Inline(..) => None,
        }
    }

    pub(crate) fn value(
        self,
        pager: &'a Pager,
        index: usize,
    ) -> Result<Cow<'a, [u8]>, StorageError> {
        value_cow(pager, self.0.0, index)
    }

    pub(crate) fn value_length(self, index: usize) -> u64 {
        match self.0.value(index) {
            CellValue::Overflow(value) => value.length,
            CellValue::Inline(start, end) => (end - start) as u64,
        }
    }
}
