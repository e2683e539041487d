//! A position in a tree that outlives the command: it borrows nothing.
//!
//! A cursor reads the tree of the handle it was made from. While others write, hold a `Snapshot` opened together with
//! that handle for as long as the cursor is used; without writes in between none is needed.
//! Invariant: a call that returns an error leaves the cursor where it was, so that the call can be repeated.

use super::node::{LINE, Node};
use super::search::{
    Path, append_key_rest, child_index, lower_bound, tree_page, value_bytes, value_cow,
};
use super::tree::Tree;
use super::value::PageBytes;
use crate::error::StorageError;
use crate::storage::accounting::bump;
use crate::storage::page::{Buffer, PageLink, number_of};
use crate::storage::pager::Pager;
use std::borrow::Cow;
use std::ops::Bound;
use std::rc::Rc;

/// A position in a tree: on an entry, before the first, or after the last.
#[derive(Debug, Clone)]
pub struct Cursor {
    tree: Tree,
    /// The leaf under the cursor; `None` off the entries.
    leaf: Option<Buffer>,
    slot: usize,
    /// Branches above the leaf with the child taken.
    path: Path,
    /// Off the entries: at the end rather than at the start.
    at_end: bool,
    /// The current key when it does not lie wholly in the page.
    long_key: Vec<u8>,
    /// Where the key lies in the page; (0, 0) when it is in `long_key`.
    key: (u16, u16),
    /// The leaf's entries were asked of memory already.
    is_asked: bool,
}

impl Tree {
    /// A cursor before the first entry.
    pub fn cursor(&self) -> Cursor {
        Cursor {
            tree: *self,
            leaf: None,
            slot: 0,
            path: Path::new(),
            at_end: false,
            long_key: Vec::new(),
            key: (0, 0),
            is_asked: false,
        }
    }
}

/// More of a value is not asked for ahead: a reader that comes so far reads on in order.
const FARTHEST: usize = 511;

/// Where an entry lies, when there is one and it lies wholly in the page.
#[inline(always)]
fn entry_before(node: Node<'_>, slot: usize, count: usize) -> Option<(usize, usize, usize)> {
    if slot >= count {
        return None;
    }
    node.plain_entry(slot)
}

impl Cursor {
    /// Whether the cursor is on an entry.
    #[inline]
    pub fn is_valid(&self) -> bool {
        self.leaf.is_some()
    }

    /// The handle the cursor reads.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The key of the entry under the cursor; empty when there is none.
    #[inline]
    pub fn key(&self) -> &[u8] {
        match &self.leaf {
            Some(leaf) if self.key.1 != 0 => leaf
                .get(usize::from(self.key.0)..usize::from(self.key.1))
                .unwrap_or_default(),
            Some(_) => &self.long_key,
            None => &[],
        }
    }

    /// The value of the entry under the cursor; empty when there is none. Shared with the page, or copied from an
    /// overflow chain.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt` of an overflow page.
    #[inline]
    pub fn value(&self, pager: &Pager) -> Result<PageBytes, StorageError> {
        match &self.leaf {
            Some(leaf) => value_bytes(pager, leaf, self.slot),
            None => Ok(PageBytes::owned(Vec::new())),
        }
    }

    /// The value of the entry under the cursor, borrowed when it lies in one page.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt` of an overflow page.
    #[inline]
    pub fn value_ref<'a>(&'a self, pager: &'a Pager) -> Result<Cow<'a, [u8]>, StorageError> {
        let value = self.peek(pager)?;
        bump(&pager.accounting().bytes_read, value.len() as u64);
        Ok(value)
    }

    /// As `value_ref`, but not counted as read: for tests of values that are counted when they are handed out.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt` of an overflow page.
    #[inline]
    pub fn peek<'a>(&'a self, pager: &'a Pager) -> Result<Cow<'a, [u8]>, StorageError> {
        match &self.leaf {
            Some(leaf) => value_cow(pager, leaf, self.slot),
            None => Ok(Cow::Borrowed(&[])),
        }
    }

    /// Goes to the first entry; false when there is none.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn first(&mut self, pager: &Pager) -> Result<bool, StorageError> {
        self.seek(pager, Bound::Unbounded)
    }

    /// Goes to the last entry; false when there is none.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn last(&mut self, pager: &Pager) -> Result<bool, StorageError> {
        self.seek_back(pager, Bound::Unbounded)
    }

    /// Goes to the first entry at or after (`Excluded`: after) the key; false, and after the last entry, when there is
    /// none.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn seek(&mut self, pager: &Pager, bound: Bound<&[u8]>) -> Result<bool, StorageError> {
        self.descend(pager, bound, false)
    }

    /// Goes to the last entry at or before (`Excluded`: before) the key; false, and before the first entry, when there
    /// is none.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn seek_back(&mut self, pager: &Pager, bound: Bound<&[u8]>) -> Result<bool, StorageError> {
        self.descend(pager, bound, true)
    }

    /// Goes to the next entry (before the first: to the first); false, and after the last, when there is none.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    #[inline]
    pub fn next(&mut self, pager: &Pager) -> Result<bool, StorageError> {
        match &self.leaf {
            Some(leaf) => {
                let node = Node(leaf);
                let slot = self.slot + 1;
                if slot < node.count()
                    && let Some((start, end)) = node.key_range(slot)
                {
                    self.slot = slot;
                    self.key = (start as u16, end as u16);
                    return Ok(true);
                }
                self.next_slowly(pager)
            }
            None if self.at_end => Ok(false),
            None => self.first(pager),
        }
    }

    /// Goes to the previous entry (after the last: to the last); false, and before the first, when there is none.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    #[inline]
    pub fn prev(&mut self, pager: &Pager) -> Result<bool, StorageError> {
        match &self.leaf {
            Some(leaf) => {
                if let Some(slot) = self.slot.checked_sub(1)
                    && let Some((start, end)) = Node(leaf).key_range(slot)
                {
                    self.slot = slot;
                    self.key = (start as u16, end as u16);
                    return Ok(true);
                }
                self.prev_slowly(pager)
            }
            None if self.at_end => self.last(pager),
            None => Ok(false),
        }
    }

    /// Goes on inside the leaf, in one direction, to the next entry whose key and value `test` accepts, and answers
    /// whether it is on one; `looked` counts the entries tested, and those refused are counted as read. Where it stops
    /// without one, the cursor is on the last entry it could test so: values in overflow chains and other leaves are
    /// for `next` and `prev`. The page is looked up once for all its entries, and nothing is shared or copied. `reach`
    /// is how far into a value tests read, as far as one knows: so much of the values ahead is asked of memory early.
    ///
    /// # Errors
    /// Those of `test`; the cursor then is on the entry before.
    #[inline(always)]
    pub fn find_in_leaf<E>(
        &mut self,
        pager: &Pager,
        forward: bool,
        reach: usize,
        looked: &mut u64,
        mut test: impl FnMut(&[u8], &[u8]) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let Some(leaf) = &self.leaf else {
            return Ok(false);
        };
        let node = Node(leaf);
        let count = node.count();
        let step = if forward { 1 } else { usize::MAX };
        let (mut slot, mut place, mut read) = (self.slot, self.key, 0);
        // A processor waits for memory where the awaited bytes are wanted at once, and asks for few things ahead by
        // itself: all entries together take as long as some of them one by one.
        if !self.is_asked {
            node.touch_entries(reach.min(FARTHEST) / LINE + 1);
            self.is_asked = true;
        }
        // Where an entry lies is read one entry ahead.
        let mut ahead = entry_before(node, slot.wrapping_add(step), count);
        let answer = loop {
            let Some((key, start, end)) = ahead else {
                break Ok(false);
            };
            let next = slot.wrapping_add(step);
            ahead = entry_before(node, next.wrapping_add(step), count);
            let (name, value) = (leaf.get(key..start), leaf.get(start..end));
            match test(name.unwrap_or_default(), value.unwrap_or_default()) {
                Ok(accepted) => {
                    slot = next;
                    place = (key as u16, start as u16);
                    *looked += 1;
                    if accepted {
                        break Ok(true);
                    }
                    read += (end - start) as u64;
                }
                Err(error) => break Err(error),
            }
        };
        self.slot = slot;
        self.key = place;
        bump(&pager.accounting().bytes_read, read);
        answer
    }

    /// The leaf and slot under the cursor, for range limits.
    #[inline]
    pub(crate) fn position(&self) -> Option<(&Buffer, usize)> {
        self.leaf.as_ref().map(|leaf| (leaf, self.slot))
    }

    fn leave(&mut self, at_end: bool) -> bool {
        self.leaf = None;
        self.at_end = at_end;
        false
    }

    fn settle(
        &mut self,
        pager: &Pager,
        leaf: Buffer,
        slot: usize,
        path: Path,
    ) -> Result<bool, StorageError> {
        let node = Node(&leaf);
        match node.key_range(slot) {
            Some((start, end)) => self.key = (start as u16, end as u16),
            None => {
                let mut key = node.key_inline(slot).0.to_vec();
                append_key_rest(pager, node, slot, &mut key)?;
                self.long_key = key;
                self.key = (0, 0);
            }
        }
        self.leaf = Some(leaf);
        self.is_asked = false;
        self.slot = slot;
        self.path = path;
        Ok(true)
    }

    fn descend(
        &mut self,
        pager: &Pager,
        bound: Bound<&[u8]>,
        back: bool,
    ) -> Result<bool, StorageError> {
        if self.tree.root == 0 {
            return Ok(self.leave(!back));
        }
        let mut path = Path::new();
        let mut number = self.tree.root;
        let mut level = self.tree.height.saturating_sub(1);
        while level > 0 {
            let node = Node(tree_page(pager, number, level)?);
            let index = match bound {
                Bound::Included(key) | Bound::Excluded(key) => child_index(pager, node, key)?,
                Bound::Unbounded if back => node.count(),
                Bound::Unbounded => 0,
            };
            path.push(number, index)?;
            number = node.child(index);
            level -= 1;
        }
        let leaf = Rc::clone(tree_page(pager, number, 0)?);
        let node = Node(&leaf);
        // `first`: the first slot on the far side of the bound, in key order.
        let first = match bound {
            Bound::Included(key) | Bound::Excluded(key) => {
                let (index, equal) = lower_bound(pager, node, key)?;
                index + usize::from(equal && (matches!(bound, Bound::Included(_)) == back))
            }
            Bound::Unbounded if back => node.count(),
            Bound::Unbounded => 0,
        };
        if back {
            match first.checked_sub(1) {
                Some(slot) => self.settle(pager, leaf, slot, path),
                None => self.before(pager, path),
            }
        } else if first < node.count() {
            self.settle(pager, leaf, first, path)
        } else {
            self.after(pager, path)
        }
    }

    #[cold]
    fn next_slowly(&mut self, pager: &Pager) -> Result<bool, StorageError> {
        let (path, slot) = (self.path, self.slot + 1);
        match &self.leaf {
            Some(leaf) if slot < Node(leaf).count() => {
                let leaf = Rc::clone(leaf);
                self.settle(pager, leaf, slot, path)
            }
            _ => self.after(pager, path),
        }
    }

    #[cold]
    fn prev_slowly(&mut self, pager: &Pager) -> Result<bool, StorageError> {
        let path = self.path;
        match (&self.leaf, self.slot.checked_sub(1)) {
            (Some(leaf), Some(slot)) => {
                let leaf = Rc::clone(leaf);
                self.settle(pager, leaf, slot, path)
            }
            _ => self.before(pager, path),
        }
    }

    /// To the first entry of the leaf after the path's.
    fn after(&mut self, pager: &Pager, mut path: Path) -> Result<bool, StorageError> {
        while let Some(depth) = path.depth.checked_sub(1) {
            let (number, index) = path.steps[depth];
            let level = self.tree.height - 1 - depth as u8;
            let node = Node(tree_page(pager, number, level)?);
            if usize::from(index) < node.count() {
                path.steps[depth].1 = index + 1;
                let child = node.child(usize::from(index) + 1);
                let (leaf, path) = self.edge(pager, path, child, level - 1, false)?;
                return self.settle(pager, leaf, 0, path);
            }
            path.depth = depth;
        }
        Ok(self.leave(true))
    }

    /// To the last entry of the leaf before the path's.
    fn before(&mut self, pager: &Pager, mut path: Path) -> Result<bool, StorageError> {
        while let Some(depth) = path.depth.checked_sub(1) {
            let (number, index) = path.steps[depth];
            let level = self.tree.height - 1 - depth as u8;
            let node = Node(tree_page(pager, number, level)?);
            if let Some(index) = index.checked_sub(1) {
                path.steps[depth].1 = index;
                let child = node.child(usize::from(index));
                let (leaf, path) = self.edge(pager, path, child, level - 1, true)?;
                let slot = Node(&leaf).count() - 1;
                return self.settle(pager, leaf, slot, path);
            }
            path.depth = depth;
        }
        Ok(self.leave(false))
    }

    /// The first or last leaf below a page.
    fn edge(
        &self,
        pager: &Pager,
        mut path: Path,
        mut number: PageLink,
        mut level: u8,
        last: bool,
    ) -> Result<(Buffer, Path), StorageError> {
        while level > 0 {
            let node = Node(tree_page(pager, number, level)?);
            let index = if last { node.count() } else { 0 };
            path.push(number, index)?;
            number = node.child(index);
            level -= 1;
        }
        let leaf = tree_page(pager, number, 0)?;
        if Node(leaf).count() == 0 {
            return Err(StorageError::corrupt(number_of(number), "an empty leaf"));
        }
        Ok((Rc::clone(leaf), path))
    }
}
