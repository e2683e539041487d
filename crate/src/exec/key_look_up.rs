//! Look-ups of one key and of many keys at once: the work of `EXPRESS_IXSCAN` and `IDHACK`, and of a read of a known
//! shape.

use super::record::{IndexKey, Record, Visitor};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ReadValue, ValueRef};
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
    /// Whether the document is read later, by the command that changes it.
    pub leaves_document: bool,
    /// The record that was found, and its document, where that is read.
    found: Option<(RecordId, Option<PageBytes>)>,
    /// The document as it is given, where that is projected.
    projected: Option<DocumentBuf>,
    /// The key that is told.
    told: Option<Box<(Vec<u8>, keycode::TypeBits)>>,
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
            leaves_document: false,
            found: None,
            projected: None,
            told: None,
            statistics: StageStatistics::default(),
        }
    }

    /// Looks the key up; false: there is no record.
    fn look_up(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let Some(index) = self.collection.indexes.get(self.access.index) else {
            return Ok(false);
        };
        let (pager, tree) = (context.pager, &index.tree);
        self.found = match self.access.reads_documents {
            true => look_up_document(pager, &self.collection, tree, &self.key)?
                .map(|(record_id, bytes)| (record_id, Some(bytes))),
            false => look_up(pager, tree, &self.key)?.map(|record_id| (record_id, None)),
        };
        if self.leaves_document {
            let documents = u64::from(self.found.is_some());
            bump(&pager.accounting().documents_examined, documents);
        }
        Ok(self.found.is_some())
    }

    /// The document that was found.
    fn document(&self) -> Option<Document<'_>> {
        let (_, bytes) = self.found.as_ref()?;
        bytes.as_deref().map(Document::from_valid_bytes)
    }

    // Apart: it is seldom asked for.
    #[inline(never)]
    fn tell_key(&mut self) {
        let id = self
            .document()
            .map_or(ValueRef::Missing, |it| it.get("_id"));
        let mut told = Box::<(Vec<u8>, keycode::TypeBits)>::default();
        keycode::encode(id, self.access.is_descending, &mut told.0, &mut told.1);
        self.told = Some(told);
    }
}

impl Stage for KeyLookUp {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let found = !self.statistics.is_eof && self.look_up(context)?;
        if found && self.tells_key {
            self.tell_key();
        }
        if found && let (Some(projection), Some(document)) = (&self.projection, self.document()) {
            let mut builder = DocumentBuilder::new();
            projection.apply(document, &mut builder, context.env)?;
            self.projected = Some(builder.finish());
        }
        self.statistics.count(match found {
            true => Progress::Advanced,
            false => Progress::Done,
        });
        // A key has one record: with it the end is known.
        self.statistics.is_eof = true;
        Ok(found)
    }

    fn current(&self) -> Record<'_> {
        let projected = self.projected.as_ref().map(DocumentBuf::as_document);
        Record {
            document: projected.or_else(|| self.document()),
            record_id: self.found.as_ref().map(|(record_id, _)| *record_id),
            key: self.told.as_ref().map(|told| IndexKey {
                components: &told.0,
                type_bits: told.1.as_bytes(),
            }),
            ..Record::default()
        }
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        Ok(!self.advance(context)? || visitor(&self.current())?)
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
