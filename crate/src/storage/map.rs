//! The map of a page space: each page's kind and the tree it belongs to, for commands that show it.
//!
//! Invariant: making a map reads branches, and leaves only of trees with overflow pages; of a page that is not in
//! memory no birth is told.

use super::btree::Tree;
use super::page::{KIND_AT, LEVEL_AT, PageKind, PageNumber};
use super::pager::{self, Pager, State};
use crate::env::Env;
use crate::error::StorageError;

/// To whom a page belongs, beside the trees that a map was asked for: those begin at `FIRST_TREE`.
pub mod owner {
    pub const FREE: u16 = 0;
    /// Freed, and still waited for by a reader or a commit.
    pub const WAITING: u16 = 1;
    pub const FREE_LIST: u16 = 2;
    /// The tree of the moments.
    pub const MOMENTS: u16 = 3;
    /// The tree of the moments' lists.
    pub const LISTS: u16 = 4;
    /// Only moments have it.
    pub const KEPT: u16 = 5;
    /// In use, and nothing reaches it: only in a damaged deployment.
    pub const UNREACHED: u16 = 6;
    pub const FIRST_TREE: u16 = 7;
}

/// Facts about a page beside its owner, as bits.
pub mod flag {
    pub const IN_MEMORY: u8 = 1;
    /// A moment has the page too, or alone.
    pub const OF_A_MOMENT: u8 = 2;
    /// Made or changed since the last commit was sealed.
    pub const UNSEALED: u8 = 4;
}

/// One row a page; row 0 stands for the header.
pub struct PageMap {
    pub owners: Vec<u16>,
    /// The byte of the page's kind; 0 where that is not known.
    pub kinds: Vec<u8>,
    pub flags: Vec<u8>,
    /// The commit that the page was born in; 0 where that is not known.
    pub births: Vec<u64>,
}

impl Pager {
    /// Maps all pages, for these trees, which are all of the present.
    ///
    /// # Errors
    /// Those of reading the trees' branches and the lists; `Stopped`.
    pub fn map_pages(&mut self, trees: &[Tree], env: &dyn Env) -> Result<PageMap, StorageError> {
        self.load_free_list()?;
        self.load_moments()?;
        let count = self.table.len();
        let mut map = PageMap {
            owners: vec![owner::UNREACHED; count],
            kinds: vec![0; count],
            flags: vec![0; count],
            births: vec![0; count],
        };
        self.map_owners(trees, &mut map, env)?;
        let sealed = self.epochs.sealed();
        for (number, entry) in self.table.iter().enumerate().skip(1) {
            let is_of_tree = map.owners[number] >= owner::FIRST_TREE;
            map.kinds[number] = match entry.buffer.get() {
                Some(buffer) => buffer[KIND_AT],
                // All other pages of a tree were read on the way.
                None if is_of_tree && !entry.corrupt => PageKind::Leaf as u8,
                None => 0,
            };
            let is_kept = map.owners[number] == owner::KEPT;
            let mut flags = u8::from(is_kept) * flag::OF_A_MOMENT;
            if entry.buffer.get().is_some() {
                flags |= flag::IN_MEMORY;
                map.births[number] = self.birth_of(number as PageNumber)?;
                if is_of_tree && self.kept_group(number as PageNumber)?.is_some() {
                    flags |= flag::OF_A_MOMENT;
                }
                if entry.born > sealed {
                    flags |= flag::UNSEALED;
                }
            }
            map.flags[number] = flags;
        }
        Ok(map)
    }

    fn map_owners(
        &self,
        trees: &[Tree],
        map: &mut PageMap,
        env: &dyn Env,
    ) -> Result<(), StorageError> {
        for (number, entry) in self.table.iter().enumerate() {
            match entry.state {
                State::Used => {}
                State::Waiting => map.owners[number] = owner::WAITING,
                State::Reusable => map.owners[number] = owner::FREE,
            }
        }
        let mut claim = |page: PageNumber, by: u16| {
            if let Some(owner) = map.owners.get_mut(page as usize) {
                *owner = by;
            }
        };
        if let Some((_, base)) = self.free_pages() {
            for page in base.iter() {
                claim(*page, owner::FREE_LIST);
            }
        }
        self.visit_lists(&mut |_, _, runs| {
            for page in runs.pages() {
                claim(page, owner::KEPT);
            }
            Ok(())
        })?;
        let own = self.moments.trees;
        let own = [(owner::MOMENTS, own.moments), (owner::LISTS, own.lists)];
        let others = trees.iter().enumerate();
        let others = others.map(|(at, tree)| (owner::FIRST_TREE + at as u16, *tree));
        for (by, tree) in own.into_iter().chain(others) {
            tree.each_page(self, tree.overflow_pages() > 0, &mut |page| {
                pager::ask(env)?;
                claim(page, by);
                Ok(())
            })?;
        }
        claim(0, owner::FREE);
        Ok(())
    }

    /// A page that is in use, as it lies in memory, with its kind and level; an unsealed one has no number, identity
    /// and checksum yet.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`.
    pub fn shown_page(
        &self,
        number: PageNumber,
    ) -> Result<(&[u8], Option<PageKind>, u8), StorageError> {
        let buffer = self.page(number)?;
        let kind = PageKind::from_byte(buffer[KIND_AT]);
        Ok((&buffer[..], kind, buffer[LEVEL_AT]))
    }

    /// The header record of the last commit, with the present roots, counts and free list in their places.
    pub fn shown_header(&self) -> Vec<u8> {
        self.header(self.sequence).encode()
    }
}
