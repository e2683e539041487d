//! `create` with `timeseries`, and `collMod` of a time series. Manual: core/timeseries-collections.
//!
//! Invariant: the series, its buckets and the index over meta field and time come together or not at all.

use super::super::{coll_mod, storage_options};
use super::row::{KindCommands, exists_differently};
use crate::aggregate::{bucket_filter, meta_filter};
use crate::algorithms::hexadecimal::uuid_text;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::index::IndexDefinition;
use crate::catalog::series::options::SeriesChange;
use crate::catalog::series::{Granularity, Series};
use crate::catalog::{
    Buckets, Clustered, Collection, CollectionOptions, Index, Measured, names, uuid,
};
use crate::collation::Collation;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::views::request_for;
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::query::PartialFilterCompiler;
use crate::query::partial::compile_given;
use std::rc::Rc;

/// The commands of time series.
pub(super) const ROW: KindCommands = KindCommands {
    fields: &["timeseries"],
    refusal: "option only supported on a time-series collection: timeseries",
    create,
    modify,
};

/// The option of an index of buckets that has the specification over measurements.
pub const ORIGINAL: &str = "originalSpec";

/// The longest span of a bucket: a year.
const MOST_SECONDS: i64 = 31_536_000;

/// The options of `create` that a time series may not have.
const NOT_ALLOWED: &[&str] = &[
    "capped",
    "size",
    "max",
    "autoIndexId",
    "idIndex",
    "validator",
    "validationLevel",
    "validationAction",
    "clusteredIndex",
    "changeStreamPreAndPostImages",
    "viewOn",
    "pipeline",
    "temp",
    "flags",
];

fn invalid(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::InvalidOptions, message)
}

/// Reads granularity, span and rounding.
///
/// # Errors
/// Values that are none.
pub fn read_change(params: &Params<'_>) -> Result<SeriesChange, CommandError> {
    let seconds = |name: &'static str| -> Result<Option<i64>, CommandError> {
        let Some(seconds) = params.integer(name)? else {
            return Ok(None);
        };
        let wrong = match seconds {
            ..1 => Some((">=", 1)),
            1..=MOST_SECONDS => None,
            _ => Some(("<=", MOST_SECONDS)),
        };
        match wrong {
            None => Ok(Some(seconds)),
            Some((sign, bound)) => Err(CommandError::new(
                Code::BadValue,
                format!(
                    "BSON field '{name}' value must be {sign} {bound}, actual value '{seconds}'"
                ),
            )),
        }
    };
    let granularity = match params.string("granularity")? {
        None => None,
        Some(name) => {
            Some(Granularity::of(name).ok_or_else(|| params.no_such_value("granularity", name))?)
        }
    };
    Ok(SeriesChange {
        granularity,
        span: seconds("bucketMaxSpanSeconds")?,
        rounding: seconds("bucketRoundingSeconds")?,
    })
}

fn read(
    namespace: &str,
    given: Document<'_>,
    seconds: Option<i64>,
) -> Result<Series, CommandError> {
    let params = Params::new(given, "create.timeseries", None);
    let time_field = params.required_string("timeField")?;
    let meta_field = params.string("metaField")?;
    let sizes = read_change(&params)?;
    params.finish()?;
    for (option, name) in [("timeField", Some(time_field)), ("metaField", meta_field)] {
        if name == Some("_id") && option == "metaField" {
            return Err(invalid("'metaField' cannot be \"_id\""));
        }
        if name == Some(time_field) && option == "metaField" {
            return Err(invalid("'metaField' cannot be the same as 'timeField'"));
        }
        if name.is_some_and(|name| name.contains('\0')) {
            return Err(CommandError::new(
                Code::BadValue,
                format!("'{option}' cannot contain embedded null bytes"),
            ));
        }
        if name.is_some_and(|name| name.contains('.')) {
            return Err(invalid(format!(
                "{namespace}: '{option}' must be a top-level field and not contain a '.'"
            )));
        }
    }
    let (granularity, span, rounding) = sizes.sizes()?;
    Clustered::check_expiry(seconds)?;
    Ok(Series {
        time_field: time_field.into(),
        meta_field: meta_field.map(Box::from),
        granularity,
        span,
        rounding,
        expire_after_seconds: seconds,
    })
}

/// Runs a `create` of a time series.
///
/// # Errors
/// For options that it cannot have, or that do not go together; a name that is taken.
fn create(context: &mut CommandContext<'_>, namespace: &str, params: Params<'_>) -> CommandResult {
    if context.unit.is_within() {
        return Err(CommandError::new(
            Code::OperationNotSupportedInTransaction,
            "Cannot create a time-series collection in a multi-document transaction.",
        ));
    }
    for option in NOT_ALLOWED {
        if !params.value(option).is_nullish() {
            return Err(invalid(format!(
                "{namespace}: 'timeseries' is not allowed with '{option}'"
            )));
        }
    }
    let given = params.required_document("timeseries")?;
    let seconds = params.integer("expireAfterSeconds")?;
    let collation = match params.collation()? {
        None => Collation::SIMPLE,
        Some(collation) => Collation::parse(collation, context.env)?,
    };
    storage_options::read(&params, &mut DocumentBuilder::new())?;
    params.refuse("encryptedFields")?;
    params.finish()?;
    names::check_creatable(namespace)?;
    let series = read(namespace, given, seconds)?;
    let (database, name) = names::split(namespace);
    if names::is_system(name) {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!("Invalid system namespace: {namespace}"),
        ));
    }
    make(context, database, name, series, collation)?;
    Ok(finish_ok(DocumentBuilder::new()))
}

/// Makes a time series, unless there is one of the same options.
///
/// # Errors
/// 48 `NamespaceExists` for a name that is taken.
pub fn make(
    context: &mut CommandContext<'_>,
    database: &str,
    name: &str,
    series: Series,
    collation: Collation,
) -> Result<(), CommandError> {
    let namespace = format!("{database}.{name}");
    let buckets = Series::buckets_name(name);
    let options = CollectionOptions {
        collation: collation.clone(),
        ..CollectionOptions::of(Measured::new(series.clone(), &buckets))
    };
    if let Some(existing) = context.view().catalog.named(&namespace) {
        return match *existing.options == options {
            true => Ok(()),
            false => Err(exists_differently(existing)),
        };
    }
    let buckets = format!("{database}.{buckets}");
    let (env, [own, of_view, holder]) = (context.env, [(); 3].map(|()| uuid::random(context.env)));
    let index = default_index(&series, &collation, &PartialFilterCompiler { env })?;
    let view = Collection::new(&namespace, of_view, options);
    let options = CollectionOptions {
        collation,
        ..CollectionOptions::of(Buckets::new(series))
    };
    let mut writer = context.writer();
    writer.create(&buckets, own, options)?;
    if let (Some(index), Some(mut made)) = (index, writer.collection(&buckets)) {
        made.add_index(index, env)?;
    }
    writer.create_view(view, holder)?;
    writer.write_changed_rows()?;
    Ok(())
}

/// The name of a time series, as the catalog has it.
pub fn name_of(namespace: &str, series: Series, env: &dyn Env) -> Collection {
    let buckets = Series::buckets_name(names::split(namespace).1);
    let options = CollectionOptions::of(Measured::new(series, &buckets));
    Collection::new(namespace, uuid::random(env), options)
}

/// An empty collection of buckets for `$out`, with the options and indexes of those that it is to take the place of.
///
/// # Errors
/// Options that are no time series', or not those of the collection that is there.
pub fn replacement(
    context: &CommandContext<'_>,
    namespace: &str,
    given: Option<Document<'_>>,
) -> Result<Collection, CommandError> {
    let catalog = context.view().catalog;
    let asked = given
        .map(|given| read(namespace, given, None))
        .transpose()?;
    let (env, database) = (context.env, names::split(namespace).0);
    let name = format!("{database}.tmp.agg_out.{}", uuid_text(&uuid::random(env)));
    if let Some((buckets, series)) = catalog.measured(namespace) {
        let is_same = asked.is_none_or(|asked| {
            let own = Series {
                expire_after_seconds: None,
                ..series.clone()
            };
            asked == own
        });
        if !is_same {
            let mut own = DocumentBuilder::new();
            series.append_to(&mut own);
            return Err(CommandError::location(
                7_406_103,
                format!(
                    "Time-series options inputted must match the existing time-series collection. Received: {}Found: \
                     timeseries: {}",
                    given.unwrap_or(Document::EMPTY),
                    own.finish().as_document()
                ),
            ));
        }
        let target = catalog.required(&buckets)?;
        let mut made = Collection::new(&name, uuid::random(env), (*target.options).clone());
        made.indexes = { target.indexes.iter() }
            .map(|index| Index::new(Rc::clone(&index.definition)))
            .collect();
        return Ok(made);
    }
    match (catalog.named(namespace), asked) {
        (Some(_), _) => Err(CommandError::location(
            7_268_700,
            "Cannot create a time-series collection from a non time-series collection or view.",
        )),
        (None, None) => Err(coll_mod::nothing()),
        (None, Some(series)) => {
            let compiler = PartialFilterCompiler { env };
            let index = default_index(&series, &Collation::SIMPLE, &compiler)?;
            let options = CollectionOptions::of(Buckets::new(series));
            let mut made = Collection::new(&name, uuid::random(env), options);
            made.indexes
                .extend(index.map(|index| Index::new(Rc::new(index))));
            Ok(made)
        }
    }
}

/// The index over meta field and time that a series has from the beginning.
fn default_index(
    series: &Series,
    collation: &Collation,
    compiler: &PartialFilterCompiler<'_>,
) -> Result<Option<IndexDefinition>, CommandError> {
    let Some(meta) = series.meta() else {
        return Ok(None);
    };
    let mut key = DocumentBuilder::new();
    key.append(meta, 1).append(&series.time_field, 1);
    let key = series.bucket_key(key.finish().as_document());
    let mut spec = DocumentBuilder::new();
    spec.append("key", &key.unwrap_or_default());
    spec.append("name", format!("{meta}_1_{}_1", series.time_field).as_str());
    IndexDefinition::parse(spec.finish().as_document(), compiler, collation).map(Some)
}

/// The index over buckets that a specification over measurements asks for, and whether it keeps that specification.
///
/// # Errors
/// 72 `InvalidOptions`, 67 `CannotCreateIndex` and 5916301 for one that a time series cannot have.
pub fn bucket_index(
    series: &Series,
    spec: Document<'_>,
    (collation, env): (&Collation, &dyn Env),
) -> Result<(DocumentBuf, bool), CommandError> {
    let key = spec.get("key").as_document().unwrap_or(Document::EMPTY);
    let is_on_meta = |path: &str| series.meta_path(path).is_some();
    let mut keeps_original = key
        .iter()
        .any(|field| *field.name != *series.time_field && !is_on_meta(field.name));
    let mut builder = DocumentBuilder::new();
    let mut filters_meta = false;
    for option in spec.iter() {
        match option.name {
            "key" => continue,
            "unique" if option.value.is_truthy() => {
                return Err(invalid(
                    "Unique indexes are not supported on time-series collections",
                ));
            }
            "sparse" if option.value.is_truthy() && keeps_original => {
                return Err(invalid(
                    "Sparse indexes are not supported on time-series measurements",
                ));
            }
            "partialFilterExpression" => {
                if !spec.get("collation").is_missing() {
                    return Err(CommandError::new(
                        Code::IndexOptionsConflict,
                        "On a time-series collection, partialFilterExpression and collation arguments are incompatible",
                    ));
                }
                let filter = option.value.as_document().unwrap_or(Document::EMPTY);
                let given = compile_given(filter, collation, env)?;
                let of_meta = meta_filter(series, filter);
                filters_meta = of_meta.is_some();
                let of_buckets = of_meta.or_else(|| bucket_filter(series, &given)).ok_or_else(|| {
                    let message = format!(
                        "Error translating non-metadata time-series predicate to operate on buckets: {filter}"
                    );
                    CommandError::location(5_916_301, message)
                })?;
                keeps_original = true;
                builder.append(option.name, &of_buckets);
                continue;
            }
            _ => {}
        }
        builder.append_raw(option.raw);
    }
    if key.iter().any(|field| field.value.as_str() == Some("text")) {
        return Err(invalid(
            "Text indexes are not supported on time-series collections",
        ));
    }
    let mut bucket_key = series.bucket_key(key).map_err(|reason| {
        CommandError::new(Code::CannotCreateIndex, format!("BadValue: {reason}"))
    })?;
    if !spec.get("expireAfterSeconds").is_missing() {
        if !filters_meta {
            return Err(invalid(
                "TTL indexes on time-series collections require a partialFilterExpression on the metaField",
            ));
        }
        if key.len() != 1 || key.get(&series.time_field).is_missing() {
            return Err(invalid(
                "TTL indexes on non-time fields are not supported on time-series collections",
            ));
        }
        let mut only = DocumentBuilder::new();
        let path = format!("control.min.{}", series.time_field);
        only.append(&path, key.get(&series.time_field));
        bucket_key = only.finish();
    }
    let mut whole = DocumentBuilder::new();
    whole.append("key", &bucket_key);
    whole.append_all(builder.finish().as_document());
    Ok((whole.finish(), keeps_original))
}

/// An index of buckets as an index of measurements; `None` for one that measurements cannot have.
pub fn measurement_index(series: &Series, spec: Document<'_>) -> Option<DocumentBuf> {
    let mut builder = DocumentBuilder::new();
    builder.append("v", spec.get("v"));
    if let ValueRef::Document(original) = spec.get(ORIGINAL) {
        for option in original.iter().filter(|option| option.name != "v") {
            builder.append_raw(option.raw);
        }
        if spec.get("hidden").is_truthy() && original.get("hidden").is_missing() {
            builder.append("hidden", true);
        }
        return Some(builder.finish());
    }
    for option in spec.iter().filter(|option| option.name != "v") {
        match option.name {
            "key" => {
                let key = spec.get("key").as_document()?;
                builder.append("key", &series.measurement_key(key)?);
            }
            _ => {
                builder.append_raw(option.raw);
            }
        }
    }
    Some(builder.finish())
}

/// Runs a `collMod` of a time series: that of its buckets, with the key of an index as they have it.
///
/// # Errors
/// For options that a series does not have.
fn modify(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    series: &Collection,
) -> CommandResult {
    let Some((buckets, options)) = context.view().catalog.measured(&series.namespace) else {
        return Err(coll_mod::nothing());
    };
    let mut command = DocumentBuilder::new();
    command.append(request.name, names::split(&buckets).1);
    for field in request.document.iter().skip(1) {
        match (field.name, field.value) {
            (
                "viewOn"
                | "pipeline"
                | "validator"
                | "validationLevel"
                | "validationAction"
                | "cappedSize"
                | "cappedMax"
                | "changeStreamPreAndPostImages",
                _,
            ) => {
                return Err(invalid(format!(
                    "option not supported on a time-series collection: {}",
                    field.name
                )));
            }
            ("index", ValueRef::Document(index)) => {
                command.begin_document("index");
                for field in index.iter() {
                    match (field.name, field.value) {
                        ("keyPattern", ValueRef::Document(key)) => {
                            let key = options.bucket_key(key).map_err(|reason| {
                                CommandError::new(
                                    Code::IndexNotFound,
                                    format!("BadValue: {reason}"),
                                )
                            })?;
                            command.append("keyPattern", &key);
                        }
                        _ => {
                            command.append_raw(field.raw);
                        }
                    }
                }
                command.end();
            }
            _ => {
                command.append_raw(field.raw);
            }
        }
    }
    let command = command.finish();
    let reply = coll_mod::run(context, &request_for(request, command.as_document()))?;
    // The name reads by the options that its buckets have now.
    let found = context.view().catalog.collection(&buckets).cloned();
    if let Some(changed) = found
        .as_ref()
        .and_then(|found| found.options.kind.buckets())
        && *changed != options
    {
        let mut view = series.clone();
        view.options = Rc::new(CollectionOptions {
            kind: Measured::new(changed.clone(), names::split(&buckets).1).into(),
            ..(*series.options).clone()
        });
        let mut writer = context.writer();
        writer.change_view(view);
        writer.write_changed_rows()?;
    }
    Ok(reply)
}
