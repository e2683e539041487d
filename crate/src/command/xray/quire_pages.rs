//! `quirePages`: the map of a deployment: each page's kind and owner.
//!
//! `{quirePages: 1, from: 1, limit: 65536}` gives `owners`, and of the pages from `from` on four runs of bytes, one
//! entry a page: `owner` (the position in `owners`, 2 bytes), `kind` (1), `flags` (1) and `born` (the commit, 4).
//! Numbers are little-endian. Invariant: a page has one owner.

use super::trees;
use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::storage::map::owner;
use crate::storage::{PAGE_SIZE, Tree};

/// The most pages that one reply tells of, and as many as it does where nothing is said: 8 MB of it.
const MOST_PAGES: usize = 1 << 20;

/// The owners that are no trees of the catalog, by number.
pub(super) const OTHERS: [&str; owner::FIRST_TREE as usize] = [
    "free",
    "waiting",
    "freeList",
    "moments",
    "lists",
    "kept",
    "unreached",
];

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let from = params.non_negative("from")?.unwrap_or(1).max(1) as usize;
    let limit = params.non_negative("limit")?;
    let limit = limit.map_or(MOST_PAGES, |limit| (limit as usize).min(MOST_PAGES));
    params.finish()?;
    let store = context.unit.store_mut();
    let all = trees::all(store.catalog, store.pages);
    let handles: Vec<Tree> = all.iter().map(|owned| owned.tree).collect();
    let map = store.pages.map_pages(&handles, context.env)?;
    let pages = map.owners.len();
    let part = from.min(pages)..from.saturating_add(limit).min(pages);
    let mut reply = DocumentBuilder::new();
    reply.append_integer("pages", pages as i64 - 1);
    reply.append_integer("pageBytes", PAGE_SIZE as i64);
    reply.append_integer("sequence", store.pages.sequence() as i64);
    reply.begin_array("owners");
    for (position, kind) in OTHERS.iter().enumerate() {
        reply
            .begin_document(&position.to_string())
            .append("kind", *kind)
            .end();
    }
    for (position, owned) in all.iter().enumerate() {
        reply.begin_document(&(OTHERS.len() + position).to_string());
        owned.held.append_to(&mut reply);
        reply.append_integer("root", owned.tree.root() as i64);
        reply.append_integer("pages", owned.tree.page_count() as i64);
        reply.end();
    }
    reply.end();
    reply.append_integer("from", part.start as i64);
    reply.append_integer("count", part.len() as i64);
    let owners: Vec<u8> = { map.owners[part.clone()].iter() }
        .flat_map(|owner| owner.to_le_bytes())
        .collect();
    let births: Vec<u8> = { map.births[part.clone()].iter() }
        .flat_map(|born| {
            (*born)
                .min(u64::from(u32::MAX))
                .to_le_bytes()
                .into_iter()
                .take(4)
        })
        .collect();
    for (name, bytes) in [
        ("owner", &owners[..]),
        ("kind", &map.kinds[part.clone()]),
        ("flags", &map.flags[part]),
        ("born", &births),
    ] {
        reply.append(name, ValueRef::Binary { subtype: 0, bytes });
    }
    Ok(finish_ok(reply))
}
