//! `check`: walks every tree, the moments' lists and the free list and accounts for every page exactly once.
//!
//! Faults are collected, not thrown: a report names every problem with its page. Only a page that is not resident
//! stops the walk, because then nothing can be said, and the host that wants it to end. Pairing of indexes and
//! collections is the catalog's part.

use super::btree::{Level, NodeView, Tree};
use super::overflow;
use super::page::{self, PAGE_CAPACITY, PageLink, PageNumber, number_of};
use super::pager::{self, Pager};
use crate::env::Env;
use crate::error::{StorageError, StorageFault};
use std::rc::Rc;

/// The findings of `check`: sizes, and every problem.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// One row a tree, in the order given.
    pub trees: Vec<TreeReport>,
    /// Everything that is wrong; empty for a sound deployment.
    pub problems: Vec<Problem>,
    /// Pages that trees and the free list use.
    pub used_pages: u64,
    /// Pages among these that only moments have.
    pub kept_pages: u64,
    /// Pages that are free, those that still wait for a snapshot or a commit included.
    pub free_pages: u64,
}

impl CheckReport {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }
}

/// The measures of one tree, counted by walking it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeReport {
    /// The name the caller gave.
    pub name: String,
    /// Entries found.
    pub entries: u64,
    /// Sum of the keys' lengths.
    pub key_bytes: u64,
    /// Sum of the values' lengths.
    pub value_bytes: u64,
    /// Leaf pages.
    pub leaf_pages: u64,
    /// Branch pages.
    pub branch_pages: u64,
    /// Overflow pages.
    pub overflow_pages: u64,
    /// Percent of the leaves' capacity that slots and cells use.
    pub leaf_fill_percent: u64,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The tree's name; "free list" or "page space" for a fault outside the trees.
    pub place: String,
    /// The page; 0 when it is not one page's.
    pub page: PageNumber,
    /// The fault, for a person.
    pub reason: String,
}

struct Walk<'p> {
    pager: &'p Pager,
    env: &'p dyn Env,
    /// Whether each page was met.
    met: Vec<bool>,
    used: u64,
    tree: TreeReport,
    root: PageNumber,
    leaf_bytes: u64,
    problems: Vec<Problem>,
}

/// Walks these trees, which must be all there are (the catalog's own tree included), and the free list.
///
/// # Errors
/// `NotResident` and `Stopped` only.
pub fn check(
    pager: &Pager,
    trees: &[(&str, Tree)],
    env: &dyn Env,
) -> Result<CheckReport, StorageError> {
    let mut walk = Walk {
        pager,
        env,
        met: vec![false; pager.page_count() as usize],
        used: 0,
        tree: TreeReport::default(),
        root: 0,
        leaf_bytes: 0,
        problems: Vec::new(),
    };
    let mut reports = Vec::with_capacity(trees.len());
    for (name, tree) in trees {
        reports.push(walk.tree(name, tree)?);
    }
    let kept_pages = walk.moments()?;
    let free_pages = walk.free_list()?;
    Ok(CheckReport {
        trees: reports,
        problems: walk.problems,
        used_pages: walk.used,
        kept_pages,
        free_pages,
    })
}

impl Walk<'_> {
    fn problem(&mut self, page: PageNumber, reason: impl Into<String>) {
        let problem = Problem {
            place: self.tree.name.clone(),
            page,
            reason: reason.into(),
        };
        self.problems.push(problem);
    }

    /// Turns an error into a problem, except the one that stops the walk.
    fn tolerate<T>(&mut self, result: Result<T, StorageError>) -> Result<Option<T>, StorageError> {
        match result.map_err(StorageError::into_fault) {
            Ok(value) => Ok(Some(value)),
            Err(StorageFault::NotResident { page }) => Err(StorageError::not_resident(page)),
            Err(StorageFault::Corrupt { page, reason }) => {
                self.problem(page, reason);
                Ok(None)
            }
            Err(other) => {
                self.problem(0, other.to_string());
                Ok(None)
            }
        }
    }

    /// Meets a page: false when it was met before, or does not exist.
    fn meet(&mut self, number: PageNumber) -> bool {
        match self.met.get_mut(number as usize) {
            Some(met) if !*met && number != 0 => {
                *met = true;
                self.used += 1;
                true
            }
            Some(_) if number != 0 => {
                self.problem(number, "it is used twice");
                false
            }
            _ => {
                self.problem(number, "there is no such page");
                false
            }
        }
    }

    fn tree(&mut self, name: &str, tree: &Tree) -> Result<TreeReport, StorageError> {
        self.tree = TreeReport {
            name: name.to_owned(),
            ..TreeReport::default()
        };
        self.leaf_bytes = 0;
        self.root = tree.root();
        if tree.root != 0 {
            self.below(tree.root, tree.height.saturating_sub(1), None, None)?;
        }
        let counted = [
            ("entries", self.tree.entries, tree.len()),
            ("key bytes", self.tree.key_bytes, tree.key_bytes()),
            ("value bytes", self.tree.value_bytes, tree.value_bytes()),
            ("leaf pages", self.tree.leaf_pages, tree.leaf_pages()),
            ("branch pages", self.tree.branch_pages, tree.branch_pages()),
            (
                "overflow pages",
                self.tree.overflow_pages,
                tree.overflow_pages(),
            ),
        ];
        for (what, found, said) in counted {
            if found != said {
                self.problem(
                    tree.root(),
                    format!("{found} {what} found, the handle says {said}"),
                );
            }
        }
        let capacity = (self.tree.leaf_pages * PAGE_CAPACITY as u64).max(1);
        self.tree.leaf_fill_percent = self.leaf_bytes * 100 / capacity;
        Ok(self.tree.clone())
    }

    fn below(
        &mut self,
        link: PageLink,
        level: Level,
        low: Option<&[u8]>,
        high: Option<&[u8]>,
    ) -> Result<(), StorageError> {
        pager::ask(self.env)?;
        let number = number_of(link);
        if !self.meet(number) {
            return Ok(());
        }
        let pager = self.pager;
        let view = NodeView::open(pager, link, level);
        let Some(view) = self.tolerate(view)? else {
            return Ok(());
        };
        if let Some(reason) = self.sealed_problem(number) {
            self.problem(number, reason);
        }
        if level == 0 {
            self.tree.leaf_pages += 1;
            self.leaf_bytes += view.used() as u64;
        } else {
            self.tree.branch_pages += 1;
        }
        let count = view.count();
        if count == 0 && level == 0 && number != self.root {
            self.problem(number, "it is empty");
        }
        if view.counted_bytes() != view.used() {
            self.problem(number, "its free space is miscounted");
        }
        let mut previous: Option<Vec<u8>> = None;
        for index in 0..count {
            let Some(key) = self.tolerate(view.key(pager, index))? else {
                return Ok(());
            };
            if previous.as_deref().is_some_and(|before| before >= &key[..]) {
                self.problem(
                    number,
                    format!("keys {} and {index} are out of order", index - 1),
                );
            }
            if !view.head_is_right(index) {
                self.problem(number, format!("the head of key {index} is wrong"));
            }
            if low.is_some_and(|low| &key[..] < low) || high.is_some_and(|high| &key[..] >= high) {
                self.problem(
                    number,
                    format!("key {index} is outside the bounds of its parent"),
                );
            }
            self.chain(view.key_chain(index))?;
            if level == 0 {
                self.tree.entries += 1;
                self.tree.key_bytes += key.len() as u64;
                self.tree.value_bytes += view.value_length(index);
                self.chain(view.value_chain(index))?;
            } else {
                let below = view.child_link(index);
                self.below(below, level - 1, previous.as_deref().or(low), Some(&key))?;
            }
            previous = Some(key.into_owned());
        }
        if level > 0 {
            self.below(
                view.child_link(count),
                level - 1,
                previous.as_deref().or(low),
                high,
            )?;
        }
        Ok(())
    }

    /// Walks an overflow chain of (first page, bytes).
    fn chain(&mut self, chain: Option<(PageLink, u64)>) -> Result<(), StorageError> {
        let Some((first, length)) = chain else {
            return Ok(());
        };
        let mut numbers = Vec::new();
        let walked = overflow::walk(self.pager, first, length, &mut |number, _, _| {
            numbers.push(number);
            Ok(())
        });
        self.tolerate(walked)?;
        for number in numbers {
            pager::ask(self.env)?;
            if self.meet(number)
                && let Some(reason) = self.sealed_problem(number)
            {
                self.problem(number, reason);
            }
            self.tree.overflow_pages += 1;
        }
        Ok(())
    }

    /// The fault in the bytes of a page that was sealed.
    fn sealed_problem(&self, number: PageNumber) -> Option<String> {
        let entry = self.pager.table.get(number as usize)?;
        if entry.born > self.pager.epochs.sealed() {
            return None;
        }
        match page::verify(entry.buffer.get()?, number).map_err(StorageError::into_fault) {
            Err(StorageFault::Corrupt { reason, .. }) => Some(reason),
            _ => None,
        }
    }

    /// The trees that tell of moments, and the pages that only moments have.
    fn moments(&mut self) -> Result<u64, StorageError> {
        let trees = self.pager.moments.trees;
        self.tree("moments", &trees.moments)?;
        self.tree("lists of moments", &trees.lists)?;
        let mut kept = Vec::new();
        let told = self.pager.visit_lists(&mut |list, group, runs| {
            kept.push((list, group, runs.clone()));
            Ok(())
        });
        self.tolerate(told)?;
        let mut count = 0;
        for (list, group, runs) in kept {
            if self.pager.moments.numbers.binary_search(&list).is_err() || group > list {
                self.problem(
                    0,
                    format!("a list of {group} of moment {list}, which is not there"),
                );
            }
            for number in runs.pages() {
                pager::ask(self.env)?;
                count += u64::from(self.meet(number));
                let read = self.pager.page(number).map(|_| ());
                if self.tolerate(read)?.is_none() {
                    continue;
                }
                if let Some(reason) = self.sealed_problem(number) {
                    self.problem(number, reason);
                }
                let birth = self.pager.birth_of(number);
                if self.tolerate(birth)?.is_some_and(|birth| birth > group) {
                    self.problem(number, format!("it is younger than moment {group}"));
                }
            }
        }
        Ok(count)
    }

    fn free_list(&mut self) -> Result<u64, StorageError> {
        self.tree = TreeReport {
            name: "free list".to_owned(),
            ..TreeReport::default()
        };
        let Some((free, base)) = self.pager.free_pages() else {
            self.problem(0, "it could not be read");
            return Ok(0);
        };
        for number in Rc::clone(&base).iter() {
            pager::ask(self.env)?;
            self.meet(*number);
            let read = self.pager.page(*number).map(|_| ());
            self.tolerate(read)?;
            if let Some(reason) = self.sealed_problem(*number) {
                self.problem(*number, reason);
            }
        }
        for number in free
            .iter()
            .flat_map(|(first, length)| first..first + length)
        {
            match self.met.get_mut(number as usize) {
                Some(met) if !*met => *met = true,
                _ => self.problem(number, "it is free and in use"),
            }
        }
        self.tree.name = "page space".to_owned();
        for number in 1..self.met.len() {
            if !self.met[number] {
                self.problem(
                    number as PageNumber,
                    "nothing refers to it and it is not free",
                );
            }
        }
        Ok(free.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::NoEnv;
    use crate::env::testing::Patience;

    fn planted() -> Result<(Pager, Tree), StorageError> {
        let mut pager = Pager::new();
        let mut tree = Tree::new();
        for number in 0..3000u32 {
            let size = if number % 700 == 0 { 40_000 } else { 60 };
            tree.insert(&mut pager, &number.to_be_bytes(), &vec![1; size])?;
        }
        tree.insert(&mut pager, &[b'k'; 5000], b"long")?;
        for number in (0..3000u32).step_by(5) {
            tree.remove(&mut pager, &number.to_be_bytes())?;
        }
        Ok((pager, tree))
    }

    #[test]
    fn a_sound_tree_has_no_problem() -> Result<(), StorageError> {
        let (mut pager, tree) = planted()?;
        let report = check(&pager, &[("plants", tree)], &NoEnv)?;
        assert!(report.is_sound(), "{:?}", report.problems);
        assert_eq!(report.trees[0].entries, tree.len());
        assert_eq!(
            report.used_pages + report.free_pages,
            pager.page_count() - 1
        );
        pager.seal()?;
        assert!(check(&pager, &[("plants", tree)], &NoEnv)?.is_sound());
        Ok(())
    }

    #[test]
    fn lost_doubled_and_damaged_pages_are_named() -> Result<(), StorageError> {
        let (mut pager, tree) = planted()?;
        let lost = check(&pager, &[], &NoEnv)?;
        assert_eq!(lost.problems.len() as u64, tree.page_count());
        let doubled = check(&pager, &[("one", tree), ("two", tree)], &NoEnv)?;
        assert!(
            doubled
                .problems
                .iter()
                .any(|problem| problem.reason == "it is used twice")
        );
        pager.seal()?;
        let victim = tree.root() as usize;
        if let Some(buffer) = pager.table[victim].buffer.get_mut() {
            Rc::make_mut(buffer)[9000] ^= 1;
        }
        let report = check(&pager, &[("plants", tree)], &NoEnv)?;
        assert!(
            report
                .problems
                .iter()
                .any(|problem| problem.page == tree.root()),
            "{:?}",
            report.problems
        );
        let lying = Tree {
            entries: tree.entries + 1,
            ..tree
        };
        assert!(!check(&pager, &[("plants", lying)], &NoEnv)?.is_sound());
        Ok(())
    }

    #[test]
    fn an_empty_root_is_sound_and_any_other_empty_leaf_is_not() -> Result<(), StorageError> {
        let mut pager = Pager::new();
        let mut tree = Tree::new();
        tree.plant(&mut pager)?;
        let report = check(&pager, &[("tree", tree)], &NoEnv)?;
        assert!(report.is_sound(), "{:?}", report.problems);
        assert_eq!((tree.page_count(), report.trees[0].leaf_pages), (1, 1));
        let entries = Tree { entries: 1, ..tree };
        assert!(!check(&pager, &[("tree", entries)], &NoEnv)?.is_sound());
        // Below a branch no leaf may be empty.
        let empty = tree.root;
        let mut high = Tree::new();
        for number in 0..2000u32 {
            high.insert(&mut pager, &number.to_be_bytes(), &[1; 60])?;
        }
        let root = high.root() as usize;
        if let Some(buffer) = pager.table[root].buffer.get_mut() {
            page::put_u64(&mut Rc::make_mut(buffer)[..], page::LINK_AT, empty);
        }
        let report = check(&pager, &[("high", high)], &NoEnv)?;
        let is_named =
            |problem: &Problem| problem.page == number_of(empty) && problem.reason == "it is empty";
        assert!(
            report.problems.iter().any(is_named),
            "{:?}",
            report.problems
        );
        Ok(())
    }

    #[test]
    fn it_asks_about_each_page_and_ends_when_told_to() -> Result<(), StorageError> {
        let (pager, tree) = planted()?;
        let patient = Patience::of(u64::MAX);
        assert!(check(&pager, &[("plants", tree)], &patient)?.is_sound());
        assert!(
            patient.asked() >= tree.page_count(),
            "{} questions, {} pages",
            patient.asked(),
            tree.page_count()
        );
        for least in [0, 1, tree.page_count() / 2] {
            let told = check(&pager, &[("plants", tree)], &Patience::of(least));
            let fault = told.map(|_| ()).map_err(StorageError::into_fault);
            assert!(
                matches!(fault, Err(StorageFault::Stopped { .. })),
                "{fault:?}"
            );
        }
        Ok(())
    }
}
