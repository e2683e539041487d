//! Compaction: where the page space could end if all its pages lay as low as they can.
//!
//! The compacting command moves every tree down below that limit (`Tree::move_down`); once that is durable and no
//! snapshot sees the old pages, the end is free and the next seal releases it. Pages that a moment has are not moved: a
//! copy would free nothing.

use super::btree::Tree;
use super::page::PageNumber;
use super::pager::{Pager, State};
use crate::env::Env;
use crate::error::StorageError;

/// How often the limit is raised for the pages that moving others takes.
const TRIES: usize = 16;

impl Pager {
    /// The lowest limit below which there is room for all pages of these trees, which must be all there are; the page
    /// count when nothing can be gained. `rows` is how many pages the catalog tree has: writing the new handles changes
    /// it.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `Stopped`.
    pub fn compaction_limit(
        &mut self,
        trees: &[Tree],
        rows: u64,
        env: &dyn Env,
    ) -> Result<PageNumber, StorageError> {
        self.load_free_list()?;
        let own = [self.moments.trees.moments, self.moments.trees.lists];
        let pinned = self.end_of_kept()?;
        let (free, base) = self.free_pages().unwrap_or_default();
        // The free list itself may be written anew.
        let spare = rows + 2 * base.len() as u64 + 2;
        let count = self.page_count();
        let mut limit = (count - free.len().min(count - 1)).max(pinned);
        for _ in 0..TRIES {
            let mut needed = spare;
            for tree in trees.iter().chain(&own) {
                needed += tree.pages_to_move(self, limit, env)?;
            }
            let below = self.reusable_below(limit);
            if needed <= below {
                return Ok(limit);
            }
            limit += needed - below;
            if limit >= count {
                break;
            }
        }
        Ok(count)
    }

    /// Moves the trees that tell of moments below a limit.
    ///
    /// # Errors
    /// `NotResident`, `Corrupt`, `Stopped`; roll back then.
    pub fn move_moments_down(
        &mut self,
        limit: PageNumber,
        env: &dyn Env,
    ) -> Result<(), StorageError> {
        let mut trees = self.moments.trees;
        self.apart(|pager| {
            trees.moments.move_down(pager, limit, env)?;
            trees.lists.move_down(pager, limit, env)
        })?;
        self.moments.trees = trees;
        Ok(())
    }

    fn reusable_below(&self, limit: PageNumber) -> u64 {
        let runs = self.space.reusable.iter();
        runs.take_while(|(first, _)| *first < limit)
            .map(|(first, length)| length.min(limit - first))
            .sum()
    }

    /// How many pages behind the last one in use there are; some may still wait for a commit or a snapshot.
    pub fn unused_tail(&self) -> u64 {
        let tail = self.table.iter().skip(1).rev();
        tail.take_while(|entry| entry.state != State::Used).count() as u64
    }
}
