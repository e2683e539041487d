//! One bucket: measurements of one series that lie close together in time, a column for each of their fields.
//!
//! Manual: core/timeseries/timeseries-bucketing. Invariant: the columns have as many values as the bucket has
//! measurements, missing ones counted, and `control` bounds all of them; `control.min` of the time is the beginning of
//! the bucket, which is also the time of its `_id`.

use super::bounds::Bound;
use super::options::Series;
use crate::algorithms::sorting;
use crate::bson::column::{self, Column};
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Element, Value, ValueRef};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use std::cmp::Ordering;

/// Measurements that a bucket has at most.
pub const MOST_MEASUREMENTS: usize = 1000;
/// The bytes of measurements above which a bucket takes no more, but for the first few.
const MOST_BYTES: usize = 128_000;
/// Measurements that a bucket takes however large they are, up to the bytes of the next line.
const FEWEST: usize = 10;
const MOST_BYTES_OF_FEW: usize = 12 * 1024 * 1024;

/// The column of a field of a bucket's data.
pub fn column_of(value: ValueRef<'_>) -> Option<Column> {
    match value {
        ValueRef::Binary {
            subtype: column::SUBTYPE,
            bytes,
        } => column::decode(bytes),
        _ => None,
    }
}

/// The error of a bucket that is none.
pub fn damaged() -> CommandError {
    CommandError::new(
        Code::DataCorruptionDetected,
        "a bucket of a time series has no valid columns",
    )
}

/// The fields of a document of measurements that lie in columns.
struct Field {
    name: Box<str>,
    column: Column,
    least: Bound,
    greatest: Bound,
}

/// A bucket in memory.
pub struct Bucket {
    id: [u8; 12],
    meta: Value<'static>,
    begins: i64,
    /// That of the time first.
    fields: Vec<Field>,
    count: usize,
    is_sorted: bool,
    last_time: i64,
    bytes: usize,
    is_closed: bool,
}

impl Bucket {
    /// An empty bucket.
    pub fn new(id: [u8; 12], meta: ValueRef<'_>, begins: i64, series: &Series) -> Self {
        let time = Field {
            name: series.time_field.clone(),
            column: Column::default(),
            least: Bound::read(ValueRef::DateTime(begins)),
            greatest: Bound::Nothing,
        };
        Self {
            id,
            meta: meta.to_value(),
            begins,
            fields: vec![time],
            count: 0,
            is_sorted: true,
            last_time: i64::MIN,
            bytes: 0,
            is_closed: false,
        }
    }

    /// Reads a bucket's document.
    ///
    /// # Errors
    /// 246 `DataCorruptionDetected` for one that is none.
    pub fn read(document: Document<'_>, series: &Series) -> Result<Self, CommandError> {
        let control = document
            .get("control")
            .as_document()
            .unwrap_or(Document::EMPTY);
        let bound = |name: &str| control.get(name).as_document().unwrap_or(Document::EMPTY);
        let (least, greatest) = (bound("min"), bound("max"));
        let ValueRef::ObjectId(id) = document.get("_id") else {
            return Err(damaged());
        };
        let ValueRef::DateTime(begins) = least.get(&series.time_field) else {
            return Err(damaged());
        };
        let mut bucket = Self::new(id, document.get("meta"), begins, series);
        bucket.is_closed = control.get("closed").is_truthy();
        let data = document
            .get("data")
            .as_document()
            .unwrap_or(Document::EMPTY);
        bucket.fields[0].column = column_of(data.get(&series.time_field)).ok_or_else(damaged)?;
        bucket.fields[0].greatest = Bound::read(greatest.get(&series.time_field));
        bucket.count = bucket.fields[0].column.len();
        for field in data
            .iter()
            .filter(|field| *field.name != *series.time_field)
        {
            let mut column = column_of(field.value).ok_or_else(damaged)?;
            if column.len() > bucket.count {
                return Err(damaged());
            }
            column.pad(bucket.count);
            bucket.fields.push(Field {
                name: field.name.into(),
                column,
                least: Bound::read(least.get(field.name)),
                greatest: Bound::read(greatest.get(field.name)),
            });
        }
        for at in 0..bucket.count {
            let ValueRef::DateTime(time) = bucket.fields[0].column.value(at) else {
                return Err(damaged());
            };
            bucket.is_sorted &= time >= bucket.last_time;
            bucket.last_time = time;
            for field in &bucket.fields {
                let length = field.column.raw(at).map(|(_, bytes)| bytes.len());
                bucket.bytes += length.map_or(0, |length| size(field.name.len(), length));
            }
        }
        Ok(bucket)
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// A bucket of the same place without measurements.
    pub fn emptied(&self) -> Self {
        let time = Field {
            name: self.fields[0].name.clone(),
            column: Column::default(),
            least: self.fields[0].least.clone(),
            greatest: Bound::Nothing,
        };
        Self {
            meta: self.meta.clone(),
            fields: vec![time],
            count: 0,
            is_sorted: true,
            last_time: i64::MIN,
            bytes: 0,
            ..*self
        }
    }

    /// A measurement as it is read: time, meta value, then the others in the order of the bucket.
    pub fn measurement(&self, at: usize, series: &Series) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        for (place, field) in self.fields.iter().enumerate() {
            builder.append(&field.name, field.column.value(at));
            if let (0, Some(name)) = (place, series.meta()) {
                builder.append(name, self.meta());
            }
        }
        builder.finish()
    }

    /// The value that all measurements share.
    pub fn meta(&self) -> ValueRef<'_> {
        self.meta.as_ref()
    }

    /// Whether a measurement of this series at this time may come into the bucket.
    pub fn takes(&self, document: Document<'_>, time: i64, series: &Series) -> bool {
        let added = document.as_bytes().len();
        let most = if self.count < FEWEST {
            MOST_BYTES_OF_FEW
        } else {
            MOST_BYTES
        };
        !self.is_closed
            && self.count < MOST_MEASUREMENTS
            && time >= self.begins
            && time.saturating_sub(self.begins) < series.span_millis()
            && self.bytes + added <= most
            && document.iter().all(|field| {
                let held = self.fields.iter().find(|held| *held.name == *field.name);
                held.is_none_or(|held| held.least.admits(field.value))
            })
    }

    /// Appends a measurement, which the bucket takes.
    pub fn push(&mut self, document: Document<'_>, series: &Series, collation: &Collation) {
        let mut next = 0;
        for element in document.raw_elements() {
            let Ok(name) = std::str::from_utf8(element.name) else {
                continue;
            };
            if Some(name) == series.meta() {
                continue;
            }
            // Most measurements have their fields in the same order.
            let is_next = self
                .fields
                .get(next)
                .is_some_and(|field| *field.name == *name);
            let place = match is_next {
                true => Some(next),
                false => self.fields.iter().position(|field| *field.name == *name),
            };
            let place = place.unwrap_or_else(|| {
                self.fields.push(Field {
                    name: name.into(),
                    column: Column::default(),
                    least: Bound::Nothing,
                    greatest: Bound::Nothing,
                });
                self.fields.len() - 1
            });
            next = place + 1;
            let field = &mut self.fields[place];
            if field.column.len() > self.count {
                // A name given twice: the first counts.
                continue;
            }
            field.column.pad(self.count);
            field.column.push(element.kind, element.value_bytes);
            let value = element.value();
            if place > 0 {
                field.least.widen(value, Ordering::Less, collation);
            } else if let ValueRef::DateTime(time) = value {
                self.is_sorted &= time >= self.last_time;
                self.last_time = time;
            }
            field.greatest.widen(value, Ordering::Greater, collation);
            self.bytes += size(name.len(), element.value_bytes.len());
        }
        self.count += 1;
        for field in &mut self.fields {
            field.column.pad(self.count);
        }
    }

    /// The bucket's document.
    pub fn to_document(&self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        builder.append("_id", ValueRef::ObjectId(self.id));
        builder.begin_document("control");
        builder.append("version", if self.is_sorted { 2 } else { 3 });
        builder.begin_document("min");
        for field in &self.fields {
            field.least.append(&field.name, &mut builder);
        }
        builder.end().begin_document("max");
        for field in &self.fields {
            field.greatest.append(&field.name, &mut builder);
        }
        builder.end();
        if self.is_closed {
            builder.append("closed", true);
        }
        builder.append("count", self.count as i32).end();
        builder.append("meta", self.meta.as_ref());
        builder.begin_document("data");
        for field in &self.fields {
            let bytes = column::encode(&field.column);
            builder.append(
                &field.name,
                ValueRef::Binary {
                    subtype: column::SUBTYPE,
                    bytes: &bytes,
                },
            );
        }
        builder.end();
        builder.finish()
    }
}

/// The bytes of a value in a measurement.
fn size(name: usize, value: usize) -> usize {
    name + value + 2
}

/// A meta value as its bucket has it: with the fields of its objects in the order of their names.
pub fn normal_meta(value: ValueRef<'_>) -> Value<'static> {
    let mut builder = DocumentBuilder::new();
    append_normal("m", value, &mut builder);
    builder.finish().get("m").to_value()
}

fn append_normal(name: &str, value: ValueRef<'_>, builder: &mut DocumentBuilder) {
    match value {
        ValueRef::Document(fields) => {
            let mut fields: Vec<Element<'_>> = fields.iter().collect();
            sorting::sort_by(&mut fields, &mut |left, right| left.name.cmp(right.name));
            builder.begin_document(name);
            for field in fields {
                append_normal(field.name, field.value, builder);
            }
            builder.end();
        }
        ValueRef::Array(items) => {
            builder.begin_array(name);
            for (place, item) in items.iter().enumerate() {
                append_normal(&place.to_string(), item, builder);
            }
            builder.end();
        }
        plain => {
            builder.append(name, plain);
        }
    }
}
