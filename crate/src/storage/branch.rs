//! A branch: the state of a pager as another one that goes its own way and is never stored.
//!
//! The two share the buffers of their pages; whichever of them changes one copies it. Invariants: pages of the shared
//! state are never given out again by the branch, which puts its own pages behind the end; for as long as the
//! snapshot of its beginning is held, the number of a page that is absent here means the same page there.

use super::page::PageNumber;
use super::pager::{Entry, Pager, State};
use std::cell::OnceCell;
use std::rc::Rc;

impl Pager {
    /// The present state as a pager of its own, which may take at most `most` pages for its changes.
    pub fn branch(&self, most: u64) -> Self {
        let mut branch = Self::new();
        branch.table = { self.table.iter() }
            .map(|entry| Entry {
                buffer: match entry.state {
                    State::Used => entry.buffer.clone(),
                    State::Waiting | State::Reusable => OnceCell::new(),
                },
                state: match entry.state {
                    State::Used => State::Used,
                    State::Waiting | State::Reusable => State::Reusable,
                },
                corrupt: entry.corrupt,
                ..Entry::absent()
            })
            .collect();
        branch.catalog = self.catalog;
        branch.sequence = self.sequence;
        branch.generation = self.generation;
        branch.mark = self.mark;
        branch.clock = Rc::clone(&self.clock);
        branch.damage = self.damage.clone();
        branch.resident.set(self.resident.get());
        branch.source.clone_from(&self.source);
        branch.most_pages = self.page_count().saturating_add(most);
        branch
    }

    /// Takes the pages that are absent here and that have come into the pager that this one was made of.
    pub fn take_arrived(&mut self, from: &Self) {
        if self.is_resident() {
            return;
        }
        let mut next: PageNumber = 1;
        while let Some(number) = self.next_absent(next) {
            next = number + 1;
            let Some(source) = from.table.get(number as usize) else {
                continue;
            };
            let entry = &mut self.table[number as usize];
            match source.state {
                // The free list came later: no tree has the page.
                State::Reusable => entry.state = State::Reusable,
                _ => entry.buffer.clone_from(&source.buffer),
            }
            if source.corrupt {
                entry.corrupt = true;
                if let Some(reason) = from.damage.get(&number) {
                    self.damage.insert(number, reason.clone());
                }
            }
        }
    }

    /// Declares that the pages which are absent can no longer be had, and says whether there were any.
    pub fn give_up_absent(&mut self, reason: &str) -> bool {
        if self.source.is_some() {
            return false;
        }
        let mut next: PageNumber = 1;
        while let Some(number) = self.next_absent(next) {
            self.give_up(number, reason);
            next = number + 1;
        }
        next > 1
    }

    /// How many more pages may be allocated at the end.
    pub fn pages_left(&self) -> u64 {
        self.most_pages.saturating_sub(self.page_count()) + self.reusable_count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tree;
    use super::*;
    use crate::error::{StorageError, StorageFault};

    type Result<T = ()> = std::result::Result<T, StorageError>;

    fn planted() -> Result<(Pager, Tree)> {
        let (mut pager, mut tree) = (Pager::new(), Tree::new());
        for number in 0..200_u32 {
            tree.put(&mut pager, &number.to_be_bytes(), &[7; 400])?;
        }
        Ok((pager, tree))
    }

    fn values(pager: &Pager, tree: Tree) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        let mut cursor = tree.cursor();
        while cursor.next(pager)? {
            all.push(cursor.value(pager)?[0]);
        }
        Ok(all)
    }

    #[test]
    fn neither_pager_sees_what_the_other_changes() -> Result {
        let (mut pager, mut tree) = planted()?;
        let _snapshot = pager.open_snapshot();
        let mut branch = pager.branch(100);
        let mut own = tree;
        for number in 0..100_u32 {
            own.put(&mut branch, &number.to_be_bytes(), &[8; 400])?;
            tree.put(&mut pager, &(number + 100).to_be_bytes(), &[9; 400])?;
        }
        let here = values(&branch, own)?;
        assert!(here[..100].iter().all(|value| *value == 8));
        assert!(here[100..].iter().all(|value| *value == 7));
        let there = values(&pager, tree)?;
        assert!(there[..100].iter().all(|value| *value == 7));
        assert!(there[100..].iter().all(|value| *value == 9));
        Ok(())
    }

    #[test]
    fn its_pages_are_bounded() -> Result {
        let (pager, tree) = planted()?;
        let mut branch = pager.branch(3);
        let mut own = tree;
        let mut written = 0;
        let refused = (0..200_u32).try_for_each(|number| {
            own.put(&mut branch, &number.to_be_bytes(), &[8; 400])?;
            written += 1;
            Ok::<_, StorageError>(())
        });
        let fault = refused.map_err(StorageError::into_fault);
        assert_eq!(fault, Err(StorageFault::OutOfSpace));
        assert!(written > 0 && branch.pages_left() == 0);
        Ok(())
    }
}
