//! Sweeps held against a map, with trees of every shape, and interrupted ones.

use super::{NumberSet, Tree};
use crate::env::NoEnv;
use crate::env::testing::Patience;
use crate::error::{StorageError, StorageFault};
use crate::storage::check::check;
use crate::storage::pager::Pager;
use std::collections::BTreeMap;
use std::rc::Rc;

type Result<T = ()> = std::result::Result<T, StorageError>;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A key that ends with a number; some are so long that they have a chain, and share all that lies in the page.
fn key(random: &mut Random, number: u64) -> Vec<u8> {
    let mut key = match random.below(30) {
        0 => vec![b'l'; 900 + random.below(9000) as usize],
        _ => (random.below(1 << 20) as u32).to_be_bytes().to_vec(),
    };
    key.extend_from_slice(&number.to_be_bytes());
    key
}

fn value(random: &mut Random) -> Vec<u8> {
    let length = match random.below(100) {
        0 => random.below(50_000),
        1..=5 => random.below(4000),
        _ => random.below(90),
    };
    vec![random.below(256) as u8; length as usize]
}

fn entries(pager: &Pager, tree: &Tree) -> Result<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut cursor = tree.cursor();
    while cursor.next(pager)? {
        found.insert(cursor.key().to_vec(), cursor.value(pager)?.to_vec());
    }
    Ok(found)
}

fn assert_sound(pager: &Pager, tree: &Tree) -> Result {
    let report = check(pager, &[("tree", *tree)], &NoEnv)?;
    assert!(report.is_sound(), "{:?}", report.problems);
    Ok(())
}

#[test]
fn leaves_what_removing_one_by_one_leaves() -> Result {
    for seed in 0..20 {
        let mut random = Random(seed);
        let count = [3, 200, 2000, 6000][seed as usize % 4];
        let mut pager = Pager::new();
        let mut tree = Tree::new();
        for number in 0..count {
            let key = key(&mut random, number);
            tree.put(&mut pager, &key, &value(&mut random))?;
        }
        if seed % 3 == 0 {
            pager.set_catalog_root(tree);
            pager.seal()?;
        }
        // Few, half, all, and a run in the middle.
        let chosen: Vec<u64> = match seed / 4 % 4 {
            0 => (0..count).filter(|_| random.below(40) == 0).collect(),
            1 => (0..count).filter(|_| random.below(2) == 0).collect(),
            2 => (0..count).collect(),
            _ => (count / 4..count / 2).collect(),
        };
        let gone = NumberSet::of(chosen.iter().copied()).expect("they lie close together");
        let before = entries(&pager, &tree)?;
        let old = tree;
        // With a snapshot no page is changed in place.
        let snapshot = (seed % 5 < 3).then(|| pager.open_snapshot());
        let savepoint = pager.savepoint();
        let mut one_by_one = tree;
        let mut removed = 0;
        for key in before.keys().filter(|key| gone.ends(key)) {
            removed += u64::from(one_by_one.remove(&mut pager, key)?);
        }
        let expected = entries(&pager, &one_by_one)?;
        pager.rollback_to(savepoint)?;
        for keep in [false, true] {
            let savepoint = pager.savepoint();
            let swept = tree.sweep(&mut pager, &gone, seed % 2 == 0, &NoEnv)?;
            assert_eq!(swept, removed, "seed {seed}");
            assert!(entries(&pager, &tree)? == expected, "seed {seed}");
            assert_eq!(
                (tree.len(), tree.key_bytes(), tree.value_bytes()),
                (
                    one_by_one.len(),
                    one_by_one.key_bytes(),
                    one_by_one.value_bytes()
                )
            );
            assert!(tree.leaf_pages() <= old.leaf_pages());
            if keep {
                pager.release(savepoint);
            } else {
                pager.rollback_to(savepoint)?;
                tree = old;
            }
            if snapshot.is_some() || !keep {
                let now = entries(&pager, &old)?;
                assert!(now == before, "before, seed {seed}");
            }
        }
        drop(snapshot);
        assert_sound(&pager, &tree)?;
        assert_eq!(tree.sweep(&mut pager, &gone, false, &NoEnv)?, 0);
        // The remaining entries grow and shrink as before.
        for number in 0..300 {
            let key = key(&mut random, number);
            tree.put(&mut pager, &key, &value(&mut random))?;
        }
        assert_sound(&pager, &tree)?;
        for key in entries(&pager, &tree)?.keys() {
            assert!(tree.remove(&mut pager, key)?);
        }
        assert_sound(&pager, &tree)?;
        assert!(tree.is_empty());
    }
    Ok(())
}

#[test]
fn writes_the_leaves_that_lose_something_and_fills_them() -> Result {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    for number in 0..40_000u64 {
        tree.insert(&mut pager, &number.to_be_bytes(), &[7; 100])?;
    }
    pager.set_catalog_root(tree);
    pager.seal()?;
    let leaves = tree.leaf_pages();
    let half = NumberSet::of((0..40_000).step_by(2)).expect("close together");
    tree.sweep(&mut pager, &half, true, &NoEnv)?;
    assert_eq!(tree.leaf_pages(), leaves.div_ceil(2));
    pager.set_catalog_root(tree);
    let batch = pager.seal()?.expect("there are changes");
    assert_eq!(batch.pages.len() as u64, tree.page_count());
    let run = NumberSet::of(20_000..21_000).expect("close together");
    tree.sweep(&mut pager, &run, true, &NoEnv)?;
    pager.set_catalog_root(tree);
    let batch = pager.seal()?.expect("there are changes");
    assert!(batch.pages.len() < 5, "{} pages", batch.pages.len());
    assert_sound(&pager, &tree)
}

#[test]
fn asks_for_a_page_that_is_not_in_memory() -> Result {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    for number in 0..5000u64 {
        tree.insert(&mut pager, &number.to_be_bytes(), &[7; 100])?;
    }
    pager.set_catalog_root(tree);
    let batch = pager.seal()?.expect("there are changes");
    pager.confirm(batch.sequence);
    let gone = NumberSet::of(0..2000).expect("close together");
    let mut asked = 0;
    for (page, _) in &batch.pages {
        assert!(pager.evict(*page));
    }
    let before = tree;
    loop {
        let savepoint = pager.savepoint();
        match tree
            .sweep(&mut pager, &gone, true, &NoEnv)
            .map_err(StorageError::into_fault)
        {
            Ok(removed) => {
                assert_eq!(removed, 2000);
                pager.release(savepoint);
                break;
            }
            Err(StorageFault::NotResident { page }) => {
                pager.rollback_to(savepoint)?;
                tree = before;
                let at = batch
                    .pages
                    .binary_search_by_key(&page, |(number, _)| *number);
                let (_, buffer) = &batch.pages[at.expect("a page of the batch")];
                pager.insert_buffer(page, Rc::clone(buffer))?;
                asked += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(asked, batch.pages.len());
    assert_sound(&pager, &tree)
}

#[test]
fn is_interrupted_at_any_page_and_undone() -> Result {
    let mut random = Random(9);
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    for number in 0..3000 {
        let key = key(&mut random, number);
        tree.put(&mut pager, &key, &value(&mut random))?;
    }
    let before = (tree, entries(&pager, &tree)?);
    let gone = NumberSet::of((0..3000).step_by(3)).expect("close together");
    let mut stops = 0;
    loop {
        let savepoint = pager.savepoint();
        let env = Patience::of(stops);
        match tree.sweep(&mut pager, &gone, true, &env) {
            Ok(removed) => {
                assert_eq!(removed, 1000);
                break;
            }
            Err(error) => {
                assert!(matches!(error.fault(), StorageFault::Stopped { .. }));
                pager.rollback_to(savepoint)?;
                tree = before.0;
                assert!(
                    entries(&pager, &tree)? == before.1,
                    "after {stops} questions"
                );
                assert_sound(&pager, &tree)?;
                stops += 1;
            }
        }
    }
    assert!(stops >= before.0.leaf_pages(), "{stops} questions");
    Ok(())
}
