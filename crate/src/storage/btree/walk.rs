//! Visiting every page of a tree, for dropping it.

use super::node::{CellValue, Node};
use super::search::tree_page;
use super::tree::{MAX_HEIGHT, Tree};
use crate::error::StorageError;
use crate::storage::overflow;
use crate::storage::page::{PageLink, PageNumber, number_of};
use crate::storage::pager::Pager;

impl Tree {
    /// Visits every page of the tree once, a branch before its children; overflow chains of leaves only when `leaves`
    /// is set, for which the leaves are read.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, the visitor's.
    pub fn each_page(
        &self,
        pager: &Pager,
        leaves: bool,
        visit: &mut dyn FnMut(PageNumber) -> Result<(), StorageError>,
    ) -> Result<(), StorageError> {
        visit_pages(pager, self, leaves, visit)
    }

    /// The first page; 0 for a tree that never had one.
    pub fn root(&self) -> PageNumber {
        number_of(self.root)
    }
}

/// Visits every page of a tree once, a branch before its children; leaves and overflow chains are looked into only when
/// `leaves` is set.
pub(crate) fn visit_pages(
    pager: &Pager,
    tree: &Tree,
    leaves: bool,
    visit: &mut dyn FnMut(PageNumber) -> Result<(), StorageError>,
) -> Result<(), StorageError> {
    if tree.root == 0 {
        return Ok(());
    }
    if usize::from(tree.height) > MAX_HEIGHT {
        return Err(StorageError::corrupt(
            number_of(tree.root),
            "the tree is too high",
        ));
    }
    visit_below(
        pager,
        tree.root,
        tree.height.saturating_sub(1),
        leaves,
        visit,
    )
}

fn visit_below(
    pager: &Pager,
    link: PageLink,
    level: u8,
    leaves: bool,
    visit: &mut dyn FnMut(PageNumber) -> Result<(), StorageError>,
) -> Result<(), StorageError> {
    if level == 0 && !leaves {
        return visit(number_of(link));
    }
    let buffer = tree_page(pager, link, level)?;
    visit(number_of(link))?;
    let node = Node(buffer);
    for index in 0..node.count() {
        if let Some(rest) = node.key_rest(index) {
            let length = rest
                .length
                .saturating_sub(node.key_inline(index).0.len() as u64);
            overflow::walk(pager, rest.page, length, &mut |number, _, _| visit(number))?;
        }
        if level == 0
            && let CellValue::Overflow(value) = node.value(index)
        {
            overflow::walk(pager, value.page, value.length, &mut |number, _, _| {
                visit(number)
            })?;
        }
    }
    if level > 0 {
        for index in 0..=node.count() {
            visit_below(pager, node.child(index), level - 1, leaves, visit)?;
        }
    }
    Ok(())
}
