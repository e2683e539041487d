//! Finding keys: binary search in a page, descent from the root, reading values.

use super::descent::near_in;
use super::node::{CellValue, Node, head_of};
use super::tree::{MAX_HEIGHT, Tree};
use super::value::PageBytes;
use crate::error::StorageError;
use crate::storage::accounting::bump;
use crate::storage::compare::compare;
use crate::storage::overflow;
use crate::storage::page::{
    self, Buffer, PAGE_CAPACITY, PAGE_HEADER, PAGE_SIZE, PageLink, number_of,
};
use crate::storage::pager::Pager;
use std::borrow::Cow;
use std::cmp::Ordering;

/// The pages from the root to a leaf: each with the index of the child taken, or of the slot in the leaf.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    pub(crate) steps: [(PageLink, u16); MAX_HEIGHT],
    pub(crate) depth: usize,
}

impl Path {
    pub(crate) const fn new() -> Self {
        Self {
            steps: [(0, 0); MAX_HEIGHT],
            depth: 0,
        }
    }

    /// The leaf, and the slot in it.
    #[inline]
    pub(crate) fn leaf(&self) -> (PageLink, usize) {
        let (page, slot) = self.steps[self.depth - 1];
        (page, usize::from(slot))
    }

    #[inline]
    pub(crate) fn push(&mut self, page: PageLink, index: usize) -> Result<(), StorageError> {
        match self.steps.get_mut(self.depth) {
            Some(step) => {
                *step = (page, index as u16);
                self.depth += 1;
                Ok(())
            }
            None => Err(StorageError::corrupt(
                number_of(page),
                "the tree is too high",
            )),
        }
    }
}

/// Where a key of a tree lies, until something is written to that tree.
#[derive(Debug, Clone, Copy)]
pub struct Located {
    pub(crate) path: Path,
}

/// A page of a tree at the level where it must be.
#[inline]
pub(crate) fn tree_page(pager: &Pager, link: PageLink, level: u8) -> Result<&Buffer, StorageError> {
    let buffer = pager.page(link)?;
    check_level(buffer, link, level)?;
    Ok(buffer)
}

/// Refuses a page that is no tree page of a level, or not the one that the link means.
#[inline]
pub(crate) fn check_level(buffer: &Buffer, link: PageLink, level: u8) -> Result<(), StorageError> {
    let node = Node(buffer);
    // One line of memory holds all three.
    if node.is_tree_page() && node.level() == level && page::is_meant(buffer, link) {
        return Ok(());
    }
    Err(unfit(buffer, link, level))
}

#[cold]
fn unfit(buffer: &Buffer, link: PageLink, level: u8) -> StorageError {
    if !page::is_meant(buffer, link) {
        return page::not_meant(buffer, link);
    }
    let reason = format!("it is not a tree page of level {level}");
    StorageError::corrupt(number_of(link), reason)
}

/// The whole key of a cell.
pub(crate) fn whole_key<'a>(
    pager: &Pager,
    node: Node<'a>,
    index: usize,
) -> Result<Cow<'a, [u8]>, StorageError> {
    let (start, whole) = node.key_inline(index);
    if whole {
        return Ok(Cow::Borrowed(start));
    }
    let mut key = start.to_vec();
    append_key_rest(pager, node, index, &mut key)?;
    Ok(Cow::Owned(key))
}

/// Appends the part of a long key that its overflow chain holds to `out`, which ends with the inline part.
#[cold]
pub(crate) fn append_key_rest(
    pager: &Pager,
    node: Node<'_>,
    index: usize,
    out: &mut Vec<u8>,
) -> Result<(), StorageError> {
    if let Some(rest) = node.key_rest(index) {
        let inline = node.key_inline(index).0.len() as u64;
        overflow::read_chain(pager, rest.page, rest.length.saturating_sub(inline), out)?;
    }
    Ok(())
}

#[inline]
fn compare_key(
    pager: &Pager,
    node: Node<'_>,
    index: usize,
    key: &[u8],
) -> Result<Ordering, StorageError> {
    let (start, whole) = node.key_inline(index);
    if whole {
        return Ok(compare(start, key));
    }
    let head = key.get(..start.len()).unwrap_or(key);
    match compare(start, head) {
        Ordering::Equal => Ok(compare(&whole_key(pager, node, index)?, key)),
        other => Ok(other),
    }
}

/// The first cell whose key is not below `key`, and whether it is equal.
///
/// Heads decide as long as `key` has the bytes that all keys of the page share. That is looked up last, in a cell that
/// the caller is going to read anyway.
#[inline]
pub(crate) fn lower_bound(
    pager: &Pager,
    node: Node<'_>,
    key: &[u8],
) -> Result<(usize, bool), StorageError> {
    let (low, found) = lower_bound_by_heads(pager, node, key)?;
    if found {
        return Ok((low, true));
    }
    let (count, shared) = (node.count(), node.shared());
    if shared > 0 && count > 0 {
        let (start, _) = node.key_inline(low.min(count - 1));
        let start = start.get(..shared).unwrap_or(start);
        // A shorter key that agrees so far comes before all keys, as `compare` says too.
        match compare(start, key.get(..shared).unwrap_or(key)) {
            Ordering::Less => return Ok((count, false)),
            Ordering::Greater => return Ok((0, false)),
            Ordering::Equal => {}
        }
    }
    Ok((low, false))
}

/// As `lower_bound`, for a key that is known to have the bytes that all keys of the page share.
#[inline]
pub(crate) fn lower_bound_by_heads(
    pager: &Pager,
    node: Node<'_>,
    key: &[u8],
) -> Result<(usize, bool), StorageError> {
    let head = head_of(key, node.shared());
    let (mut low, mut high) = (0, node.count());
    while low < high {
        let middle = (low + high) / 2;
        match node.head(middle).cmp(&head) {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => match compare_key(pager, node, middle, key)? {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok((middle, true)),
                Ordering::Greater => high = middle,
            },
        }
    }
    Ok((low, false))
}

/// As `lower_bound`, trying the end of the page first: writes often come in order.
#[inline]
pub(crate) fn lower_bound_from_end(
    pager: &Pager,
    node: Node<'_>,
    key: &[u8],
) -> Result<(usize, bool), StorageError> {
    let count = node.count();
    // A last key with a greater head is not below `key`; its cell need not be read then.
    if count > 0
        && node.head(count - 1) <= head_of(key, node.shared())
        && compare_key(pager, node, count - 1, key)? == Ordering::Less
    {
        return Ok((count, false));
    }
    lower_bound(pager, node, key)
}

/// The child of a branch that may hold `key`.
#[inline]
pub(crate) fn child_index(
    pager: &Pager,
    node: Node<'_>,
    key: &[u8],
) -> Result<usize, StorageError> {
    let (index, equal) = lower_bound(pager, node, key)?;
    Ok(index + usize::from(equal))
}

/// The leaf that may hold `key`.
#[inline]
pub(crate) fn leaf_of<'p>(
    pager: &'p Pager,
    tree: &Tree,
    key: &[u8],
) -> Result<&'p Buffer, StorageError> {
    let mut number = tree.root;
    let mut level = tree.height.saturating_sub(1);
    while level > 0 {
        let node = Node(tree_page(pager, number, level)?);
        number = node.child(child_index(pager, node, key)?);
        level -= 1;
    }
    tree_page(pager, number, 0)
}

/// The value of a leaf's cell, shared or copied.
#[inline]
pub(crate) fn value_bytes(
    pager: &Pager,
    leaf: &Buffer,
    index: usize,
) -> Result<PageBytes, StorageError> {
    match Node(leaf).value(index) {
        CellValue::Inline(start, end) => {
            bump(&pager.accounting().bytes_read, (end - start) as u64);
            Ok(PageBytes::in_page(leaf, start, end))
        }
        CellValue::Overflow(reference) => {
            bump(&pager.accounting().bytes_read, reference.length);
            if reference.length <= PAGE_CAPACITY as u64 {
                let page = overflow::single(pager, reference.page, reference.length)?;
                return Ok(PageBytes::payload(page, reference.length as usize));
            }
            let mut bytes = Vec::new();
            overflow::read_chain(pager, reference.page, reference.length, &mut bytes)?;
            Ok(PageBytes::owned(bytes))
        }
    }
}

/// The value of a leaf's cell, borrowed when it lies in one page. The function that hands it out counts it.
#[inline]
pub(crate) fn value_cow<'a>(
    pager: &'a Pager,
    leaf: &'a [u8; PAGE_SIZE],
    index: usize,
) -> Result<Cow<'a, [u8]>, StorageError> {
    match Node(leaf).value(index) {
        CellValue::Inline(start, end) => {
            Ok(Cow::Borrowed(leaf.get(start..end).unwrap_or_default()))
        }
        CellValue::Overflow(reference) => {
            if reference.length <= PAGE_CAPACITY as u64 {
                let page = overflow::single(pager, reference.page, reference.length)?;
                let end = PAGE_HEADER + reference.length as usize;
                return Ok(Cow::Borrowed(
                    page.get(PAGE_HEADER..end).unwrap_or_default(),
                ));
            }
            let mut bytes = Vec::new();
            overflow::read_chain(pager, reference.page, reference.length, &mut bytes)?;
            Ok(Cow::Owned(bytes))
        }
    }
}

/// Bytes and overflow pages of a cell's key and value.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CellSizes {
    pub(crate) key: u64,
    pub(crate) value: u64,
    pub(crate) overflow_pages: u64,
}

/// The sizes of a leaf's cell.
pub(crate) fn cell_sizes(node: Node<'_>, index: usize) -> CellSizes {
    let key = node.key_length(index);
    let mut overflow_pages = 0;
    if node.key_rest(index).is_some() {
        overflow_pages +=
            overflow::chain_pages(key.saturating_sub(node.key_inline(index).0.len() as u64));
    }
    let value = match node.value(index) {
        CellValue::Inline(start, end) => (end - start) as u64,
        CellValue::Overflow(reference) => {
            overflow_pages += overflow::chain_pages(reference.length);
            reference.length
        }
    };
    CellSizes {
        key,
        value,
        overflow_pages,
    }
}

impl Tree {
    /// The value of a key. The bytes are shared with the page (see `PageBytes`), overflow values are copied.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    #[inline]
    pub fn get(&self, pager: &Pager, key: &[u8]) -> Result<Option<PageBytes>, StorageError> {
        if self.root == 0 {
            return Ok(None);
        }
        let leaf = leaf_of(pager, self, key)?;
        match lower_bound(pager, Node(leaf), key)? {
            (index, true) => value_bytes(pager, leaf, index).map(Some),
            _ => Ok(None),
        }
    }

    /// The value of a key, borrowed from the pager: nothing is shared, so that a write after it copies no page.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    #[inline]
    pub fn get_ref<'p>(
        &self,
        pager: &'p Pager,
        key: &[u8],
    ) -> Result<Option<Cow<'p, [u8]>>, StorageError> {
        if self.root == 0 {
            return Ok(None);
        }
        let leaf = leaf_of(pager, self, key)?;
        match lower_bound(pager, Node(leaf), key)? {
            (index, true) => {
                let value = value_cow(pager, leaf, index)?;
                bump(&pager.accounting().bytes_read, value.len() as u64);
                Ok(Some(value))
            }
            _ => Ok(None),
        }
    }

    /// Where a key lies, for code that reads its value and may then change it.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    #[inline]
    pub fn locate(&self, pager: &Pager, key: &[u8]) -> Result<Option<Located>, StorageError> {
        if self.root == 0 {
            return Ok(None);
        }
        let mut path = Path::new();
        let mut level = self.height.saturating_sub(1);
        let mut number = self.root;
        while level > 0 {
            let node = Node(tree_page(pager, number, level)?);
            let index = child_index(pager, node, key)?;
            path.push(number, index)?;
            number = node.child(index);
            level -= 1;
        }
        let (index, found) = lower_bound(pager, Node(tree_page(pager, number, 0)?), key)?;
        path.push(number, index)?;
        Ok(found.then_some(Located { path }))
    }

    /// The value of a key that was located, borrowed from the pager.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    #[inline]
    pub fn value_at<'p>(
        &self,
        pager: &'p Pager,
        located: &Located,
    ) -> Result<Cow<'p, [u8]>, StorageError> {
        let (leaf, index) = located.path.leaf();
        let value = value_cow(pager, tree_page(pager, leaf, 0)?, index)?;
        bump(&pager.accounting().bytes_read, value.len() as u64);
        Ok(value)
    }

    /// The first key at or after `key` when it lies wholly in the leaf that `key` leads to. `None` says nothing:
    /// then only a cursor can tell.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn near<'p>(&self, pager: &'p Pager, key: &[u8]) -> Result<Option<&'p [u8]>, StorageError> {
        if self.root == 0 {
            return Ok(None);
        }
        let leaf = leaf_of(pager, self, key)?;
        let node = Node(leaf);
        let (index, _) = lower_bound(pager, node, key)?;
        Ok(near_in(leaf, index))
    }

    /// Whether the key is there.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn contains(&self, pager: &Pager, key: &[u8]) -> Result<bool, StorageError> {
        if self.root == 0 {
            return Ok(false);
        }
        let leaf = leaf_of(pager, self, key)?;
        Ok(lower_bound(pager, Node(leaf), key)?.1)
    }

    /// The lowest entry.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn first(&self, pager: &Pager) -> Result<Option<(Vec<u8>, PageBytes)>, StorageError> {
        let mut cursor = self.cursor();
        if !cursor.first(pager)? {
            return Ok(None);
        }
        Ok(Some((cursor.key().to_vec(), cursor.value(pager)?)))
    }

    /// The highest entry.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn last(&self, pager: &Pager) -> Result<Option<(Vec<u8>, PageBytes)>, StorageError> {
        let mut cursor = self.cursor();
        if !cursor.last(pager)? {
            return Ok(None);
        }
        Ok(Some((cursor.key().to_vec(), cursor.value(pager)?)))
    }
}
