//! The cells of a tree page: reading them, building pages of them.
//!
//! ```text
//! 0        48                                                          16384
//! │ header │ slot 0 │ slot 1 │ slot 2 │    gap    │ cell 2 │ cell 0 │ cell 1 │
//!            └ offset of cell 0, head of its key               └ lengths, key, value
//! ```
//! A tree page is slotted: after the header an array of slots in key order, cells from the end downwards. A slot is the
//! cell's offset and the head of its key: the four bytes after those that all keys of the page share, as a number, so
//! that a search looks at cells only where heads are equal.
//! A key field is `length | flag` and its inline bytes; with the flag the inline bytes are only the key's start, and
//! 16 more bytes name the whole length and the overflow chain of the rest.
//! Leaf cell: key length, value length | flag, key, value (with the flag: whole length and overflow chain).
//! Branch cell: key length, child, key; the child holds keys at or after the key, the header's link is the leftmost
//! child. Invariant: `validate_node` accepted a page before anything else here reads it, so offsets are in bounds.

use crate::error::StorageError;
use crate::storage::compare::{common_prefix, copy_short};
use crate::storage::page::{
    self, Buffer, CELLS_AT, COUNT_AT, GARBAGE_AT, KIND_AT, LEVEL_AT, LINK_AT, PAGE_CAPACITY,
    PAGE_HEADER, PAGE_SIZE, PageKind, PageLink, PageNumber, SHARED_AT, get_u16, get_u64,
};
use std::rc::Rc;

/// Keys up to this length lie wholly in their cell.
pub(crate) const KEY_INLINE: usize = 1024;
/// The bytes of a longer key that lie in its cell; the others lie in overflow pages.
pub(crate) const KEY_START: usize = 512;
/// No cell is longer: a page holds at least four.
pub(crate) const CELL_LIMIT: usize = PAGE_CAPACITY / 4 - SLOT;
/// Bytes that memory hands over at once.
pub(crate) const LINE: usize = 64;
/// Bytes of a slot: cell offset and key head.
pub(crate) const SLOT: usize = 6;
/// At most so many shared bytes are left out of heads: the head of a long key must lie in its inline part.
pub(crate) const SHARED_LIMIT: usize = KEY_START - 4;
/// The flag of a key or value length: the rest is in an overflow chain.
pub(crate) const OVERFLOW: u16 = 0x8000;
/// Bytes of an overflow reference: whole length and first page.
pub(crate) const REFERENCE: usize = 16;

/// Bytes of a leaf cell before its key: the lengths of key and value.
pub(crate) const LEAF_KEY: usize = 4;
const BRANCH_KEY: usize = 10;

/// The rest of a long key or the whole of a large value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Bytes of the whole key or value.
    pub(crate) length: u64,
    pub(crate) page: PageLink,
}

/// A value as its cell holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellValue {
    /// Offsets of its bytes in the page.
    Inline(usize, usize),
    Overflow(Reference),
}

/// A tree page, seen as cells.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a>(pub(crate) &'a [u8; PAGE_SIZE]);

impl<'a> Node<'a> {
    #[inline]
    pub(crate) fn is_leaf(self) -> bool {
        self.0[LEVEL_AT] == 0
    }

    #[inline]
    pub(crate) fn level(self) -> u8 {
        self.0[LEVEL_AT]
    }

    #[inline]
    pub(crate) fn is_tree_page(self) -> bool {
        let kind = self.0[KIND_AT];
        (kind == PageKind::Leaf as u8 && self.is_leaf())
            || (kind == PageKind::Branch as u8 && !self.is_leaf())
    }

    #[inline]
    pub(crate) fn count(self) -> usize {
        usize::from(get_u16(self.0, COUNT_AT))
    }

    #[inline]
    fn key_offset(self) -> usize {
        if self.is_leaf() { LEAF_KEY } else { BRANCH_KEY }
    }

    /// Where cell `index` starts.
    #[inline(always)]
    pub(crate) fn cell_at(self, index: usize) -> usize {
        two(self.0, PAGE_HEADER + SLOT * index)
    }

    /// The head of key `index`.
    #[inline(always)]
    pub(crate) fn head(self, index: usize) -> u32 {
        let at = PAGE_HEADER + SLOT * index + 2;
        if at > PAGE_SIZE - 4 {
            return 0;
        }
        let page = self.0;
        u32::from_le_bytes([page[at], page[at + 1], page[at + 2], page[at + 3]])
    }

    /// Leading bytes that all keys share.
    #[inline]
    pub(crate) fn shared(self) -> usize {
        usize::from(get_u16(self.0, SHARED_AT))
    }

    /// The key's bytes that lie in the page, and whether that is all of it.
    #[inline]
    pub(crate) fn key_inline(self, index: usize) -> (&'a [u8], bool) {
        let at = self.cell_at(index);
        let field = two(self.0, at);
        let start = at + self.key_offset();
        let length = field & usize::from(!OVERFLOW);
        let bytes = self.0.get(start..start + length).unwrap_or_default();
        (bytes, field == length)
    }

    /// Where the key's inline bytes lie in the page, when that is all of it.
    #[inline]
    pub(crate) fn key_range(self, index: usize) -> Option<(usize, usize)> {
        let at = self.cell_at(index);
        let field = get_u16(self.0, at);
        let start = at + self.key_offset();
        (field & OVERFLOW == 0).then_some((start, start + usize::from(field)))
    }

    /// The overflow chain of a long key.
    pub(crate) fn key_rest(self, index: usize) -> Option<Reference> {
        let at = self.cell_at(index);
        let field = get_u16(self.0, at);
        if field & OVERFLOW == 0 {
            return None;
        }
        let at = at + self.key_offset() + usize::from(field & !OVERFLOW);
        Some(Reference {
            length: get_u64(self.0, at),
            page: get_u64(self.0, at + 8),
        })
    }

    /// The overflow chain of a long key, and where its first page's number is written.
    pub(crate) fn key_rest_at(self, index: usize) -> Option<(usize, Reference)> {
        let rest = self.key_rest(index)?;
        let at = self.cell_at(index);
        let field = get_u16(self.0, at);
        let at = at + self.key_offset() + usize::from(field & !OVERFLOW);
        Some((at + 8, rest))
    }

    /// The overflow chain of a leaf's large value, and where its first page's number is written.
    pub(crate) fn value_chain_at(self, index: usize) -> Option<(usize, Reference)> {
        let CellValue::Overflow(value) = self.value(index) else {
            return None;
        };
        let at = self.cell_at(index);
        let start = at + LEAF_KEY + raw_key_length(get_u16(self.0, at));
        Some((start + 8, value))
    }

    /// Bytes of the whole key.
    pub(crate) fn key_length(self, index: usize) -> u64 {
        match self.key_rest(index) {
            Some(rest) => rest.length,
            None => self.key_inline(index).0.len() as u64,
        }
    }

    /// The key field's raw parts: length with flag, and the bytes with the overflow reference if any.
    pub(crate) fn raw_key(self, index: usize) -> (u16, &'a [u8]) {
        let at = self.cell_at(index);
        let field = get_u16(self.0, at);
        let start = at + self.key_offset();
        (
            field,
            self.0
                .get(start..start + raw_key_length(field))
                .unwrap_or_default(),
        )
    }

    /// The value of a leaf's cell.
    #[inline]
    pub(crate) fn value(self, index: usize) -> CellValue {
        let at = self.cell_at(index);
        let field = get_u16(self.0, at + 2);
        let start = at + LEAF_KEY + raw_key_length(get_u16(self.0, at));
        if field & OVERFLOW == 0 {
            CellValue::Inline(start, start + usize::from(field))
        } else {
            CellValue::Overflow(Reference {
                length: get_u64(self.0, start),
                page: get_u64(self.0, start + 8),
            })
        }
    }

    /// Where the key and the value of a leaf's cell lie, when both lie wholly in the page: the key's start, its end,
    /// which is the value's start, and the value's end.
    #[inline(always)]
    pub(crate) fn plain_entry(self, index: usize) -> Option<(usize, usize, usize)> {
        let at = two(self.0, PAGE_HEADER + SLOT * index);
        let (key, value) = (two(self.0, at), two(self.0, at + 2));
        let start = at + LEAF_KEY;
        let end = start + key;
        ((key | value) & usize::from(OVERFLOW) == 0).then_some((start, end, end + value))
    }

    /// Reads a byte of each line of the page, in order, so that cells read next are found near by, however they lie.
    #[inline(always)]
    pub(crate) fn touch_all(self) {
        self.touch_lines(0, PAGE_SIZE / LINE);
    }

    /// Reads a byte of each of the first lines of each of a leaf's cells, or of all lines of the page where the cells
    /// have more than a few: a processor that sees lines asked for in their order asks for the next ones itself.
    pub(crate) fn touch_entries(self, lines: usize) {
        const FEW: usize = 24;
        let count = self.count();
        if count * lines > FEW {
            return self.touch_all();
        }
        for index in 0..count {
            self.touch(index, count, lines);
        }
    }

    /// Reads a byte of each of the first lines of a leaf's cell, if there is such a cell, so that they come while other
    /// cells are looked at.
    #[inline(always)]
    pub(crate) fn touch(self, index: usize, count: usize, lines: usize) {
        if index < count {
            self.touch_lines(two(self.0, PAGE_HEADER + SLOT * index), lines);
        }
    }

    /// Reads a byte of each of the first lines of the page: its header and slots.
    #[inline(always)]
    pub(crate) fn touch_start(self, lines: usize) {
        self.touch_lines(0, lines);
    }

    #[inline(always)]
    fn touch_lines(self, start: usize, lines: usize) {
        let (page, end) = (self.0, (start + lines * LINE).min(PAGE_SIZE));
        let (mut at, mut touched) = (start, 0);
        while at < end {
            touched |= page[at];
            at += LINE;
        }
        std::hint::black_box(touched);
    }

    /// Child `index` of a branch: 0 is the leftmost, `count()` the rightmost.
    #[inline]
    pub(crate) fn child(self, index: usize) -> PageLink {
        get_u64(self.0, self.child_at(index))
    }

    /// Where child `index` is written.
    #[inline]
    pub(crate) fn child_at(self, index: usize) -> usize {
        if index == 0 {
            LINK_AT
        } else {
            self.cell_at(index - 1) + 2
        }
    }

    /// Bytes of cell `index`.
    #[inline]
    pub(crate) fn cell_length(self, index: usize) -> usize {
        let at = self.cell_at(index);
        let key = raw_key_length(get_u16(self.0, at));
        if !self.is_leaf() {
            return BRANCH_KEY + key;
        }
        let field = get_u16(self.0, at + 2);
        LEAF_KEY
            + key
            + if field & OVERFLOW == 0 {
                usize::from(field)
            } else {
                REFERENCE
            }
    }

    /// The bytes of cell `index`.
    #[inline]
    pub(crate) fn cell(self, index: usize) -> &'a [u8] {
        let at = self.cell_at(index);
        self.0
            .get(at..at + self.cell_length(index))
            .unwrap_or_default()
    }

    /// Free bytes between the slots and the cells.
    #[inline]
    pub(crate) fn gap(self) -> usize {
        usize::from(get_u16(self.0, CELLS_AT)).saturating_sub(PAGE_HEADER + SLOT * self.count())
    }

    #[inline]
    pub(crate) fn garbage(self) -> usize {
        usize::from(get_u16(self.0, GARBAGE_AT))
    }

    /// Bytes of slots and cells.
    #[inline]
    pub(crate) fn used(self) -> usize {
        PAGE_CAPACITY.saturating_sub(self.gap() + self.garbage())
    }
}

/// The number in two bytes of a page, where one comparison is to be all it costs.
#[inline(always)]
pub(crate) fn two(page: &[u8; PAGE_SIZE], at: usize) -> usize {
    if at > PAGE_SIZE - 2 {
        return 0;
    }
    usize::from(u16::from_le_bytes([page[at], page[at + 1]]))
}

/// The bytes of a leaf's cell.
#[inline(always)]
pub(crate) fn leaf_cell_length(page: &[u8; PAGE_SIZE], at: usize) -> usize {
    let flag = usize::from(OVERFLOW);
    let (key, value) = (two(page, at), two(page, at + 2));
    let rest = if key & flag == 0 { 0 } else { REFERENCE };
    let value = if value & flag == 0 { value } else { REFERENCE };
    LEAF_KEY + (key & !flag) + rest + value
}

#[inline]
fn raw_key_length(field: u16) -> usize {
    usize::from(field & !OVERFLOW) + if field & OVERFLOW == 0 { 0 } else { REFERENCE }
}

/// The head of a key: the four bytes after the shared ones, missing ones as zero.
#[inline(always)]
pub(crate) fn head_of(key: &[u8], shared: usize) -> u32 {
    match key.get(shared..).and_then(<[u8]>::first_chunk) {
        Some(four) => u32::from_be_bytes(*four),
        None => short_head(key, shared),
    }
}

#[inline(never)]
fn short_head(key: &[u8], shared: usize) -> u32 {
    match key.get(shared..) {
        Some([a, b, c, ..]) => u32::from_be_bytes([*a, *b, *c, 0]),
        Some([a, b]) => u32::from_be_bytes([*a, *b, 0, 0]),
        Some([a]) => u32::from_be_bytes([*a, 0, 0, 0]),
        _ => 0,
    }
}

/// The inline key bytes of a cell.
pub(crate) fn inline_key(cell: &[u8], is_leaf: bool) -> &[u8] {
    let start = if is_leaf { LEAF_KEY } else { BRANCH_KEY };
    let length = usize::from(get_u16(cell, 0) & !OVERFLOW);
    cell.get(start..start + length).unwrap_or_default()
}

/// Writes all heads anew for so many shared bytes.
pub(crate) fn write_heads(bytes: &mut [u8; PAGE_SIZE], shared: usize) {
    page::put_u16(bytes, SHARED_AT, shared as u16);
    let key_offset = Node(bytes).key_offset();
    for index in 0..Node(bytes).count() {
        let slot = PAGE_HEADER + SLOT * index;
        let at = two(bytes, slot);
        let start = at + key_offset;
        let end = start + (two(bytes, at) & usize::from(!OVERFLOW));
        // Where four bytes of the key follow those that are shared, one look will do.
        let four = bytes.get(start + shared..).and_then(<[u8]>::first_chunk);
        let head = match four {
            Some(four) if start + shared + 4 <= end => u32::from_be_bytes(*four),
            _ => head_of(bytes.get(start..end).unwrap_or_default(), shared),
        };
        if let Some(place) = bytes.get_mut(slot + 2..).and_then(<[u8]>::first_chunk_mut) {
            *place = head.to_le_bytes();
        }
    }
}

/// A branch cell from raw key parts.
pub(crate) fn branch_cell(out: &mut Vec<u8>, key: (u16, &[u8]), child: PageLink) {
    out.clear();
    out.extend_from_slice(&key.0.to_le_bytes());
    out.extend_from_slice(&child.to_le_bytes());
    out.extend_from_slice(key.1);
}

/// Writes a leaf cell that has key and value in the page.
#[inline]
pub(crate) fn write_leaf_cell(bytes: &mut [u8; PAGE_SIZE], at: usize, key: &[u8], value: &[u8]) {
    page::put_u16(bytes, at, key.len() as u16);
    page::put_u16(bytes, at + 2, value.len() as u16);
    let start = at + LEAF_KEY;
    let middle = start + key.len();
    copy_short(&mut bytes[start..middle], key);
    if !value.is_empty() {
        copy_short(&mut bytes[middle..middle + value.len()], value);
    }
}

/// The raw key parts and child of a branch cell's bytes.
pub(crate) fn split_branch_cell(cell: &[u8]) -> ((u16, &[u8]), PageLink) {
    (
        (get_u16(cell, 0), cell.get(BRANCH_KEY..).unwrap_or_default()),
        get_u64(cell, 2),
    )
}

/// A tree page under construction.
pub(crate) struct NodeBuilder {
    buffer: Buffer,
    count: usize,
    cells: usize,
}

impl NodeBuilder {
    pub(crate) fn new(level: u8) -> Self {
        let kind = if level == 0 {
            PageKind::Leaf
        } else {
            PageKind::Branch
        };
        Self {
            buffer: page::fresh_buffer(kind, level),
            count: 0,
            cells: PAGE_SIZE,
        }
    }

    /// Sets the leftmost child.
    pub(crate) fn leftmost(mut self, child: PageLink) -> Self {
        page::put_u64(&mut Rc::make_mut(&mut self.buffer)[..], LINK_AT, child);
        self
    }

    /// Bytes of slots and cells so far.
    #[inline]
    pub(crate) fn used(&self) -> usize {
        PAGE_SIZE - self.cells + SLOT * self.count
    }

    /// Appends a cell; false when there is no room.
    pub(crate) fn push(&mut self, cell: &[u8]) -> bool {
        let slot = PAGE_HEADER + SLOT * self.count;
        let Some(at) = self
            .cells
            .checked_sub(cell.len())
            .filter(|at| *at >= slot + SLOT)
        else {
            return false;
        };
        let bytes = Rc::make_mut(&mut self.buffer);
        copy_short(&mut bytes[at..self.cells], cell);
        page::put_u16(bytes, slot, at as u16);
        self.cells = at;
        self.count += 1;
        true
    }

    /// Appends a leaf cell that has key and value in the page; false when there is no room.
    pub(crate) fn push_entry(&mut self, key: &[u8], value: &[u8]) -> bool {
        let slot = PAGE_HEADER + SLOT * self.count;
        let length = LEAF_KEY + key.len() + value.len();
        let Some(at) = self
            .cells
            .checked_sub(length)
            .filter(|at| *at >= slot + SLOT)
        else {
            return false;
        };
        let bytes = Rc::make_mut(&mut self.buffer);
        write_leaf_cell(bytes, at, key, value);
        page::put_u16(bytes, slot, at as u16);
        self.cells = at;
        self.count += 1;
        true
    }

    /// Appends the cells of a leaf that these slots lead to, as many as there is room for up to so many bytes of slots
    /// and cells, and says how many they were.
    pub(crate) fn push_slots(
        &mut self,
        leaf: &[u8; PAGE_SIZE],
        slots: &[u8],
        limit: usize,
    ) -> usize {
        let bytes = Rc::make_mut(&mut self.buffer);
        let (mut cells, mut count) = (self.cells, self.count);
        let before = count;
        for from in slots.as_chunks::<SLOT>().0 {
            let at = usize::from(u16::from_le_bytes([from[0], from[1]]));
            let length = leaf_cell_length(leaf, at);
            let slot = PAGE_HEADER + SLOT * count;
            let used = PAGE_SIZE - cells + SLOT * count + length + SLOT;
            let (Some(start), Some(cell)) = (cells.checked_sub(length), leaf.get(at..at + length))
            else {
                break;
            };
            if used > limit || start < slot + SLOT {
                break;
            }
            copy_short(&mut bytes[start..cells], cell);
            page::put_u16(bytes, slot, start as u16);
            cells = start;
            count += 1;
        }
        self.cells = cells;
        self.count = count;
        count - before
    }

    /// Appends cells `from..to` of a node; false when there is no room.
    pub(crate) fn push_all(&mut self, node: Node<'_>, from: usize, to: usize) -> bool {
        (from..to).all(|index| self.push(node.cell(index)))
    }

    pub(crate) fn finish(mut self) -> Buffer {
        let bytes = Rc::make_mut(&mut self.buffer);
        page::put_u16(bytes, COUNT_AT, self.count as u16);
        page::put_u16(bytes, CELLS_AT, self.cells as u16);
        if let Some(last) = self.count.checked_sub(1) {
            // Keys are in order: the prefix that the first and the last share, all share.
            let node = Node(bytes);
            let shared = common_prefix(node.key_inline(0).0, node.key_inline(last).0);
            write_heads(bytes, shared.min(SHARED_LIMIT));
        }
        self.buffer
    }
}

/// Checks that slots and cells of a tree page lie inside it, so that reading them cannot fail later.
pub(crate) fn validate_node(number: PageNumber, buffer: &Buffer) -> Result<(), StorageError> {
    let node = Node(buffer);
    let corrupt = |reason: &str| Err(StorageError::corrupt(number, reason.to_owned()));
    let count = node.count();
    let cells = usize::from(get_u16(&buffer[..], CELLS_AT));
    if !node.is_tree_page() {
        return corrupt("kind and level disagree");
    }
    if PAGE_HEADER + SLOT * count > cells || cells > PAGE_SIZE {
        return corrupt("slots and cells overlap");
    }
    if node.gap() + node.garbage() > PAGE_CAPACITY {
        return corrupt("bad free space");
    }
    for index in 0..count {
        let at = node.cell_at(index);
        if at < cells || at + LEAF_KEY > PAGE_SIZE {
            return corrupt("a cell lies outside");
        }
        if at + node.cell_length(index) > PAGE_SIZE {
            return corrupt("a cell ends outside");
        }
    }
    Ok(())
}
