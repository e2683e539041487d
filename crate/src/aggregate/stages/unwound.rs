//! `$unwind` for who only reads paths: each item bound to the array's path, and no document written.
//!
//! Invariant: a reader finds at every path that it was narrowed to what the written document would hold there
//! (`UnwindPlan::can_bind` says when that can be promised).

use super::super::collector::{Collected, Collector, ReadVisitor};
use super::unwind::UnwindPlan;
use crate::bson::{BsonType, Document, ReadValue};
use crate::env::Env;
use crate::error::CommandError;
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
    /// The positions so far met, as values.
    positions: Vec<[u8; 8]>,
}

impl Binder {
    /// Has a reader read the array too; `None` when it has too many paths.
    pub fn new(plan: &UnwindPlan, reader: &mut Collector) -> Option<Self> {
        let mut binder = Self {
            array: 0,
            items: Vec::new(),
            below: Vec::new(),
            inner: Collector::default(),
            indexes: Vec::new(),
            below_index: Vec::new(),
            positions: Vec::new(),
        };
        for (slot, path) in reader.paths().iter().enumerate() {
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
        binder.array = reader.add(&plan.path)?;
        Some(binder)
    }

    /// Hands on what becomes of one document.
    pub fn visit(
        &mut self,
        plan: &UnwindPlan,
        read: &Collected<'_>,
        bound: Option<&Bound<'_>>,
        env: &dyn Env,
        visitor: &mut ReadVisitor<'_>,
    ) -> Result<()> {
        // What lies behind another array is not unwound.
        let array = read.plain(self.array).copied();
        let array = array.unwrap_or(ReadValue::MISSING);
        match array.kind {
            BsonType::Array => {}
            BsonType::Missing | BsonType::Null | BsonType::Undefined if !plan.preserve => {
                return Ok(());
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
            self.give(plan, &own, Some(&bound), Some(count), visitor)?;
            count += 1;
        }
        if count == 0 && plan.preserve {
            self.put(&mut own, ReadValue::MISSING);
            let bound = Bound {
                path: plan.path.parts(),
                value: BoundValue::Whole(ReadValue::MISSING),
                outer: bound,
            };
            self.give(plan, &own, Some(&bound), None, visitor)?;
        }
        Ok(())
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
        visitor: &mut ReadVisitor<'_>,
    ) -> Result<()> {
        let Some(index) = &plan.index else {
            return visitor(own, bound);
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
        visitor(&own, Some(&bound))
    }
}
