//! Defining views: `create` with `viewOn`, `collMod` of a view, and the checks of a definition.
//!
//! Manual: core/views, reference/method/db.createView. Invariant: no view leads back to itself, and none
//! stands upon more than `MOST_VIEWS` others, in any order of their definitions.

use super::row::{KindCommands, exists_differently};
use super::series;
use crate::aggregate::{Pipeline, nested};
use crate::bson::{Array, DocumentBuilder, ValueRef, compare_documents};
use crate::catalog::views::MOST_VIEWS;
use crate::catalog::{Catalog, Collection, CollectionOptions, View, names, uuid};
use crate::collation::Collation;
use crate::command::collections::images_option;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};
use std::cmp::Ordering;

/// The commands of views.
pub(super) const ROW: KindCommands = KindCommands {
    fields: &["viewOn", "pipeline"],
    refusal: "'viewOn' and 'pipeline' options only supported on a view",
    create,
    modify,
};

fn invalid(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::InvalidOptions, message)
}

/// Options of `create` that a view cannot have.
const NOT_A_VIEWS: &[&str] = &[
    "capped",
    "size",
    "max",
    "autoIndexId",
    "idIndex",
    "validator",
    "validationLevel",
    "validationAction",
    "storageEngine",
    "indexOptionDefaults",
    "clusteredIndex",
    "expireAfterSeconds",
    "timeseries",
];

/// Runs a `create` that defines a view.
///
/// # Errors
/// For options a view cannot have, a name that is taken, and a definition that is not valid.
fn create(context: &mut CommandContext<'_>, namespace: &str, params: Params<'_>) -> CommandResult {
    let pipeline = params.array("pipeline")?;
    if context.unit.is_within() {
        return Err(CommandError::new(
            Code::OperationNotSupportedInTransaction,
            "Cannot create a view in a multi-document transaction.",
        ));
    }
    let Some(view_on) = params.string("viewOn")? else {
        return Err(invalid("'pipeline' requires 'viewOn' to also be specified"));
    };
    let collation = match params.collation()? {
        None => Collation::SIMPLE,
        Some(collation) => Collation::parse(collation, context.env)?,
    };
    for option in NOT_A_VIEWS {
        let value = params.value(option);
        if !value.is_nullish() && !matches!(value, ValueRef::Boolean(false)) {
            return Err(invalid(format!("Cannot specify '{option}' with 'viewOn'")));
        }
    }
    if images_option::read(&params, namespace)? == Some(true) {
        return Err(invalid(
            "Cannot specify 'changeStreamPreAndPostImages' with 'viewOn'",
        ));
    }
    params.finish()?;
    let pipeline = pipeline.unwrap_or(Array::EMPTY);
    if let Some(existing) = context.view().catalog.named(namespace) {
        let asked = view_of(namespace, existing.uuid, view_on, pipeline, &collation);
        return match is_same(existing, &asked) {
            true => Ok(finish_ok(DocumentBuilder::new())),
            false => Err(exists_differently(existing)),
        };
    }
    let view = define(context, namespace, view_on, pipeline, &collation)?;
    let holder = uuid::random(context.env);
    let mut writer = context.writer();
    writer.create_view(view, holder)?;
    writer.write_changed_rows()?;
    Ok(finish_ok(DocumentBuilder::new()))
}

fn is_same(left: &Collection, right: &Collection) -> bool {
    let (left, right) = (left.options.to_bson(), right.options.to_bson());
    compare_documents(left.as_document(), right.as_document()) == Ordering::Equal
}

/// Runs a `collMod` of a view.
///
/// # Errors
/// For options a view does not have, and a new definition that is not valid.
fn modify(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    view: &Collection,
) -> CommandResult {
    let params = request.params();
    for option in [
        "index",
        "cappedSize",
        "cappedMax",
        "validator",
        "validationLevel",
        "validationAction",
        "changeStreamPreAndPostImages",
        "expireAfterSeconds",
        "dryRun",
    ] {
        if !params.value(option).is_nullish() {
            return Err(invalid(format!("option not supported on a view: {option}")));
        }
    }
    if !params.value("timeseries").is_nullish() {
        return Err(invalid(series::ROW.refusal));
    }
    let view_on = params.string("viewOn")?.unwrap_or(view.view_on());
    let pipeline = params.array("pipeline")?.unwrap_or(view.view_pipeline());
    params.finish()?;
    let changed = define(
        context,
        &view.namespace,
        view_on,
        pipeline,
        &view.options.collation,
    )?;
    let mut writer = context.writer();
    writer.change_view(changed);
    writer.write_changed_rows()?;
    Ok(finish_ok(DocumentBuilder::new()))
}

fn view_of(
    namespace: &str,
    uuid: [u8; 16],
    view_on: &str,
    pipeline: Array<'_>,
    collation: &Collation,
) -> Collection {
    let options = CollectionOptions {
        collation: collation.clone(),
        ..CollectionOptions::of(View::new(view_on, pipeline))
    };
    Collection::new(namespace, uuid, options)
}

/// Checks a definition and makes the view of it.
fn define(
    context: &CommandContext<'_>,
    namespace: &str,
    view_on: &str,
    pipeline: Array<'_>,
    collation: &Collation,
) -> Result<Collection, CommandError> {
    let (database, name) = names::split(namespace);
    if names::is_system(name) {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            "View name cannot start with 'system.', which is reserved for system namespaces",
        ));
    }
    names::check_creatable(namespace)?;
    if view_on.is_empty() {
        return Err(CommandError::new(
            Code::BadValue,
            "'viewOn' cannot be empty",
        ));
    }
    if view_on.starts_with(names::BUCKETS) {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            "A view cannot be created on the buckets of a time-series collection",
        ));
    }
    if names::check_namespace(&format!("{database}.{view_on}")).is_err() {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!("invalid name for 'viewOn': {view_on}"),
        ));
    }
    check_pipeline(context, namespace, pipeline)?;
    let uuid = uuid::random(context.env);
    let view = view_of(namespace, uuid, view_on, pipeline, collation);
    check_graph(context.view().catalog, &view)?;
    Ok(view)
}

fn check_pipeline(
    context: &CommandContext<'_>,
    namespace: &str,
    pipeline: Array<'_>,
) -> Result<(), CommandError> {
    let explained = |error: CommandError| match error.code {
        // An unknown stage is found before the pipeline is taken for a view's.
        40323 | 40324 => error,
        _ => error.within(&format!("Invalid pipeline for view {namespace}")),
    };
    for (position, stage) in pipeline.iter().enumerate() {
        let name = nested::stage(stage).map_or("", |stage| stage.name);
        match name {
            "$merge" | "$out" => {
                return Err(explained(CommandError::new(
                    Code::OptionNotSupportedOnView,
                    format!(
                        "The aggregation stage {name} in location {position} of the pipeline cannot \
                         be used in the view definition of {namespace} because it writes to disk"
                    ),
                )));
            }
            "$changeStream" => {
                return Err(explained(CommandError::new(
                    Code::OptionNotSupportedOnView,
                    "$changeStream cannot be used in a view definition",
                )));
            }
            "$currentOp" | "$documents" | "$listLocalSessions" => {
                return Err(explained(CommandError::new(
                    Code::InvalidNamespace,
                    format!("'{name}' cannot be used in a view definition"),
                )));
            }
            _ => {}
        }
    }
    let compile = context.compile_context(None)?;
    Pipeline::compile(pipeline, &compile)
        .map(drop)
        .map_err(explained)
}

/// Every collection that a pipeline reads beside its own, by full name.
fn add_involved(database: &str, stages: Array<'_>, names: &mut Vec<String>) {
    for stage in stages.iter().filter_map(nested::stage) {
        let fields = stage.value.as_document().unwrap_or_default();
        let other = match stage.name {
            "$graphLookup" | "$lookup" => fields.get("from").as_str(),
            "$unionWith" => { stage.value.as_str() }.or(fields.get("coll").as_str()),
            _ => None,
        };
        if let Some(other) = other {
            names.push(format!("{database}.{other}"));
        }
        for stages in nested::pipelines(&stage) {
            add_involved(database, stages, names);
        }
    }
}

/// The namespaces that a view reads directly.
fn involved(view: &Collection) -> Vec<String> {
    let mut names = vec![Catalog::below(view)];
    let database = names::split(&view.namespace).0;
    add_involved(database, view.view_pipeline(), &mut names);
    names
}

fn too_deep() -> CommandError {
    CommandError::new(
        Code::ViewDepthLimitExceeded,
        format!("View depth limit exceeded; maximum depth is {MOST_VIEWS}"),
    )
}

/// The views of a definition's database beside it.
struct Graph<'g> {
    catalog: &'g Catalog,
    defined: &'g Collection,
}

impl Graph<'_> {
    fn children(&self, namespace: &str) -> Vec<String> {
        if namespace == &*self.defined.namespace {
            return involved(self.defined);
        }
        self.catalog
            .view(namespace)
            .map_or_else(Vec::new, |view| involved(view))
    }

    /// How many names lie one below the other from this one on; `path` leads to it.
    fn height(&self, namespace: &str, path: &mut Vec<String>) -> Result<usize, CommandError> {
        path.push(namespace.to_owned());
        if path.len() > 1 && namespace == &*self.defined.namespace {
            let mut cycle = format!("View cycle detected: {namespace}");
            for step in path.iter().rev() {
                cycle.push_str(" => ");
                cycle.push_str(step);
            }
            return Err(CommandError::new(Code::GraphContainsCycle, cycle));
        }
        if path.len() > MOST_VIEWS + 1 {
            return Err(too_deep());
        }
        let mut most = 0;
        for child in self.children(namespace) {
            most = most.max(self.height(&child, path)?);
        }
        path.pop();
        Ok(most + 1)
    }

    /// How many views lie one above the other from this name on.
    fn height_above(&self, namespace: &str, depth: usize) -> Result<usize, CommandError> {
        if depth > MOST_VIEWS {
            return Err(too_deep());
        }
        let mut most = 0;
        for view in self.catalog.collections_of(names::split(namespace).0) {
            let is_parent = !view.has_documents()
                && view.namespace != self.defined.namespace
                && involved(view).iter().any(|child| child == namespace);
            if is_parent {
                most = most.max(self.height_above(&view.namespace, depth + 1)?);
            }
        }
        Ok(most + 1)
    }
}

/// A view and the views it reads have one collation.
fn check_collations(catalog: &Catalog, defined: &Collection) -> Result<(), CommandError> {
    for name in involved(defined) {
        if let Some(view) = catalog.view(&name)
            && view.options.collation != defined.options.collation
        {
            return Err(CommandError::new(
                Code::OptionNotSupportedOnView,
                format!(
                    "View {} has a collation that does not match the collation of view {name}",
                    defined.namespace
                ),
            ));
        }
    }
    Ok(())
}

fn check_graph(catalog: &Catalog, defined: &Collection) -> Result<(), CommandError> {
    check_collations(catalog, defined)?;
    let graph = Graph { catalog, defined };
    // The name at the end is no view.
    let below = graph.height(&defined.namespace, &mut Vec::new())? - 1;
    let above = graph.height_above(&defined.namespace, 0)?;
    if below + above - 1 > MOST_VIEWS {
        return Err(too_deep());
    }
    Ok(())
}
