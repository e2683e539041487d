//! Taking many entries out in one pass over a tree: those whose keys end with a number of a set.
//!
//! Leaves are read in key order. One that may be changed in place and stays full enough only loses slots; the entries
//! left in the others are packed into as few pages as they need, and a leaf that loses nothing stays the page it is.
//! Where cells moved, the branches are built anew from the leaves up. No key is looked up or encoded, so the cost is
//! that of reading the tree once, however many entries go. Invariants: a leaf that loses entries begins at most one new
//! page, so that a sweep never needs more leaves than there were and the numbers of changed pages serve again; a page
//! that may not be changed in place goes to a new number.

use super::cell;
use super::insert::separator;
use super::node::{LEAF_KEY, Node, NodeBuilder, OVERFLOW, SLOT, branch_cell, leaf_cell_length};
use super::number_set::NumberSet;
use super::search::{cell_sizes, tree_page, whole_key};
use super::tree::{MAX_HEIGHT, Tree};
use crate::env::Env;
use crate::error::StorageError;
use crate::storage::page::{
    self, Buffer, COUNT_AT, GARBAGE_AT, PAGE_CAPACITY, PAGE_HEADER, PAGE_SIZE, PageLink, number_of,
};
use crate::storage::pager::{self, Pager};
use std::rc::Rc;

/// How full pages are packed in a tree whose next entries may come anywhere: they are not to split every page at once.
const PACKED: usize = PAGE_CAPACITY / 8 * 7;
/// Bytes that stay in a leaf: with this many or more, a leaf that may be changed in place is not worth copying.
const PACK_BELOW: usize = PAGE_CAPACITY / 4;
/// The flags of both lengths of a cell: key or value lie in an overflow chain.
const OVERFLOWS: u32 = (OVERFLOW as u32) << 16 | OVERFLOW as u32;

/// The bytes of a leaf at an offset; zeros where there are not so many.
#[inline(always)]
fn chunk<const N: usize>(page: &[u8; PAGE_SIZE], at: usize) -> [u8; N] {
    match page.get(at..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => *bytes,
        None => [0; N],
    }
}

/// A page of the level being built, and the separator before it: its length field and where its bytes are.
struct Child {
    page: PageLink,
    field: u16,
    key: (usize, usize),
}

/// Pages that are not needed any more, in order: their numbers serve again.
#[derive(Default)]
struct Spare {
    pages: Vec<PageLink>,
    used: usize,
}

impl Spare {
    /// Puts a page where one was that is not needed, or else anywhere.
    fn place(&mut self, pager: &mut Pager, buffer: Buffer) -> Result<PageLink, StorageError> {
        match self.pages.get(self.used) {
            Some(number) => {
                self.used += 1;
                pager.replace_page(*number, buffer)
            }
            None => pager.allocate(buffer),
        }
    }

    /// Gives back those that did not serve.
    fn free(self, pager: &mut Pager) -> Result<(), StorageError> {
        self.pages
            .iter()
            .skip(self.used)
            .try_for_each(|number| pager.free(*number))
    }
}

/// The state of a sweep between two leaves.
struct Sweep<'s> {
    gone: &'s NumberSet,
    /// How full a page may become by cells of a further leaf.
    limit: usize,
    /// The leaf being filled.
    open: Option<NodeBuilder>,
    /// Leaves whose cells went elsewhere.
    spare: Spare,
    /// The leaves that stay and those that were made, in order.
    leaves: Vec<PageLink>,
    /// A page with those slots of the current leaf that stay.
    slots: Buffer,
    /// How many they are, the bytes they and their cells take, and the bytes of the other cells.
    kept: usize,
    kept_bytes: usize,
    freed: usize,
    removed: u64,
    key_bytes: u64,
    value_bytes: u64,
    overflow_pages: u64,
}

impl Sweep<'_> {
    /// One leaf. A call of its own, as `sort_out` is: an engine of WebAssembly runs code compiled in haste until the
    /// next call of a function, and a sweep is most often run once.
    #[inline(never)]
    fn leaf(&mut self, pager: &mut Pager, number: PageLink) -> Result<(), StorageError> {
        let leaf = Rc::clone(tree_page(pager, number, 0)?);
        let node = Node(&leaf);
        self.sort_out(pager, &leaf)?;
        let is_whole = self.kept == node.count();
        if is_whole || (self.kept_bytes >= PACK_BELOW && pager.is_writable(number)) {
            let joins = |open: &NodeBuilder| open.used() + self.kept_bytes <= self.limit;
            if !self.open.as_ref().is_some_and(joins) {
                self.close(pager)?;
                self.leaves.push(number);
                // The page is changed where it is when nothing else holds it.
                drop(leaf);
                return if is_whole {
                    Ok(())
                } else {
                    self.trim(pager, number)
                };
            }
        }
        self.spare.pages.push(number);
        let mut slots = PAGE_HEADER..PAGE_HEADER + SLOT * self.kept;
        // Cells of this leaf may fill a page wholly that begins with them.
        let mut limit = self.limit;
        while !slots.is_empty() {
            if let Some(open) = &mut self.open {
                let rest = self.slots.get(slots.clone()).unwrap_or_default();
                slots.start += SLOT * open.push_slots(&leaf, rest, limit);
                if slots.is_empty() {
                    break;
                }
                if open.used() == 0 {
                    return Err(does_not_fit(number));
                }
                self.close(pager)?;
            }
            limit = PAGE_SIZE;
            self.open = Some(NodeBuilder::new(0));
        }
        Ok(())
    }

    /// Notes the slots of the entries that stay. Of those that go, it counts the bytes and frees the overflow pages.
    #[inline(never)]
    fn sort_out(&mut self, pager: &mut Pager, leaf: &Buffer) -> Result<(), StorageError> {
        let node = Node(leaf);
        let slots = Rc::make_mut(&mut self.slots);
        let (mut kept, mut freed) = (0, 0);
        let (mut key_bytes, mut value_bytes) = (0, 0);
        let gone = self.gone;
        let count = node.count();
        node.touch_entries(1);
        for index in 0..count {
            let slot: [u8; SLOT] = chunk(leaf, PAGE_HEADER + SLOT * index);
            let at = usize::from(u16::from_le_bytes([slot[0], slot[1]]));
            let lengths = u32::from_le_bytes(chunk(leaf, at));
            let (key, value) = (lengths as usize & 0xFFFF, (lengths >> 16) as usize);
            let end = at + LEAF_KEY + key;
            let goes = if lengths & OVERFLOWS == 0 {
                let goes = key >= 8 && gone.has(chunk(leaf, end.saturating_sub(8)));
                // No branch: nobody can foresee which entries go.
                let mask = usize::from(goes).wrapping_neg();
                key_bytes += key & mask;
                value_bytes += value & mask;
                goes
            } else if self.gone.ends(&whole_key(pager, node, index)?) {
                let sizes = cell_sizes(node, index);
                self.key_bytes += sizes.key;
                self.value_bytes += sizes.value;
                let rest = node
                    .key_rest(index)
                    .map(|rest| (rest, node.key_inline(index).0.len()));
                self.overflow_pages += cell::free_chains(pager, rest, Some(node.value(index)))?;
                freed += leaf_cell_length(leaf, at) - LEAF_KEY;
                true
            } else {
                false
            };
            // Where the next entry that stays will be written over it, if this one goes.
            let place = slots.get_mut(PAGE_HEADER + SLOT * kept..);
            if let Some(place) = place.and_then(<[u8]>::first_chunk_mut) {
                *place = slot;
            }
            kept += usize::from(!goes);
        }
        let gone = count - kept;
        freed += key_bytes + value_bytes + LEAF_KEY * gone;
        self.kept = kept;
        self.kept_bytes = node.used().saturating_sub(freed + SLOT * gone);
        self.freed = freed;
        self.removed += gone as u64;
        self.key_bytes += key_bytes as u64;
        self.value_bytes += value_bytes as u64;
        Ok(())
    }

    /// Takes away the slots of a leaf that do not stay: the bytes of their cells become garbage.
    fn trim(&self, pager: &mut Pager, number: PageLink) -> Result<(), StorageError> {
        let node = Node(pager.page(number)?);
        let garbage = node.garbage() + self.freed;
        let (old, new) = (SLOT * node.count(), SLOT * self.kept);
        pager.log_range(number, COUNT_AT, GARBAGE_AT + 2);
        pager.log_range(number, PAGE_HEADER, PAGE_HEADER + old);
        let bytes = pager.page_mut(number)?;
        let slots = PAGE_HEADER..PAGE_HEADER + new;
        bytes[slots.clone()].copy_from_slice(&self.slots[slots]);
        page::put_u16(bytes, COUNT_AT, self.kept as u16);
        page::put_u16(bytes, GARBAGE_AT, garbage as u16);
        Ok(())
    }

    /// Finishes the leaf being filled.
    fn close(&mut self, pager: &mut Pager) -> Result<(), StorageError> {
        if let Some(open) = self.open.take() {
            let number = self.spare.place(pager, open.finish())?;
            self.leaves.push(number);
        }
        Ok(())
    }
}

fn does_not_fit(page: PageLink) -> StorageError {
    StorageError::corrupt(number_of(page), "its cells do not fit")
}

impl Tree {
    /// Takes out every entry whose key ends with a number of the set (eight bytes, big-endian), and returns how many
    /// there were. Reads the whole tree, writes the leaves that lose entries and the branches. `appended` says
    /// that new keys come after all others: then pages are packed wholly.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `OutOfSpace`, `Stopped`; roll back then.
    pub fn sweep(
        &mut self,
        pager: &mut Pager,
        gone: &NumberSet,
        appended: bool,
        env: &dyn Env,
    ) -> Result<u64, StorageError> {
        if self.root == 0 {
            return Ok(0);
        }
        let (branches, leaves) = self.levels(pager)?;
        pager.expect_ranges(self.entries as usize * SLOT, 2 * leaves.len());
        let mut sweep = Sweep {
            gone,
            limit: if appended { PAGE_CAPACITY } else { PACKED },
            open: None,
            spare: Spare::default(),
            leaves: Vec::with_capacity(leaves.len()),
            slots: page::zeroed_buffer(),
            kept: 0,
            kept_bytes: 0,
            freed: 0,
            removed: 0,
            key_bytes: 0,
            value_bytes: 0,
            overflow_pages: 0,
        };
        for number in leaves {
            pager::ask(env)?;
            sweep.leaf(pager, number)?;
        }
        sweep.close(pager)?;
        if sweep.leaves.is_empty() {
            // Nothing is left: an empty leaf is the root.
            sweep.open = Some(NodeBuilder::new(0));
            sweep.close(pager)?;
        }
        if sweep.removed == 0 {
            return Ok(0);
        }
        self.entries = self.entries.saturating_sub(sweep.removed);
        self.key_bytes = self.key_bytes.saturating_sub(sweep.key_bytes);
        self.value_bytes = self.value_bytes.saturating_sub(sweep.value_bytes);
        self.overflow_pages = self
            .overflow_pages
            .saturating_sub(sweep.overflow_pages as u32);
        if !sweep.spare.pages.is_empty() {
            sweep.spare.free(pager)?;
            self.leaf_pages = sweep.leaves.len() as u32;
            self.rebuild_branches(pager, &sweep.leaves, branches, env)?;
        }
        Ok(sweep.removed)
    }

    /// All branches, from the root down, and all leaves, in key order.
    fn levels(&self, pager: &Pager) -> Result<(Vec<PageLink>, Vec<PageLink>), StorageError> {
        let mut branches = Vec::new();
        let mut pages = vec![self.root];
        for level in (1..self.height).rev() {
            let mut below = Vec::new();
            for number in &pages {
                let node = Node(tree_page(pager, *number, level)?);
                below.extend((0..=node.count()).map(|index| node.child(index)));
                if below.len() as u64 > pager.page_count() {
                    return Err(does_not_fit(*number));
                }
            }
            branches.extend(pages);
            pages = below;
        }
        Ok((branches, pages))
    }

    /// Puts branches over leaves in the place of those there were.
    fn rebuild_branches(
        &mut self,
        pager: &mut Pager,
        leaves: &[PageLink],
        branches: Vec<PageLink>,
        env: &dyn Env,
    ) -> Result<(), StorageError> {
        for number in &branches {
            let branch = Rc::clone(pager.page(*number)?);
            let node = Node(&branch);
            for index in 0..node.count() {
                if let Some(rest) = node.key_rest(index) {
                    let inline = node.key_inline(index).0.len();
                    let pages = cell::free_chains(pager, Some((rest, inline)), None)?;
                    self.overflow_pages = self.overflow_pages.saturating_sub(pages as u32);
                }
            }
        }
        let mut keys = Vec::new();
        let mut children: Vec<Child> = Vec::with_capacity(leaves.len());
        for &page in leaves {
            pager::ask(env)?;
            let start = keys.len();
            let mut field = 0;
            if let Some(before) = children.last() {
                let key = separator(pager, pager.page(before.page)?, pager.page(page)?)?;
                let (length, pages) = cell::raw_key(pager, &key, &mut keys)?;
                field = length;
                self.overflow_pages += pages as u32;
            }
            let key = (start, keys.len());
            children.push(Child { page, field, key });
        }
        let mut old = Spare {
            pages: branches,
            used: 0,
        };
        self.branch_pages = 0;
        self.height = u8::from(!children.is_empty());
        let mut entry = Vec::new();
        while children.len() > 1 {
            if usize::from(self.height) >= MAX_HEIGHT {
                return Err(StorageError::broken("the tree is too high"));
            }
            let mut above: Vec<Child> = Vec::new();
            let mut open: Option<(NodeBuilder, Child)> = None;
            for child in children {
                if let Some((builder, _)) = &mut open {
                    let key = keys.get(child.key.0..child.key.1).unwrap_or_default();
                    branch_cell(&mut entry, (child.field, key), child.page);
                    if builder.push(&entry) {
                        continue;
                    }
                }
                let builder = NodeBuilder::new(self.height).leftmost(child.page);
                if let Some((full, first)) = open.replace((builder, child)) {
                    let page = old.place(pager, full.finish())?;
                    above.push(Child { page, ..first });
                }
            }
            if let Some((last, first)) = open {
                let page = old.place(pager, last.finish())?;
                above.push(Child { page, ..first });
            }
            self.height += 1;
            self.branch_pages += above.len() as u32;
            children = above;
        }
        self.root = children.first().map_or(0, |root| root.page);
        old.free(pager)
    }
}
