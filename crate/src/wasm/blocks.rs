//! Where pages lie in IndexedDB: each in a record of its own, or with its neighbours in the one record of their block.
//!
//! A large record costs a fraction of the time of many small ones with the same bytes, and a small commit writes few
//! pages of any block. So a batch that holds most of a block has it written whole. Store `pages` has pages of their own
//! by number, store `blocks` the pages of a block one after the other by the block's number. Invariants: a page of its
//! own is newer than its copy in the block's record. A mark lies beside it in `pages` (its number and a half, empty),
//! so that the copy is not taken for a page whose own record was lost. Writing a block's record drops the pages of
//! their own that it replaces, and their marks.

use crate::storage::page::{self, PAGE_SIZE, zeroed_buffer};
use crate::storage::{BLOCK_PAGES, Buffer, CommitBatch, FreedRecords, PageNumber};
use indexed_db_futures::KeyRange;
use indexed_db_futures::error::Error;
use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::Transaction;
use js_sys::Uint8Array;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The store of pages in records of their own, and of marks.
pub(super) const PAGES: &str = "pages";
/// The store of the records of whole blocks.
pub(super) const BLOCKS: &str = "blocks";
/// The key of a page's mark is the page's number plus this.
const MARK: f64 = 0.5;
/// Pages of their own in one result: 256 KiB, beyond which results of many records get slow.
const PAGES_PER_READ: u64 = 16;

/// Issues one get.
pub(super) fn get(
    store: &ObjectStore<'_>,
    key: f64,
) -> Result<impl Future<Output = Result<Option<JsValue>, Error>> + use<>, Error> {
    store.get::<JsValue, _, _>(key).primitive()
}

/// Issues one put without waiting for it: the transaction's end tells whether all succeeded.
pub(super) fn put(store: &ObjectStore<'_>, key: f64, value: JsValue) -> Result<(), Error> {
    store
        .put(value)
        .with_key(key)
        .without_key_type()
        .build()
        .map(drop)
}

/// Issues the dropping of all keys of a range.
pub(super) fn delete(store: &ObjectStore<'_>, keys: KeyRange<f64>) -> Result<(), Error> {
    store.delete::<f64, _>(keys).primitive().map(drop)
}

pub(super) fn copy_of(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

/// Which blocks have a record, and which of their pages are known to have a mark. A page whose mark is not known gets
/// it again, which costs a put and changes nothing.
pub(super) struct Places {
    blocks: BTreeSet<u64>,
    marked: BTreeSet<PageNumber>,
}

impl Places {
    /// The places that are known; where none are, a transaction is asked for the blocks that have a record.
    pub(super) fn known_or_stored(
        known: Option<Self>,
        transaction: &Transaction<'_>,
    ) -> Result<impl Future<Output = Result<Self, Error>> + use<>, Error> {
        enum Source<Request> {
            Known(Places),
            Asked(Request),
        }
        let source = match known {
            Some(places) => Source::Known(places),
            None => {
                let blocks = transaction.object_store(BLOCKS)?;
                Source::Asked(blocks.get_all_keys::<f64>().primitive()?)
            }
        };
        Ok(async move {
            let keys = match source {
                Source::Known(places) => return Ok(places),
                Source::Asked(keys) => keys.await?,
            };
            Ok(Self {
                blocks: { keys.map(|key| key.map(|key| key as u64)) }.collect::<Result<_, _>>()?,
                marked: BTreeSet::new(),
            })
        })
    }
}

/// Issues the puts of a batch's pages, which change where pages lie, and drops the records of pages that do not exist
/// any more when there may be some, and of those that nobody has any more.
pub(super) fn put_pages(
    transaction: &Transaction<'_>,
    batch: &CommitBatch,
    freed: &FreedRecords,
    places: &mut Places,
    may_shrink: bool,
) -> Result<(), Error> {
    let store = transaction.object_store(PAGES)?;
    let blocks = transaction.object_store(BLOCKS)?;
    drop_records(transaction, freed)?;
    for block in &freed.blocks {
        let numbers = pages_of(*block);
        places.blocks.remove(block);
        places.marked.retain(|page| !numbers.contains(page));
    }
    for pages in batch
        .pages
        .chunk_by(|a, b| a.0 / BLOCK_PAGES == b.0 / BLOCK_PAGES)
    {
        let block = pages.first().map_or(0, |page| page.0 / BLOCK_PAGES);
        if batch.whole_blocks.binary_search(&block).is_ok() {
            let numbers = pages_of(block);
            delete(&store, records_of(&numbers))?;
            put(&blocks, block as f64, record_of(pages))?;
            places.blocks.insert(block);
            places.marked.retain(|page| !numbers.contains(page));
            continue;
        }
        let has_copies = places.blocks.contains(&block);
        for (number, page) in pages {
            put(&store, *number as f64, copy_of(&page[..]))?;
            if has_copies && places.marked.insert(*number) {
                put(&store, *number as f64 + MARK, copy_of(&[]))?;
            }
        }
    }
    if may_shrink {
        delete(&store, KeyRange::LowerBound(batch.page_count as f64, false))?;
        let beyond = batch.page_count.div_ceil(BLOCK_PAGES);
        delete(&blocks, KeyRange::LowerBound(beyond as f64, false))?;
        places.blocks.split_off(&beyond);
        places.marked.split_off(&batch.page_count);
    }
    Ok(())
}

/// Issues the dropping of records that nobody has any more.
pub(super) fn drop_records(
    transaction: &Transaction<'_>,
    freed: &FreedRecords,
) -> Result<(), Error> {
    let store = transaction.object_store(PAGES)?;
    let blocks = transaction.object_store(BLOCKS)?;
    // A page's mark stays: the copy in its block's record, if that stays, is not the page's.
    for number in &freed.pages {
        delete(&store, KeyRange::Only(*number as f64))?;
    }
    for block in &freed.blocks {
        delete(&store, records_of(&pages_of(*block)))?;
        delete(&blocks, KeyRange::Only(*block as f64))?;
    }
    Ok(())
}

fn pages_of(block: u64) -> Range<PageNumber> {
    block * BLOCK_PAGES..(block + 1) * BLOCK_PAGES
}

/// The keys of pages and of their marks.
fn records_of(numbers: &Range<PageNumber>) -> KeyRange<f64> {
    KeyRange::Bound(numbers.start as f64, false, numbers.end as f64, true)
}

fn record_of(pages: &[(PageNumber, Buffer)]) -> JsValue {
    let record = Uint8Array::new_with_length((pages.len() * PAGE_SIZE) as u32);
    for (place, (_, page)) in (0..).step_by(PAGE_SIZE).zip(pages) {
        record
            .subarray(place, place + PAGE_SIZE as u32)
            .copy_from(&page[..]);
    }
    record.into()
}

/// At most how many pages are stored; none exactly when there are none.
pub(super) async fn count_pages(transaction: &Transaction<'_>) -> Result<u64, Error> {
    let pages = transaction.object_store(PAGES)?.count().primitive()?;
    let blocks = transaction.object_store(BLOCKS)?.count().primitive()?;
    Ok(u64::from(pages.await?) + u64::from(blocks.await?) * BLOCK_PAGES)
}

/// The number after the last page that is stored.
pub(super) async fn end_of_pages(transaction: &Transaction<'_>) -> Result<PageNumber, Error> {
    let mut ends = Vec::new();
    for (name, length) in [(PAGES, 1), (BLOCKS, BLOCK_PAGES)] {
        let store = transaction.object_store(name)?;
        let keys = store.get_all_keys::<f64>().primitive()?.await?;
        let last = keys.last().transpose()?;
        ends.extend(last.map(|key| (key as u64 + 1) * length));
    }
    Ok(ends.into_iter().max().unwrap_or(1))
}

/// The stored pages of these ranges, in any order: all are asked for before any is waited for.
pub(super) async fn read_ranges(
    transaction: &Transaction<'_>,
    ranges: &[Range<PageNumber>],
) -> Result<Vec<(PageNumber, Buffer)>, Error> {
    let store = transaction.object_store(PAGES)?;
    let mut requests = Vec::with_capacity(ranges.len());
    for range in ranges {
        for start in range.clone().step_by(PAGES_PER_READ as usize) {
            let part = start..range.end.min(start + PAGES_PER_READ);
            let keys = || KeyRange::Bound(part.start as f64, false, part.end as f64, true);
            let numbers = store.get_all_keys::<f64>().with_query::<f64, _>(keys());
            let values = store.get_all::<JsValue>().with_query::<f64, _>(keys());
            requests.push((part, numbers.primitive()?, values.primitive()?));
        }
    }
    let mut pages = Vec::new();
    let mut copies = Vec::new();
    for (part, numbers, values) in requests {
        let numbers = numbers.await?.collect::<Result<Vec<f64>, _>>()?;
        let values = values.await?.collect::<Result<Vec<JsValue>, _>>()?;
        let own = numbers
            .iter()
            .zip(values)
            .filter(|(number, _)| number.fract() == 0.0);
        pages.extend(own.map(|(number, value)| (*number as PageNumber, buffer_of(value))));
        // Ascending, and a mark right behind its page.
        let mut met = numbers
            .iter()
            .map(|number| *number as PageNumber)
            .peekable();
        for number in part {
            if met.peek() != Some(&number) {
                copies.push(number);
            }
            while met.next_if_eq(&number).is_some() {}
        }
    }
    let blocks = transaction.object_store(BLOCKS)?;
    let mut requests = Vec::new();
    for wanted in copies.chunk_by(|a, b| a / BLOCK_PAGES == b / BLOCK_PAGES) {
        if let Some(first) = wanted.first() {
            requests.push((wanted, get(&blocks, (first / BLOCK_PAGES) as f64)?));
        }
    }
    for (wanted, request) in requests {
        let record = request
            .await?
            .and_then(|value| value.dyn_into::<Uint8Array>().ok());
        pages.extend(
            record
                .into_iter()
                .flat_map(|record| pages_in(&record, wanted)),
        );
    }
    Ok(pages)
}

/// The wanted pages among those of a block's record.
fn pages_in(record: &Uint8Array, wanted: &[PageNumber]) -> Vec<(PageNumber, Buffer)> {
    let pages = parts_of(record).filter(|(number, _)| wanted.binary_search(number).is_ok());
    pages
        .map(|(number, page)| (number, buffer_of(page.into())))
        .collect()
}

/// The pages of a block's record, as views of it.
fn parts_of(record: &Uint8Array) -> impl Iterator<Item = (PageNumber, Uint8Array)> {
    let length = PAGE_SIZE as u32;
    (0..record.length() / length).map(move |index| {
        let page = record.subarray(index * length, (index + 1) * length);
        let mut start = [0; page::PAGE_HEADER];
        page.subarray(0, start.len() as u32).copy_to(&mut start);
        (page::get_u64(&start, page::NUMBER_AT), page)
    })
}

/// Puts a block's record anew without these pages of it, which nobody has; gives how many it loses.
pub(super) async fn shrink_block(
    transaction: &Transaction<'_>,
    block: u64,
    pages: &[PageNumber],
) -> Result<usize, Error> {
    let blocks = transaction.object_store(BLOCKS)?;
    let stored = get(&blocks, block as f64)?.await?;
    let Some(record) = stored.and_then(|value| value.dyn_into::<Uint8Array>().ok()) else {
        return Ok(0);
    };
    let all = record.length() as usize / PAGE_SIZE;
    let kept: Vec<Uint8Array> = parts_of(&record)
        .filter(|(number, _)| pages.binary_search(number).is_err())
        .map(|(_, page)| page)
        .collect();
    if kept.len() < all {
        let shorter = Uint8Array::new_with_length((kept.len() * PAGE_SIZE) as u32);
        for (place, page) in (0..).step_by(PAGE_SIZE).zip(&kept) {
            shorter.set(page, place);
        }
        put(&blocks, block as f64, shorter.into())?;
    }
    Ok(all - kept.len())
}

/// The pages of these numbers, which ascend.
pub(super) async fn read_numbers(
    transaction: &Transaction<'_>,
    numbers: Vec<PageNumber>,
) -> Result<Vec<(PageNumber, Buffer)>, Error> {
    let store = transaction.object_store(PAGES)?;
    let mut requests = Vec::with_capacity(numbers.len());
    for number in numbers {
        requests.push((number, get(&store, number as f64)?));
    }
    let mut pages = Vec::with_capacity(requests.len());
    let mut rest: Vec<Range<PageNumber>> = Vec::new();
    for (number, request) in requests {
        match (request.await?, rest.last_mut()) {
            (Some(value), _) => pages.push((number, buffer_of(value))),
            (None, Some(range)) if range.end == number => range.end += 1,
            (None, _) => rest.push(number..number + 1),
        }
    }
    if !rest.is_empty() {
        pages.append(&mut read_ranges(transaction, &rest).await?);
    }
    Ok(pages)
}

/// A stored value as a page; a value that is no page of the right length becomes zeros, which no check
/// accepts.
fn buffer_of(value: JsValue) -> Buffer {
    let Ok(array) = value.dyn_into::<Uint8Array>() else {
        return zeroed_buffer();
    };
    if array.length() as usize != PAGE_SIZE {
        return zeroed_buffer();
    }
    let mut buffer = zeroed_buffer();
    if let Some(bytes) = Rc::get_mut(&mut buffer) {
        array.copy_to(bytes);
    }
    buffer
}
