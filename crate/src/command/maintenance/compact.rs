//! `compact`: moves pages down and gives the end of the page space back. Manual: reference/command/compact.
//!
//! All collections share one page space, so the end may be any collection's: the pages of all are moved. The room freed
//! is released once the move is stored and no open cursor sees the old pages. Pages of moments stay where they are.

use crate::bson::DocumentBuilder;
use crate::catalog::{Catalog, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::state::StoreMut;
use crate::storage::{PAGE_SIZE, PageNumber, Pager, Tree};

const MEGABYTE: i64 = 1 << 20;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    // `force` changes nothing: there is no primary that compacting could slow down.
    params.safe_bool("force")?;
    let is_dry = params.safe_bool("dryRun")?.unwrap_or(false);
    let target = params.integer("freeSpaceTargetMB")?;
    params.finish()?;
    if let Some(target) = target.filter(|target| *target < 1) {
        return Err(CommandError::new(
            Code::BadValue,
            format!("BSON field 'freeSpaceTargetMB' value must be >= 1, actual value '{target}'"),
        ));
    }
    let env = context.env;
    let StoreMut {
        pages: pager,
        catalog,
        ..
    } = context.unit.store_mut();
    if catalog.collection(&namespace).is_none() {
        return Err(match catalog.named(&namespace) {
            Some(_) => CommandError::new(Code::CommandNotSupportedOnView, "can't compact a view"),
            None => CommandError::new(Code::NamespaceNotFound, "collection does not exist"),
        });
    }
    let limit = limit_of(pager, catalog, env)?;
    let bytes = |pages: u64| (pages * PAGE_SIZE as u64) as i64;
    let expected = bytes(pager.page_count().saturating_sub(limit));
    let is_worth_it =
        expected > 0 && target.is_none_or(|target| expected >= target.saturating_mul(MEGABYTE));
    let mut reply = DocumentBuilder::new();
    if is_dry {
        reply.append_integer("estimatedBytesFreed", expected);
        return Ok(finish_ok(reply));
    }
    if is_worth_it {
        move_down(pager, catalog, limit, env)?;
    }
    let freed = match is_worth_it {
        true => bytes(pager.unused_tail()),
        false => 0,
    };
    reply.append_integer("bytesFreed", freed);
    Ok(finish_ok(reply))
}

/// Where the page space could end.
fn limit_of(
    pager: &mut Pager,
    catalog: &Catalog,
    env: &dyn Env,
) -> Result<PageNumber, CommandError> {
    let root = pager.catalog_root();
    let mut trees: Vec<Tree> = vec![root];
    for collection in catalog.collections() {
        trees.push(collection.records);
        for index in &collection.indexes {
            trees.extend([index.tree, index.labels]);
        }
    }
    Ok(pager.compaction_limit(&trees, root.page_count() + 1, env)?)
}

fn move_down(
    pager: &mut Pager,
    catalog: &mut Catalog,
    limit: PageNumber,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let names: Vec<_> = catalog
        .collections()
        .map(|collection| std::rc::Rc::clone(&collection.namespace))
        .collect();
    for name in names {
        // A view has no trees.
        let Some(collection) = catalog.collection_mut(&name) else {
            continue;
        };
        collection.records.move_down(pager, limit, env)?;
        for index in &mut collection.indexes {
            index.tree.move_down(pager, limit, env)?;
            index.labels.move_down(pager, limit, env)?;
        }
    }
    let mut root = pager.catalog_root();
    root.move_down(pager, limit, env)?;
    pager.set_catalog_root(root);
    pager.move_moments_down(limit, env)?;
    pager.release_from(limit);
    Ok(())
}
