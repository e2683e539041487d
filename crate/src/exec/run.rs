//! Running a read.

use super::build::{Build, Root, build, build_read};
use super::projection::{Project, ProjectionSource};
use super::stage::{ExecContext, Stage};
use super::usage;
use super::watch::{Shared, Slot};
use crate::catalog::plan_cache::KeyRead;
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use crate::plan::Plan;
use crate::query::Projection;
use std::rc::Rc;

/// The running stages of a plan that answers a command: `$indexStats` counts its indexes. `build` alone is for a plan
/// that is explained.
pub fn run(
    plan: &Plan,
    collection: &Rc<Collection>,
    context: &ExecContext<'_>,
    how: Build,
) -> Box<dyn Stage> {
    usage::note(plan, collection, context.pager.accounting());
    let how = Build {
        joined: true,
        ..how
    };
    build(plan, collection, how)
}

/// The same, each stage with its meter, and where to look at them afterwards.
pub fn run_watched(
    plan: &Plan,
    collection: &Rc<Collection>,
    context: &ExecContext<'_>,
) -> (Box<dyn Stage>, Slot) {
    usage::note(plan, collection, context.pager.accounting());
    let how = Build {
        is_metered: true,
        ..Build::default()
    };
    let (shared, slot) = Shared::new(build(plan, collection, how));
    (Box::new(shared), slot)
}

/// The running stages of a prepared read with its values, which gives documents as a projection makes them.
pub fn run_read(
    read: KeyRead,
    projection: Option<Rc<Projection>>,
    collection: &Rc<Collection>,
    context: &ExecContext<'_>,
    how: Build,
) -> Root {
    usage::note_index(collection, read.access.index, context.pager.accounting());
    let root = build_read(read, collection, how);
    match projection {
        None => root,
        Some(projection) => {
            let source = ProjectionSource::Document;
            Root::Stage(Box::new(Project::new(root.boxed(), projection, source)))
        }
    }
}

/// All RecordIds that a stage gives: a write command collects them before it changes anything.
///
/// # Errors
/// Everything that stops the command.
pub fn record_ids(
    stage: &mut dyn Stage,
    context: &ExecContext<'_>,
    limit: Option<usize>,
) -> Result<Vec<RecordId>, CommandError> {
    let mut found = Vec::new();
    if limit == Some(0) {
        return Ok(found);
    }
    stage.visit(context, &mut |record| {
        found.extend(record.record_id);
        Ok(limit.is_none_or(|limit| found.len() < limit))
    })?;
    Ok(found)
}
