//! Chains of overflow pages: large values and the rests of long keys.
//!
//! Invariant: a chain has exactly the pages its length needs, all full but the last; it is owned by one cell.

use super::page::{
    self, Buffer, COUNT_AT, LINK_AT, PAGE_CAPACITY, PAGE_HEADER, PageKind, PageLink, PageNumber,
    number_of,
};
use super::pager::Pager;
use crate::error::StorageError;
use std::rc::Rc;

/// How many pages a chain of so many bytes has.
pub(crate) fn chain_pages(length: u64) -> u64 {
    length.div_ceil(PAGE_CAPACITY as u64)
}

/// Checks the payload length of an overflow or free-list page.
pub(crate) fn validate(number: PageNumber, buffer: &Buffer) -> Result<(), StorageError> {
    let length = usize::from(page::get_u16(&buffer[..], COUNT_AT));
    if length > PAGE_CAPACITY {
        return Err(StorageError::corrupt(number, "bad payload length"));
    }
    Ok(())
}

/// Writes bytes to a new chain and returns the link to its first page. `bytes` must not be empty.
pub(crate) fn write_chain(pager: &mut Pager, bytes: &[u8]) -> Result<PageLink, StorageError> {
    let numbers = pager.plan_run(chain_pages(bytes.len() as u64) as usize)?;
    for (at, (chunk, number)) in bytes.chunks(PAGE_CAPACITY).zip(&numbers).enumerate() {
        let mut buffer = page::fresh_buffer(PageKind::Overflow, 0);
        let target = Rc::make_mut(&mut buffer);
        page::put_u16(target, COUNT_AT, chunk.len() as u16);
        let next = numbers.get(at + 1);
        page::put_u64(
            target,
            LINK_AT,
            next.map_or(0, |next| pager.link_to_new(*next)),
        );
        target[PAGE_HEADER..PAGE_HEADER + chunk.len()].copy_from_slice(chunk);
        pager.allocate_at(*number, buffer)?;
    }
    numbers
        .first()
        .map(|first| pager.link_to_new(*first))
        .ok_or_else(|| StorageError::broken("an empty chain"))
}

/// One page of a chain: its payload and the next page. `expected` is the payload length the chain's length implies.
fn link(
    pager: &Pager,
    link: PageLink,
    expected: usize,
) -> Result<(&Buffer, PageLink), StorageError> {
    let buffer = pager.page(link)?;
    let corrupt = |reason: &str| StorageError::corrupt(number_of(link), reason.to_owned());
    if !page::is_meant(buffer, link) {
        return Err(page::not_meant(buffer, link));
    }
    if page::kind_of(buffer) != Some(PageKind::Overflow) {
        return Err(corrupt("it is not an overflow page"));
    }
    if usize::from(page::get_u16(&buffer[..], COUNT_AT)) != expected {
        return Err(corrupt("an overflow chain has the wrong length"));
    }
    Ok((buffer, page::get_u64(&buffer[..], LINK_AT)))
}

/// Walks a chain of `length` bytes.
pub(crate) fn walk(
    pager: &Pager,
    first: PageLink,
    length: u64,
    visit: &mut dyn FnMut(PageNumber, &Buffer, usize) -> Result<(), StorageError>,
) -> Result<(), StorageError> {
    let mut at = first;
    let mut rest = length;
    while rest > 0 {
        let expected = rest.min(PAGE_CAPACITY as u64) as usize;
        let (buffer, next) = link(pager, at, expected)?;
        let number = number_of(at);
        visit(number, buffer, expected)?;
        rest -= expected as u64;
        if (next == 0) != (rest == 0) {
            return Err(StorageError::corrupt(number, "an overflow chain is cut"));
        }
        at = next;
    }
    Ok(())
}

/// The buffer of a chain that has a single page.
pub(crate) fn single(pager: &Pager, first: PageLink, length: u64) -> Result<&Buffer, StorageError> {
    let (buffer, next) = link(pager, first, length as usize)?;
    if next != 0 {
        return Err(StorageError::corrupt(
            number_of(first),
            "an overflow chain is too long",
        ));
    }
    Ok(buffer)
}

/// Appends the bytes of a chain.
pub(crate) fn read_chain(
    pager: &Pager,
    first: PageLink,
    length: u64,
    out: &mut Vec<u8>,
) -> Result<(), StorageError> {
    let pages = chain_pages(length);
    if pages >= pager.page_count() {
        return Err(StorageError::corrupt(
            number_of(first),
            "an overflow chain is too long",
        ));
    }
    out.reserve(length as usize);
    walk(pager, first, length, &mut |_, buffer, size| {
        out.extend_from_slice(&buffer[PAGE_HEADER..PAGE_HEADER + size]);
        Ok(())
    })
}

/// Copies a chain; gives the link to the copy's first page.
pub(crate) fn copy_chain(
    pager: &mut Pager,
    first: PageLink,
    length: u64,
) -> Result<PageLink, StorageError> {
    let mut bytes = Vec::new();
    read_chain(pager, first, length, &mut bytes)?;
    write_chain(pager, &bytes)
}

/// Gives a chain the lowest free numbers; gives the link to its new first page.
pub(crate) fn move_chain(
    pager: &mut Pager,
    first: PageLink,
    length: u64,
) -> Result<PageLink, StorageError> {
    let mut buffers = Vec::new();
    walk(pager, first, length, &mut |_, buffer, _| {
        buffers.push(Rc::clone(buffer));
        Ok(())
    })?;
    free_chain(pager, first, length)?;
    let mut next = 0;
    // From the last page on, so that each can refer to the one behind it.
    for mut buffer in buffers.into_iter().rev() {
        page::put_u64(&mut Rc::make_mut(&mut buffer)[..], LINK_AT, next);
        next = pager.allocate(buffer)?;
    }
    Ok(next)
}

/// Frees a chain and says how many pages it had.
pub(crate) fn free_chain(
    pager: &mut Pager,
    first: PageLink,
    length: u64,
) -> Result<u64, StorageError> {
    let mut numbers = Vec::with_capacity(chain_pages(length).min(pager.page_count()) as usize);
    walk(pager, first, length, &mut |number, _, _| {
        numbers.push(number);
        Ok(())
    })?;
    for number in &numbers {
        pager.free(*number)?;
    }
    Ok(numbers.len() as u64)
}
