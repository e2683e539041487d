//! Inserting many entries that are in key order: each leaf is opened once for all the keys that belong to it.
//!
//! A run is as many entries as one leaf may hold by its place in the tree. A run that fits is merged into the slots
//! in place; otherwise leaf and run are spread over as many pages as they need: evenly, or from the left wholly filled
//! at the end of the tree, where keys that arrive in order go on.
//! Invariant: as for single inserts, every page changed was made writable by the descent and logged for undo.

use super::cell;
use super::entries::Entry;
use super::node::{
    CELL_LIMIT, KEY_INLINE, LEAF_KEY, Node, NodeBuilder, SHARED_LIMIT, SLOT, branch_cell,
};
use super::node::{head_of, write_heads, write_leaf_cell};
use super::search::{Path, child_index, lower_bound, lower_bound_by_heads, tree_page, whole_key};
use super::tree::Tree;
use crate::error::StorageError;
use crate::storage::accounting::bump;
use crate::storage::compare::{common_prefix, compare};
use crate::storage::page::{
    self, Buffer, CELLS_AT, COUNT_AT, PAGE_CAPACITY, PAGE_HEADER, PageLink, get_u16, number_of,
};
use crate::storage::pager::Pager;
use std::cmp::Ordering;
use std::rc::Rc;

impl Tree {
    /// Adds entries whose keys are in ascending order. With `suffix` above 0 no two keys may differ in their last
    /// `suffix` bytes alone, and these must be above those of every entry that is there (see `insert_unless_prefix`).
    /// False when a key is there already, comes twice, or breaks that rule: roll back then.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `OutOfSpace`; roll back then.
    pub fn insert_sorted(
        &mut self,
        pager: &mut Pager,
        entries: &[Entry<'_>],
        suffix: usize,
    ) -> Result<bool, StorageError> {
        let mut pairs = entries.windows(2);
        if pairs.any(|pair| clashes(pair[0].key, pair[1].key, suffix)) {
            return Ok(false);
        }
        let mut places = Vec::new();
        let mut rest = entries;
        while let Some(first) = rest.first() {
            if cell_length(first).is_none() {
                let prefix = first.key.len().saturating_sub(suffix);
                let added = if suffix > 0 {
                    self.insert_unless_prefix(pager, first.key, prefix, first.value)?
                } else {
                    self.insert(pager, first.key, first.value)?
                };
                if !added {
                    return Ok(false);
                }
                rest = &rest[1..];
                continue;
            }
            self.plant(pager)?;
            let (path, _) = self.descend(pager, first.key)?;
            let count = run_length(pager, &path, rest)?;
            let (run, later) = rest.split_at(count);
            let leaf = path.steps[path.depth - 1].0;
            if !find_places(self, pager, leaf, run, suffix, &mut places)? {
                return Ok(false);
            }
            self.add_run(pager, &path, run, &places)?;
            rest = later;
        }
        Ok(true)
    }

    /// Adds a run at its places in the leaf.
    fn add_run(
        &mut self,
        pager: &mut Pager,
        path: &Path,
        run: &[Entry<'_>],
        places: &[u16],
    ) -> Result<(), StorageError> {
        let leaf = path.steps[path.depth - 1].0;
        let (mut keys, mut values) = (0, 0);
        for entry in run {
            keys += entry.key.len();
            values += entry.value.len();
        }
        bump(&pager.accounting().bytes_written, (keys + values) as u64);
        self.entries += run.len() as u64;
        self.key_bytes += keys as u64;
        self.value_bytes += values as u64;
        let need = keys + values + run.len() * (LEAF_KEY + SLOT);
        let node = Node(pager.page(leaf)?);
        if need > node.gap() {
            if need > node.gap() + node.garbage() {
                return self.spread(pager, path, run, places, need);
            }
            cell::compact(pager, leaf)?;
        }
        merge(pager, leaf, run, places)
    }

    /// Spreads a leaf and a run that do not fit one page over several.
    fn spread(
        &mut self,
        pager: &mut Pager,
        path: &Path,
        run: &[Entry<'_>],
        places: &[u16],
        need: usize,
    ) -> Result<(), StorageError> {
        let leaf = path.steps[path.depth - 1].0;
        let at_edge = branch_bound(pager, path)?.is_none();
        let old = Rc::clone(pager.page(leaf)?);
        let node = Node(&old);
        let mut spread = Spread::new(node.used() + need, at_edge);
        let mut fits = true;
        let mut at = 0;
        for (entry, place) in run.iter().zip(places) {
            for index in at..usize::from(*place) {
                fits &= spread.page(node.cell_length(index)).push(node.cell(index));
            }
            at = usize::from(*place);
            let length = LEAF_KEY + entry.key.len() + entry.value.len();
            fits &= spread.page(length).push_entry(entry.key, entry.value);
        }
        for index in at..node.count() {
            fits &= spread.page(node.cell_length(index)).push(node.cell(index));
        }
        if !fits {
            return Err(StorageError::corrupt(
                number_of(leaf),
                "its cells do not fit",
            ));
        }
        let pages = spread.finish();
        if let Some(first) = pages.first() {
            pager.replace_page(leaf, Rc::clone(first))?;
        }
        for pair in pages.windows(2) {
            let separator = super::insert::separator(pager, &pair[0], &pair[1])?;
            let page = pager.allocate(Rc::clone(&pair[1]))?;
            self.leaf_pages += 1;
            self.insert_child(pager, &separator, page)?;
        }
        Ok(())
    }

    /// Enters a new leaf into the branch above its place. The branches there are writable.
    fn insert_child(
        &mut self,
        pager: &mut Pager,
        separator: &[u8],
        child: PageLink,
    ) -> Result<(), StorageError> {
        let mut raw = Vec::new();
        let (field, pages) = cell::raw_key(pager, separator, &mut raw)?;
        self.overflow_pages += pages as u32;
        let mut up = Vec::new();
        branch_cell(&mut up, (field, &raw), child);
        let mut path = Path::new();
        let mut at_edge = true;
        let mut number = self.root;
        for level in (1..self.height).rev() {
            let node = Node(tree_page(pager, number, level)?);
            let index = child_index(pager, node, separator)?;
            at_edge &= index == node.count();
            path.push(number, index)?;
            number = node.child(index);
        }
        self.insert_upwards(pager, &path, path.depth, up, at_edge)
    }
}

/// Whether two keys are equal but for their last `suffix` bytes. Neighbours agree in front, so the end is looked at
/// first.
#[inline]
fn clashes(left: &[u8], right: &[u8], suffix: usize) -> bool {
    let Some(end) = left.len().checked_sub(suffix) else {
        return left.len() == right.len();
    };
    let (Some(one), Some(other)) = (left.get(..end), right.get(..end)) else {
        return false;
    };
    left.len() == right.len()
        && one.last_chunk::<8>() == other.last_chunk()
        && common_prefix(one, other) == end
}

/// Bytes of an entry's cell when all of it lies in the leaf.
#[inline]
fn cell_length(entry: &Entry<'_>) -> Option<usize> {
    let length = LEAF_KEY + entry.key.len() + entry.value.len();
    (entry.key.len() <= KEY_INLINE && length <= CELL_LIMIT).then_some(length)
}

/// The lowest branch on the path whose child taken is not the last, with the slot that ends the child's keys.
fn branch_bound(pager: &Pager, path: &Path) -> Result<Option<(PageLink, usize)>, StorageError> {
    for (number, index) in path.steps[..path.depth - 1].iter().rev() {
        if usize::from(*index) < Node(pager.page(*number)?).count() {
            return Ok(Some((*number, usize::from(*index))));
        }
    }
    Ok(None)
}

/// How many of the entries belong to the leaf that the path ends at; the first one does.
fn run_length(pager: &Pager, path: &Path, entries: &[Entry<'_>]) -> Result<usize, StorageError> {
    let mut end = entries.len();
    if let Some((number, index)) = branch_bound(pager, path)? {
        let bound = whole_key(pager, Node(pager.page(number)?), index)?;
        let is_below = |at: usize| compare(entries[at].key, &bound) == Ordering::Less;
        let mut low = 1;
        let mut step = 1;
        while low + step < end && is_below(low + step) {
            low += step;
            step *= 2;
        }
        end = end.min(low + step);
        while low < end {
            let middle = (low + end) / 2;
            if is_below(middle) {
                low = middle + 1;
            } else {
                end = middle;
            }
        }
    }
    let run = &entries[..end];
    Ok(run
        .iter()
        .position(|entry| cell_length(entry).is_none())
        .unwrap_or(end))
}

/// Finds the slot before which each entry of a run belongs; false when one clashes with an entry that is there.
fn find_places(
    tree: &Tree,
    pager: &Pager,
    leaf: PageLink,
    run: &[Entry<'_>],
    suffix: usize,
    places: &mut Vec<u16>,
) -> Result<bool, StorageError> {
    let node = Node(tree_page(pager, leaf, 0)?);
    places.clear();
    let (count, shared) = (node.count(), node.shared());
    // Entries are in key order: a prefix that the first and the last of them share with the page, all share.
    let agrees = |entry: Option<&Entry<'_>>| {
        entry.is_some_and(|entry| common_prefix(node.key_inline(0).0, entry.key) >= shared)
    };
    let by_heads = count == 0 || shared == 0 || (agrees(run.first()) && agrees(run.last()));
    let mut before = None;
    for entry in run {
        if before == Some(count) {
            // Behind all that is there: so are the rest.
            places.resize(run.len(), count as u16);
            break;
        }
        let (place, found) = if by_heads {
            lower_bound_by_heads(pager, node, entry.key)?
        } else {
            lower_bound(pager, node, entry.key)?
        };
        if found {
            return Ok(false);
        }
        // Behind another of the run, that one is compared with, and was.
        if suffix > 0 && before != Some(place) {
            let heads_tell = by_heads && shared + 4 + suffix <= entry.key.len();
            let taken = match place.checked_sub(1) {
                Some(index) if heads_tell && node.head(index) != head_of(entry.key, shared) => {
                    false
                }
                Some(index) => match node.key_inline(index) {
                    (inline, true) => clashes(inline, entry.key, suffix),
                    (_, false) => clashes(&whole_key(pager, node, index)?, entry.key, suffix),
                },
                // The entry before, if there is one, lies in another leaf.
                None => {
                    let mut cursor = tree.cursor();
                    cursor.seek_back(pager, std::ops::Bound::Excluded(entry.key))?
                        && clashes(cursor.key(), entry.key, suffix)
                }
            };
            if taken {
                return Ok(false);
            }
        }
        before = Some(place);
        places.push(place as u16);
    }
    Ok(true)
}

/// Puts the entries of a run into the slots of a leaf that has room for them.
fn merge(
    pager: &mut Pager,
    leaf: PageLink,
    run: &[Entry<'_>],
    places: &[u16],
) -> Result<(), StorageError> {
    let (Some(first), Some(last), Some(place)) = (run.first(), run.last(), places.first()) else {
        return Ok(());
    };
    let node = Node(pager.page(leaf)?);
    let count = node.count();
    let shared = if count == 0 {
        common_prefix(first.key, last.key).min(SHARED_LIMIT)
    } else {
        let known = node.key_inline(0).0;
        common_prefix(known, first.key)
            .min(common_prefix(known, last.key))
            .min(node.shared())
    };
    let slots_end = PAGE_HEADER + SLOT * count;
    if shared == node.shared() {
        pager.log_range(leaf, COUNT_AT, CELLS_AT + 2);
        pager.log_range(leaf, PAGE_HEADER + SLOT * usize::from(*place), slots_end);
    } else {
        pager.log_image(leaf);
        write_heads(pager.page_mut(leaf)?, shared);
    }
    let bytes = pager.page_mut(leaf)?;
    let mut moved = count;
    for (position, place) in places.iter().enumerate().rev() {
        let place = usize::from(*place);
        if place < moved {
            let to = PAGE_HEADER + SLOT * (place + position + 1);
            bytes.copy_within(PAGE_HEADER + SLOT * place..PAGE_HEADER + SLOT * moved, to);
            moved = place;
        }
    }
    let mut cells = usize::from(get_u16(bytes, CELLS_AT));
    for (position, (entry, place)) in run.iter().zip(places).enumerate() {
        cells -= LEAF_KEY + entry.key.len() + entry.value.len();
        let slot = PAGE_HEADER + SLOT * (usize::from(*place) + position);
        write_leaf_cell(bytes, cells, entry.key, entry.value);
        page::put_u16(bytes, slot, cells as u16);
        page::put_u32(bytes, slot + 2, head_of(entry.key, shared));
    }
    page::put_u16(bytes, COUNT_AT, (count + run.len()) as u16);
    page::put_u16(bytes, CELLS_AT, cells as u16);
    Ok(())
}

/// Pages that cells are spread over in order.
struct Spread {
    pages: Vec<Buffer>,
    builder: NodeBuilder,
    /// Bytes of the page under construction, and where it ends.
    filled: usize,
    enough: usize,
    /// Bytes still to come.
    remaining: usize,
    packs: bool,
}

impl Spread {
    fn new(total: usize, packs: bool) -> Self {
        let mut spread = Self {
            pages: Vec::with_capacity(total / PAGE_CAPACITY + 1),
            builder: NodeBuilder::new(0),
            filled: 0,
            enough: 0,
            remaining: total,
            packs,
        };
        spread.aim();
        spread
    }

    fn aim(&mut self) {
        self.filled = 0;
        self.enough = if self.packs {
            PAGE_CAPACITY
        } else {
            let pages = self.remaining.div_ceil(PAGE_CAPACITY).max(1);
            self.remaining.div_ceil(pages)
        };
    }

    /// The page that the next cell, of so many bytes, belongs to.
    #[inline]
    fn page(&mut self, cell_length: usize) -> &mut NodeBuilder {
        let length = cell_length + SLOT;
        if self.filled > 0 && (self.filled >= self.enough || self.filled + length > PAGE_CAPACITY) {
            let full = std::mem::replace(&mut self.builder, NodeBuilder::new(0));
            self.pages.push(full.finish());
            self.aim();
        }
        self.filled += length;
        self.remaining = self.remaining.saturating_sub(length);
        &mut self.builder
    }

    fn finish(mut self) -> Vec<Buffer> {
        self.pages.push(self.builder.finish());
        self.pages
    }
}
