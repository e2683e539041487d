//! A million random operations on trees against the standard ordered map.
//!
//! Four trees with different keys and values live in one page space. Commands of several writes and sweeps, nested
//! savepoints, rollbacks, snapshots held across writes, scans both ways, commits confirmed late and merged, reopening
//! from the device, and `check` all along. Seeded by `QUIRE_SEED`, which is printed; `QUIRE_OPERATIONS` makes it
//! longer.

use quire::env::NoEnv;
use quire::error::StorageError;
use quire::storage::conformance::block_on;
use quire::storage::{
    Direction, Durability, EntryBuffer, MemoryDevice, NumberSet, PageDevice, Pager, Snapshot, Tree,
    check, load,
};
use std::collections::BTreeMap;
use std::ops::Bound;

type Model = BTreeMap<Vec<u8>, Vec<u8>>;
type Result<T> = std::result::Result<T, StorageError>;

const TREES: usize = 4;
const NAMES: [&str; TREES] = ["numbers", "words", "long keys", "large values"];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_in(&mut self, limit: u64) -> bool {
        self.below(limit) == 0
    }
}

fn environment(name: &str, otherwise: u64) -> u64 {
    let value = std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise);
    println!("{name}={value}");
    value
}

/// The trees and the maps at one moment.
#[derive(Clone)]
struct Moment {
    trees: [Tree; TREES],
    models: [Model; TREES],
}

struct Bench {
    random: Random,
    pager: Pager,
    device: MemoryDevice,
    now: Moment,
    /// The old value of every key changed since a savepoint, to undo the model.
    journal: Vec<(usize, Vec<u8>, Option<Vec<u8>>)>,
    snapshots: Vec<(Snapshot, Moment)>,
    /// The state of each sealed, unconfirmed batch.
    sealed: Vec<(u64, Moment)>,
    durable: Moment,
    operations: u64,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let empty = Moment {
            trees: [Tree::new(); TREES],
            models: Default::default(),
        };
        Self {
            random: Random(seed),
            pager: Pager::new(),
            device: MemoryDevice::new(),
            now: empty.clone(),
            journal: Vec::new(),
            snapshots: Vec::new(),
            sealed: Vec::new(),
            durable: empty,
            operations: 0,
        }
    }

    fn key(&mut self, tree: usize) -> Vec<u8> {
        let random = &mut self.random;
        match tree {
            0 => random.below(4000).to_be_bytes().to_vec(),
            1 => {
                let mut key = b"garden/".to_vec();
                for _ in 0..random.below(6) {
                    key.push(b'a' + random.below(4) as u8);
                }
                key
            }
            2 => {
                let mut key =
                    vec![b'k'; [3, 510, 520, 1020, 1030, 5000, 20_000][random.below(7) as usize]];
                key.extend_from_slice(&(random.below(40) as u16).to_be_bytes());
                key
            }
            _ => (random.below(120) as u32).to_be_bytes().to_vec(),
        }
    }

    fn value(&mut self, tree: usize) -> Vec<u8> {
        let random = &mut self.random;
        let length = match tree {
            0 => random.below(200),
            1 => random.below(20),
            2 => random.below(3000),
            _ if random.one_in(50) => random.below(400_000),
            _ => random.below(20_000),
        };
        vec![random.next() as u8; length as usize]
    }

    /// Tree 0 and 1 take most of the operations.
    fn pick(&mut self) -> usize {
        match self.random.below(200) {
            0 => 3,
            1..=3 => 2,
            4..=80 => 1,
            _ => 0,
        }
    }

    fn write(&mut self) -> Result<()> {
        self.operations += 1;
        let at = self.pick();
        let key = self.key(at);
        // Trees grow and shrink in turns.
        let shrinking = (self.operations / 60_000) % 2 == 1;
        let choice = self.random.below(10) + if shrinking { 2 } else { 0 };
        let (tree, model) = (&mut self.now.trees[at], &mut self.now.models[at]);
        if choice >= 7 {
            let removed = model.remove(&key);
            assert_eq!(tree.remove(&mut self.pager, &key)?, removed.is_some());
            if let Some(value) = removed {
                self.journal.push((at, key, Some(value)));
            }
            return Ok(());
        }
        let value = self.value(at);
        let (tree, model) = (&mut self.now.trees[at], &mut self.now.models[at]);
        let old = model.get(&key).cloned();
        let written = match choice {
            0..=2 => {
                let inserted = tree.insert(&mut self.pager, &key, &value)?;
                assert_eq!(inserted, old.is_none());
                inserted
            }
            3 => {
                let replaced = tree.replace(&mut self.pager, &key, &value)?;
                assert_eq!(replaced, old.is_some());
                replaced
            }
            _ => {
                assert_eq!(tree.put(&mut self.pager, &key, &value)?, old.is_some());
                true
            }
        };
        if written {
            model.insert(key.clone(), value);
            self.journal.push((at, key, old));
        }
        Ok(())
    }

    /// Takes many entries out at once, by the numbers that their keys end with.
    fn sweep(&mut self) -> Result<()> {
        let at = if self.random.one_in(4) { 2 } else { 0 };
        let (first, limit) = match at {
            0 => (0, 4000),
            // Long keys end with letters and two bytes of a number.
            _ => (u64::from_be_bytes(*b"kkkkkk\0\0"), 40),
        };
        let (from, length, share) = (
            self.random.below(limit),
            1 + self.random.below(limit),
            1 + self.random.below(9),
        );
        let mut numbers = Vec::new();
        for number in from..limit.min(from + length) {
            if self.random.one_in(share) {
                numbers.push(first + number);
            }
        }
        let gone = NumberSet::of(numbers.iter().copied()).expect("the numbers lie close together");
        let ends = |key: &Vec<u8>| {
            let end = key.last_chunk().map(|end| u64::from_be_bytes(*end));
            end.is_some_and(|number| gone.contains(number))
        };
        let (tree, model) = (&mut self.now.trees[at], &mut self.now.models[at]);
        let keys: Vec<Vec<u8>> = model.keys().filter(|key| ends(key)).cloned().collect();
        self.operations += keys.len() as u64;
        assert_eq!(
            tree.sweep(&mut self.pager, &gone, numbers.len() % 2 == 0, &NoEnv)?,
            keys.len() as u64
        );
        for key in keys {
            let value = model.remove(&key);
            self.journal.push((at, key, value));
        }
        Ok(())
    }

    /// Adds many entries in key order; all of them, or none when one is there already.
    fn write_many(&mut self) -> Result<()> {
        let at = self.pick();
        let mut added: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        let limit = [4, 40, 400][self.random.below(3) as usize];
        let count = 1 + self.random.below(limit);
        let fresh = !self.random.one_in(10);
        for _ in 0..count {
            self.operations += 1;
            let key = self.key(at);
            let value = self.value(at);
            if !fresh || !self.now.models[at].contains_key(&key) {
                added.insert(key, value);
            }
        }
        let mut buffer = EntryBuffer::default();
        // Backwards: so that only sorting can put them in order.
        for (key, value) in added.iter().rev() {
            let (head, tail) = key.split_at(key.len() / 2);
            buffer.push(head, tail, value);
        }
        let (trees, savepoint) = (self.now.trees, self.pager.savepoint());
        let (tree, model) = (&mut self.now.trees[at], &mut self.now.models[at]);
        let expected = !added.keys().any(|key| model.contains_key(key));
        let done = tree.insert_sorted(&mut self.pager, buffer.sorted().take(usize::MAX), 0)?;
        assert_eq!(done, expected);
        if !done {
            self.pager.rollback_to(savepoint)?;
            self.now.trees = trees;
            return Ok(());
        }
        self.pager.release(savepoint);
        for (key, value) in added {
            model.insert(key.clone(), value);
            self.journal.push((at, key, None));
        }
        Ok(())
    }

    fn undo_models(&mut self, to: usize) {
        while self.journal.len() > to {
            if let Some((at, key, old)) = self.journal.pop() {
                match old {
                    Some(value) => self.now.models[at].insert(key, value),
                    None => self.now.models[at].remove(&key),
                };
            }
        }
    }

    /// A command: writes under a savepoint, some of them under one of their own.
    fn command(&mut self) -> Result<()> {
        self.journal.clear();
        let outer = self.pager.savepoint();
        let trees = self.now.trees;
        for _ in 0..1 + self.random.below(8) {
            if self.random.one_in(3) {
                let inner = self.pager.savepoint();
                let (trees, journal) = (self.now.trees, self.journal.len());
                for _ in 0..1 + self.random.below(4) {
                    self.write()?;
                }
                if self.random.one_in(400) {
                    self.sweep()?;
                }
                if self.random.one_in(4) {
                    self.pager.rollback_to(inner)?;
                    self.now.trees = trees;
                    self.undo_models(journal);
                } else {
                    self.pager.release(inner);
                }
            } else if self.random.one_in(400) {
                self.sweep()?;
            } else if self.random.one_in(60) {
                self.write_many()?;
            } else {
                self.write()?;
            }
        }
        if self.random.one_in(8) {
            self.pager.rollback_to(outer)?;
            self.now.trees = trees;
            self.undo_models(0);
        } else {
            self.pager.release(outer);
        }
        Ok(())
    }

    fn read(&mut self) -> Result<()> {
        for _ in 0..4 {
            self.operations += 1;
            let at = self.pick();
            let key = self.key(at);
            let (tree, model) = (&self.now.trees[at], &self.now.models[at]);
            assert_eq!(
                tree.get(&self.pager, &key)?.as_deref(),
                model.get(&key).map(Vec::as_slice)
            );
            assert_eq!(tree.contains(&self.pager, &key)?, model.contains_key(&key));
        }
        Ok(())
    }

    /// A part of a range, in either direction, of now or of a snapshot.
    fn scan(&mut self) -> Result<()> {
        self.operations += 1;
        let at = self.pick();
        let (low, high) = (self.key(at), self.key(at));
        let (kinds, limit) = (self.random.next(), self.random.below(60) as usize);
        let which = self.random.below(2 + self.snapshots.len() as u64) as usize;
        let moment = self
            .snapshots
            .get(which)
            .map_or(&self.now, |(_, moment)| moment);
        let bound = |key, kind: u64| match kind % 3 {
            0 => Bound::Included(key),
            1 => Bound::Excluded(key),
            _ => Bound::Unbounded,
        };
        let (start, end) = (bound(&low[..], kinds), bound(&high[..], kinds >> 8));
        let inverted = match (start, end) {
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
            (Bound::Excluded(low), Bound::Excluded(high)) => low >= high,
            (
                Bound::Included(low) | Bound::Excluded(low),
                Bound::Included(high) | Bound::Excluded(high),
            ) => low > high,
        };
        let entries: Box<dyn DoubleEndedIterator<Item = _>> = if inverted {
            Box::new(std::iter::empty())
        } else {
            Box::new(moment.models[at].range::<[u8], _>((start, end)))
        };
        let forward = kinds & 0x1_0000 == 0;
        let (direction, expected): (_, Box<dyn Iterator<Item = _>>) = if forward {
            (Direction::Forward, entries)
        } else {
            (Direction::Backward, Box::new(entries.rev()))
        };
        let mut range = moment.trees[at].range(start, end, direction);
        let mut seen = 0;
        for (key, value) in expected.take(limit) {
            assert!(range.next(&self.pager)?, "the range ends early");
            assert_eq!(range.key(), &key[..]);
            assert_eq!(&range.value(&self.pager)?[..], &value[..]);
            seen += 1;
        }
        if seen < limit {
            assert!(!range.next(&self.pager)?, "the range goes on");
        }
        Ok(())
    }

    fn all_of(&self, moment: &Moment) -> Result<()> {
        for (tree, model) in moment.trees.iter().zip(&moment.models) {
            let mut cursor = tree.cursor();
            for (key, value) in model {
                assert!(cursor.next(&self.pager)?);
                assert_eq!(
                    (cursor.key(), &*cursor.value_ref(&self.pager)?),
                    (&key[..], &value[..])
                );
            }
            assert!(!cursor.next(&self.pager)?);
            assert!(model.is_empty() || cursor.prev(&self.pager)?);
            assert_eq!(
                cursor.key(),
                model.keys().next_back().map_or(&[][..], Vec::as_slice)
            );
        }
        Ok(())
    }

    fn seal(&mut self) -> Result<()> {
        let mut catalog = self.pager.catalog_root();
        for (name, tree) in NAMES.iter().zip(&self.now.trees) {
            if catalog.get_ref(&self.pager, name.as_bytes())?.as_deref() != Some(&tree.encode()[..])
            {
                catalog.put(&mut self.pager, name.as_bytes(), &tree.encode())?;
            }
        }
        self.pager.set_catalog_root(catalog);
        if let Some(batch) = self.pager.seal()? {
            self.sealed.push((batch.sequence, self.now.clone()));
        }
        Ok(())
    }

    /// Writes all unconfirmed batches as one.
    fn confirm(&mut self) -> Result<()> {
        if let Some(batch) = self.pager.unconfirmed_batch() {
            block_on(self.device.write(&batch, Durability::Relaxed))?;
            self.pager.confirm(batch.sequence);
            if let Some((sequence, moment)) = self.sealed.pop() {
                assert_eq!(sequence, batch.sequence);
                self.durable = moment;
            }
            self.sealed.clear();
        }
        Ok(())
    }

    /// Forgets everything in memory and goes on with the durable state.
    fn reopen(&mut self) -> Result<()> {
        self.snapshots.clear();
        self.sealed.clear();
        let Some(loaded) = block_on(load(&self.device))? else {
            return Ok(());
        };
        assert!(loaded.damaged.is_empty());
        self.pager = loaded.pager;
        self.now = self.durable.clone();
        let catalog = self.pager.catalog_root();
        for (name, tree) in NAMES.iter().zip(&self.now.trees) {
            let stored = catalog
                .get(&self.pager, name.as_bytes())?
                .expect("every tree is in the catalog");
            assert_eq!(Tree::decode(&stored)?, *tree);
        }
        self.all_of(&self.now)
    }

    fn check(&mut self) -> Result<()> {
        let mut trees = vec![("catalog", self.pager.catalog_root())];
        trees.extend(NAMES.iter().copied().zip(self.now.trees));
        let report = check(&self.pager, &trees, &NoEnv)?;
        assert!(
            report.is_sound(),
            "after {} operations: {:?}",
            self.operations,
            report.problems
        );
        self.all_of(&self.now)?;
        for (_, moment) in &self.snapshots {
            self.all_of(moment)?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<()> {
        match self.random.below(1000) {
            0..=599 => self.command()?,
            600..=899 => self.read()?,
            900..=989 => self.scan()?,
            990..=992 => {
                if self.snapshots.len() >= 3 {
                    let at = self.random.below(3) as usize;
                    self.snapshots.remove(at);
                }
                self.snapshots
                    .push((self.pager.open_snapshot(), self.now.clone()));
            }
            993..=995 => self.seal()?,
            996..=997 => self.confirm()?,
            998 if self.random.one_in(3) => self.check()?,
            999 if self.random.one_in(5) => self.reopen()?,
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn a_million_operations_agree_with_the_ordered_map() -> Result<()> {
    let seed = environment("QUIRE_SEED", 0x5EED);
    let operations = environment("QUIRE_OPERATIONS", 1_000_000);
    let mut bench = Bench::new(seed);
    while bench.operations < operations {
        bench.step()?;
    }
    bench.snapshots.clear();
    bench.seal()?;
    bench.confirm()?;
    bench.check()?;
    bench.reopen()?;
    bench.check()
}

#[test]
fn a_value_of_seventeen_mebibytes() -> Result<()> {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    let large: Vec<u8> = (0..17 << 20)
        .map(|index: u32| (index.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let savepoint = pager.savepoint();
    tree.insert(&mut pager, b"large", &large)?;
    pager.release(savepoint);
    assert_eq!(tree.get(&pager, b"large")?.as_deref(), Some(&large[..]));
    tree.insert(&mut pager, &large, b"a key of that length")?;
    assert_eq!(
        tree.get(&pager, &large)?.as_deref(),
        Some(&b"a key of that length"[..])
    );
    assert!(check(&pager, &[("large", tree)], &NoEnv)?.is_sound());
    assert!(tree.remove(&mut pager, &large)? && tree.remove(&mut pager, b"large")?);
    // The root stays.
    assert_eq!(
        pager.reusable_count() + tree.page_count(),
        pager.page_count() - 1
    );
    Ok(())
}
