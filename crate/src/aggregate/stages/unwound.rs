//! `$unwind` for stages that only read paths: each item is bound to the array's path, and no document is written.
//!
//! Invariant: at every path that it was narrowed to, a reader finds the value that the written document would have
//! there (`UnwindPlan::can_bind` says when that can be promised).

use super::unwind::UnwindPlan;
use crate::bson::{BsonType, Document, ReadValue};
use crate::env::Env;
use crate::error::CommandError;
use crate::exec::path_values::{Collected, Collector};
use crate::exec::{Record, Visitor};
use crate::expr::{Bound, BoundValue, FieldPath};

type Result<T> = std::result::Result<T, CommandError>;

/// Where a reader's slots lie as seen from the array and from the item's position.
pub struct Binder {
    /// The slot of the array itself.
    array: usize,
    /// The slots that read the item.
    items: Vec<usize>,
    /// The slots that read below it, in the order of the paths that `inner` reads of an item.
    below: Vec<usize>,
    inner: Collector,
    /// The slots that read the position, and those that read below it.
    indexes: Vec<usize>,
    below_index: Vec<usize>,
    /// Reads all of these paths.
    reader: Collector,
    /// The positions so far met, as values.
    positions: Vec<[u8; 8]>,
}

impl Binder {
    /// For a reader of these paths; `None` when they are too many with that of the array.
    pub fn new(plan: &UnwindPlan, paths: &[FieldPath]) -> Option<Self> {
        let mut binder = Self {
            array: 0,
            items: Vec::new(),
            below: Vec::new(),
            inner: Collector::default(),
            indexes: Vec::new(),
            below_index: Vec::new(),
            reader: Collector::default(),
            positions: Vec::new(),
        };
        for path in paths {
            let slot = binder.reader.add(path)?;
            if let Some(below) = path.parts().strip_prefix(plan.path.parts()) {
                if below.is_empty() {
                    binder.items.push(slot);
                } else {
                    binder.inner.add(&FieldPath::from_parts(below))?;
                    binder.below.push(slot);
                }
            }
            let index = plan.index.as_ref().map(FieldPath::parts);
            if let Some(below) = index.and_then(|index| path.parts().strip_prefix(index)) {
                let slots = match below.is_empty() {
                    true => &mut binder.indexes,
                    false => &mut binder.below_index,
                };
                slots.push(slot);
            }
        }
        binder.array = binder.reader.add(&plan.path)?;
        Some(binder)
    }

    /// The paths that it reads: those of its reader, and that of the array.
    pub fn reads(&self) -> &[FieldPath] {
        self.reader.paths()
    }

    /// Hands on the bound records of one document.
    pub fn visit(
        &mut self,
        plan: &UnwindPlan,
        record: &Record<'_>,
        env: &dyn Env,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool> {
        let collected;
        let read = match record.values {
            Some(read) => read,
            None => {
                collected = self.reader.collect(record.document());
                &collected
            }
        };
        let bound = record.bound;
        // An array behind another array is not unwound.
        let array = read.plain(self.array).copied();
        let array = array.unwrap_or(ReadValue::MISSING);
        match array.kind {
            BsonType::Array => {}
            BsonType::Missing | BsonType::Null | BsonType::Undefined if !plan.preserve => {
                return Ok(true);
            }
            // The document passes as it is.
            _ => return self.give(plan, read, bound, None, visitor),
        }
        let mut own = *read;
        let list = Document::from_valid_bytes(array.value_bytes);
        let mut count = 0;
        for item in list.raw_elements() {
            env.checkpoint()?;
            while plan.index.is_some() && self.positions.len() <= count {
                let position = self.positions.len() as i64;
                self.positions.push(position.to_le_bytes());
            }
            let value = ReadValue {
                kind: item.kind,
                value_bytes: item.value_bytes,
                walked: array.walked,
            };
            self.put(&mut own, value);
            let bound = Bound {
                path: plan.path.parts(),
                value: BoundValue::Whole(value),
                outer: bound,
            };
            if !self.give(plan, &own, Some(&bound), Some(count), visitor)? {
                return Ok(false);
            }
            count += 1;
        }
        if count == 0 && plan.preserve {
            self.put(&mut own, ReadValue::MISSING);
            let bound = Bound {
                path: plan.path.parts(),
                value: BoundValue::Whole(ReadValue::MISSING),
                outer: bound,
            };
            return self.give(plan, &own, Some(&bound), None, visitor);
        }
        Ok(true)
    }

    /// Puts an item into the slots that read it or below it.
    fn put<'d>(&mut self, own: &mut Collected<'d>, value: ReadValue<'d>) {
        for slot in &self.items {
            own.set(*slot, value);
        }
        if self.below.is_empty() {
            return;
        }
        let inner = match value.kind {
            BsonType::Document => Document::from_valid_bytes(value.value_bytes),
            _ => Document::EMPTY,
        };
        let inner = self.inner.collect(inner);
        for (from, slot) in self.below.iter().enumerate() {
            let through_array = value.kind == BsonType::Array || inner.plain(from).is_none();
            own.set(
                *slot,
                inner
                    .values
                    .get(from)
                    .copied()
                    .unwrap_or(ReadValue::MISSING),
            );
            own.through_arrays |= u32::from(through_array) << slot;
        }
    }

    /// Hands one document on, with its position bound where it is asked for.
    fn give(
        &self,
        plan: &UnwindPlan,
        own: &Collected<'_>,
        bound: Option<&Bound<'_>>,
        position: Option<usize>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool> {
        let Some(index) = &plan.index else {
            return visitor(&record_of(own, bound));
        };
        let position = position.and_then(|position| self.positions.get(position));
        let value = ReadValue {
            kind: match position {
                Some(_) => BsonType::Int64,
                None => BsonType::Null,
            },
            value_bytes: position.map_or(&[], <[u8; 8]>::as_slice),
            walked: 1,
        };
        // The positions are not of the document: they are seen by this call alone.
        let mut own = *own;
        for slot in &self.indexes {
            own.set(*slot, value);
        }
        for slot in &self.below_index {
            own.set(*slot, ReadValue::MISSING);
        }
        let bound = Bound {
            path: index.parts(),
            value: BoundValue::Whole(value),
            outer: bound,
        };
        visitor(&record_of(&own, Some(&bound)))
    }
}

fn record_of<'r>(own: &'r Collected<'r>, bound: Option<&'r Bound<'r>>) -> Record<'r> {
    Record {
        values: Some(own),
        bound,
        ..Record::from(own.document)
    }
}
