//! Moving a tree's pages down, so that the end of the page space falls free.
//!
//! A page from the limit on gets the lowest free number, and so does every page that refers to it and may not be
//! changed in place. Invariant: a tree that was moved has the entries and the number of pages that it had.

use super::node::Node;
use super::search::tree_page;
use super::tree::Tree;
use crate::env::Env;
use crate::error::StorageError;
use crate::storage::overflow;
use crate::storage::page::{self, PageLink, PageNumber, number_of};
use crate::storage::pager::{self, Pager};
use std::rc::Rc;

/// An overflow chain of a cell: where its first page's number is written, that number, and its bytes.
pub(crate) type Chain = (usize, PageLink, u64);

/// The chains that belong to a page's cells.
pub(crate) fn chains_of(node: Node<'_>) -> Vec<Chain> {
    let mut chains = Vec::new();
    for index in 0..node.count() {
        if let Some((at, rest)) = node.key_rest_at(index) {
            let inline = node.key_inline(index).0.len() as u64;
            chains.push((at, rest.page, rest.length.saturating_sub(inline)));
        }
        if node.is_leaf()
            && let Some((at, value)) = node.value_chain_at(index)
        {
            chains.push((at, value.page, value.length));
        }
    }
    chains
}

/// Whether a page of a chain lies at the limit or beyond.
fn is_beyond(pager: &Pager, chain: Chain, limit: PageNumber) -> Result<bool, StorageError> {
    let mut is_beyond = false;
    overflow::walk(pager, chain.1, chain.2, &mut |number, _, _| {
        is_beyond |= number >= limit;
        Ok(())
    })?;
    Ok(is_beyond)
}

/// The pages that moving this page, the pages below it and their chains would write; 0: nothing moves.
fn needed_below(
    pager: &Pager,
    number: PageLink,
    level: u8,
    limit: PageNumber,
    env: &dyn Env,
) -> Result<u64, StorageError> {
    pager::ask(env)?;
    let node = Node(tree_page(pager, number, level)?);
    let mut needed = 0;
    for chain in chains_of(node) {
        if is_beyond(pager, chain, limit)? {
            needed += overflow::chain_pages(chain.2);
        }
    }
    if level > 0 {
        for index in 0..=node.count() {
            needed += needed_below(pager, node.child(index), level - 1, limit, env)?;
        }
    }
    let moves = needed > 0 || number_of(number) >= limit;
    Ok(needed + u64::from(moves))
}

/// Moves down the chains and pages below a page, and the page itself, if they lie at `limit` or beyond. Gives the
/// link to the page.
fn move_below(
    pager: &mut Pager,
    number: PageLink,
    level: u8,
    limit: PageNumber,
    env: &dyn Env,
) -> Result<PageLink, StorageError> {
    pager::ask(env)?;
    let buffer = Rc::clone(tree_page(pager, number, level)?);
    let node = Node(&buffer);
    let mut edits = Vec::new();
    for chain in chains_of(node) {
        if is_beyond(pager, chain, limit)? {
            edits.push((chain.0, overflow::move_chain(pager, chain.1, chain.2)?));
        }
    }
    if level > 0 {
        for index in 0..=node.count() {
            let child = node.child(index);
            let moved = move_below(pager, child, level - 1, limit, env)?;
            if moved != child {
                edits.push((node.child_at(index), moved));
            }
        }
    }
    let target = match (number_of(number) >= limit, edits.is_empty()) {
        (true, _) => {
            let target = pager.allocate(buffer)?;
            pager.free(number)?;
            target
        }
        (false, true) => return Ok(number),
        (false, false) => {
            drop(buffer);
            pager.writable(number)?
        }
    };
    for (at, page) in edits {
        pager.log_range(target, at, at + 8);
        page::put_u64(pager.page_mut(target)?, at, page);
    }
    Ok(target)
}

impl Tree {
    /// How many pages `move_down` would write.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `Stopped`.
    pub fn pages_to_move(
        &self,
        pager: &Pager,
        limit: PageNumber,
        env: &dyn Env,
    ) -> Result<u64, StorageError> {
        match self.root {
            0 => Ok(0),
            root => needed_below(pager, root, self.height.saturating_sub(1), limit, env),
        }
    }

    /// Gives every page from `limit` on the lowest free number.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `Stopped`; roll back then.
    pub fn move_down(
        &mut self,
        pager: &mut Pager,
        limit: PageNumber,
        env: &dyn Env,
    ) -> Result<(), StorageError> {
        if self.root != 0 {
            self.root = move_below(pager, self.root, self.height.saturating_sub(1), limit, env)?;
        }
        Ok(())
    }
}
