//! Look-ups of one key, EXPRESS_IXSCAN and IDHACK among them, and of many keys at once.

use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, Visitor};
use crate::bson::{Document, DocumentBuilder, ReadValue, ValueRef};
use crate::catalog::collection::{find_prefix, record_of_prefix};
use crate::catalog::plan_cache::KeyAccess;
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use crate::keycode;
use crate::query::Projection;
use crate::storage::accounting::bump;
use crate::storage::compare::word_at;
use crate::storage::{EachFound, PageBytes, Pager, Tree};
use std::rc::Rc;

/// The first record whose key in an index begins with some bytes.
///
/// # Errors
/// Storage errors.
pub fn look_up(pager: &Pager, tree: &Tree, key: &[u8]) -> Result<Option<RecordId>, CommandError> {
    let found = find_prefix(tree, pager, key)?;
    bump(
        &pager.accounting().keys_examined,
        u64::from(found.is_some()),
    );
    Ok(found)
}

/// The first document whose key in an index begins with some bytes.
///
/// # Errors
/// Storage errors.
pub fn look_up_document(
    pager: &Pager,
    collection: &Collection,
    tree: &Tree,
    key: &[u8],
) -> Result<Option<(RecordId, PageBytes)>, CommandError> {
    let Some(record_id) = look_up(pager, tree, key)? else {
        return Ok(None);
    };
    bump(&pager.accounting().documents_examined, 1);
    let bytes = collection.records.get(pager, &record_id.to_bytes())?;
    Ok(bytes.map(|bytes| (record_id, bytes)))
}

/// Calls the visitor with the position of each value that a unique index holds, and with its document.
///
/// Keys and then records are looked up about in their order, so that those of one page meet it one after the other:
/// fetching pages into the processor's memory costs as much as searching them.
///
/// # Errors
/// Storage errors, and the visitor's.
pub fn look_up_each(
    pager: &Pager,
    collection: &Collection,
    tree: &Tree,
    values: &[ReadValue<'_>],
    descending: bool,
    visitor: &mut EachFound<'_, CommandError>,
) -> Result<(), CommandError> {
    let mut keys = Vec::with_capacity(values.len() * 32);
    let mut ends = Vec::with_capacity(values.len());
    let mut heads = Vec::with_capacity(values.len());
    let mut type_bits = keycode::TypeBits::default();
    for value in values {
        let start = keys.len();
        match value.text() {
            Some(text) => keycode::encode_text(text, descending, &mut keys),
            None => {
                type_bits.clear();
                keycode::encode(value.value(), descending, &mut keys, &mut type_bits);
            }
        }
        ends.push(keys.len());
        // The first byte is the type's, which is most often the same.
        heads.push(word_at(&keys[start..], 1));
    }
    let mut records = Vec::with_capacity(values.len());
    let mut places = Vec::with_capacity(values.len());
    let order = coarse_order(&heads);
    let key = &|position: usize| {
        let place = order[position] as usize;
        let start = place.checked_sub(1).map_or(0, |before| ends[before]);
        &keys[start..ends[place]]
    };
    let near = &mut |position: usize, near: Option<&[u8]>| {
        if let Some(record_id) = record_of_prefix(tree, pager, key(position), near)? {
            records.push(record_id.0);
            places.push(order[position] as usize);
        }
        Ok::<_, CommandError>(())
    };
    tree.near_each(pager, order.len(), key, near)?;
    bump(&pager.accounting().keys_examined, records.len() as u64);
    bump(&pager.accounting().documents_examined, records.len() as u64);
    let order = coarse_order(&records);
    let ordered: Vec<_> = { order.iter() }
        .map(|found| RecordId(records[*found as usize]).to_bytes())
        .collect();
    let found =
        &mut |position: usize, record: &[u8]| visitor(places[order[position] as usize], record);
    let key = &|position: usize| ordered[position].as_slice();
    collection
        .records
        .get_each(pager, ordered.len(), key, found)
}

/// The positions of numbers about in the order of the numbers: by their first bits that differ.
fn coarse_order(numbers: &[u64]) -> Vec<u32> {
    const BITS: u32 = 12;
    const FEW: usize = 64;
    if numbers.len() < FEW {
        return (0..numbers.len() as u32).collect();
    }
    let least = numbers.iter().copied().min().unwrap_or(0);
    let most = numbers.iter().copied().max().unwrap_or(0);
    let shift = (u64::BITS - (most - least).leading_zeros()).saturating_sub(BITS);
    let bucket = |number: u64| ((number - least) >> shift) as usize;
    let mut starts = vec![0_u32; (1 << BITS) + 1];
    for number in numbers {
        starts[bucket(*number) + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut order = vec![0; numbers.len()];
    for (position, number) in numbers.iter().enumerate() {
        let start = &mut starts[bucket(*number)];
        order[*start as usize] = position as u32;
        *start += 1;
    }
    order
}

/// Gives the first record whose key in an index begins with some bytes.
pub struct KeyLookUp {
    collection: Rc<Collection>,
    key: Vec<u8>,
    access: KeyAccess,
    /// How documents are given.
    pub projection: Option<Rc<Projection>>,
    /// Whether the key is told too, as it is in the document: the number looked for may be of another type.
    pub tells_key: bool,
    statistics: StageStatistics,
}

impl KeyLookUp {
    pub fn new(collection: Rc<Collection>, key: Vec<u8>, access: KeyAccess) -> Self {
        Self {
            collection,
            key,
            access,
            projection: None,
            tells_key: false,
            statistics: StageStatistics::default(),
        }
    }

    /// Looks the key up; the row then holds the record, if there is one.
    fn look_up(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<bool, CommandError> {
        let Some(index) = self.collection.indexes.get(self.access.index) else {
            return Ok(false);
        };
        let (pager, tree) = (context.pager, &index.tree);
        let found = match self.access.reads_documents {
            true => look_up_document(pager, &self.collection, tree, &self.key)?
                .map(|(record_id, bytes)| (record_id, RowDocument::Stored(bytes))),
            false => look_up(pager, tree, &self.key)?.map(|id| (id, RowDocument::None)),
        };
        let Some((record_id, document)) = found else {
            return Ok(false);
        };
        row.record_id = Some(record_id);
        row.document = document;
        Ok(true)
    }

    // Apart: it is seldom asked for.
    #[inline(never)]
    fn tell_key(&self, row: &mut Row) {
        let id = row.document().map_or(ValueRef::Missing, |it| it.get("_id"));
        let (mut key, mut type_bits) = (Vec::new(), keycode::TypeBits::default());
        keycode::encode(id, self.access.is_descending, &mut key, &mut type_bits);
        row.index_key = key;
        row.type_bits = type_bits.as_bytes().to_vec();
    }
}

impl Stage for KeyLookUp {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let progress = match !self.statistics.is_eof && self.look_up(context, row)? {
            false => Progress::Done,
            true => {
                if self.tells_key {
                    self.tell_key(row);
                }
                if let (Some(projection), Some(document)) = (&self.projection, row.document()) {
                    let mut builder = DocumentBuilder::new();
                    projection.apply(document, &mut builder, context.env)?;
                    row.document = RowDocument::Built(builder.finish());
                }
                Progress::Advanced
            }
        };
        self.statistics.count(progress);
        // A key has one record: with it the end is known.
        self.statistics.is_eof = true;
        Ok(progress)
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        row: &mut Row,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), CommandError> {
        if self.advance(context, row)? {
            visitor(row.record_id, row.document().unwrap_or(Document::EMPTY))?;
        }
        Ok(())
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append_integer("keysExamined", self.statistics.advanced as i64);
        builder.append_integer("docsExamined", self.statistics.advanced as i64);
    }

    fn examined(&self) -> (u64, u64) {
        (self.statistics.advanced, self.statistics.advanced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;

    #[test]
    fn the_coarse_order_has_every_position_once_and_orders_what_is_far_apart() {
        let mut random = Random::new(3);
        for bits in [1, 5, 12, 13, 40, 64] {
            for count in [0, 2, 64, 1000] {
                let numbers: Vec<u64> = (0..count)
                    .map(|_| random.next_u64() >> (64 - bits))
                    .collect();
                let order = coarse_order(&numbers);
                let mut seen = order.clone();
                seen.sort_unstable();
                assert_eq!(seen, (0..count as u32).collect::<Vec<_>>());
                if count < 64 {
                    continue;
                }
                let slack = 1_u64 << (bits.max(12) - 12);
                for pair in order.windows(2) {
                    let [low, high] = [pair[0], pair[1]].map(|at| numbers[at as usize]);
                    assert!(low < high.saturating_add(slack), "{low} before {high}");
                }
            }
        }
    }
}
