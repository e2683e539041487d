//! Inserts into a time series: measurements into the buckets of their series and time.
//!
//! Manual: core/timeseries-collections. Invariant: a bucket is read and written once a command, however many of its
//! measurements come; a measurement that is refused changes nothing.

use super::insert::check_nesting;
use super::write_errors::WriteErrors;
use super::write_target::prepare;
use crate::algorithms::sorting;
use crate::bson::object_id::ObjectIdGenerator;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::series::bucket::{MOST_MEASUREMENTS, normal_meta};
use crate::catalog::series::options::{id_at, id_seconds};
use crate::catalog::series::{Bucket, Series};
use crate::catalog::{Collection, Index, RecordId, WriteScratch};
use crate::collation::Collation;
use crate::command::context::{CommandContext, Writing};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::keycode::{self, TypeBits};
use crate::state::{CollectionWriter, Replacement};
use crate::storage::{Direction, Pager};
use std::ops::Bound;

type Result<T> = std::result::Result<T, CommandError>;

/// The largest measurement.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// Buckets that are looked at for one that has room.
const MOST_LOOKED_AT: usize = 16;

/// A measurement that may be stored.
struct Measurement<'d> {
    document: std::borrow::Cow<'d, [u8]>,
    time: i64,
    /// A document of the normal form of its meta value.
    meta: DocumentBuf,
}

/// Inserts measurements and gives how many were stored, and the errors by position.
///
/// # Errors
/// 263 `OperationNotSupportedInTransaction`, and errors that fail the whole command.
pub fn insert_measurements(
    context: &mut CommandContext<'_>,
    namespace: &str,
    (buckets, series): (&str, &Series),
    documents: &[Document<'_>],
    (ordered, is_deep): (bool, bool),
) -> Result<(i32, WriteErrors)> {
    if context.unit.is_within() {
        return Err(CommandError::new(
            Code::OperationNotSupportedInTransaction,
            format!(
                "Cannot insert into a time-series collection in a multi-document transaction: {namespace}"
            ),
        ));
    }
    let mut errors = WriteErrors::default();
    let (env, now_millis) = (context.env, context.now_millis);
    let indexed =
        { context.view().catalog.collection(buckets) }.map_or_else(Vec::new, indexed_paths);
    let Writing {
        writer,
        object_ids,
        timestamps,
        counters,
        ..
    } = context.writing();
    let mut measurements = Vec::with_capacity(documents.len());
    for (position, document) in documents.iter().enumerate() {
        env.checkpoint()?;
        let prepared = check_nesting(*document, is_deep)
            .and_then(|()| prepare(object_ids, timestamps, now_millis, *document))
            .and_then(|prepared| measurement(*document, prepared, series, &indexed));
        match prepared {
            Ok(measurement) => measurements.push(measurement),
            Err(error) => {
                errors.note(position, error)?;
                if ordered {
                    break;
                }
            }
        }
    }
    counters.insert += (measurements.len() + errors.iter().count()) as i64;
    in_order(&mut measurements);
    if let Some(mut collection) = writer.into_collection(buckets) {
        fill(&mut collection, series, &measurements, object_ids, env)?;
    }
    if !errors.is_empty() {
        context.unit.note_refusal();
    }
    Ok((measurements.len() as i32, errors))
}

/// Puts measurements, in the order of their series, into buckets.
fn fill(
    collection: &mut CollectionWriter<'_>,
    series: &Series,
    measurements: &[Measurement<'_>],
    object_ids: &mut ObjectIdGenerator,
    env: &dyn Env,
) -> Result<()> {
    let collation = collection.collection().options.collation.clone();
    let mut filling = Filling {
        collection,
        series,
        collation,
        open: None,
        env,
    };
    for measurement in measurements {
        env.checkpoint()?;
        let new_id = &mut |begins| object_ids.next(i64::from(id_seconds(begins)) * 1000);
        filling.add(measurement, new_id)?;
    }
    filling.flush()
}

/// Puts the documents of a pipeline into the buckets that are to take the place of a series'.
///
/// # Errors
/// A document that is no measurement, and errors of storing.
pub fn fill_measurements(
    context: &mut CommandContext<'_>,
    filled: &mut Replacement,
    series: &Series,
    documents: &[Document<'_>],
) -> Result<()> {
    let (env, now_millis) = (context.env, context.now_millis);
    let Writing {
        mut writer,
        object_ids,
        timestamps,
        ..
    } = context.writing();
    let mut measurements = Vec::with_capacity(documents.len());
    for document in documents {
        check_nesting(*document, true)?;
        let prepared = prepare(object_ids, timestamps, now_millis, *document)?;
        measurements.push(measurement(*document, prepared, series, &[])?);
    }
    in_order(&mut measurements);
    fill(
        &mut writer.fill(filled),
        series,
        &measurements,
        object_ids,
        env,
    )
}

/// Brings those of one series together, in the order of their times: so one command's measurements stand in a bucket.
fn in_order(measurements: &mut [Measurement<'_>]) {
    sorting::sort_by(measurements, &mut |left, right| {
        let by_meta = left.meta.as_bytes().cmp(right.meta.as_bytes());
        by_meta.then(left.time.cmp(&right.time))
    });
}

/// The paths in measurements that indexes have the least and greatest values of.
fn indexed_paths(collection: &std::rc::Rc<Collection>) -> Vec<String> {
    let fields = collection
        .indexes
        .iter()
        .flat_map(|index| &index.definition.fields);
    fields
        .filter_map(|field| field.path.strip_prefix("control.min.").map(str::to_owned))
        .collect()
}

/// Whether an array lies on a path or at its end.
fn has_array(document: Document<'_>, path: &str) -> bool {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    match document.get(first) {
        ValueRef::Array(_) => true,
        ValueRef::Document(inner) if !rest.is_empty() => has_array(inner, rest),
        _ => false,
    }
}

/// Reads time and meta value of a document.
fn measurement<'d>(
    given: Document<'d>,
    prepared: Option<DocumentBuf>,
    series: &Series,
    indexed: &[String],
) -> Result<Measurement<'d>> {
    let document = prepared.as_ref().map_or(given, DocumentBuf::as_document);
    let ValueRef::DateTime(time) = document.get(&series.time_field) else {
        return Err(CommandError::new(
            Code::BadValue,
            format!(
                "'{}' must be present and contain a valid BSON UTC datetime value",
                series.time_field
            ),
        ));
    };
    if indexed.iter().any(|path| has_array(document, path)) {
        return Err(CommandError::location(
            5_930_501,
            "Indexed measurement field contains an array value",
        ));
    }
    if document.as_bytes().len() > MOST_BYTES {
        return Err(CommandError::new(
            Code::BSONObjectTooLarge,
            format!("a measurement of a time series has at most {MOST_BYTES} bytes"),
        ));
    }
    let mut meta = DocumentBuilder::new();
    if let Some(name) = series.meta() {
        meta.append("meta", normal_meta(document.get(name)).as_ref());
    }
    Ok(Measurement {
        meta: meta.finish(),
        time,
        document: match prepared {
            Some(prepared) => prepared.into_bytes().into(),
            None => given.as_bytes().into(),
        },
    })
}

/// The bucket that measurements come into, and where it is stored.
struct Filling<'f, 'w> {
    collection: &'f mut CollectionWriter<'w>,
    series: &'f Series,
    collation: Collation,
    open: Option<(Option<RecordId>, Bucket)>,
    env: &'f dyn Env,
}

impl Filling<'_, '_> {
    fn add(
        &mut self,
        measurement: &Measurement<'_>,
        new_id: &mut dyn FnMut(i64) -> [u8; 12],
    ) -> Result<()> {
        let document = Document::from_valid_bytes(&measurement.document);
        let (time, meta) = (measurement.time, measurement.meta.get("meta"));
        let fits = self.open.as_ref().is_some_and(|(_, bucket)| {
            same(bucket.meta(), meta) && bucket.takes(document, time, self.series)
        });
        if !fits {
            self.flush()?;
            let found = self.find(meta, time, document)?;
            self.open = Some(found.unwrap_or_else(|| {
                let begins = self.series.beginning(time);
                (None, Bucket::new(new_id(begins), meta, begins, self.series))
            }));
        }
        if let Some((_, bucket)) = &mut self.open {
            bucket.push(document, self.series, &self.collation);
        }
        Ok(())
    }

    /// Writes the bucket that is open.
    fn flush(&mut self) -> Result<()> {
        let Some((record, bucket)) = self.open.take() else {
            return Ok(());
        };
        let document = bucket.to_document();
        put_bucket(self.collection, record, document.as_document())
    }

    /// A stored bucket that takes the measurement: of its series, the youngest first.
    fn find(
        &self,
        meta: ValueRef<'_>,
        time: i64,
        document: Document<'_>,
    ) -> Result<Option<(Option<RecordId>, Bucket)>> {
        let (collection, pager) = (self.collection.collection(), self.collection.pager());
        for record in candidates(collection, pager, self.series, meta, time)? {
            self.env.checkpoint()?;
            let Some(bytes) = collection.read(pager, record)? else {
                continue;
            };
            let found = Document::from_valid_bytes(&bytes);
            let count = found
                .get("control")
                .as_document()
                .map(|control| control.get("count"));
            let count = count.and_then(ValueRef::as_exact_i64).unwrap_or(0);
            if !same(found.get("meta"), meta) || count >= MOST_MEASUREMENTS as i64 {
                continue;
            }
            let bucket = Bucket::read(found, self.series)?;
            if bucket.takes(document, time, self.series) {
                return Ok(Some((Some(record), bucket)));
            }
        }
        Ok(None)
    }
}

/// Whether two meta values are one: the same type and bytes.
fn same(left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    let bytes = |value| {
        let mut builder = DocumentBuilder::new();
        builder.append("", value);
        builder.finish()
    };
    left.bson_type() == right.bson_type() && bytes(left) == bytes(right)
}

/// Stores a bucket in the place of its record, or anew.
///
/// # Errors
/// Errors of storing a document.
pub fn put_bucket(
    collection: &mut CollectionWriter<'_>,
    record: Option<RecordId>,
    document: Document<'_>,
) -> Result<()> {
    let mut scratch = WriteScratch::default();
    let Some(record) = record else {
        return collection.insert(document, &mut scratch);
    };
    let Some(located) = collection.collection().locate(collection.pager(), record)? else {
        return Ok(());
    };
    let old = { collection.collection() }
        .read_at(collection.pager(), &located)?
        .into_owned();
    let old = Document::from_valid_bytes(&old);
    collection.update((record, located), old, document, None, &mut scratch)
}

/// The buckets that begin within a span before a time, the youngest first: those of a meta value where an index over
/// meta and time tells.
fn candidates(
    collection: &Collection,
    pager: &Pager,
    series: &Series,
    meta: ValueRef<'_>,
    time: i64,
) -> Result<Vec<RecordId>> {
    let earliest = time.saturating_sub(series.span_millis());
    let path = format!("control.min.{}", series.time_field);
    let serves = |index: &&Index| {
        let (definition, mut fields) = (&index.definition, index.definition.fields.iter());
        let mut is = |path: &str| {
            fields
                .next()
                .is_some_and(|field| *field.path == *path && !field.descending)
        };
        is("meta")
            && is(&path)
            && definition.kind.rules().keys_are_values()
            && definition.partial.is_none()
            && !definition.sparse
            && definition.collation.is_simple()
            && !index.multikey
    };
    let by_meta = series
        .meta()
        .and_then(|_| collection.indexes.iter().find(serves));
    let key = |meta: Option<ValueRef<'_>>, value: ValueRef<'_>| {
        let (mut key, mut bits) = (Vec::with_capacity(32), TypeBits::new());
        if let Some(meta) = meta {
            keycode::encode(meta, false, &mut key, &mut bits);
        }
        keycode::encode(value, false, &mut key, &mut bits);
        key
    };
    let (tree, start, mut end) = match by_meta {
        Some(index) => {
            let meta = if meta.is_missing() {
                ValueRef::Null
            } else {
                meta
            };
            let at = |millis| key(Some(meta), ValueRef::DateTime(millis));
            (&index.tree, at(earliest), at(time))
        }
        None => {
            let at = |millis, greatest| key(None, ValueRef::ObjectId(id_at(millis, greatest)));
            (
                &collection.id_index().tree,
                at(earliest, false),
                at(time, true),
            )
        }
    };
    keycode::append_successor(&mut end);
    let mut range = tree.range(
        Bound::Included(&start),
        Bound::Excluded(&end),
        Direction::Backward,
    );
    let mut records = Vec::new();
    while records.len() < MOST_LOOKED_AT && range.next(pager)? {
        records.extend(RecordId::from_index_key(range.key()));
    }
    Ok(records)
}
