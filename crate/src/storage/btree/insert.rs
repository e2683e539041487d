//! Insert, replace, split.
//!
//! A write goes down from the root once and makes every page of its path writable on the way, so that a copied child
//! is entered into a parent that may already be changed. Keys that arrive in order split at the right edge and leave
//! full pages behind.

use super::cell;
use super::node::{CellValue, Node, NodeBuilder, SLOT, branch_cell, split_branch_cell};
use super::remove::MERGE_BELOW;
use super::search::{
    Located, Path, cell_sizes, child_index, lower_bound_from_end, tree_page, whole_key,
};
use super::tree::Tree;
use crate::error::StorageError;
use crate::storage::accounting::bump;
use crate::storage::compare::common_prefix;
use crate::storage::page::{Buffer, PageLink, number_of};
use crate::storage::pager::Pager;
use std::rc::Rc;

/// The condition of a write: that the key is absent, that it is there, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    InsertOnly,
    ReplaceOnly,
    Either,
}

impl Tree {
    /// Gives a tree that has no page an empty root.
    ///
    /// # Errors
    /// `OutOfSpace`, `OutOfMemory`; roll back then.
    pub fn plant(&mut self, pager: &mut Pager) -> Result<(), StorageError> {
        if self.root == 0 {
            self.root = pager.allocate(NodeBuilder::new(0).finish())?;
            self.height = 1;
            self.leaf_pages = 1;
        }
        Ok(())
    }

    /// Adds an entry; false (and nothing done) when the key is there already.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `OutOfSpace`; roll back then.
    pub fn insert(
        &mut self,
        pager: &mut Pager,
        key: &[u8],
        value: &[u8],
    ) -> Result<bool, StorageError> {
        self.write(pager, key, value, Mode::InsertOnly)
            .map(|found| !found)
    }

    /// Changes the value of a key; false (and nothing done) when the key is absent. A value that is not longer than the
    /// old one is written in place.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `OutOfSpace`; roll back then.
    pub fn replace(
        &mut self,
        pager: &mut Pager,
        key: &[u8],
        value: &[u8],
    ) -> Result<bool, StorageError> {
        self.write(pager, key, value, Mode::ReplaceOnly)
    }

    /// Adds an entry or changes its value; true when the key was there.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `OutOfSpace`; roll back then.
    pub fn put(
        &mut self,
        pager: &mut Pager,
        key: &[u8],
        value: &[u8],
    ) -> Result<bool, StorageError> {
        self.write(pager, key, value, Mode::Either)
    }

    /// Changes the value of a key that was located since the tree was last written to.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `OutOfSpace`; roll back then.
    pub fn replace_at(
        &mut self,
        pager: &mut Pager,
        located: Located,
        key: &[u8],
        value: &[u8],
    ) -> Result<(), StorageError> {
        let mut path = located.path;
        let mut parent = None;
        for (number, index) in &mut path.steps[..path.depth] {
            let writable = pager.writable(*number)?;
            if writable != *number {
                match parent {
                    Some((page, child)) => cell::set_child(pager, page, child, writable)?,
                    None => self.root = writable,
                }
                *number = writable;
            }
            parent = Some((writable, usize::from(*index)));
        }
        self.write_at(pager, &path, true, key, value)
    }

    /// Goes down to the leaf of a key, making the path writable. The last step holds the slot.
    pub(crate) fn descend(
        &mut self,
        pager: &mut Pager,
        key: &[u8],
    ) -> Result<(Path, bool), StorageError> {
        let mut path = Path::new();
        let mut level = self.height.saturating_sub(1);
        let mut number = pager.writable(self.root)?;
        self.root = number;
        while level > 0 {
            let node = Node(tree_page(pager, number, level)?);
            let index = child_index(pager, node, key)?;
            let child = node.child(index);
            let writable = pager.writable(child)?;
            if writable != child {
                cell::set_child(pager, number, index, writable)?;
            }
            path.push(number, index)?;
            number = writable;
            level -= 1;
        }
        let (index, found) = lower_bound_from_end(pager, Node(tree_page(pager, number, 0)?), key)?;
        path.push(number, index)?;
        Ok((path, found))
    }

    fn write(
        &mut self,
        pager: &mut Pager,
        key: &[u8],
        value: &[u8],
        mode: Mode,
    ) -> Result<bool, StorageError> {
        if self.root == 0 {
            if mode == Mode::ReplaceOnly {
                return Ok(false);
            }
            self.plant(pager)?;
        }
        let (path, found) = self.descend(pager, key)?;
        if (found && mode == Mode::InsertOnly) || (!found && mode == Mode::ReplaceOnly) {
            return Ok(found);
        }
        self.write_at(pager, &path, found, key, value)?;
        Ok(found)
    }

    /// Puts an entry where `descend` ended.
    pub(crate) fn write_at(
        &mut self,
        pager: &mut Pager,
        path: &Path,
        found: bool,
        key: &[u8],
        value: &[u8],
    ) -> Result<(), StorageError> {
        let (leaf, index) = path.leaf();
        bump(
            &pager.accounting().bytes_written,
            (key.len() + value.len()) as u64,
        );
        if found {
            let sizes = cell_sizes(Node(pager.page(leaf)?), index);
            if !cell::overwrite_value(pager, leaf, index, value)? {
                self.exchange_value(pager, path, value)?;
            } else if (value.len() as u64) < sizes.value
                && Node(pager.page(leaf)?).used() < MERGE_BELOW
            {
                self.rebalance(pager, path, true)?;
            }
            self.value_bytes = self.value_bytes.saturating_sub(sizes.value) + value.len() as u64;
        } else {
            let mut scratch = std::mem::take(&mut pager.scratch);
            let built = cell::leaf_cell(pager, key, value, &mut scratch);
            let done = match built {
                Ok(pages) => {
                    self.overflow_pages += pages as u32;
                    self.insert_on_path(pager, path, &scratch)
                }
                Err(error) => Err(error),
            };
            pager.scratch = scratch;
            done?;
            self.entries += 1;
            self.key_bytes += key.len() as u64;
            self.value_bytes += value.len() as u64;
        }
        Ok(())
    }

    /// Takes the old cell out and puts one with the same key and another value in.
    fn exchange_value(
        &mut self,
        pager: &mut Pager,
        path: &Path,
        value: &[u8],
    ) -> Result<(), StorageError> {
        let (leaf, index) = path.leaf();
        let node = Node(pager.page(leaf)?);
        let old = node.value(index);
        let (key_field, raw_key) = node.raw_key(index);
        let mut scratch = Vec::with_capacity(4 + raw_key.len() + value.len());
        scratch.extend_from_slice(&key_field.to_le_bytes());
        scratch.extend_from_slice(&[0; 2]);
        scratch.extend_from_slice(raw_key);
        let raw_length = raw_key.len();
        if matches!(old, CellValue::Overflow(_)) {
            self.overflow_pages =
                self.overflow_pages
                    .saturating_sub(cell::free_chains(pager, None, Some(old))? as u32);
        }
        let (value_field, pages) = cell::raw_value(pager, value, raw_length, &mut scratch)?;
        self.overflow_pages += pages as u32;
        crate::storage::page::put_u16(&mut scratch, 2, value_field);
        cell::remove_cell(pager, leaf, index)?;
        self.insert_on_path(pager, path, &scratch)
    }

    /// Puts a cell at the path's slot, splitting upwards as far as needed.
    fn insert_on_path(
        &mut self,
        pager: &mut Pager,
        path: &Path,
        cell: &[u8],
    ) -> Result<(), StorageError> {
        let depth = path.depth - 1;
        let (leaf, slot) = path.steps[depth];
        if cell::insert_cell(pager, leaf, usize::from(slot), cell)? {
            return Ok(());
        }
        let at_edge = self.is_right_edge(pager, path)?;
        let up = self.split_leaf(pager, leaf, usize::from(slot), cell, at_edge)?;
        self.insert_upwards(pager, path, depth, up, at_edge)
    }

    /// Puts a branch cell at the slot of the last of the path's first `depth` steps, splitting upwards.
    pub(crate) fn insert_upwards(
        &mut self,
        pager: &mut Pager,
        path: &Path,
        depth: usize,
        mut up: Vec<u8>,
        at_edge: bool,
    ) -> Result<(), StorageError> {
        for (branch, index) in path.steps[..depth].iter().rev() {
            if cell::insert_cell(pager, *branch, usize::from(*index), &up)? {
                return Ok(());
            }
            up = self.split_branch(pager, *branch, usize::from(*index), &up, at_edge)?;
        }
        self.grow(pager, &up)
    }

    /// Whether the path leads to the end of the tree.
    fn is_right_edge(&self, pager: &Pager, path: &Path) -> Result<bool, StorageError> {
        for (page, index) in &path.steps[..path.depth] {
            if usize::from(*index) != Node(pager.page(*page)?).count() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A new root over the old one and the page that `up` (a branch cell) names.
    fn grow(&mut self, pager: &mut Pager, up: &[u8]) -> Result<(), StorageError> {
        let mut builder = NodeBuilder::new(self.height).leftmost(self.root);
        if usize::from(self.height) >= super::tree::MAX_HEIGHT || !builder.push(up) {
            return Err(StorageError::broken("the tree is too high"));
        }
        self.root = pager.allocate(builder.finish())?;
        self.height += 1;
        self.branch_pages += 1;
        Ok(())
    }

    /// Splits a leaf around a cell that does not fit; returns the branch cell for the new right page.
    fn split_leaf(
        &mut self,
        pager: &mut Pager,
        leaf: PageLink,
        slot: usize,
        cell: &[u8],
        at_edge: bool,
    ) -> Result<Vec<u8>, StorageError> {
        let old = Rc::clone(pager.page(leaf)?);
        let node = Node(&old);
        let count = node.count();
        let (left, right) = if at_edge {
            let mut right = NodeBuilder::new(0);
            check_fit(leaf, right.push(cell))?;
            (None, right.finish())
        } else {
            let cut = split_point(node, slot, cell.len());
            let (left, right) = (
                build(node, slot, cell, 0, cut),
                build(node, slot, cell, cut, count + 1),
            );
            match (left, right) {
                (Some(left), Some(right)) => (Some(left), right),
                _ => return Err(does_not_fit(leaf)),
            }
        };
        let separator = separator(pager, left.as_ref().unwrap_or(&old), &right)?;
        let mut raw = Vec::new();
        let (field, pages) = cell::raw_key(pager, &separator, &mut raw)?;
        self.overflow_pages += pages as u32;
        let right = pager.allocate(right)?;
        self.leaf_pages += 1;
        if let Some(left) = left {
            pager.replace_page(leaf, left)?;
        }
        let mut up = Vec::new();
        branch_cell(&mut up, (field, &raw), right);
        Ok(up)
    }

    /// Splits a branch around a cell that does not fit; the middle key goes up.
    fn split_branch(
        &mut self,
        pager: &mut Pager,
        branch: PageLink,
        slot: usize,
        cell: &[u8],
        at_edge: bool,
    ) -> Result<Vec<u8>, StorageError> {
        let old = Rc::clone(pager.page(branch)?);
        let node = Node(&old);
        let total = node.count() + 1;
        check_fit(branch, total >= 3)?;
        let cut = if at_edge {
            total - 2
        } else {
            split_point(node, slot, cell.len()).clamp(1, total - 2)
        };
        let nth = |index: usize| nth_cell(node, slot, cell, index);
        let (key, middle_child) = split_branch_cell(nth(cut));
        let mut left = NodeBuilder::new(node.level()).leftmost(node.child(0));
        let mut right = NodeBuilder::new(node.level()).leftmost(middle_child);
        check_fit(branch, (0..cut).all(|index| left.push(nth(index))))?;
        check_fit(branch, (cut + 1..total).all(|index| right.push(nth(index))))?;
        let right = pager.allocate(right.finish())?;
        self.branch_pages += 1;
        pager.replace_page(branch, left.finish())?;
        let mut up = Vec::new();
        branch_cell(&mut up, key, right);
        Ok(up)
    }
}

fn does_not_fit(page: PageLink) -> StorageError {
    StorageError::corrupt(number_of(page), "its cells do not fit")
}

fn check_fit(page: PageLink, fits: bool) -> Result<(), StorageError> {
    if fits {
        Ok(())
    } else {
        Err(does_not_fit(page))
    }
}

/// Cell `index` of the node as it would be with `cell` at `slot`.
#[inline]
fn nth_cell<'a>(node: Node<'a>, slot: usize, cell: &'a [u8], index: usize) -> &'a [u8] {
    match index.cmp(&slot) {
        std::cmp::Ordering::Less => node.cell(index),
        std::cmp::Ordering::Equal => cell,
        std::cmp::Ordering::Greater => node.cell(index - 1),
    }
}

/// How many cells stay left, so that both sides hold about as many bytes.
fn split_point(node: Node<'_>, slot: usize, cell_length: usize) -> usize {
    let total = node.count() + 1;
    let length = |index: usize| match index.cmp(&slot) {
        std::cmp::Ordering::Less => node.cell_length(index) + SLOT,
        std::cmp::Ordering::Equal => cell_length + SLOT,
        std::cmp::Ordering::Greater => node.cell_length(index - 1) + SLOT,
    };
    let half = (node.used() + cell_length + SLOT) / 2;
    let mut left = 0;
    for index in 0..total {
        left += length(index);
        if left >= half {
            // The cell that crosses the middle goes where the sides become more even.
            let cut = if left - half > length(index) / 2 {
                index
            } else {
                index + 1
            };
            return cut.clamp(1, total - 1);
        }
    }
    total - 1
}

fn build(node: Node<'_>, slot: usize, cell: &[u8], from: usize, to: usize) -> Option<Buffer> {
    let mut builder = NodeBuilder::new(node.level());
    (from..to)
        .all(|index| builder.push(nth_cell(node, slot, cell, index)))
        .then(|| builder.finish())
}

/// The shortest key above the left page's last key and not above the right page's first.
pub(crate) fn separator(
    pager: &Pager,
    left: &Buffer,
    right: &Buffer,
) -> Result<Vec<u8>, StorageError> {
    let (left, right) = (Node(left), Node(right));
    let low = whole_key(pager, left, left.count().saturating_sub(1))?;
    let high = whole_key(pager, right, 0)?;
    let length = common_prefix(&low, &high) + 1;
    Ok(high.get(..length).unwrap_or(&high).to_vec())
}
