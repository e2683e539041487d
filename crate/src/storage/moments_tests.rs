//! Moments against maps that are copied: random commands, moments, drops, restores, seals, crashes and other tabs.
//!
//! Invariants that are tested: every state that is read (the present, a moment, a snapshot, a state after a crash, the
//! state that another tab sees) holds exactly the entries of its map; every page is in the present, in a list of a
//! moment, in the trees that tell of moments, or free; and lists hold exactly the pages that moments have and the
//! present lacks. Seeded by `QUIRE_SEED`, which is printed; `QUIRE_CASES` says how many rounds.

use super::conformance::block_on;
use super::pager::State;
use super::{
    Durability, Fault, FaultDevice, MemoryDevice, PageDevice, PageNumber, Pager, Snapshot, Tree,
    check, fault, load, page,
};
use crate::env::NoEnv;
use crate::env::testing::given;
use crate::error::StorageError;
use std::collections::{BTreeMap, BTreeSet};

type Result<T = ()> = std::result::Result<T, StorageError>;
type Model = BTreeMap<Vec<u8>, Vec<u8>>;

const NAMES: [&[u8]; 3] = [b"beds", b"herbs", b"trees"];

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
}

/// The maps that a deployment is compared with.
#[derive(Clone, Default, PartialEq)]
struct Expected {
    models: [Model; 3],
    moments: BTreeMap<u64, [Model; 3]>,
}

struct Bench {
    random: Random,
    pager: Pager,
    trees: [Tree; 3],
    now: Expected,
    device: MemoryDevice,
    durable: Expected,
    snapshots: Vec<(Snapshot, [Tree; 3], [Model; 3])>,
    crashes: u64,
}

/// The trees that a catalog root names.
fn trees_of(pager: &Pager, catalog: Tree) -> Result<[Tree; 3]> {
    let mut trees = [Tree::new(); 3];
    for (name, tree) in NAMES.iter().zip(&mut trees) {
        if let Some(handle) = catalog.get_ref(pager, name)? {
            *tree = Tree::decode(&handle)?;
        }
    }
    Ok(trees)
}

fn holds(pager: &Pager, trees: &[Tree; 3], models: &[Model; 3]) -> Result {
    for (tree, model) in trees.iter().zip(models) {
        assert_eq!(tree.len(), model.len() as u64);
        let mut cursor = tree.cursor();
        for (key, value) in model {
            assert!(cursor.next(pager)?);
            assert!(cursor.key() == &key[..] && *cursor.value_ref(pager)? == value[..]);
        }
        assert!(!cursor.next(pager)?);
    }
    Ok(())
}

fn pages_of(pager: &Pager, catalog: Tree) -> Result<BTreeSet<PageNumber>> {
    let mut pages = BTreeSet::new();
    for tree in trees_of(pager, catalog)?.iter().chain([&catalog]) {
        tree.pages(pager, &mut |page| {
            pages.insert(page);
        })?;
    }
    Ok(pages)
}

/// Everything that a deployment says is as expected, and every page is accounted for.
fn verify(pager: &mut Pager, trees: [Tree; 3], expected: &Expected) -> Result {
    holds(pager, &trees, &expected.models)?;
    let numbers = pager.moment_numbers()?;
    assert!(numbers.iter().eq(expected.moments.keys()));
    let mut present = BTreeSet::new();
    for tree in trees.iter().chain([&pager.catalog_root()]) {
        tree.pages(pager, &mut |page| {
            present.insert(page);
        })?;
    }
    let mut of_moments = BTreeSet::new();
    for (number, models) in &expected.moments {
        let moment = pager.moment(*number)?.expect("it was kept");
        assert_eq!(moment.note, number.to_le_bytes());
        holds(pager, &trees_of(pager, moment.catalog)?, models)?;
        of_moments.append(&mut pages_of(pager, moment.catalog)?);
    }
    let kept = of_moments.difference(&present).count() as u64;
    let mut named = vec![("catalog", pager.catalog_root())];
    named.extend(["beds", "herbs", "trees"].into_iter().zip(trees));
    let report = check(pager, &named, &NoEnv)?;
    assert!(report.is_sound(), "{:?}", report.problems);
    assert_eq!(report.kept_pages, kept);
    assert_eq!(pager.pages_kept_by(&numbers)?, kept);
    Ok(())
}

/// The stored state is the expected one.
fn stored(device: &MemoryDevice, expected: &Expected) -> Result {
    match block_on(load(device))? {
        None => assert!(*expected == Expected::default()),
        Some(loaded) => {
            assert!(loaded.damaged.is_empty());
            let mut pager = loaded.pager;
            let trees = trees_of(&pager, pager.catalog_root())?;
            verify(&mut pager, trees, expected)?;
        }
    }
    Ok(())
}

impl Bench {
    fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            pager: Pager::new(),
            trees: [Tree::new(); 3],
            now: Expected::default(),
            device: MemoryDevice::new(),
            durable: Expected::default(),
            snapshots: Vec::new(),
            crashes: 0,
        }
    }

    fn write(&mut self) -> Result {
        let at = self.random.below(3) as usize;
        let (tree, model) = (&mut self.trees[at], &mut self.now.models[at]);
        if self.random.below(150) == 0 {
            tree.drop_tree(&mut self.pager)?;
            model.clear();
        }
        for _ in 0..self.random.below(12) {
            let mut key = self.random.below(500).to_be_bytes().to_vec();
            if self.random.below(40) == 0 {
                key.resize(1500 + key[7] as usize * 90, b'k');
            }
            if self.random.below(3) == 0 {
                tree.remove(&mut self.pager, &key)?;
                model.remove(&key);
            } else {
                let length = match self.random.below(12) {
                    0 => self.random.below(50_000),
                    _ => self.random.below(900),
                };
                let value = vec![self.random.next() as u8; length as usize];
                tree.put(&mut self.pager, &key, &value)?;
                model.insert(key, value);
            }
        }
        Ok(())
    }

    /// A command, which may fail: nothing of it is left then.
    fn command(&mut self) -> Result {
        let (trees, now) = (self.trees, self.now.clone());
        let savepoint = self.pager.savepoint();
        for _ in 0..self.random.below(4) {
            self.write()?;
        }
        if self.random.below(6) == 0 {
            // A moment made by a command that fails is none.
            self.write_catalog()?;
            self.pager.make_moment(b"failed")?;
            self.write()?;
            self.fail(savepoint, trees, now)?;
        } else if self.random.below(5) == 0 {
            self.fail(savepoint, trees, now)?;
        } else {
            self.pager.release(savepoint);
        }
        Ok(())
    }

    fn fail(&mut self, savepoint: super::Savepoint, trees: [Tree; 3], now: Expected) -> Result {
        self.pager.rollback_to(savepoint)?;
        self.trees = trees;
        self.now = now;
        Ok(())
    }

    fn write_catalog(&mut self) -> Result {
        let mut catalog = self.pager.catalog_root();
        for (name, tree) in NAMES.iter().zip(&self.trees) {
            let is_told = catalog
                .get_ref(&self.pager, name)?
                .is_some_and(|handle| *handle == tree.encode());
            if !is_told {
                catalog.put(&mut self.pager, name, &tree.encode())?;
            }
        }
        self.pager.set_catalog_root(catalog);
        Ok(())
    }

    fn make(&mut self) -> Result {
        self.write_catalog()?;
        let number = self.pager.make_moment(b"")?;
        self.pager.annotate_moment(number, &number.to_le_bytes())?;
        let models = self.now.models.clone();
        self.now.moments.insert(number, models);
        Ok(())
    }

    fn pick(&mut self) -> Option<u64> {
        let count = self.now.moments.len() as u64;
        let at = self.random.below(count.max(1)) as usize;
        self.now.moments.keys().nth(at).copied()
    }

    fn drop_moment(&mut self) -> Result {
        let Some(number) = self.pick() else {
            return Ok(());
        };
        self.pager.settle_moments()?;
        let alone = self.pager.pages_kept_by(&[number])?;
        let savepoint = self.pager.savepoint();
        assert_eq!(self.pager.drop_moment(number)?, Some(alone));
        if self.random.below(4) == 0 {
            return self.pager.rollback_to(savepoint);
        }
        self.pager.release(savepoint);
        assert_eq!(self.pager.drop_moment(number)?, None);
        self.now.moments.remove(&number);
        Ok(())
    }

    fn restore(&mut self) -> Result {
        let Some(number) = self.pick() else {
            return Ok(());
        };
        let moment = self.pager.moment(number)?.expect("it is there");
        let past = trees_of(&self.pager, moment.catalog)?;
        let models = self.now.moments[&number].clone();
        let only = self.random.below(6) as usize;
        let (trees, now) = (self.trees, self.now.clone());
        let savepoint = self.pager.savepoint();
        for at in (0..3).filter(|at| only > 2 || only == *at) {
            self.differences(at, &past[at], &models[at])?;
            self.trees[at].restore(&mut self.pager, &past[at], &NoEnv)?;
            self.now.models[at].clone_from(&models[at]);
        }
        if self.random.below(5) == 0 {
            return self.fail(savepoint, trees, now);
        }
        self.pager.release(savepoint);
        Ok(())
    }

    /// Each entry that differs between a past tree and the present is told, and no other.
    fn differences(&mut self, at: usize, past: &Tree, model: &Model) -> Result {
        let mut told = past.differences(&self.pager, &self.trees[at], &NoEnv)?;
        let now = &self.now.models[at];
        let keys: BTreeSet<&Vec<u8>> = model.keys().chain(now.keys()).collect();
        for key in keys {
            if model.get(key) != now.get(key) {
                let one = told.next(&self.pager)?.expect("it differs");
                assert!(one.key == *key);
                assert!(one.old.as_ref() == model.get(key) && one.new.as_ref() == now.get(key));
            }
        }
        assert_eq!(told.next(&self.pager)?, None);
        Ok(())
    }

    /// Stores the sealed pages as one batch, on copies of the device with a cut at every point first.
    fn store(&mut self) -> Result {
        self.write_catalog()?;
        self.pager.seal()?;
        let Some(batch) = self.pager.unconfirmed_batch() else {
            return Ok(());
        };
        if self.random.below(6) == 0 {
            let points = fault::points(&batch);
            let first = points.saturating_sub(12);
            for point in (0..3.min(first)).chain(first..points) {
                let device = FaultDevice::over(self.device.copy());
                device.plan(point, Fault::Cut);
                assert!(block_on(device.write(&batch, Durability::Strict)).is_err());
                let expected = match point + 1 == points {
                    true => &self.now,
                    false => &self.durable,
                };
                stored(device.stored(), expected)?;
                self.crashes += 1;
            }
        }
        block_on(self.device.write(&batch, Durability::Relaxed))?;
        self.pager.confirm(batch.sequence);
        self.durable = self.now.clone();
        Ok(())
    }

    /// Forgets changes that are not stored, as a crash does.
    fn reopen(&mut self) -> Result {
        self.snapshots.clear();
        let Some(loaded) = block_on(load(&self.device))? else {
            return Ok(());
        };
        self.pager = loaded.pager;
        self.trees = trees_of(&self.pager, self.pager.catalog_root())?;
        self.now = self.durable.clone();
        verify(&mut self.pager, self.trees, &self.now)
    }

    /// Another tab has an older stored state, refreshes to the present one, and goes on in the place of this one.
    fn change_tabs(&mut self) -> Result {
        self.store()?;
        let Some(other) = block_on(load(&self.device))? else {
            return Ok(());
        };
        let mut other = other.pager;
        let known = other.sequence();
        for _ in 0..5 {
            self.step(5)?;
        }
        self.store()?;
        let header = block_on(self.device.read_header())?.expect("it was stored");
        let mut changed = block_on(self.device.read_pages(1, 100_000))?;
        changed.retain(|(_, buffer)| page::sequence_of(buffer) > known);
        let numbers: Vec<PageNumber> = changed.iter().map(|(number, _)| *number).collect();
        other.refresh(&header, &numbers)?;
        for (number, buffer) in changed {
            let _ = other.insert_buffer(number, buffer);
        }
        other.load_free_list()?;
        self.snapshots.clear();
        self.pager = other;
        verify(&mut self.pager, self.trees, &self.now)
    }

    fn step(&mut self, kinds: u64) -> Result {
        match self.random.below(kinds) {
            0 | 1 => self.command()?,
            2 if self.now.moments.len() < 9 => self.make()?,
            3 if self.random.below(2) == 0 => self.drop_moment()?,
            4 if self.random.below(3) == 0 => self.restore()?,
            5 => self.store()?,
            6 if self.random.below(6) == 0 => self.reopen()?,
            7 if self.random.below(6) == 0 => self.change_tabs()?,
            8 => {
                let snapshot = self.pager.open_snapshot();
                let models = self.now.models.clone();
                self.snapshots.push((snapshot, self.trees, models));
                if self.snapshots.len() > 2 {
                    let (snapshot, trees, models) = self.snapshots.remove(0);
                    holds(&self.pager, &trees, &models)?;
                    drop(snapshot);
                }
            }
            9 if self.random.below(3) == 0 => verify(&mut self.pager, self.trees, &self.now)?,
            10 if self.random.below(30) == 0 => {
                // Every moment goes: nothing is kept any more.
                while !self.now.moments.is_empty() {
                    self.drop_moment()?;
                }
                verify(&mut self.pager, self.trees, &self.now)?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn run(seed: u64, steps: u64, kinds: u64) -> Result<Bench> {
    let mut bench = Bench::new(seed);
    for _ in 0..steps {
        bench.step(kinds)?;
    }
    verify(&mut bench.pager, bench.trees, &bench.now)?;
    Ok(bench)
}

fn seed() -> u64 {
    given("QUIRE_SEED", 41)
}

#[test]
fn every_state_that_is_kept_stays_what_it_was() -> Result {
    let (first, rounds) = (seed(), given("QUIRE_CASES", 1));
    let mut crashes = 0;
    for round in 0..rounds {
        let mut bench = run(first + round, 1500, 11)?;
        bench.store()?;
        stored(&bench.device, &bench.now)?;
        crashes += bench.crashes;
    }
    assert!(crashes > 25 * rounds, "{crashes} crashes");
    Ok(())
}

#[test]
fn a_deployment_in_memory_has_moments_without_any_seal() -> Result {
    run(seed(), 1500, 5).map(drop)
}

#[test]
fn a_moment_costs_the_pages_that_changed_since() -> Result {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    for number in 0..20_000u32 {
        tree.put(&mut pager, &number.to_be_bytes(), &[1; 90])?;
    }
    pager.set_catalog_root(tree);
    let before = pager.page_count();
    let first = pager.make_moment(b"")?;
    assert_eq!(pager.page_count(), before + 1, "the moment's own entry");
    tree.put(&mut pager, &7u32.to_be_bytes(), &[2; 90])?;
    pager.set_catalog_root(tree);
    // A leaf and the branches above it.
    assert_eq!(pager.pages_kept_by(&[first])?, u64::from(tree.height()));
    tree.put(&mut pager, &8u32.to_be_bytes(), &[2; 90])?;
    assert_eq!(pager.pages_kept_by(&[first])?, u64::from(tree.height()));
    pager.set_catalog_root(tree);
    let second = pager.make_moment(b"")?;
    let height = tree.height();
    tree.drop_tree(&mut pager)?;
    pager.set_catalog_root(tree);
    pager.settle_moments()?;
    let all = pager.pages_kept_by(&[first, second])?;
    assert!(all > before - 2);
    let alone = pager.drop_moment(first)?.expect("it is there");
    assert_eq!(alone, u64::from(height));
    assert_eq!(pager.drop_moment(second)?, Some(all - alone));
    assert_eq!(pager.moment_numbers()?.len(), 0);
    Ok(())
}

#[test]
fn drops_are_stored_before_batches_that_wait() -> Result {
    let (mut pager, mut tree, device) = (Pager::new(), Tree::new(), MemoryDevice::new());
    let store = |pager: &mut Pager, tree: Tree, device: &MemoryDevice| -> Result {
        pager.set_catalog_root(tree);
        let batch = pager.seal()?.expect("there are changes");
        block_on(device.write(&batch, Durability::Strict))?;
        pager.confirm(batch.sequence);
        Ok(())
    };
    for round in 0..3u8 {
        for number in 0..600u32 {
            tree.put(&mut pager, &number.to_be_bytes(), &[round; 900])?;
        }
        pager.set_catalog_root(tree);
        pager.make_moment(&[round])?;
        store(&mut pager, tree, &device)?;
    }
    // A batch finds no room; then the two older moments are dropped.
    for number in 0..600u32 {
        tree.put(&mut pager, &number.to_be_bytes(), &[9; 900])?;
    }
    pager.set_catalog_root(tree);
    pager.seal()?;
    let numbers = pager.moment_numbers()?;
    for number in &numbers[..2] {
        pager.settle_moments()?;
        pager.drop_moment(*number)?;
    }
    pager.set_catalog_root(tree);
    pager.seal()?;
    assert!(
        pager.free_records().pages.len() < 8,
        "hardly a page is free"
    );

    let mut stored = block_on(load(&device))?.expect("it is stored").pager;
    let followed = Some((stored.sequence(), stored.lineage()));
    assert_eq!(stored.drop_moments_but(&pager.moment_numbers()?)?, 2);
    let drops = stored.seal()?.expect("moments were dropped");
    assert_eq!(pager.followed(), followed);
    pager.seal_behind()?;
    let freed = stored.freed_records(Some(&pager));
    assert!(freed.pages.len() > 60, "{} pages", freed.pages.len());
    assert!(!freed.blocks.is_empty());
    block_on(device.write(&drops, Durability::Strict))?;
    pager.follow(&drops)?;
    assert!(pager.follow(&drops).is_err(), "it comes between once");
    assert!(pager.free_records().pages.is_empty());

    // After a crash the stored state is that of before, and whole.
    let mut crashed = block_on(load(&device))?.expect("it is stored").pager;
    crashed.load_free_list()?;
    let before = crashed.catalog_root();
    assert_eq!(check(&crashed, &[("all", before)], &NoEnv)?.problems, []);
    assert_eq!(
        before.get_ref(&crashed, &7u32.to_be_bytes())?.as_deref(),
        Some(&[2; 900][..])
    );
    for page in &freed.pages {
        let entry = crashed.table.get(*page as usize);
        assert!(
            entry.is_none_or(|entry| entry.state == State::Reusable),
            "page {page} is in use"
        );
    }

    let batch = pager.unconfirmed_batch().expect("it waits");
    block_on(device.write(&batch, Durability::Strict))?;
    pager.confirm(batch.sequence);
    let mut after = block_on(load(&device))?.expect("it is stored").pager;
    assert_eq!(after.moment_numbers()?[..], numbers[2..]);
    assert_eq!(check(&after, &[("all", tree)], &NoEnv)?.problems, []);
    assert_eq!(
        tree.get_ref(&after, &7u32.to_be_bytes())?.as_deref(),
        Some(&[9; 900][..])
    );
    assert_eq!(check(&pager, &[("all", tree)], &NoEnv)?.problems, []);
    Ok(())
}
