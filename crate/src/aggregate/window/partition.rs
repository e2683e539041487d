//! Documents read in, cut into partitions and sorted within each.
//!
//! Invariant: partitions come by the order of their keys, rows of one by the sort and then as they came in. The
//! documents and keys of a partition lie in one arena.

use super::super::kept::Kept;
use crate::algorithms::sorting;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::memory::Usage;
use crate::exec::path_values::Collector;
use crate::exec::sorter::{Memory, Sorter};
use crate::exec::{ExecContext, Stage};
use crate::expr::{Carried, Expression, FieldPath};
use crate::keycode::{self, TypeBits};
use crate::query::SortPattern;
use crate::storage::KeyMap;
use crate::storage::compare::compare;

type Result<T> = std::result::Result<T, CommandError>;

/// The documents of one partition.
#[derive(Default)]
pub struct Partition {
    key: Vec<u8>,
    rows: Sorter,
}

/// The rows of one partition, as its functions see them.
pub struct Rows<'p> {
    sorter: &'p Sorter,
    /// The values of the only sort field, where a function asks for them.
    pub sorts: &'p [Value<'static>],
}

/// How the input is cut into partitions and sorted.
pub struct Cutting<'c> {
    pub by: Option<&'c Expression>,
    pub collation: &'c Collation,
    pub pattern: Option<&'c SortPattern>,
    pub stage: &'static str,
    pub metadata: &'c Carried,
}

impl Partition {
    /// Sorts the rows: before any of them is asked for.
    ///
    /// # Errors
    /// Errors of `Env::checkpoint`.
    pub fn sort(&mut self, env: &dyn Env) -> Result<()> {
        self.rows.sort(usize::MAX, env)
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The document of a row.
    pub fn document(&self, at: usize) -> Document<'_> {
        self.rows.get(at).unwrap_or(Document::EMPTY)
    }

    /// The values of a field of all rows.
    pub fn values(&self, field: &FieldPath) -> Vec<Value<'static>> {
        let value = |at| {
            let document = ValueRef::Document(self.document(at));
            field.evaluate(document).into_owned()
        };
        (0..self.count()).map(value).collect()
    }

    /// The rows, with the values of the sort field that were asked for.
    pub fn rows<'p>(&'p self, sorts: &'p [Value<'static>]) -> Rows<'p> {
        Rows {
            sorter: &self.rows,
            sorts,
        }
    }
}

impl<'p> Rows<'p> {
    pub fn count(&self) -> usize {
        self.sorter.len()
    }

    /// The document of a row.
    pub fn document(&self, at: usize) -> Document<'p> {
        self.sorter.get(at).unwrap_or(Document::EMPTY)
    }

    /// Whether a row has the sort key of the one before it.
    pub fn is_tied(&self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.sorter.key(before) == self.sorter.key(at))
    }
}

/// Reads a stage to its end. Of each document only the `kept` fields are held.
///
/// # Errors
/// Errors of the input and the expressions, and the memory limit.
pub fn read(
    mut input: Box<dyn Stage>,
    cutting: &Cutting<'_>,
    mut kept: Option<&mut Kept>,
    cx: &ExecContext<'_>,
) -> Result<Vec<Partition>> {
    let env = cx.env;
    let mut partitions: Vec<Partition> = Vec::new();
    let mut map = KeyMap::default();
    let mut usage = Usage::default();
    let mut type_bits = TypeBits::new();
    let mut key = Vec::new();
    let mut held = DocumentBuf::default();
    let mut collector = Collector::default();
    let path = cutting.by.and_then(Expression::as_field_path);
    let slot = path.and_then(|path| collector.add(path));
    input.visit(cx, &mut |record| {
        let document = record.document();
        let read = collector.collect(document);
        key.clear();
        if let Some(by) = cutting.by {
            let computed;
            let value = match slot.and_then(|slot| read.plain(slot)) {
                Some(value) => value.value(),
                None => {
                    let scope = read.scope(None, env);
                    computed = by.evaluate(&scope)?;
                    computed.as_ref()
                }
            };
            let value = match value {
                ValueRef::Array(_) => {
                    return Err(CommandError::new(
                        Code::TypeMismatch,
                        "An expression used to partition cannot evaluate to value of type array",
                    ));
                }
                ValueRef::Missing => ValueRef::Null,
                value => value,
            };
            type_bits.clear();
            let value = cutting.collation.key_of(value);
            keycode::encode(value.as_ref(), false, &mut key, &mut type_bits);
        }
        let (number, new) = map.find_or_insert(&key, partitions.len());
        if new {
            partitions.push(Partition {
                key: key.clone(),
                rows: Sorter::new(Memory::Stage(cutting.stage), cutting.metadata),
            });
        }
        let Some(partition) = partitions.get_mut(number) else {
            return Ok(true);
        };
        let before = partition.rows.held();
        partition.rows.push(
            cutting.pattern,
            document,
            usize::MAX,
            env,
            |bytes| match &mut kept {
                None => bytes.extend_from_slice(document.as_bytes()),
                Some(kept) => {
                    let mut builder =
                        DocumentBuilder::with_buffer(std::mem::take(&mut held).into_bytes());
                    kept.write(document, &mut builder);
                    held = builder.finish();
                    bytes.extend_from_slice(held.as_bytes());
                }
            },
        )?;
        usage.add(partition.rows.held() - before + 128, cutting.stage)?;
        Ok(true)
    })?;
    sorting::sort_by(&mut partitions, &mut |a: &Partition, b: &Partition| {
        compare(&a.key, &b.key)
    });
    Ok(partitions)
}
