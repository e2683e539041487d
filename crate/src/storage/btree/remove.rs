//! Remove, merge, rebalance, drop.
//!
//! A page that fell below a third is merged with a neighbour when both leave room, and below a quarter takes cells from
//! one. Invariants: no leaf is empty but the root of a tree without entries; a root branch has at least one cell;
//! another branch may be left with a single child when its neighbours and its parent have no room.

use super::cell;
use super::node::{Node, NodeBuilder, SLOT, branch_cell};
use super::search::{Path, cell_sizes, tree_page};
use super::tree::Tree;
use super::walk::visit_pages;
use crate::error::StorageError;
use crate::storage::page::{Buffer, LINK_AT, PAGE_CAPACITY, PageLink, get_u64, number_of};
use crate::storage::pager::Pager;
use std::rc::Rc;

/// Below this a page looks for a neighbour to merge with.
pub(crate) const MERGE_BELOW: usize = PAGE_CAPACITY / 3;
/// A merged page is at most so full, so that the next insert does not split it again.
const MERGED_LIMIT: usize = PAGE_CAPACITY * 4 / 5;
/// Below this a page takes cells from a neighbour.
const BALANCE_BELOW: usize = PAGE_CAPACITY / 4;

impl Tree {
    /// Takes an entry out; false when the key is absent.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`; roll back then.
    pub fn remove(&mut self, pager: &mut Pager, key: &[u8]) -> Result<bool, StorageError> {
        if self.root == 0 {
            return Ok(false);
        }
        let (path, found) = self.descend(pager, key)?;
        if !found {
            return Ok(false);
        }
        let (leaf, index) = path.steps[path.depth - 1];
        let index = usize::from(index);
        let node = Node(pager.page(leaf)?);
        let sizes = cell_sizes(node, index);
        if sizes.overflow_pages > 0 {
            let rest = node
                .key_rest(index)
                .map(|rest| (rest, node.key_inline(index).0.len()));
            let value = node.value(index);
            self.overflow_pages =
                self.overflow_pages
                    .saturating_sub(cell::free_chains(pager, rest, Some(value))? as u32);
        }
        cell::remove_cell(pager, leaf, index)?;
        self.entries = self.entries.saturating_sub(1);
        self.key_bytes = self.key_bytes.saturating_sub(sizes.key);
        self.value_bytes = self.value_bytes.saturating_sub(sizes.value);
        if Node(pager.page(leaf)?).used() < MERGE_BELOW {
            // Keys that go in order, oldest first, empty a page soon: evening it out before would be work for nothing.
            self.rebalance(pager, &path, index > 0)?;
        }
        Ok(true)
    }

    /// Takes all entries out and gives all pages back, the root too.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`; roll back then.
    pub fn drop_tree(&mut self, pager: &mut Pager) -> Result<(), StorageError> {
        let mut numbers = Vec::with_capacity(self.page_count().min(pager.page_count()) as usize);
        let leaves = self.overflow_pages > 0;
        visit_pages(pager, self, leaves, &mut |number| {
            numbers.push(number);
            Ok(())
        })?;
        for number in numbers {
            pager.free(number)?;
        }
        *self = Self::new();
        Ok(())
    }

    /// Repairs the fill of the path's pages, from the leaf upwards; without `even_out` a leaf is only merged.
    pub(crate) fn rebalance(
        &mut self,
        pager: &mut Pager,
        path: &Path,
        even_out: bool,
    ) -> Result<(), StorageError> {
        let mut depth = path.depth - 1;
        if Node(pager.page(path.steps[depth].0)?).count() == 0 {
            match self.detach(pager, path)? {
                Some(parent) => depth = parent,
                None => return Ok(()),
            }
        }
        while depth > 0 {
            if Node(pager.page(path.steps[depth].0)?).used() >= MERGE_BELOW {
                return Ok(());
            }
            depth -= 1;
            let (parent, index) = path.steps[depth];
            let even_out = even_out || depth + 2 < path.depth;
            if !self.merge_or_balance(pager, parent, usize::from(index), even_out)? {
                return Ok(());
            }
        }
        self.shrink_root(pager)
    }

    /// Takes the path's empty leaf out, and branches that had no other child; returns the depth of the branch that lost
    /// a child, or `None` when the tree is empty now: then the leaf is its root.
    fn detach(&mut self, pager: &mut Pager, path: &Path) -> Result<Option<usize>, StorageError> {
        if self.entries == 0 {
            return self.keep_root(pager, path).map(|()| None);
        }
        self.leaf_pages = self.leaf_pages.saturating_sub(1);
        let mut depth = path.depth - 1;
        loop {
            pager.free(path.steps[depth].0)?;
            let Some(above) = depth.checked_sub(1) else {
                return Err(StorageError::corrupt(
                    number_of(self.root),
                    "entries are missing",
                ));
            };
            depth = above;
            let (number, index) = path.steps[depth];
            let branch = Node(pager.page(number)?);
            if branch.count() == 0 {
                self.branch_pages = self.branch_pages.saturating_sub(1);
                continue;
            }
            let cell = usize::from(index).saturating_sub(1);
            let rest = branch
                .key_rest(cell)
                .map(|rest| (rest, branch.key_inline(cell).0.len()));
            if index == 0 {
                let second = branch.child(1);
                cell::set_child(pager, number, 0, second)?;
            }
            self.overflow_pages = self
                .overflow_pages
                .saturating_sub(cell::free_chains(pager, rest, None)? as u32);
            cell::remove_cell(pager, number, cell)?;
            return Ok(Some(depth));
        }
    }

    /// Makes the path's leaf, the last one and empty now, the root in the place of the branches above.
    fn keep_root(&mut self, pager: &mut Pager, path: &Path) -> Result<(), StorageError> {
        let (leaf, _) = path.leaf();
        for (branch, _) in &path.steps[..path.depth - 1] {
            if Node(pager.page(*branch)?).count() > 0 {
                return Err(StorageError::corrupt(*branch, "entries are missing"));
            }
            pager.free(*branch)?;
        }
        self.root = pager.replace_page(leaf, NodeBuilder::new(0).finish())?;
        self.height = 1;
        self.branch_pages = 0;
        Ok(())
    }

    /// Lowers the tree while its root has nothing to decide.
    fn shrink_root(&mut self, pager: &mut Pager) -> Result<(), StorageError> {
        while self.height > 1 {
            let node = Node(pager.page(self.root)?);
            if node.count() > 0 {
                return Ok(());
            }
            let below = node.child(0);
            pager.free(self.root)?;
            self.root = below;
            self.height = self.height.saturating_sub(1);
            self.branch_pages = self.branch_pages.saturating_sub(1);
        }
        Ok(())
    }

    /// Merges child `index` with a neighbour or evens the two out; true when a cell left the parent.
    fn merge_or_balance(
        &mut self,
        pager: &mut Pager,
        parent: PageLink,
        index: usize,
        even_out: bool,
    ) -> Result<bool, StorageError> {
        let branch = Node(pager.page(parent)?);
        let level = branch.level().saturating_sub(1);
        let used = Node(tree_page(pager, branch.child(index), level)?).used();
        let mut best: Option<(usize, usize)> = None;
        // A pair is named by its left child; the cell between its two children is the one of the same index.
        let pairs = [
            index.checked_sub(1),
            (index < branch.count()).then_some(index),
        ];
        for pair in pairs.into_iter().flatten() {
            let sibling = if pair == index { pair + 1 } else { pair };
            let beside = Node(tree_page(pager, branch.child(sibling), level)?).used();
            let separator = if level > 0 {
                branch.cell_length(pair) + SLOT
            } else {
                0
            };
            let total = used + beside + separator;
            if best.is_none_or(|(_, smallest)| total < smallest) {
                best = Some((pair, total));
            }
        }
        let Some((pair, total)) = best else {
            return Ok(false);
        };
        if total <= MERGED_LIMIT {
            self.merge(pager, parent, pair, level)?;
            return Ok(true);
        }
        if used < BALANCE_BELOW && even_out {
            self.balance(pager, parent, pair, level)?;
        }
        Ok(false)
    }

    /// Moves everything of child `pair + 1` into child `pair`.
    fn merge(
        &mut self,
        pager: &mut Pager,
        parent: PageLink,
        pair: usize,
        level: u8,
    ) -> Result<(), StorageError> {
        let branch = Node(pager.page(parent)?);
        let (left_number, right_number) = (branch.child(pair), branch.child(pair + 1));
        let left = Rc::clone(tree_page(pager, left_number, level)?);
        let right = Rc::clone(tree_page(pager, right_number, level)?);
        let (left_node, right_node) = (Node(&left), Node(&right));
        let mut builder = NodeBuilder::new(level).leftmost(get_u64(&left[..], LINK_AT));
        let mut fits = builder.push_all(left_node, 0, left_node.count());
        if level > 0 {
            let mut between = Vec::new();
            branch_cell(&mut between, branch.raw_key(pair), right_node.child(0));
            fits &= builder.push(&between);
            self.branch_pages = self.branch_pages.saturating_sub(1);
        } else {
            let rest = branch
                .key_rest(pair)
                .map(|rest| (rest, branch.key_inline(pair).0.len()));
            self.overflow_pages = self
                .overflow_pages
                .saturating_sub(cell::free_chains(pager, rest, None)? as u32);
            self.leaf_pages = self.leaf_pages.saturating_sub(1);
        }
        fits &= builder.push_all(right_node, 0, right_node.count());
        if !fits {
            return Err(StorageError::corrupt(
                number_of(left_number),
                "its cells do not fit",
            ));
        }
        let merged = pager.replace_page(left_number, builder.finish())?;
        if merged != left_number {
            cell::set_child(pager, parent, pair, merged)?;
        }
        pager.free(right_number)?;
        cell::remove_cell(pager, parent, pair)
    }

    /// Moves cells between children `pair` and `pair + 1` so that both are about equally full. Does nothing when the
    /// new separator would not fit the parent.
    fn balance(
        &mut self,
        pager: &mut Pager,
        parent: PageLink,
        pair: usize,
        level: u8,
    ) -> Result<(), StorageError> {
        let branch = Node(pager.page(parent)?);
        let (left_number, right_number) = (branch.child(pair), branch.child(pair + 1));
        let left = Rc::clone(tree_page(pager, left_number, level)?);
        let right = Rc::clone(tree_page(pager, right_number, level)?);
        let (left_node, right_node) = (Node(&left), Node(&right));
        let mut between = Vec::new();
        let mut cells: Vec<&[u8]> = (0..left_node.count())
            .map(|at| left_node.cell(at))
            .collect();
        if level > 0 {
            branch_cell(&mut between, branch.raw_key(pair), right_node.child(0));
            cells.push(&between);
        }
        cells.extend((0..right_node.count()).map(|at| right_node.cell(at)));
        let Some((new_left, new_right, up)) = divide(level, &cells, &left) else {
            return Ok(());
        };
        let mut raw = Vec::new();
        let (field, made) = match up {
            Some(cell) => {
                let ((field, key), _) = super::node::split_branch_cell(cell);
                raw.extend_from_slice(key);
                (field, 0)
            }
            None => {
                let separator = super::insert::separator(pager, &new_left, &new_right)?;
                if separator.len() > super::node::KEY_INLINE {
                    return Ok(());
                }
                cell::raw_key(pager, &separator, &mut raw)?
            }
        };
        let branch = Node(pager.page(parent)?);
        let room = branch.gap() + branch.garbage() + branch.cell_length(pair);
        if raw.len() + 10 > room {
            return Ok(());
        }
        self.overflow_pages += made as u32;
        if level == 0 {
            let rest = branch
                .key_rest(pair)
                .map(|rest| (rest, branch.key_inline(pair).0.len()));
            self.overflow_pages = self
                .overflow_pages
                .saturating_sub(cell::free_chains(pager, rest, None)? as u32);
        }
        let new_left = pager.replace_page(left_number, new_left)?;
        let new_right = pager.replace_page(right_number, new_right)?;
        cell::set_child(pager, parent, pair, new_left)?;
        cell::remove_cell(pager, parent, pair)?;
        let mut entry = Vec::new();
        branch_cell(&mut entry, (field, &raw), new_right);
        if cell::insert_cell(pager, parent, pair, &entry)? {
            Ok(())
        } else {
            Err(StorageError::broken(format!(
                "no room for a separator in page {parent}"
            )))
        }
    }
}

/// Two pages of these cells, and for branches the cell whose key goes up between them.
fn divide<'a>(
    level: u8,
    cells: &[&'a [u8]],
    left: &Buffer,
) -> Option<(Buffer, Buffer, Option<&'a [u8]>)> {
    let total: usize = cells.iter().map(|cell| cell.len() + SLOT).sum();
    let mut cut = 0;
    let mut before = 0;
    while cut < cells.len() && before < total / 2 {
        before += cells[cut].len() + SLOT;
        cut += 1;
    }
    let cut = cut.min(cells.len().checked_sub(1)?).max(1);
    let mut left_builder = NodeBuilder::new(level).leftmost(get_u64(&left[..], LINK_AT));
    let fits = cells.get(..cut)?.iter().all(|cell| left_builder.push(cell));
    let (up, from) = if level > 0 {
        (Some(*cells.get(cut)?), cut + 1)
    } else {
        (None, cut)
    };
    let leftmost = up.map_or(0, |cell| super::node::split_branch_cell(cell).1);
    let mut right_builder = NodeBuilder::new(level).leftmost(leftmost);
    let rest = cells.get(from..)?;
    let fits = fits && !rest.is_empty() && rest.iter().all(|cell| right_builder.push(cell));
    fits.then(|| (left_builder.finish(), right_builder.finish(), up))
}

const _: () = assert!(MERGED_LIMIT > 2 * MERGE_BELOW && BALANCE_BELOW < MERGE_BELOW);
