//! Ordered indexes: the keys of a document are the values at the fields' paths.
//!
//! Follows the server's rules: a missing field is null, an array gives a key for each item, fields
//! that share an array prefix are expanded together, two different arrays in one document are refused,
//! an empty array is undefined, and a numeric path component may name an array position.
//! Invariant: a finished `KeySet` holds distinct keys in ascending order, without RecordIds.

use super::definition::IndexDefinition;
use super::field::KeyField;
use super::keys::{KeySet, MOST_FIELDS};
use super::kind::KindRules;
use crate::bson::{Array, Document, ReadValue, ValueRef, array_position};
use crate::error::{Code, CommandError};

/// The rules of ordered indexes.
pub(super) struct Ordered;

impl KindRules for Ordered {
    fn generate(
        &self,
        definition: &IndexDefinition,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError> {
        if definition.version == 1 {
            check_decimals(definition, document)?;
        }
        generate(&definition.fields, definition.sparse, document, keys)
    }

    fn keys_are_values(&self) -> bool {
        true
    }
}

/// Generates the keys of a document's values at these fields. `is_sparse`: a document without any of them has none.
///
/// # Errors
/// 171 `CannotIndexParallelArrays`, 16746 for an ambiguous position.
pub fn generate(
    fields: &[KeyField],
    is_sparse: bool,
    document: Document<'_>,
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    let start = keys.begin_key();
    let mut missing = 0;
    let mut found = [ReadValue::MISSING; MOST_FIELDS];
    let is_read = keys.read(document, &mut found);
    for (position, field) in fields.iter().enumerate() {
        let Step { value, next } = match found.get(position) {
            Some(read) if is_read => Step {
                value: read.value(),
                next: read.walked,
            },
            _ => walk(document, &field.components, 0),
        };
        match value {
            ValueRef::Array(array) if fields.len() == 1 && next == field.components.len() => {
                expand_only_field(array, field.descending, next, keys);
                return Ok(());
            }
            ValueRef::Array(_) => return Expansion::run(fields, is_sparse, document, keys),
            ValueRef::Missing => {
                missing += 1;
                keys.component(ValueRef::Null, field.descending);
            }
            value => keys.component(value, field.descending),
        }
    }
    if is_sparse && missing == fields.len() {
        keys.clear();
    } else {
        keys.end_key(start);
    }
    Ok(())
}

/// Where a walk down a path ended: at the path's end, or at the first array.
#[derive(Clone, Copy)]
struct Step<'a> {
    value: ValueRef<'a>,
    /// How many components were walked.
    next: usize,
}

const MISSING: Step<'static> = Step {
    value: ValueRef::Missing,
    next: 0,
};

/// Walks from a document until the path's end or the first array.
fn walk<'a>(document: Document<'a>, components: &[Box<str>], from: usize) -> Step<'a> {
    let mut document = document;
    for (position, component) in components.iter().enumerate().skip(from) {
        let value = document.get(component);
        let next = position + 1;
        if next == components.len() || matches!(value, ValueRef::Array(_)) {
            return Step { value, next };
        }
        match value {
            ValueRef::Document(inner) => document = inner,
            _ => return MISSING,
        }
    }
    MISSING
}

/// Refuses a decimal in a field of an index of version 1, whose keys have no form for it.
#[cold]
#[inline(never)]
fn check_decimals(
    definition: &IndexDefinition,
    document: Document<'_>,
) -> Result<(), CommandError> {
    fn holds_decimal(value: ValueRef<'_>, path: &[Box<str>]) -> bool {
        match (value, path.split_first()) {
            (ValueRef::Decimal128(_), None) => true,
            (ValueRef::Array(items), Some((position, below))) => items.iter().any(|item| {
                holds_decimal(item, path)
                    || (array_position(position).is_some() && holds_decimal(item, below))
            }),
            (ValueRef::Array(items), None) => items.iter().any(|item| holds_decimal(item, path)),
            (ValueRef::Document(fields), Some((name, below))) => {
                holds_decimal(fields.get(name), below)
            }
            (ValueRef::Document(fields), None) => {
                fields.iter().any(|field| holds_decimal(field.value, path))
            }
            _ => false,
        }
    }
    let whole = ValueRef::Document(document);
    match { definition.fields.iter() }.any(|field| holds_decimal(whole, &field.components)) {
        true => Err(CommandError::new(
            Code::UnsupportedFormat,
            "Index version does not support NumberDecimal",
        )),
        false => Ok(()),
    }
}

/// The common case of the general algorithm: one field, whose path ends in the array.
fn expand_only_field(array: Array<'_>, descending: bool, walked: usize, keys: &mut KeySet) {
    keys.note_multikey(1, 0, walked);
    for item in array.iter() {
        let start = keys.begin_key();
        keys.component(item, descending);
        keys.end_key(start);
    }
    if keys.is_empty() {
        keys.component(ValueRef::Undefined, descending);
        keys.end_key(0);
    }
    keys.finish();
}

/// An item of an array that a path names by its position, found before the array is expanded.
#[derive(Clone, Copy)]
struct Positional<'a> {
    step: Step<'a>,
    is_array: bool,
}

/// The state of the general algorithm: how far along its path each field is, and the value there.
#[derive(Clone)]
struct Reached<'a> {
    /// Components walked; all of them when the field is done.
    at: Vec<usize>,
    values: Vec<ValueRef<'a>>,
    missing: usize,
}

struct Expansion<'d, 'k> {
    fields: &'d [KeyField],
    is_sparse: bool,
    keys: &'k mut KeySet,
}

impl<'d, 'k> Expansion<'d, 'k> {
    fn run<'a>(
        fields: &'d [KeyField],
        is_sparse: bool,
        document: Document<'a>,
        keys: &'k mut KeySet,
    ) -> Result<(), CommandError> {
        keys.clear();
        let mut expansion = Self {
            fields,
            is_sparse,
            keys,
        };
        let reached: Reached<'a> = Reached {
            at: vec![0; fields.len()],
            values: vec![ValueRef::Null; fields.len()],
            missing: 0,
        };
        expansion.expand(document, reached, &vec![None; fields.len()])?;
        expansion.keys.finish();
        Ok(())
    }

    fn is_done(&self, reached: &Reached<'_>, field: usize) -> bool {
        reached.at[field] == self.fields[field].components.len()
    }

    fn emit(&mut self, reached: &Reached<'_>) -> Result<(), CommandError> {
        if self.is_sparse && reached.missing == reached.at.len() {
            return Ok(());
        }
        let start = self.keys.begin_key();
        for (field, value) in self.fields.iter().zip(&reached.values) {
            self.keys.component(*value, field.descending);
        }
        self.keys.end_key(start);
        self.keys.check_size()
    }

    /// Takes every unfinished field one array further and expands that array.
    fn expand<'a>(
        &mut self,
        document: Document<'a>,
        mut reached: Reached<'a>,
        positional: &[Option<Positional<'a>>],
    ) -> Result<(), CommandError> {
        let mut array: Option<(Array<'a>, usize)> = None;
        let mut through = vec![false; reached.at.len()];
        let mut expands_ends = true;
        for field in 0..reached.at.len() {
            if self.is_done(&reached, field) {
                continue;
            }
            let (step, is_nested) = self.next_step(document, &reached, field, positional[field])?;
            match step.value {
                ValueRef::Missing => {
                    reached.values[field] = ValueRef::Null;
                    reached.at[field] = self.fields[field].components.len();
                    reached.missing += 1;
                }
                ValueRef::Array(found) => {
                    if let Some((other, of)) = array
                        && !std::ptr::eq(other.as_bytes(), found.as_bytes())
                    {
                        return Err(self.parallel(field, step.next, of, reached.at[of]));
                    }
                    reached.at[field] = step.next;
                    array.get_or_insert((found, field));
                    through[field] = true;
                    expands_ends &= !is_nested;
                }
                value => {
                    reached.values[field] = value;
                    reached.at[field] = step.next;
                }
            }
        }
        match array {
            None => self.emit(&reached),
            Some((array, _)) => self.expand_items(array, &reached, &through, expands_ends),
        }
    }

    fn parallel(
        &self,
        field: usize,
        walked: usize,
        other: usize,
        other_walked: usize,
    ) -> CommandError {
        let name = |field: usize, walked: usize| {
            self.fields[field]
                .components
                .get(walked.wrapping_sub(1))
                .map_or("", |name| name)
        };
        CommandError::new(
            Code::CannotIndexParallelArrays,
            format!(
                "cannot index parallel arrays [{}] [{}]",
                name(field, walked),
                name(other, other_walked)
            ),
        )
    }

    /// The next value of one field, and whether it is an array that is itself an item named by its position.
    fn next_step<'a>(
        &self,
        document: Document<'a>,
        reached: &Reached<'a>,
        field: usize,
        positional: Option<Positional<'a>>,
    ) -> Result<(Step<'a>, bool), CommandError> {
        let components = &self.fields[field].components;
        let at = reached.at[field];
        let Some(positional) = positional else {
            return Ok((walk(document, components, at), false));
        };
        if document.get(&components[at]).is_missing() {
            return Ok((positional.step, positional.is_array));
        }
        Err(CommandError::location(
            16746,
            format!(
                "Ambiguous field name found in array (do not use numeric field names in embedded elements in an \
                 array), field: '{}' for array: {document}",
                components[at]
            ),
        ))
    }

    fn expand_items<'a>(
        &mut self,
        array: Array<'a>,
        reached: &Reached<'a>,
        through: &[bool],
        expands_ends: bool,
    ) -> Result<(), CommandError> {
        let mut positional = vec![None; through.len()];
        let mut unfinished = false;
        for field in 0..through.len() {
            if !through[field] {
                continue;
            }
            let at = reached.at[field];
            if !self.is_done(reached, field) {
                unfinished = true;
                let components = &self.fields[field].components;
                positional[field] = find_positional(array, components, at);
            }
            if positional[field].is_none() {
                self.keys.note_multikey(self.fields.len(), field, at);
            }
        }
        let mut inner = reached.clone();
        let mut items = array.iter().peekable();
        if items.peek().is_none() {
            self.set_ends(&mut inner, through, ValueRef::Undefined);
            positional.fill(None);
            return self.descend(ValueRef::Undefined, inner, &positional, unfinished);
        }
        for item in items {
            let end = if expands_ends {
                item
            } else {
                ValueRef::Array(array)
            };
            self.set_ends(&mut inner, through, end);
            if unfinished {
                self.descend(item, inner.clone(), &positional, true)?;
            } else {
                self.emit(&inner)?;
            }
        }
        Ok(())
    }

    fn set_ends<'a>(&self, reached: &mut Reached<'a>, through: &[bool], value: ValueRef<'a>) {
        for (field, through) in through.iter().enumerate() {
            if *through && self.is_done(reached, field) {
                reached.values[field] = value;
            }
        }
    }

    fn descend<'a>(
        &mut self,
        item: ValueRef<'a>,
        reached: Reached<'a>,
        positional: &[Option<Positional<'a>>],
        unfinished: bool,
    ) -> Result<(), CommandError> {
        if !unfinished {
            return self.emit(&reached);
        }
        self.expand(
            item.as_document().unwrap_or(Document::EMPTY),
            reached,
            positional,
        )
    }
}

fn find_positional<'a>(
    array: Array<'a>,
    components: &[Box<str>],
    at: usize,
) -> Option<Positional<'a>> {
    let value = array.get(array_position(&components[at])? as usize);
    let next = at + 1;
    let step = match value {
        ValueRef::Missing => return None,
        ValueRef::Array(_) => Step { value, next },
        value if next == components.len() => Step { value, next },
        ValueRef::Document(inner) => walk(inner, components, next),
        _ => MISSING,
    };
    Some(Positional {
        step,
        is_array: matches!(value, ValueRef::Array(_)),
    })
}
