//! Writing cells: building them with their overflow chains, and slot arithmetic inside a page.
//!
//! Invariant: every change here is logged for undo before it is made; bytes of removed cells stay untouched until the
//! page is rebuilt, so that a slot record is enough to bring them back.

use super::node::{
    CELL_LIMIT, CellValue, KEY_INLINE, KEY_START, Node, NodeBuilder, OVERFLOW, REFERENCE,
    Reference, SHARED_LIMIT, SLOT, head_of, inline_key, write_heads,
};
use crate::error::StorageError;
use crate::storage::compare::common_prefix;
use crate::storage::overflow;
use crate::storage::page::{
    self, CELLS_AT, COUNT_AT, GARBAGE_AT, LINK_AT, PAGE_HEADER, PageLink, get_u16, number_of,
};
use crate::storage::pager::Pager;
use std::rc::Rc;

/// Appends raw key bytes (and writes the chain of a long key); returns the length field and the chain's pages.
pub(crate) fn raw_key(
    pager: &mut Pager,
    key: &[u8],
    out: &mut Vec<u8>,
) -> Result<(u16, u64), StorageError> {
    if key.len() <= KEY_INLINE {
        out.extend_from_slice(key);
        return Ok((key.len() as u16, 0));
    }
    let (start, rest) = key.split_at(KEY_START);
    let first = overflow::write_chain(pager, rest)?;
    out.extend_from_slice(start);
    out.extend_from_slice(&(key.len() as u64).to_le_bytes());
    out.extend_from_slice(&first.to_le_bytes());
    Ok((
        KEY_START as u16 | OVERFLOW,
        overflow::chain_pages(rest.len() as u64),
    ))
}

/// Appends raw value bytes, or writes their chain when the cell would become too long; returns the length field and
/// the chain's pages.
pub(crate) fn raw_value(
    pager: &mut Pager,
    value: &[u8],
    raw_key_length: usize,
    out: &mut Vec<u8>,
) -> Result<(u16, u64), StorageError> {
    if 4 + raw_key_length + value.len() <= CELL_LIMIT {
        out.extend_from_slice(value);
        return Ok((value.len() as u16, 0));
    }
    let first = overflow::write_chain(pager, value)?;
    out.extend_from_slice(&(value.len() as u64).to_le_bytes());
    out.extend_from_slice(&first.to_le_bytes());
    Ok((OVERFLOW, overflow::chain_pages(value.len() as u64)))
}

/// Builds a leaf cell in `out`, writing overflow chains; returns their pages.
pub(crate) fn leaf_cell(
    pager: &mut Pager,
    key: &[u8],
    value: &[u8],
    out: &mut Vec<u8>,
) -> Result<u64, StorageError> {
    out.clear();
    out.extend_from_slice(&[0; 4]);
    let (key_field, key_pages) = raw_key(pager, key, out)?;
    let raw = out.len() - 4;
    let (value_field, value_pages) = raw_value(pager, value, raw, out)?;
    page::put_u16(out, 0, key_field);
    page::put_u16(out, 2, value_field);
    Ok(key_pages + value_pages)
}

/// Frees the chains of a leaf cell's long key and large value.
pub(crate) fn free_chains(
    pager: &mut Pager,
    key: Option<(Reference, usize)>,
    value: Option<CellValue>,
) -> Result<u64, StorageError> {
    let mut pages = 0;
    if let Some((rest, inline)) = key {
        pages += overflow::free_chain(pager, rest.page, rest.length.saturating_sub(inline as u64))?;
    }
    if let Some(CellValue::Overflow(reference)) = value {
        pages += overflow::free_chain(pager, reference.page, reference.length)?;
    }
    Ok(pages)
}

/// Puts a cell at a slot; false when the page has no room for it even without garbage.
pub(crate) fn insert_cell(
    pager: &mut Pager,
    number: PageLink,
    index: usize,
    cell: &[u8],
) -> Result<bool, StorageError> {
    let node = Node(pager.page(number)?);
    let count = node.count();
    let need = cell.len() + SLOT;
    if need > node.gap() {
        if need > node.gap() + node.garbage() {
            return Ok(false);
        }
        compact(pager, number)?;
        if need > Node(pager.page(number)?).gap() {
            return Ok(false);
        }
    }
    let key = inline_key(cell, Node(pager.page(number)?).is_leaf());
    let shared = share(pager, number, index, key)?;
    let slot = PAGE_HEADER + SLOT * index;
    let slots_end = PAGE_HEADER + SLOT * count;
    pager.log_range(number, COUNT_AT, CELLS_AT + 2);
    pager.log_range(number, slot, slots_end);
    let bytes = pager.page_mut(number)?;
    let end = usize::from(get_u16(bytes, CELLS_AT));
    let at = end - cell.len();
    bytes[at..end].copy_from_slice(cell);
    bytes.copy_within(slot..slots_end, slot + SLOT);
    page::put_u16(bytes, slot, at as u16);
    page::put_u32(bytes, slot + 2, head_of(key, shared));
    page::put_u16(bytes, COUNT_AT, count as u16 + 1);
    page::put_u16(bytes, CELLS_AT, at as u16);
    Ok(true)
}

/// Makes the page's shared bytes such that a key at this slot has them too, and says how many they are then. A key
/// between two others always has them.
fn share(
    pager: &mut Pager,
    number: PageLink,
    index: usize,
    key: &[u8],
) -> Result<usize, StorageError> {
    let node = Node(pager.page(number)?);
    let (count, shared) = (node.count(), node.shared());
    if index > 0 && index < count {
        return Ok(shared);
    }
    let common = match count {
        0 => key.len().min(SHARED_LIMIT),
        _ => common_prefix(node.key_inline(0).0, key).min(shared),
    };
    if common != shared {
        pager.log_image(number);
        write_heads(pager.page_mut(number)?, common);
    }
    Ok(common)
}

/// Takes a cell's slot away; its bytes become garbage.
pub(crate) fn remove_cell(
    pager: &mut Pager,
    number: PageLink,
    index: usize,
) -> Result<(), StorageError> {
    let node = Node(pager.page(number)?);
    let count = node.count();
    let garbage = node.garbage() + node.cell_length(index);
    let slot = PAGE_HEADER + SLOT * index;
    let slots_end = PAGE_HEADER + SLOT * count;
    pager.log_range(number, COUNT_AT, GARBAGE_AT + 2);
    pager.log_range(number, slot, slots_end);
    let bytes = pager.page_mut(number)?;
    bytes.copy_within(slot + SLOT..slots_end, slot);
    page::put_u16(bytes, COUNT_AT, count as u16 - 1);
    page::put_u16(bytes, GARBAGE_AT, garbage as u16);
    Ok(())
}

/// Puts another value in place of an inline value that is not shorter; false when it is.
pub(crate) fn overwrite_value(
    pager: &mut Pager,
    number: PageLink,
    index: usize,
    value: &[u8],
) -> Result<bool, StorageError> {
    let node = Node(pager.page(number)?);
    let CellValue::Inline(start, end) = node.value(index) else {
        return Ok(false);
    };
    let Some(slack) = (end - start).checked_sub(value.len()) else {
        return Ok(false);
    };
    let cell = node.cell_at(index);
    let garbage = node.garbage() + slack;
    if slack > 0 {
        pager.log_range(number, GARBAGE_AT, GARBAGE_AT + 2);
        pager.log_range(number, cell + 2, cell + 4);
    }
    pager.log_range(number, start, end);
    let bytes = pager.page_mut(number)?;
    bytes[start..start + value.len()].copy_from_slice(value);
    if slack > 0 {
        page::put_u16(bytes, cell + 2, value.len() as u16);
        page::put_u16(bytes, GARBAGE_AT, garbage as u16);
    }
    Ok(true)
}

/// Rebuilds a page without garbage.
pub(crate) fn compact(pager: &mut Pager, number: PageLink) -> Result<(), StorageError> {
    let old = Rc::clone(pager.page(number)?);
    let node = Node(&old);
    let mut builder = NodeBuilder::new(node.level()).leftmost(page::get_u64(&old[..], LINK_AT));
    if !builder.push_all(node, 0, node.count()) {
        return Err(StorageError::corrupt(
            number_of(number),
            "its cells do not fit",
        ));
    }
    pager.replace_page(number, builder.finish())?;
    Ok(())
}

/// Points child `index` of a branch to another page.
pub(crate) fn set_child(
    pager: &mut Pager,
    branch: PageLink,
    index: usize,
    child: PageLink,
) -> Result<(), StorageError> {
    let at = Node(pager.page(branch)?).child_at(index);
    pager.log_range(branch, at, at + 8);
    page::put_u64(pager.page_mut(branch)?, at, child);
    Ok(())
}

const _: () =
    assert!(4 + KEY_INLINE + REFERENCE < CELL_LIMIT && KEY_START + REFERENCE < KEY_INLINE);
