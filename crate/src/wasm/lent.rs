//! Commit batches on their way to another thread: while a script keeps the engine's thread busy, another
//! worker stores the changes made so far, through a device of its own.
//!
//! Layout: five little-endian u64 (sequence, expected sequence, expected lineage, page count, 1 when
//! strict), the header's length as a sixth, the header, then number and bytes of each page. Invariant:
//! `web/src/worker/slices.ts` reads the first and the fifth, and nobody else but `decode` reads the rest.

use super::idb::IdbDevice;
use crate::error::StorageError;
use crate::storage::{CommitBatch, Durability, PAGE_SIZE, PageDevice, PageNumber, zeroed_buffer};
use js_sys::Uint8Array;
use std::rc::Rc;

const NUMBERS: usize = 6;
const PAGE_RECORD: usize = 8 + PAGE_SIZE;

/// The batch as bytes that can be handed to another worker.
pub fn encode(batch: &CommitBatch, strict: bool) -> Uint8Array {
    let numbers = [
        batch.sequence,
        batch.expected,
        batch.expected_lineage,
        batch.page_count,
        u64::from(strict),
        batch.header.len() as u64,
    ];
    let start: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .chain(batch.header.iter().copied())
        .collect();
    let length = start.len() + batch.pages.len() * PAGE_RECORD;
    let bytes = Uint8Array::new_with_length(length as u32);
    let mut at = 0;
    let mut put = |part: &[u8]| {
        let end = at + part.len() as u32;
        bytes.subarray(at, end).copy_from(part);
        at = end;
    };
    put(&start);
    for (number, page) in &batch.pages {
        put(&number.to_le_bytes());
        put(&page[..]);
    }
    bytes
}

fn decode(bytes: &[u8]) -> Option<(CommitBatch, Durability)> {
    let number = |index: usize| -> Option<u64> {
        let bytes = bytes.get(index * 8..index * 8 + 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    let header_length = usize::try_from(number(5)?).ok()?;
    let rest = bytes.get(NUMBERS * 8..)?;
    let header = rest.get(..header_length)?;
    let records = rest[header_length..].chunks_exact(PAGE_RECORD);
    let mut pages = Vec::with_capacity(records.len());
    for record in records {
        let (number, content) = record.split_at(8);
        let mut buffer = zeroed_buffer();
        Rc::get_mut(&mut buffer)?.copy_from_slice(content);
        pages.push((PageNumber::from_le_bytes(number.try_into().ok()?), buffer));
    }
    let batch = CommitBatch {
        sequence: number(0)?,
        expected: number(1)?,
        expected_lineage: number(2)?,
        over_damage: false,
        header: Rc::from(header),
        pages,
        page_count: number(3)?,
        whole_blocks: Vec::new(),
    };
    let strict = number(4)? == 1;
    Some((
        batch,
        if strict {
            Durability::Strict
        } else {
            Durability::Relaxed
        },
    ))
}

/// Stores a lent batch; the fence holds as for any other.
///
/// # Errors
/// `Broken` for bytes that are no batch; errors of the device.
pub async fn store(device: &IdbDevice, bytes: &Uint8Array) -> Result<(), StorageError> {
    let Some((batch, durability)) = decode(&bytes.to_vec()) else {
        return Err(StorageError::broken("these bytes are no batch"));
    };
    device.write(&batch, durability).await
}
