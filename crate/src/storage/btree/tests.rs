//! Trees against the standard ordered map: small, fast checks of each operation.

use super::{Direction, Entry, EntryBuffer, NumberSet, Tree};
use crate::env::NoEnv;
use crate::env::testing::given;
use crate::error::StorageError;
use crate::storage::page::PAGE_SIZE;
use crate::storage::pager::Pager;
use std::collections::BTreeMap;
use std::ops::Bound;

type Result = std::result::Result<(), StorageError>;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

fn assert_same(pager: &Pager, tree: &Tree, model: &BTreeMap<Vec<u8>, Vec<u8>>) -> Result {
    assert_eq!(tree.len(), model.len() as u64);
    assert_eq!(
        tree.key_bytes(),
        model.keys().map(|key| key.len() as u64).sum::<u64>()
    );
    assert_eq!(
        tree.value_bytes(),
        model.values().map(|value| value.len() as u64).sum::<u64>()
    );
    let mut cursor = tree.cursor();
    for (key, value) in model {
        assert!(cursor.next(pager)?);
        assert_eq!(
            (cursor.key(), &cursor.value(pager)?[..]),
            (&key[..], &value[..])
        );
    }
    assert!(!cursor.next(pager)? && !cursor.next(pager)?);
    for (key, value) in model.iter().rev() {
        assert!(cursor.prev(pager)?);
        assert_eq!(
            (cursor.key(), &*cursor.value_ref(pager)?),
            (&key[..], &value[..])
        );
    }
    assert!(!cursor.prev(pager)? && !cursor.prev(pager)?);
    Ok(())
}

#[test]
fn keys_in_order_fill_pages() -> Result {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    for number in 0..20_000u64 {
        assert!(tree.insert(&mut pager, &number.to_be_bytes(), &[7; 100])?);
    }
    let full = tree.len() * 118 / tree.leaf_pages();
    assert!(full > PAGE_SIZE as u64 * 97 / 100, "{full}");
    assert!(!tree.insert(&mut pager, &5u64.to_be_bytes(), b"other")?);
    assert_eq!(
        tree.get(&pager, &5u64.to_be_bytes())?.as_deref(),
        Some(&[7; 100][..])
    );
    Ok(())
}

#[test]
fn agrees_with_the_ordered_map() -> Result {
    let mut random = Random(42);
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    let mut model = BTreeMap::new();
    for round in 0..30_000 {
        let mut key = (random.below(3000) as u32).to_be_bytes().to_vec();
        if random.below(40) == 0 {
            key.resize(4 + random.below(3000), b'k');
        }
        let length = if random.below(60) == 0 {
            random.below(60_000)
        } else {
            random.below(300)
        };
        let value = vec![round as u8; length];
        let grow = (round / 5000) % 2 == 0;
        match random.below(10) {
            0..=3 if grow => {
                assert_eq!(
                    tree.insert(&mut pager, &key, &value)?,
                    !model.contains_key(&key)
                );
                model.entry(key).or_insert(value);
            }
            0..=6 if !grow => {
                assert_eq!(tree.remove(&mut pager, &key)?, model.remove(&key).is_some())
            }
            4..=7 => assert_eq!(
                tree.put(&mut pager, &key, &value)?,
                model.insert(key, value).is_some()
            ),
            8 => {
                let there = tree.replace(&mut pager, &key, &value)?;
                assert_eq!(there, model.contains_key(&key));
                if there {
                    model.insert(key, value);
                }
            }
            _ => assert_eq!(
                tree.get(&pager, &key)?.as_deref(),
                model.get(&key).map(Vec::as_slice)
            ),
        }
    }
    assert_same(&pager, &tree, &model)?;
    for key in model.keys() {
        assert!(tree.remove(&mut pager, key)?);
    }
    // An empty root is left.
    assert_eq!((tree.len(), tree.page_count(), tree.height()), (0, 1, 1));
    tree.drop_tree(&mut pager)?;
    assert_eq!(tree, Tree::new());
    assert_eq!(pager.reusable_count(), pager.page_count() - 1);
    Ok(())
}

#[test]
fn ranges_have_both_bounds_and_both_directions() -> Result {
    let mut random = Random(7);
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    let mut model = BTreeMap::new();
    for number in (0..4000u32).step_by(2) {
        let key = number.to_be_bytes().to_vec();
        tree.insert(&mut pager, &key, &[1; 90])?;
        model.insert(key, ());
    }
    for _ in 0..500 {
        let low = (random.below(4100) as u32).to_be_bytes().to_vec();
        let high = (random.below(4100) as u32).to_be_bytes().to_vec();
        let make = |key: Vec<u8>, kind: usize| match kind {
            0 => Bound::Included(key),
            1 => Bound::Excluded(key),
            _ => Bound::Unbounded,
        };
        let (start, end) = (
            make(low.clone(), random.below(3)),
            make(high.clone(), random.below(3)),
        );
        let inside = |key: &Vec<u8>| {
            let after = match &start {
                Bound::Included(bound) => key >= bound,
                Bound::Excluded(bound) => key > bound,
                Bound::Unbounded => true,
            };
            after
                && match &end {
                    Bound::Included(bound) => key <= bound,
                    Bound::Excluded(bound) => key < bound,
                    Bound::Unbounded => true,
                }
        };
        let mut expected: Vec<_> = model.keys().filter(|key| inside(key)).cloned().collect();
        for direction in [Direction::Forward, Direction::Backward] {
            let mut range = tree.range(
                start.as_ref().map(Vec::as_slice),
                end.as_ref().map(Vec::as_slice),
                direction,
            );
            let mut found = Vec::new();
            while range.next(&pager)? {
                found.push(range.key().to_vec());
            }
            assert!(!range.next(&pager)?);
            assert_eq!(found, expected);
            expected.reverse();
        }
    }
    Ok(())
}

#[test]
fn a_snapshot_keeps_what_it_saw() -> Result {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    let mut model = BTreeMap::new();
    for number in 0..2000u32 {
        let key = number.to_be_bytes().to_vec();
        tree.insert(&mut pager, &key, &key)?;
        model.insert(key.clone(), key);
    }
    let snapshot = pager.open_snapshot();
    let old = tree;
    let pages = pager.page_count();
    for number in (0..2000u32).step_by(3) {
        tree.remove(&mut pager, &number.to_be_bytes())?;
        tree.put(&mut pager, &(number + 1).to_be_bytes(), &[9; 500])?;
    }
    assert_same(&pager, &old, &model)?;
    drop(snapshot);
    let held = pager.reusable_count();
    let savepoint = pager.savepoint();
    pager.release(savepoint);
    assert!(pager.reusable_count() >= held + pages - 1);
    Ok(())
}

#[test]
fn rollback_restores_handles_and_bytes() -> Result {
    let mut random = Random(3);
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    for round in 0..600 {
        let outer = pager.savepoint();
        let (saved_tree, saved_model) = (tree, model.clone());
        for _ in 0..random.below(4) {
            let inner = pager.savepoint();
            let (inner_tree, inner_model) = (tree, model.clone());
            for _ in 0..random.below(30) {
                let key = vec![b'x'; 1 + random.below(4) * random.below(500)]
                    .into_iter()
                    .chain((random.below(700) as u16).to_be_bytes())
                    .collect::<Vec<_>>();
                if random.below(3) == 0 {
                    assert_eq!(tree.remove(&mut pager, &key)?, model.remove(&key).is_some());
                } else {
                    let size = if random.below(30) == 0 { 40_000 } else { 200 };
                    let value = vec![round as u8; random.below(size)];
                    tree.put(&mut pager, &key, &value)?;
                    model.insert(key, value);
                }
            }
            if random.below(2) == 0 {
                pager.rollback_to(inner)?;
                (tree, model) = (inner_tree, inner_model);
            } else {
                pager.release(inner);
            }
        }
        if random.below(3) == 0 {
            pager.rollback_to(outer)?;
            (tree, model) = (saved_tree, saved_model);
        } else {
            pager.release(outer);
        }
        if round % 40 == 0 {
            assert_same(&pager, &tree, &model)?;
            if let Some(batch) = pager.seal()? {
                pager.confirm(batch.sequence);
            }
        }
    }
    assert_same(&pager, &tree, &model)
}

#[test]
fn a_dropped_tree_gives_everything_back() -> Result {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    for number in 0..3000u32 {
        let size = if number % 500 == 0 { 50_000 } else { 50 };
        tree.insert(&mut pager, &number.to_be_bytes(), &vec![0; size])?;
    }
    tree.drop_tree(&mut pager)?;
    assert_eq!(tree, Tree::new());
    assert_eq!(pager.reusable_count(), pager.page_count() - 1);
    Ok(())
}

#[test]
fn sorted_batches_agree_with_the_model_and_leave_sound_pages() -> Result {
    let first = given("QUIRE_SEED", 1);
    for seed in first..first + given("QUIRE_CASES", 12) {
        let mut random = Random(seed);
        let mut pager = Pager::new();
        let mut tree = Tree::new();
        let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        let (spread, longest) = [(1 << 30, 60), (300, 900), (5000, 12)][seed as usize % 3];
        for round in 0..12u8 {
            let mut buffer = EntryBuffer::default();
            let mut added = BTreeMap::new();
            let ascends = random.below(3) == 0;
            for number in 0..random.below(1500) {
                let start = if ascends {
                    0xF000_0000 + number
                } else {
                    random.below(spread)
                };
                let mut key = (start as u32).to_be_bytes().to_vec();
                key.resize(4 + random.below(longest), b'-');
                if random.below(300) == 0 {
                    key.resize(2000, round);
                }
                key.push(round);
                let mut value = vec![round; random.below(60)];
                if random.below(200) == 0 {
                    value.resize(9000, 1);
                }
                if !model.contains_key(&key) && !added.contains_key(&key) {
                    added.insert(key.clone(), value.clone());
                    let (head, tail) = key.split_at(key.len() / 3);
                    buffer.push(head, tail, &value);
                }
            }
            let before = tree;
            let savepoint = pager.savepoint();
            assert!(
                tree.insert_sorted(&mut pager, buffer.sorted().take(usize::MAX), 0)?,
                "seed {seed}"
            );
            if random.below(4) == 0 {
                pager.rollback_to(savepoint)?;
                tree = before;
            } else {
                pager.release(savepoint);
                model.append(&mut added);
            }
            if random.below(3) == 0 {
                pager.seal()?;
            }
            for _ in 0..random.below(200) {
                let doomed = model.keys().nth(random.below(model.len().max(1))).cloned();
                if let Some(key) = doomed {
                    assert!(tree.remove(&mut pager, &key)?);
                    model.remove(&key);
                }
            }
            assert_same(&pager, &tree, &model)?;
        }
        pager.set_catalog_root(tree);
        let report = crate::storage::check(&pager, &[("tree", tree)], &NoEnv)?;
        assert!(
            report.problems.is_empty(),
            "seed {seed}: {:?}",
            report.problems
        );
    }
    Ok(())
}

#[test]
fn sorted_batches_refuse_what_clashes_wherever_it_is() -> Result {
    let key = |prefix: u32, suffix: u64| {
        let mut key = b"shared by all".to_vec();
        key.extend_from_slice(&prefix.to_be_bytes());
        key.extend_from_slice(&suffix.to_be_bytes());
        key
    };
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    let fill = |prefixes: &[u32], suffix: u64| {
        let mut buffer = EntryBuffer::default();
        for (position, prefix) in prefixes.iter().enumerate() {
            buffer.push(&key(*prefix, suffix + position as u64), &[], &[]);
        }
        buffer
    };
    let stored: Vec<u32> = (0..3000).map(|n| n * 4).collect();
    assert!(tree.insert_sorted(&mut pager, fill(&stored, 0).sorted().take(usize::MAX), 8)?);
    assert_eq!(tree.len(), 3000);
    let fresh: Vec<u32> = (0..50)
        .map(|n| n * 239 + 1)
        .filter(|n| n % 4 != 0)
        .collect();
    let before = tree;
    for at in 0..fresh.len() {
        // A prefix that is stored, then one that another of the batch has.
        for twin in [at as u32 * 240, fresh[(at + 7) % fresh.len()]] {
            let mut prefixes = fresh.clone();
            prefixes[at] = twin;
            let savepoint = pager.savepoint();
            let added = tree.insert_sorted(
                &mut pager,
                fill(&prefixes, 5000).sorted().take(usize::MAX),
                8,
            )?;
            assert!(!added, "twin {twin} at {at}");
            pager.rollback_to(savepoint)?;
            tree = before;
        }
    }
    let twice = fill(&[9, 9], 7000);
    assert!(tree.insert_sorted(&mut pager, twice.sorted().take(usize::MAX), 0)?);
    assert!(!tree.insert_sorted(&mut pager, twice.sorted().take(usize::MAX), 0)?);
    Ok(())
}

#[test]
fn a_sorted_batch_at_the_end_fills_pages() -> Result {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    let keys: Vec<[u8; 8]> = (0..20_000u64).map(u64::to_be_bytes).collect();
    for batch in keys.chunks(700) {
        let entries: Vec<Entry<'_>> = batch.iter().map(|key| Entry::new(key, &[7; 100])).collect();
        assert!(tree.insert_sorted(&mut pager, &entries, 0)?);
    }
    let bytes = 20_000 * (8 + 100 + 10);
    assert!(
        tree.leaf_pages() <= bytes / (PAGE_SIZE as u64 - 200) + 1,
        "{} leaves",
        tree.leaf_pages()
    );
    Ok(())
}

#[test]
fn a_tree_keeps_a_root_page_once_it_has_one() -> Result {
    for (count, size) in [(1, 20), (40, 3000), (3000, 60)] {
        for sweeps in [false, true] {
            for is_frozen in [false, true] {
                let mut pager = Pager::new();
                let mut tree = Tree::new();
                tree.plant(&mut pager)?;
                let planted = tree;
                tree.plant(&mut pager)?;
                assert_eq!((tree, tree.page_count()), (planted, 1));
                for number in 0..count {
                    tree.insert(&mut pager, &u64::to_be_bytes(number), &vec![1; size])?;
                }
                let full = tree;
                let snapshot = is_frozen.then(|| pager.open_snapshot());
                if sweeps {
                    let all = NumberSet::of(0..count).expect("they lie close together");
                    assert_eq!(tree.sweep(&mut pager, &all, true, &NoEnv)?, count);
                } else {
                    for number in 0..count {
                        assert!(tree.remove(&mut pager, &number.to_be_bytes())?);
                    }
                }
                assert!(tree.is_empty());
                assert_eq!((tree.page_count(), tree.height()), (1, 1));
                assert!(tree.first(&pager)?.is_none());
                assert!(tree.last(&pager)?.is_none());
                assert!(tree.get(&pager, b"key")?.is_none());
                assert!(!tree.contains(&pager, b"key")?);
                assert!(!tree.clone().remove(&mut pager, b"key")?);
                assert!(!tree.clone().replace(&mut pager, b"key", b"")?);
                let mut cursor = tree.cursor();
                assert!(!cursor.seek(&pager, Bound::Included(b"key"))?);
                assert!(!cursor.seek_back(&pager, Bound::Unbounded)?);
                assert!(!cursor.next(&pager)?);
                for direction in [Direction::Forward, Direction::Backward] {
                    let mut range = tree.range(Bound::Unbounded, Bound::Unbounded, direction);
                    assert!(!range.next(&pager)?);
                }
                if is_frozen {
                    assert!(
                        full.last(&pager)?.is_some(),
                        "a snapshot still has all entries"
                    );
                }
                drop(snapshot);
                let report = crate::storage::check(&pager, &[("now", tree)], &NoEnv)?;
                assert!(report.is_sound(), "{:?}", report.problems);
                // The emptied tree grows again as a new one does.
                for number in 0..count {
                    tree.insert(&mut pager, &number.to_be_bytes(), &vec![1; size])?;
                }
                assert_eq!((tree.len(), tree.page_count()), (count, full.page_count()));
                let report = crate::storage::check(&pager, &[("now", tree)], &NoEnv)?;
                assert!(report.is_sound(), "{:?}", report.problems);
                tree.drop_tree(&mut pager)?;
                assert_eq!(tree, Tree::new());
                assert!(crate::storage::check(&pager, &[], &NoEnv)?.is_sound());
            }
        }
    }
    Ok(())
}
