//! Two states of a tree: the pages they do not share, the entries that differ, and restoring one to the other.
//!
//! A page that both states refer to is the same, and so is all below it. Branches are read to know which pages those
//! are; leaves only where they differ. Invariant: restoring copies the pages that the present lacks and gives up those
//! that only the present has; the past's own pages stay as they are, so that a page is never of the present twice.

use super::node::Node;
use super::relocate::{Chain, chains_of};
use super::search::tree_page;
use super::tree::Tree;
use super::view::{Level, NodeView};
use crate::algorithms::sorting;
use crate::env::Env;
use crate::error::StorageError;
use crate::storage::overflow;
use crate::storage::page::{self, PageLink, PageNumber};
use crate::storage::pager::{self, Pager};
use std::cmp::Ordering;
use std::rc::Rc;

/// The pages of a tree that another state of it lacks, in the order of their keys, a branch before its children.
struct Own {
    pages: Vec<(PageLink, Level)>,
    /// The overflow chains that these pages refer to, the other state's own pages' ones left out.
    chains: Vec<Chain>,
}

fn outline(
    pager: &Pager,
    number: PageLink,
    level: Level,
    env: &dyn Env,
    out: &mut Vec<(PageLink, Level)>,
) -> Result<(), StorageError> {
    out.push((number, level));
    if level > 0 {
        pager::ask(env)?;
        let node = Node(tree_page(pager, number, level)?);
        for index in 0..=node.count() {
            outline(pager, node.child(index), level - 1, env, out)?;
        }
    }
    Ok(())
}

/// All tree pages, in the order of their keys.
fn outline_of(
    pager: &Pager,
    tree: &Tree,
    env: &dyn Env,
) -> Result<Vec<(PageLink, Level)>, StorageError> {
    let mut pages = Vec::new();
    if tree.root != 0 {
        let level = tree.height.saturating_sub(1);
        outline(pager, tree.root, level, env, &mut pages)?;
    }
    Ok(pages)
}

fn sorted(pages: impl Iterator<Item = PageLink>) -> Vec<PageLink> {
    let mut pages: Vec<PageLink> = pages.collect();
    sorting::sort(&mut pages);
    pages
}

/// The pages and overflow chains that only one of two states has, for each of them.
fn apart(pager: &Pager, one: &Tree, two: &Tree, env: &dyn Env) -> Result<(Own, Own), StorageError> {
    if one.root == two.root {
        let none = || Own {
            pages: Vec::new(),
            chains: Vec::new(),
        };
        return Ok((none(), none()));
    }
    let (mut ones, mut twos) = (outline_of(pager, one, env)?, outline_of(pager, two, env)?);
    let in_one = sorted(ones.iter().map(|(page, _)| *page));
    let in_two = sorted(twos.iter().map(|(page, _)| *page));
    ones.retain(|(page, _)| in_two.binary_search(page).is_err());
    twos.retain(|(page, _)| in_one.binary_search(page).is_err());
    let chains = |pages: &[(PageLink, Level)]| {
        let mut chains = Vec::new();
        for (number, level) in pages {
            pager::ask(env)?;
            chains.append(&mut chains_of(Node(tree_page(pager, *number, *level)?)));
        }
        Ok::<_, StorageError>(chains)
    };
    let (mut of_one, mut of_two) = (chains(&ones)?, chains(&twos)?);
    let firsts_of_one = sorted(of_one.iter().map(|chain| chain.1));
    let firsts_of_two = sorted(of_two.iter().map(|chain| chain.1));
    of_one.retain(|chain| firsts_of_two.binary_search(&chain.1).is_err());
    of_two.retain(|chain| firsts_of_one.binary_search(&chain.1).is_err());
    let own = |pages, chains| Own { pages, chains };
    Ok((own(ones, of_one), own(twos, of_two)))
}

/// The pages of a past state on their way into the present.
struct Copying<'e> {
    env: &'e dyn Env,
    /// The pages to be copied, ascending.
    pages: Vec<PageLink>,
    /// The first pages of the chains to be copied, ascending.
    chains: Vec<PageLink>,
}

impl Copying<'_> {
    /// A page as the present may have it: itself where it has it already, else a copy.
    fn copy(
        &self,
        pager: &mut Pager,
        number: PageLink,
        level: Level,
    ) -> Result<PageLink, StorageError> {
        if self.pages.binary_search(&number).is_err() {
            return Ok(number);
        }
        pager::ask(self.env)?;
        let buffer = Rc::clone(tree_page(pager, number, level)?);
        let node = Node(&buffer);
        let mut edits = Vec::new();
        for (at, first, length) in chains_of(node) {
            if self.chains.binary_search(&first).is_ok() {
                edits.push((at, overflow::copy_chain(pager, first, length)?));
            }
        }
        if level > 0 {
            for index in 0..=node.count() {
                let child = node.child(index);
                let copy = self.copy(pager, child, level - 1)?;
                if copy != child {
                    edits.push((node.child_at(index), copy));
                }
            }
        }
        let copy = pager.allocate(buffer)?;
        for (at, page) in edits {
            pager.log_range(copy, at, at + 8);
            page::put_u64(pager.page_mut(copy)?, at, page);
        }
        Ok(copy)
    }
}

impl Tree {
    /// Becomes the same as a past state, of this tree or of any other.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `Stopped`; roll back then.
    pub fn restore(
        &mut self,
        pager: &mut Pager,
        past: &Tree,
        env: &dyn Env,
    ) -> Result<(), StorageError> {
        let (given_up, lacking) = apart(pager, self, past, env)?;
        let copying = Copying {
            env,
            pages: sorted(lacking.pages.iter().map(|(page, _)| *page)),
            chains: sorted(lacking.chains.iter().map(|chain| chain.1)),
        };
        let root = match past.root {
            0 => 0,
            root => copying.copy(pager, root, past.height.saturating_sub(1))?,
        };
        for (_, first, length) in given_up.chains {
            overflow::free_chain(pager, first, length)?;
        }
        for (number, _) in given_up.pages {
            pager.free(number)?;
        }
        *self = Tree { root, ..*past };
        Ok(())
    }

    /// How many pages this state has that another lacks.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `Stopped`.
    pub fn pages_unlike(
        &self,
        pager: &Pager,
        other: &Tree,
        env: &dyn Env,
    ) -> Result<u64, StorageError> {
        let own = apart(pager, self, other, env)?.0;
        let chains = own
            .chains
            .iter()
            .map(|chain| overflow::chain_pages(chain.2));
        Ok(own.pages.len() as u64 + chains.sum::<u64>())
    }

    /// The entries that differ between this state, the older one, and another.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `Stopped`.
    pub fn differences(
        &self,
        pager: &Pager,
        newer: &Tree,
        env: &dyn Env,
    ) -> Result<Differences, StorageError> {
        let (old, new) = apart(pager, self, newer, env)?;
        Ok(Differences {
            old: Leaves::of(&old),
            new: Leaves::of(&new),
        })
    }

    /// Visits every page, overflow pages too.
    pub(crate) fn pages(
        &self,
        pager: &Pager,
        visit: &mut dyn FnMut(PageNumber),
    ) -> Result<(), StorageError> {
        super::walk::visit_pages(pager, self, true, &mut |page| {
            visit(page);
            Ok(())
        })
    }
}

/// The entries of some leaves, one after the other.
#[derive(Debug)]
struct Leaves {
    leaves: Vec<PageLink>,
    at: usize,
    index: usize,
}

impl Leaves {
    fn of(own: &Own) -> Self {
        let leaves = own.pages.iter().filter(|(_, level)| *level == 0);
        Self {
            leaves: leaves.map(|(page, _)| *page).collect(),
            at: 0,
            index: 0,
        }
    }

    /// The leaf that has the entry, with its key.
    fn entry(&mut self, pager: &Pager) -> Result<Option<Vec<u8>>, StorageError> {
        while let Some(leaf) = self.leaves.get(self.at) {
            let view = NodeView::open(pager, *leaf, 0)?;
            if self.index < view.count() {
                return Ok(Some(view.key(pager, self.index)?.into_owned()));
            }
            self.at += 1;
            self.index = 0;
        }
        Ok(None)
    }

    /// The value of the entry, and on to the next one.
    fn take(&mut self, pager: &Pager) -> Result<Option<Vec<u8>>, StorageError> {
        let Some(leaf) = self.leaves.get(self.at) else {
            return Ok(None);
        };
        let view = NodeView::open(pager, *leaf, 0)?;
        let value = view.value(pager, self.index)?.into_owned();
        self.index += 1;
        Ok(Some(value))
    }
}

/// An entry that two states of a tree do not have alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub key: Vec<u8>,
    /// The entry's value in the older state.
    pub old: Option<Vec<u8>>,
    /// The entry's value in the newer one.
    pub new: Option<Vec<u8>>,
}

/// The entries that differ, in key order. Nothing may be written to either state meanwhile.
#[derive(Debug)]
pub struct Differences {
    old: Leaves,
    new: Leaves,
}

impl Leaves {
    /// Goes on behind a key.
    fn skip_through(&mut self, pager: &Pager, key: &[u8]) -> Result<(), StorageError> {
        while let Some(leaf) = self.leaves.get(self.at) {
            let view = NodeView::open(pager, *leaf, 0)?;
            while self.index < view.count() {
                // Most leaves lie before the key as a whole.
                let last = view.count() - 1;
                if self.index == 0 && *view.key(pager, last)? <= *key {
                    break;
                }
                if *view.key(pager, self.index)? > *key {
                    return Ok(());
                }
                self.index += 1;
            }
            self.at += 1;
            self.index = 0;
        }
        Ok(())
    }
}

impl Differences {
    /// Goes on behind a key, which comes after those given so far.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn skip_through(&mut self, pager: &Pager, key: &[u8]) -> Result<(), StorageError> {
        self.old.skip_through(pager, key)?;
        self.new.skip_through(pager, key)
    }

    /// The next one.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn next(&mut self, pager: &Pager) -> Result<Option<Difference>, StorageError> {
        loop {
            let order = match (self.old.entry(pager)?, self.new.entry(pager)?) {
                (None, None) => return Ok(None),
                (Some(key), None) => (Ordering::Less, key),
                (None, Some(key)) => (Ordering::Greater, key),
                (Some(old), Some(new)) => match old.cmp(&new) {
                    Ordering::Greater => (Ordering::Greater, new),
                    order => (order, old),
                },
            };
            let (order, key) = order;
            let old = match order {
                Ordering::Greater => None,
                _ => self.old.take(pager)?,
            };
            let new = match order {
                Ordering::Less => None,
                _ => self.new.take(pager)?,
            };
            if old != new {
                return Ok(Some(Difference { key, old, new }));
            }
        }
    }
}
