//! Surveys of damaged page spaces: the leaves of a tree that can still be read, the pages that cannot, and the pages
//! that no tree reaches.
//!
//! Reading stops at a damaged page; a survey goes around it. Invariant: a survey never fails for damage, only for a
//! page that is not resident, or when the host wants the command to end.

use super::btree::{Level, NodeView, Tree};
use super::overflow;
use super::page::{self, Buffer, PageKind, PageLink, PageNumber, number_of};
use super::pager::{self, Pager, State};
use crate::algorithms::sorting;
use crate::env::Env;
use crate::error::{StorageError, StorageFault};

/// A page that cannot be read, or that is of another kind or level than the page that refers to it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    pub page: PageNumber,
    /// The fault, for a person.
    pub reason: String,
    /// The keys that the page held, or the pages below it: from this one on (`None`: from the first) …
    pub from: Option<Vec<u8>>,
    /// … up to before this one (`None`: to the last).
    pub to: Option<Vec<u8>>,
}

impl Loss {
    /// The loss in words, for a tree whose keys are numbers: of records from one to another.
    pub fn worded(&self, from: u64, to: u64) -> String {
        let records = match from == to {
            true => format!("record {from}"),
            false => format!("the records {from} to {to}"),
        };
        format!(
            "page {} ({}), and with it {records}",
            self.page, self.reason
        )
    }

    /// Whether a key may have been lost with the page.
    pub fn covers(&self, key: &[u8]) -> bool {
        let after = self.from.as_deref().is_none_or(|from| from <= key);
        after && self.to.as_deref().is_none_or(|to| key < to)
    }
}

/// The result of a survey of the pages below one page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The leaves that can be read, in the order of their keys.
    pub leaves: Vec<PageNumber>,
    /// The pages that cannot be read.
    pub losses: Vec<Loss>,
}

/// An entry of a leaf, copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveyedEntry {
    pub key: Vec<u8>,
    /// The value, or why its overflow pages cannot be read.
    pub value: Result<Vec<u8>, Loss>,
}

/// Which pages were reached.
pub struct Survey<'e> {
    met: Vec<bool>,
    /// Asked for each page whether to go on.
    env: &'e dyn Env,
}

/// A fault as a loss, except the one that stops every walk.
fn loss_of(error: StorageError, otherwise: PageNumber) -> Result<Loss, StorageError> {
    let (page, reason) = match error.into_fault() {
        StorageFault::NotResident { page } => return Err(StorageError::not_resident(page)),
        StorageFault::Corrupt { page, reason } => (page, reason),
        other => (otherwise, other.to_string()),
    };
    Ok(Loss {
        page,
        reason,
        from: None,
        to: None,
    })
}

impl<'e> Survey<'e> {
    /// A survey that has reached nothing.
    pub fn new(pager: &Pager, env: &'e dyn Env) -> Self {
        Self {
            met: vec![false; pager.page_count() as usize],
            env,
        }
    }

    /// Surveys a tree.
    ///
    /// # Errors
    /// `NotResident` and `Stopped` only.
    pub fn tree(&mut self, pager: &Pager, tree: &Tree) -> Result<Reach, StorageError> {
        let mut reach = Reach::default();
        if tree.root != 0 {
            let level = tree.height.saturating_sub(1);
            self.below(pager, tree.root, level, (None, None), &mut reach)?;
        }
        Ok(reach)
    }

    /// Surveys the trees that tell of moments, and the pages that only moments have; gives the losses.
    ///
    /// # Errors
    /// `NotResident` and `Stopped` only.
    pub fn moments(&mut self, pager: &Pager) -> Result<Vec<Loss>, StorageError> {
        let trees = pager.moments.trees;
        let mut losses = Vec::new();
        for tree in [trees.moments, trees.lists] {
            losses.append(&mut self.tree(pager, &tree)?.losses);
        }
        let met = &mut self.met;
        let told = pager.visit_lists(&mut |_, _, runs| {
            for page in runs.pages() {
                if let Some(met) = met.get_mut(page as usize) {
                    *met = true;
                }
            }
            Ok(())
        });
        if let Err(error) = told {
            losses.push(loss_of(error, trees.lists.root())?);
        }
        Ok(losses)
    }

    /// Surveys an orphan and the pages below it.
    ///
    /// # Errors
    /// `NotResident` and `Stopped` only.
    pub fn orphan(&mut self, pager: &Pager, root: PageNumber) -> Result<Reach, StorageError> {
        let mut reach = Reach::default();
        if let Some(buffer) = self.tree_page(pager, root) {
            let level = buffer[page::LEVEL_AT];
            self.below(pager, root, level, (None, None), &mut reach)?;
        }
        Ok(reach)
    }

    fn below(
        &mut self,
        pager: &Pager,
        link: PageLink,
        level: Level,
        bounds: (Option<&[u8]>, Option<&[u8]>),
        reach: &mut Reach,
    ) -> Result<(), StorageError> {
        pager::ask(self.env)?;
        let number = number_of(link);
        let opened = match self.met.get_mut(number as usize) {
            Some(met) if *met => Err(StorageError::corrupt(number, "it is used twice")),
            Some(met) => {
                *met = true;
                NodeView::open(pager, link, level)
            }
            None => Err(StorageError::corrupt(number, "there is no such page")),
        };
        let view = match opened {
            Ok(view) => view,
            Err(error) => {
                let loss = loss_of(error, number)?;
                reach.losses.push(Loss {
                    from: bounds.0.map(<[u8]>::to_vec),
                    to: bounds.1.map(<[u8]>::to_vec),
                    ..loss
                });
                return Ok(());
            }
        };
        for index in 0..view.count() {
            let values = (level == 0).then(|| view.value_chain(index)).flatten();
            for (first, length) in view.key_chain(index).into_iter().chain(values) {
                self.meet_chain(pager, first, length)?;
            }
        }
        if level == 0 {
            reach.leaves.push(number);
            return Ok(());
        }
        let mut low = bounds.0.map(<[u8]>::to_vec);
        for index in 0..=view.count() {
            let key = match index < view.count() {
                // A separator whose overflow pages are lost is unknown: both its neighbours are then read under wider
                // bounds.
                true => view.key(pager, index).ok().map(|key| key.into_owned()),
                false => bounds.1.map(<[u8]>::to_vec),
            };
            let bounds = (low.as_deref(), key.as_deref());
            self.below(pager, view.child_link(index), level - 1, bounds, reach)?;
            low = key.or(low);
        }
        Ok(())
    }

    /// Marks the pages of a chain as far as it can be read; a reader of the entry meets its fault.
    fn meet_chain(
        &mut self,
        pager: &Pager,
        first: PageLink,
        length: u64,
    ) -> Result<(), StorageError> {
        let walked = overflow::walk(pager, first, length, &mut |number, _, _| {
            if let Some(met) = self.met.get_mut(number as usize) {
                *met = true;
            }
            Ok(())
        });
        if let Err(error) = walked {
            let loss = loss_of(error, number_of(first))?;
            if let Some(met) = self.met.get_mut(loss.page as usize) {
                *met = true;
            }
        }
        Ok(())
    }

    /// Whether a page is in use and sound, but was not reached.
    fn is_unmet(&self, pager: &Pager, number: PageNumber) -> bool {
        let is_used = pager
            .table
            .get(number as usize)
            .is_some_and(|entry| entry.state == State::Used && entry.buffer.get().is_some());
        is_used && self.met.get(number as usize) == Some(&false)
    }

    fn tree_page<'p>(&self, pager: &'p Pager, number: PageNumber) -> Option<&'p Buffer> {
        let buffer = pager.table.get(number as usize)?.buffer.get()?;
        let is_tree = matches!(
            page::kind_of(buffer),
            Some(PageKind::Leaf | PageKind::Branch)
        );
        is_tree.then_some(buffer)
    }

    /// Tree pages that are in use and were not reached, the newest first. Where the free list could not be read, those
    /// of older states are among them.
    pub fn unmet_pages(&self, pager: &Pager) -> Vec<(PageNumber, Level)> {
        let mut found: Vec<(std::cmp::Reverse<u64>, PageNumber, Level)> = (1..pager.page_count())
            .filter(|number| self.is_unmet(pager, *number))
            .filter_map(|number| {
                let buffer = self.tree_page(pager, number)?;
                let sequence = std::cmp::Reverse(page::sequence_of(buffer));
                Some((sequence, number, buffer[page::LEVEL_AT]))
            })
            .collect();
        sorting::sort(&mut found);
        found
            .into_iter()
            .map(|(_, number, level)| (number, level))
            .collect()
    }

    /// The unmet pages that no other unmet page refers to, the newest first: the remains of trees whose roots are
    /// lost. A branch that refers to a page that was reached is an older version of a branch that was, and is left out.
    pub fn orphans(&self, pager: &Pager) -> Vec<PageNumber> {
        let unmet = self.unmet_pages(pager);
        let mut is_child = vec![false; self.met.len()];
        let mut is_old = vec![false; self.met.len()];
        for (number, level) in &unmet {
            let view = match NodeView::open(pager, *number, *level) {
                Ok(view) if *level > 0 => view,
                _ => continue,
            };
            for index in 0..=view.count() {
                let child = view.child(index) as usize;
                match self.met.get(child) {
                    Some(true) => is_old[*number as usize] = true,
                    Some(false) => is_child[child] = true,
                    None => {}
                }
            }
        }
        unmet
            .into_iter()
            .map(|(number, _)| number)
            .filter(|number| !is_child[*number as usize] && !is_old[*number as usize])
            .collect()
    }

    /// Frees every page that is in use, was not reached, and is no page of the free list. Only for surveys that reached
    /// every tree and found no loss.
    ///
    /// # Errors
    /// Errors of freeing.
    pub fn free_unmet(&self, pager: &mut Pager) -> Result<u64, StorageError> {
        pager.load_free_list()?;
        let base = pager
            .free_pages()
            .map(|(_, base)| base.to_vec())
            .unwrap_or_default();
        let mut freed = 0;
        for number in 1..self.met.len() as PageNumber {
            let is_used = pager.table[number as usize].state == State::Used;
            if is_used && !self.met[number as usize] && !base.contains(&number) {
                pager.free(number)?;
                freed += 1;
            }
        }
        Ok(freed)
    }
}

/// The entries of a leaf, copied one by one: for reading while something else is written.
#[derive(Debug)]
pub struct LeafEntries {
    leaf: PageNumber,
    next: usize,
}

impl LeafEntries {
    pub fn of(leaf: PageNumber) -> Self {
        Self { leaf, next: 0 }
    }

    /// The next entry whose key can be read.
    ///
    /// # Errors
    /// `NotResident`; `Corrupt` of the leaf itself.
    pub fn next(&mut self, pager: &Pager) -> Result<Option<SurveyedEntry>, StorageError> {
        let view = NodeView::open(pager, self.leaf, 0)?;
        while self.next < view.count() {
            let index = self.next;
            self.next += 1;
            let key = match view.key(pager, index) {
                Ok(key) => key.into_owned(),
                Err(error) => {
                    // Without its rest a key says nothing; the page is named where the tree is checked.
                    loss_of(error, self.leaf)?;
                    continue;
                }
            };
            let value = match view.value(pager, index) {
                Ok(value) => Ok(value.into_owned()),
                Err(error) => Err(Loss {
                    from: Some(key.clone()),
                    to: Some([&key[..], &[0]].concat()),
                    ..loss_of(error, self.leaf)?
                }),
            };
            return Ok(Some(SurveyedEntry { key, value }));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::super::conformance::block_on;
    use super::super::{Durability, MemoryDevice, PageDevice, load};
    use super::*;
    use crate::env::NoEnv;
    use std::collections::BTreeSet;

    const ENTRIES: u64 = 3000;

    fn planted() -> Result<(Pager, Tree, MemoryDevice), StorageError> {
        let (mut pager, mut tree) = (Pager::new(), Tree::new());
        for number in 0..ENTRIES {
            let size = if number % 500 == 0 { 40_000 } else { 120 };
            tree.put(&mut pager, &number.to_be_bytes(), &vec![1; size])?;
        }
        pager.set_catalog_root(tree);
        let batch = pager.seal()?.expect("there are changes");
        let device = MemoryDevice::new();
        block_on(device.write(&batch, Durability::Strict))?;
        pager.confirm(batch.sequence);
        Ok((pager, tree, device))
    }

    fn readable(pager: &Pager, reach: &Reach) -> Result<(BTreeSet<u64>, Vec<Loss>), StorageError> {
        let (mut found, mut losses) = (BTreeSet::new(), Vec::new());
        for leaf in &reach.leaves {
            let mut entries = LeafEntries::of(*leaf);
            while let Some(entry) = entries.next(pager)? {
                let key = entry.key[..].try_into().expect("keys have eight bytes");
                match entry.value {
                    Ok(_) => assert!(found.insert(u64::from_be_bytes(key))),
                    Err(loss) => losses.push(loss),
                }
            }
        }
        Ok((found, losses))
    }

    #[test]
    fn around_every_lost_page_all_else_is_read_and_what_is_lost_is_said() -> Result<(), StorageError>
    {
        let (_, tree, device) = planted()?;
        for victim in device.page_numbers() {
            let damaged = device.copy();
            damaged.remove_page(victim);
            let pager = block_on(load(&damaged))?.expect("a deployment").pager;
            let mut survey = Survey::new(&pager, &NoEnv);
            let reach = survey.tree(&pager, &tree)?;
            let (mut found, mut losses) = readable(&pager, &reach)?;
            losses.extend(reach.losses.iter().cloned());
            assert_eq!(losses.len(), 1);
            assert_eq!(losses[0].page, victim);
            for number in 0..ENTRIES {
                let covered = losses[0].covers(&number.to_be_bytes());
                assert!(covered != found.contains(&number), "{victim}: {number}");
            }
            // Below a lost branch everything is still there.
            for root in survey.orphans(&pager) {
                let reach = survey.orphan(&pager, root)?;
                assert_eq!(reach.losses, []);
                found.append(&mut readable(&pager, &reach)?.0);
            }
            let was_branch = victim == tree.root();
            assert_eq!(found.len() as u64 == ENTRIES, was_branch, "{victim}");
        }
        Ok(())
    }

    #[test]
    fn what_nothing_reaches_can_be_freed() -> Result<(), StorageError> {
        let (mut pager, tree, _) = planted()?;
        let mut kept = Tree::new();
        kept.put(&mut pager, b"key", b"value")?;
        let mut survey = Survey::new(&pager, &NoEnv);
        survey.tree(&pager, &kept)?;
        assert_eq!(survey.free_unmet(&mut pager)?, tree.page_count());
        assert!(super::super::check(&pager, &[("kept", kept)], &NoEnv)?.is_sound());
        Ok(())
    }
}
