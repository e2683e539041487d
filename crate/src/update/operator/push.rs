//! `$push`: adds items to an array, with `$each`, `$position`, `$slice` and `$sort`.

use super::super::errors::{bad_value, id_text};
use super::push_sort::PushSort;
use super::{Argument, Change, Compiled, Operator, Place};
use crate::algorithms::sorting;
use crate::bson::{Array, ArrayBuilder, Document, Value, ValueRef};
use crate::collation::Collation;
use crate::env::Env;
use crate::error::CommandError;

struct Push {
    values: Vec<Value<'static>>,
    position: Option<i64>,
    slice: Option<i64>,
    sort: Option<PushSort>,
    collation: Collation,
}

/// Compiles `{$push: {path: value | {$each: [values], $position, $slice, $sort}}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    let mut push = Push {
        values: Vec::new(),
        position: None,
        slice: None,
        sort: None,
        collation: argument.context.collation.clone(),
    };
    match argument.value {
        ValueRef::Document(clauses) if !clauses.get("$each").is_missing() => {
            push.clauses(clauses)?;
        }
        value => push.values.push(value.to_value()),
    }
    Ok(Box::new(push))
}

impl Push {
    fn clauses(&mut self, clauses: Document<'_>) -> Result<(), CommandError> {
        for (position, clause) in clauses.iter().enumerate() {
            if clauses
                .iter()
                .take(position)
                .any(|known| known.name == clause.name)
            {
                return Err(bad_value(format!("Only one {} is supported.", clause.name)));
            }
            let given = clause.value.type_name();
            match clause.name {
                "$each" => {
                    let ValueRef::Array(values) = clause.value else {
                        return Err(bad_value(format!(
                            "The argument to $each in $push must be an array but it was of type: {given}"
                        )));
                    };
                    self.values = values.iter().map(ValueRef::to_value).collect();
                }
                "$slice" => {
                    let slice = clause.value.as_exact_i64().ok_or_else(|| {
                        bad_value(format!(
                            "The value for $slice must be an integer value but was given type: {given}"
                        ))
                    })?;
                    self.slice = Some(slice);
                }
                "$sort" => self.sort = Some(PushSort::compile(clause.value)?),
                "$position" => {
                    let position = clause.value.as_exact_i64().ok_or_else(|| {
                        bad_value(format!(
                            "The value for $position must be an integer value, not of type: {given}"
                        ))
                    })?;
                    self.position = Some(position);
                }
                other => {
                    return Err(bad_value(format!("Unrecognized clause in $push: {other}")));
                }
            }
        }
        Ok(())
    }

    /// Where new items go in an array of that length.
    fn insert_at(&self, length: usize) -> usize {
        match self.position {
            None => length,
            Some(position @ 0..) => usize::try_from(position).map_or(length, |at| at.min(length)),
            Some(position) => {
                let back = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
                length.saturating_sub(back)
            }
        }
    }

    /// The general case: place, sort and cut a list of items.
    fn arrange(&self, array: Array<'_>, env: &dyn Env) -> Result<Value<'static>, CommandError> {
        let mut items: Vec<ValueRef<'_>> = array.iter().collect();
        let at = self.insert_at(items.len());
        items.splice(at..at, self.values.iter().map(Value::as_ref));
        if let Some(sort) = &self.sort {
            sorting::sort_asking(env, &mut items, &mut |left, right| {
                sort.order(*left, *right, &self.collation)
            })?;
        }
        let mut kept = items.as_slice();
        if let Some(slice) = self.slice {
            let keep = usize::try_from(slice.unsigned_abs())
                .unwrap_or(usize::MAX)
                .min(items.len());
            kept = match slice {
                0.. => &items[..keep],
                _ => &items[items.len() - keep..],
            };
        }
        let mut builder = ArrayBuilder::new();
        for item in kept {
            env.checkpoint()?;
            builder.push(*item);
        }
        Ok(Value::Array(builder.finish()))
    }
}

impl Operator for Push {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let array = match current {
            ValueRef::Missing => Array::EMPTY,
            ValueRef::Array(array) => array,
            other => {
                return Err(bad_value(format!(
                    "The field '{}' must be an array but is of type {} in document {{{}}}",
                    place.path,
                    other.type_name(),
                    id_text(place.document)
                )));
            }
        };
        if self.position.is_some() || self.sort.is_some() {
            if self.values.is_empty() && self.sort.is_none() && self.slice.is_none() {
                return Ok(match current.is_missing() {
                    true => Change::Set(Value::Borrowed(ValueRef::Array(Array::EMPTY))),
                    false => Change::Same,
                });
            }
            return Ok(Change::Set(self.arrange(array, place.context.env)?));
        }
        if let Some(slice) = self.slice {
            let length = array.len();
            let keep = usize::try_from(slice.unsigned_abs()).unwrap_or(usize::MAX);
            let unchanged = self.values.is_empty() && length <= keep && !current.is_missing();
            return Ok(match unchanged {
                true => Change::Same,
                false => Change::Set(self.arrange(array, place.context.env)?),
            });
        }
        if self.values.is_empty() && !current.is_missing() {
            return Ok(Change::Same);
        }
        let mut items = ArrayBuilder::from_array(array);
        for value in &self.values {
            items.push(value.as_ref());
        }
        Ok(Change::Set(Value::Array(items.finish())))
    }
}
