//! Deletes of measurements, and updates of the meta field of a time series.
//!
//! Manual: core/timeseries/timeseries-limitations. A delete finds the buckets that may have measurements which it
//! matches, and writes them without those. An update may look at the meta field and change it, and nothing else: it is
//! an update of buckets.

use super::delete::Statement;
use super::series_insert::put_bucket;
use crate::aggregate::stages::unpack_filter::BucketPaths;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::series::{Bucket, Series};
use crate::catalog::{Collection, RecordId, WriteScratch};
use crate::command::context::CommandContext;
use crate::command::read::prepare as read;
use crate::command::read::views::bucket_hint;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::planner::{QueryRequest, Reader};
use crate::query::{MatchNode, Matcher};
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

fn invalid(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::InvalidOptions, message)
}

/// Refuses a write of many measurements within a transaction.
///
/// # Errors
/// 263 `OperationNotSupportedInTransaction`.
pub fn refuse_within(
    context: &CommandContext<'_>,
    is_multi: bool,
    what: &str,
    namespace: &str,
) -> Result<()> {
    match is_multi && context.unit.is_within() {
        false => Ok(()),
        true => Err(CommandError::new(
            Code::OperationNotSupportedInTransaction,
            format!(
                "Cannot perform a {what} inside of a multi-document transaction on a time-series collection: \
                 {namespace}"
            ),
        )),
    }
}

/// Refuses an update of one measurement.
pub fn not_multi() -> CommandError {
    invalid("Cannot perform a non-multi update on a time-series collection")
}

/// A delete of measurements: the query of their buckets, and the filter of the measurements in them.
pub struct PlannedDelete {
    pub query: QueryRequest,
    /// `None`: buckets go as a whole.
    pub residual: Option<Matcher>,
}

/// Compiles a delete of measurements.
///
/// # Errors
/// Errors of the filter and the hint.
pub fn plan_delete(
    series: &Series,
    statement: &Statement<'_>,
    compile: &CompileContext<'_>,
) -> Result<PlannedDelete> {
    let matcher = Matcher::compile(statement.query, compile)?;
    let paths = BucketPaths::of(series);
    let mut all = Vec::new();
    let is_of_meta = matcher.root().is_trivially_true()
        || (matcher.root().collect_paths(&mut all)
            && !all.is_empty()
            && all.iter().all(|path| series.meta_path(path).is_some()));
    let buckets = paths.loose(matcher.root(), compile)?;
    let buckets = Matcher::from_node(buckets.unwrap_or(MatchNode::AlwaysTrue));
    Ok(PlannedDelete {
        query: QueryRequest {
            hint: bucket_hint(series, statement.hint.clone())?,
            reader: Reader::Write,
            ..QueryRequest::filter(Rc::new(buckets.with_collation(matcher.collation())))
        },
        residual: (!is_of_meta).then_some(matcher),
    })
}

/// Deletes measurements, at most one where a statement says so, and gives how many and the first of them.
///
/// # Errors
/// Errors of the filter and the storage.
pub fn delete_measurements<'e>(
    context: &mut CommandContext<'e>,
    namespace: &str,
    (buckets, series): (&str, &Series),
    statement: &Statement<'_>,
    compile: &CompileContext<'e>,
) -> Result<(i32, Option<DocumentBuf>)> {
    refuse_within(context, !statement.single, "multi delete", namespace)?;
    let planned = plan_delete(series, statement, compile)?;
    let records = {
        let (catalog, exec) = (context.view().catalog, context.exec_context());
        let collection = catalog.collection(buckets);
        let compile = &mut || Ok(planned.query.clone());
        read::prepare(catalog, &exec, buckets, collection, None, compile)?.records(&exec, false)?
    };
    let env = context.env;
    let Some(mut collection) = context.writer().into_collection(buckets) else {
        return Ok((0, None));
    };
    let collation = collection.collection().options.collation.clone();
    let mut whole: Vec<RecordId> = Vec::new();
    let (mut deleted, mut first) = (0, None);
    for record in records {
        env.checkpoint()?;
        let Some(bytes) = collection.collection().read(collection.pager(), record)? else {
            continue;
        };
        let found = Document::from_valid_bytes(&bytes);
        if planned.residual.is_none() && !statement.single {
            deleted += measurements_of(found, series)?;
            whole.push(record);
            continue;
        }
        let bucket = Bucket::read(found, series)?;
        let mut kept = bucket.emptied();
        let mut gone = 0;
        for at in 0..bucket.count() {
            let measurement = bucket.measurement(at, series);
            let goes = !(statement.single && gone > 0)
                && match &planned.residual {
                    None => true,
                    Some(matcher) => matcher.matches(measurement.as_document(), env)?,
                };
            match goes {
                true => {
                    gone += 1;
                    first.get_or_insert(measurement);
                }
                false => kept.push(measurement.as_document(), series, &collation),
            }
        }
        drop(bytes);
        deleted += gone;
        if kept.count() == 0 {
            whole.push(record);
        } else if gone > 0 {
            put_bucket(
                &mut collection,
                Some(record),
                kept.to_document().as_document(),
            )?;
        }
        if statement.single && gone > 0 {
            break;
        }
    }
    if let [one] = whole[..] {
        collection.delete(one, &mut WriteScratch::default())?;
    } else {
        collection.delete_many(&whole, env)?;
    }
    Ok((deleted, first))
}

/// How many measurements of a bucket a delete would delete, for explain.
///
/// # Errors
/// 275 `DataCorruptionDetected` for a document that is no bucket; errors of the filter.
pub fn would_delete(
    collection: &Collection,
    bucket: Document<'_>,
    residual: Option<&Matcher>,
    env: &dyn Env,
) -> Result<i64> {
    env.checkpoint()?;
    let Some(series) = collection.options.kind.buckets() else {
        return Ok(0);
    };
    let Some(residual) = residual else {
        return Ok(measurements_of(bucket, series)?.into());
    };
    let bucket = Bucket::read(bucket, series)?;
    let mut gone = 0;
    for at in 0..bucket.count() {
        let measurement = bucket.measurement(at, series);
        gone += i64::from(residual.matches(measurement.as_document(), env)?);
    }
    Ok(gone)
}

/// How many measurements a bucket has.
///
/// # Errors
/// 275 `DataCorruptionDetected` for a document that is no bucket.
pub fn measurements_of(bucket: Document<'_>, series: &Series) -> Result<i32> {
    let control = bucket
        .get("control")
        .as_document()
        .unwrap_or(Document::EMPTY);
    match control.get("count").as_exact_i64() {
        Some(count) => Ok(count as i32),
        None => Ok(Bucket::read(bucket, series)?.count() as i32),
    }
}

/// An update of the meta field as a statement over buckets.
///
/// # Errors
/// 72 `InvalidOptions` for one that looks at another field or changes one, and for a kind of update that a time series
/// does not have.
pub fn bucket_update(series: &Series, statement: Document<'_>) -> Result<DocumentBuf> {
    if !statement.get("multi").is_truthy() {
        return Err(not_multi());
    }
    if statement.get("upsert").is_truthy() {
        return Err(invalid(
            "Cannot perform an upsert on a time-series collection",
        ));
    }
    let Some(meta) = series.meta() else {
        return Err(invalid(
            "Cannot perform an update on a time-series collection that does not have a metaField",
        ));
    };
    let query = statement.get("q").as_document().unwrap_or(Document::EMPTY);
    let update = match statement.get("u") {
        ValueRef::Array(_) => {
            return Err(invalid(
                "Cannot perform an update on a time-series collection using a pipeline update",
            ));
        }
        ValueRef::Document(update)
            if update
                .iter()
                .next()
                .is_some_and(|first| first.name.starts_with('$')) =>
        {
            update
        }
        _ => {
            return Err(invalid(
                "Cannot perform an update on a time-series collection using a replacement document",
            ));
        }
    };
    let mut builder = DocumentBuilder::new();
    for field in statement.iter() {
        match field.name {
            "q" => {
                builder.append("q", &bucket_query(series, meta, query)?);
            }
            "u" => {
                builder.begin_document("u");
                for operator in update.iter() {
                    builder.begin_document(operator.name);
                    for change in operator
                        .value
                        .as_document()
                        .unwrap_or(Document::EMPTY)
                        .iter()
                    {
                        let path = changed_path(series, meta, change.name)?;
                        match (operator.name, change.value.as_str()) {
                            ("$rename", Some(to)) => {
                                let to = changed_path(series, meta, to)?;
                                builder.append(&path, to.as_str());
                            }
                            _ => {
                                builder.append(&path, change.value);
                            }
                        }
                    }
                    builder.end();
                }
                builder.end();
            }
            "hint" if field.value.as_document().is_some() => {
                let key = field.value.as_document().unwrap_or(Document::EMPTY);
                let key = { series.bucket_key(key) }
                    .map_err(|reason| CommandError::new(Code::BadValue, reason))?;
                builder.append("hint", &key);
            }
            _ => {
                builder.append_raw(field.raw);
            }
        }
    }
    Ok(builder.finish())
}

fn changed_path(series: &Series, meta: &str, path: &str) -> Result<String> {
    series.meta_path(path).ok_or_else(|| {
        invalid(format!(
            "Cannot perform an update on a time-series collection which updates a field that is not the metaField \
             '{meta}'"
        ))
    })
}

/// A filter over the meta field as one over buckets.
fn bucket_query(series: &Series, meta: &str, query: Document<'_>) -> Result<DocumentBuf> {
    for field in query.iter() {
        if matches!(field.name, "$expr" | "$where") {
            return Err(invalid(format!(
                "Cannot use {} when performing an update or delete on a time-series collection",
                field.name
            )));
        }
    }
    crate::aggregate::meta_filter(series, query).ok_or_else(|| {
        invalid(format!(
            "Cannot perform an update or delete on a time-series collection when querying on a field that is not the \
             metaField '{meta}'"
        ))
    })
}
