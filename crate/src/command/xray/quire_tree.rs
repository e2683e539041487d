//! `quireTree`: the B+tree of an index, or of a collection's documents: its nodes, the way down to a key, and along the
//! leaves.
//!
//! `{quireTree: "herbs", index: "bed_1"}` gives nodes from the root on, level by level; `page` begins with another one.
//! `descend: {bed: 3}` tells the pages of a look-up of that document's key (of a collection's own tree: `descend: 7`, a
//! record) with the slots that are compared, and `walk: 20` the entries from there on. Invariant: a key is shown as its
//! bytes decode, and a way is the one that a reader goes.

use super::trees::{self, Held, Owned};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError, StorageError};
use crate::storage::btree::NodeView;
use crate::storage::page::{PageLink, number_of};
use crate::storage::{PAGE_SIZE, PageNumber, Pager, Tree};
use std::collections::VecDeque;

/// How many nodes a reply has where nothing is said, and the most.
const NODES: i64 = 64;
const MOST_NODES: i64 = 1000;
/// The most entries of a walk.
const MOST_WALKED: i64 = 1000;
/// Bytes of slots and cells that a page has room for.
const CAPACITY: usize = PAGE_SIZE - 48;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    let params = request.params();
    let name = params.string("index")?;
    let page = params.non_negative("page")?;
    let limit = params.non_negative("limit")?.unwrap_or(NODES);
    let limit = limit.min(MOST_NODES) as usize;
    let descend = params.value("descend");
    let walk = params.non_negative("walk")?.unwrap_or(0).min(MOST_WALKED);
    params.finish()?;
    let (catalog, pager) = (context.view().catalog, context.view().pages);
    catalog.required(&namespace)?;
    let all = trees::all(catalog, pager);
    let owned = all.iter().find(|owned| match (&owned.held, name) {
        (Held::Records(collection), None) => *collection.namespace == *namespace,
        (Held::Index(collection, at), Some(name)) => {
            let index = collection.indexes.get(*at);
            *collection.namespace == *namespace
                && index.is_some_and(|index| index.definition.shown_name() == name)
        }
        _ => false,
    });
    let Some(owned) = owned else {
        return Err(CommandError::new(
            Code::IndexNotFound,
            format!("index not found with name [{}]", name.unwrap_or_default()),
        ));
    };
    let shown = Shown { pager, owned };
    let mut reply = DocumentBuilder::new();
    owned.held.append_to(&mut reply);
    if let Held::Index(collection, at) = &owned.held
        && let Some(index) = collection.indexes.get(*at)
    {
        reply.append("spec", &index.definition.to_bson());
        reply.append("isMultikey", index.multikey);
    }
    append_handle(&owned.tree, &mut reply);
    reply.append("capacity", CAPACITY as i32);
    if !descend.is_missing() {
        let key = shown.key(descend)?;
        let leaf = shown.append_descent(&key, &mut reply)?;
        shown.append_walk(leaf, walk as usize, &mut reply)?;
    }
    let start = match page {
        None => owned.tree.root(),
        Some(page) => shown.own_page(page as PageNumber)?,
    };
    shown.append_nodes(start, limit, &mut reply)?;
    Ok(finish_ok(reply))
}

/// Appends the fields of a tree handle.
pub(super) fn append_handle(tree: &Tree, reply: &mut DocumentBuilder) {
    for (name, value) in [
        ("root", tree.root()),
        ("entries", tree.len()),
        ("keyBytes", tree.key_bytes()),
        ("valueBytes", tree.value_bytes()),
        ("leafPages", tree.leaf_pages()),
        ("branchPages", tree.branch_pages()),
        ("overflowPages", tree.overflow_pages()),
        ("height", u64::from(tree.height())),
    ] {
        reply.append_integer(name, value as i64);
    }
}

/// A way down: each page with the child or slot that was taken, the leaf last.
type Way = Vec<(PageLink, usize)>;

struct Shown<'s> {
    pager: &'s Pager,
    owned: &'s Owned,
}

impl Shown<'_> {
    /// The page, which must be one of the tree's branches or leaves.
    fn own_page(&self, page: PageNumber) -> Result<PageNumber, CommandError> {
        let mut is_own = false;
        self.owned
            .tree
            .each_page(self.pager, false, &mut |number| {
                is_own |= number == page;
                Ok(())
            })?;
        match is_own {
            true => Ok(page),
            false => Err(CommandError::new(
                Code::BadValue,
                format!("page {page} is no page of this tree"),
            )),
        }
    }

    /// The bytes of the key that is looked for.
    fn key(&self, asked: ValueRef<'_>) -> Result<Vec<u8>, CommandError> {
        let wrong = |what: &str| Err(CommandError::new(Code::BadValue, what.to_owned()));
        match (&self.owned.held, asked) {
            (Held::Index(collection, at), ValueRef::Document(document)) => {
                let Some(index) = collection.indexes.get(*at) else {
                    return wrong("the index is gone");
                };
                match index.keys_of(self.pager, document)?.into_iter().next() {
                    Some(key) => Ok(key),
                    None => wrong("a document of these values has no key in the index"),
                }
            }
            (Held::Records(_), asked) if asked.as_exact_i64().is_some_and(|number| number >= 0) => {
                let number = asked.as_exact_i64().unwrap_or(0);
                Ok(number.to_be_bytes().to_vec())
            }
            (Held::Records(_), _) => {
                wrong("a collection's own tree is descended by a record's number")
            }
            _ => wrong("an index is descended by the values of a document"),
        }
    }

    fn top_level(&self) -> u8 {
        self.owned.tree.height().saturating_sub(1)
    }

    /// Appends the way down to a key, page by page, and gives it.
    fn append_descent(&self, key: &[u8], reply: &mut DocumentBuilder) -> Result<Way, StorageError> {
        let (mut way, mut link) = (Way::new(), self.owned.tree.root);
        reply.begin_array("descent");
        for level in (0..=self.top_level()).rev() {
            if link == 0 {
                break;
            }
            let view = NodeView::open(self.pager, link, level)?;
            let (compared, slot, is_equal) = view.search(self.pager, key)?;
            reply.begin_document(&way.len().to_string());
            reply.append_integer("page", number_of(link) as i64);
            reply.append("level", i32::from(level));
            reply.begin_array("compared");
            for (position, slot) in compared.iter().enumerate() {
                reply.begin_document(&position.to_string());
                reply.append("slot", *slot as i32);
                self.append_key(view, *slot, level, reply)?;
                reply.end();
            }
            reply.end();
            let taken = match level {
                0 => slot,
                _ => slot + usize::from(is_equal),
            };
            reply.append("slot", taken as i32);
            way.push((link, taken));
            if level > 0 {
                link = view.child_link(taken);
                reply.append_integer("child", number_of(link) as i64);
            }
            reply.end();
        }
        reply.end();
        Ok(way)
    }

    /// Appends the entries from the end of a way on.
    fn append_walk(
        &self,
        mut way: Way,
        most: usize,
        reply: &mut DocumentBuilder,
    ) -> Result<(), StorageError> {
        reply.begin_array("walk");
        let mut walked = 0;
        while walked < most {
            let Some((link, slot)) = way.last().copied() else {
                break;
            };
            let level = self.level_of(way.len());
            let view = NodeView::open(self.pager, link, level)?;
            let children = view.count() + usize::from(level > 0);
            if slot >= children {
                way.pop();
                if let Some((_, slot)) = way.last_mut() {
                    *slot += 1;
                }
            } else if level > 0 {
                way.push((view.child_link(slot), 0));
            } else {
                reply.begin_document(&walked.to_string());
                reply.append_integer("page", number_of(link) as i64);
                reply.append("slot", slot as i32);
                self.append_key(view, slot, 0, reply)?;
                reply.end();
                walked += 1;
                if let Some((_, slot)) = way.last_mut() {
                    *slot += 1;
                }
            }
        }
        reply.end();
        Ok(())
    }

    /// The level of the page at the end of a way of so many pages.
    fn level_of(&self, length: usize) -> u8 {
        (self.top_level() + 1).saturating_sub(length as u8)
    }

    fn append_key(
        &self,
        view: NodeView<'_>,
        slot: usize,
        level: u8,
        reply: &mut DocumentBuilder,
    ) -> Result<(), StorageError> {
        let key = view.key(self.pager, slot)?;
        let bits = match (level, &self.owned.held) {
            (0, Held::Index(..)) => view.value(self.pager, slot)?.into_owned(),
            _ => Vec::new(),
        };
        let keys = self.owned.held.keys();
        keys.append(self.pager, (&key, &bits), reply);
        Ok(())
    }

    /// Appends nodes from a page on, level by level, and how many pages below were left out.
    fn append_nodes(
        &self,
        start: PageNumber,
        limit: usize,
        reply: &mut DocumentBuilder,
    ) -> Result<(), StorageError> {
        let mut waiting = VecDeque::new();
        if start != 0 {
            waiting.push_back((start, self.pager.shown_page(start)?.2));
        }
        reply.begin_array("nodes");
        let mut told = 0;
        while told < limit
            && let Some((link, level)) = waiting.pop_front()
        {
            reply.begin_document(&told.to_string());
            self.append_node(link, level, &mut waiting, reply)?;
            reply.end();
            told += 1;
        }
        reply.end();
        reply.append_integer("waiting", waiting.len() as i64);
        Ok(())
    }

    fn append_node(
        &self,
        link: PageLink,
        level: u8,
        waiting: &mut VecDeque<(PageLink, u8)>,
        reply: &mut DocumentBuilder,
    ) -> Result<(), StorageError> {
        let view = NodeView::open(self.pager, link, level)?;
        let count = view.count();
        reply.append_integer("page", number_of(link) as i64);
        reply.append("level", i32::from(level));
        reply.append("count", count as i32);
        reply.append("used", view.used() as i32);
        if level == 0 {
            let ends = [("first", 0), ("last", count.saturating_sub(1))];
            for (name, slot) in ends.into_iter().filter(|_| count > 0) {
                reply.begin_document(name);
                self.append_key(view, slot, 0, reply)?;
                reply.end();
            }
            return Ok(());
        }
        reply.begin_array("children");
        for index in 0..=count {
            reply.begin_document(&index.to_string());
            reply.append_integer("page", view.child(index) as i64);
            if let Some(slot) = index.checked_sub(1) {
                self.append_key(view, slot, level, reply)?;
            }
            reply.end();
            waiting.push_back((view.child_link(index), level - 1));
        }
        reply.end();
        Ok(())
    }
}
