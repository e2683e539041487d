//! Crashes: the power goes at every write point of many batches, and the deployment is read again.
//!
//! Invariant: the deployment that is read is exactly the last durable commit (or, when only the acknowledgement was
//! lost, the new one), sound in every page. A device that breaks its own promise is found out. Seeded by `QUIRE_SEED`,
//! which is printed.

use quire::env::NoEnv;
use quire::error::{StorageError, StorageFault};
use quire::storage::conformance::block_on;
use quire::storage::{
    CommitBatch, Durability, Entry, Fault, FaultDevice, MemoryDevice, NumberSet, PageDevice, Pager,
    Tree, check, fault, load,
};
use std::collections::BTreeMap;

pub type Model = BTreeMap<Vec<u8>, Vec<u8>>;

pub struct Random(u64);

impl Random {
    pub fn seeded() -> Self {
        let seed = std::env::var("QUIRE_SEED")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(20_260);
        println!("QUIRE_SEED={seed}");
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// A deployment that writes, and the map of its entries.
pub struct Writer {
    pub pager: Pager,
    pub tree: Tree,
    pub model: Model,
}

impl Writer {
    pub fn new() -> Self {
        Self {
            pager: Pager::new(),
            tree: Tree::new(),
            model: Model::new(),
        }
    }

    pub fn work(&mut self, random: &mut Random) -> Result<CommitBatch, StorageError> {
        if random.below(4) == 0 {
            let numbers: Vec<u64> = (0..300).filter(|_| random.below(2) == 0).collect();
            let gone = NumberSet::of(numbers.iter().copied()).expect("they lie close together");
            self.tree.sweep(&mut self.pager, &gone, false, &NoEnv)?;
            self.model.retain(|key, _| {
                let number = key.last_chunk().map(|end| u64::from_be_bytes(*end));
                number.is_none_or(|number| !gone.contains(number))
            });
        }
        if random.below(16) == 0 {
            // The end of the page space falls free, and a later batch releases it.
            self.tree.drop_tree(&mut self.pager)?;
            self.model.clear();
        }
        for _ in 0..1 + random.below(60) {
            let key = [&b"plant "[..], &random.below(300).to_be_bytes()].concat();
            if random.below(3) == 0 {
                self.tree.remove(&mut self.pager, &key)?;
                self.model.remove(&key);
            } else {
                let length = if random.below(25) == 0 {
                    random.below(60_000)
                } else {
                    random.below(600)
                };
                let value = vec![random.next() as u8; length as usize];
                self.tree.put(&mut self.pager, &key, &value)?;
                self.model.insert(key, value);
            }
        }
        if random.below(3) == 0 {
            let mut added = Model::new();
            for _ in 0..random.below(400) {
                let key = format!("shrub {:05}", random.below(3000)).into_bytes();
                if !self.model.contains_key(&key) {
                    added.insert(key, vec![random.next() as u8; random.below(90) as usize]);
                }
            }
            let entries: Vec<Entry<'_>> = added
                .iter()
                .map(|(key, value)| Entry::new(key, value))
                .collect();
            self.tree.insert_sorted(&mut self.pager, &entries, 0)?;
            self.model.append(&mut added);
        }
        self.pager.set_catalog_root(self.tree);
        let sealed = self.pager.seal()?;
        sealed.ok_or_else(|| StorageError::broken("nothing to seal"))
    }
}

/// The sequence and the entries on a device, when every page of it is sound.
pub fn read<D: PageDevice>(device: &D) -> Result<(u64, Model), String> {
    let loaded = block_on(load(device)).map_err(|error| error.to_string())?;
    let Some(loaded) = loaded else {
        return Ok((0, Model::new()));
    };
    let tree = loaded.pager.catalog_root();
    let report =
        check(&loaded.pager, &[("plants", tree)], &NoEnv).map_err(|error| error.to_string())?;
    if let Some(problem) = report.problems.first() {
        return Err(format!("page {}: {}", problem.page, problem.reason));
    }
    let mut model = Model::new();
    let mut cursor = tree.cursor();
    while cursor
        .next(&loaded.pager)
        .map_err(|error| error.to_string())?
    {
        let value = cursor
            .value(&loaded.pager)
            .map_err(|error| error.to_string())?;
        model.insert(cursor.key().to_vec(), value.to_vec());
    }
    Ok((loaded.pager.sequence(), model))
}

/// Writes the batch onto a copy of the store with one fault, and gives the copy back.
fn crash(store: &MemoryDevice, batch: &CommitBatch, point: u64, fault: Fault) -> MemoryDevice {
    let device = FaultDevice::over(store.copy());
    device.plan(point, fault);
    let outcome = block_on(device.write(batch, Durability::Strict));
    assert!(
        outcome.is_err() && !device.is_pending(),
        "point {point}: {outcome:?}"
    );
    device.stored().clone()
}

#[test]
fn a_cut_leaves_exactly_the_last_durable_commit() -> Result<(), StorageError> {
    let mut random = Random::seeded();
    let store = MemoryDevice::new();
    let mut writer = Writer::new();
    let mut durable = Model::new();
    let (mut cuts, mut torn, mut noticed) = (0, 0, 0);
    for round in 0..60u64 {
        let batch = writer.work(&mut random)?;
        let pages = batch.pages.len() as u64;
        let points = fault::points(&batch);
        for point in 0..points {
            let after = read(&crash(&store, &batch, point, Fault::Cut));
            let expected = if point + 1 == points {
                (round + 1, &writer.model)
            } else {
                (round, &durable)
            };
            let (sequence, model) =
                after.unwrap_or_else(|problem| panic!("batch {round}, point {point}: {problem}"));
            assert!(
                sequence == expected.0 && model == *expected.1,
                "batch {round}, point {point}"
            );
            cuts += 1;
            // Even a device that leaves half a batch behind does not hurt the durable state: the header, which comes
            // last, has a second copy. Once the first is written whole, so is everything else.
            let after = read(&crash(&store, &batch, point, Fault::Torn));
            let expected = if point > pages {
                (round + 1, writer.model.clone())
            } else {
                (round, durable.clone())
            };
            assert!(
                // The very first batch may leave pages without a header: opening says so.
                after.as_ref() == Ok(&expected) || (round == 0 && point <= pages && after.is_err()),
                "batch {round}, torn at {point}"
            );
            torn += 1;
            if point < pages {
                // A device that writes the header first does. That is seen, unless the missing pages are as they were.
                match read(&crash(&store, &batch, point, Fault::TornBehindHeader)) {
                    Ok(found) => assert!(
                        found == (round + 1, writer.model.clone()),
                        "batch {round}, {point}"
                    ),
                    Err(_) => noticed += 1,
                }
            }
        }
        block_on(store.write(&batch, Durability::Strict))?;
        writer.pager.confirm(batch.sequence);
        durable = writer.model.clone();
    }
    println!("{cuts} cuts, {torn} torn batches survived, {noticed} broken promises noticed");
    Ok(())
}

#[test]
fn writing_goes_on_after_a_failure() -> Result<(), StorageError> {
    let mut random = Random::seeded();
    let device = FaultDevice::over(MemoryDevice::new());
    let mut writer = Writer::new();
    let mut failures = 0;
    for round in 0..400u64 {
        let batch = writer.work(&mut random)?;
        let faults = [Fault::Fail, Fault::Full, Fault::Cut, Fault::Torn];
        if random.below(3) == 0 {
            let point = random.below(fault::points(&batch));
            device.plan(point, faults[random.below(4) as usize]);
        }
        // Sometimes the failed batches pile up before they are tried again as one.
        let outcome = match writer.pager.unconfirmed_count() {
            1 => block_on(device.write(&batch, Durability::Relaxed)),
            _ if random.below(2) == 0 => continue,
            _ => {
                let merged = writer
                    .pager
                    .unconfirmed_batch()
                    .expect("there are unconfirmed batches");
                block_on(device.write(&merged, Durability::Relaxed))
            }
        };
        device.revive();
        match outcome.map_err(StorageError::into_fault) {
            Ok(()) => {
                writer.pager.confirm(writer.pager.sequence());
                let stored = read(device.stored())
                    .unwrap_or_else(|problem| panic!("batch {round}: {problem}"));
                assert!(stored == (round + 1, writer.model.clone()), "batch {round}");
            }
            Err(StorageFault::Device { .. } | StorageFault::OutOfSpace) => failures += 1,
            // The write whose acknowledgement was lost is stored: the batches behind it then need to know.
            Err(StorageFault::Fenced { stored, .. }) => {
                writer.pager.confirm(stored);
                let rest = writer
                    .pager
                    .unconfirmed_batch()
                    .expect("later batches are unconfirmed");
                block_on(device.write(&rest, Durability::Relaxed))?;
                writer.pager.confirm(rest.sequence);
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(failures > 50);
    Ok(())
}

#[test]
fn every_flipped_bit_of_a_store_is_found() -> Result<(), StorageError> {
    let mut random = Random::seeded();
    let store = MemoryDevice::new();
    let mut writer = Writer::new();
    for _ in 0..6 {
        let batch = writer.work(&mut random)?;
        block_on(store.write(&batch, Durability::Relaxed))?;
        writer.pager.confirm(batch.sequence);
    }
    let whole = read(&store).expect("the store is sound");
    let loaded = block_on(load(&store))?.expect("the store has a header");
    let report = check(
        &loaded.pager,
        &[("plants", loaded.pager.catalog_root())],
        &NoEnv,
    )?;
    let mut harmless = 0;
    for number in store.page_numbers() {
        let damaged = store.copy();
        let mut bytes = store.page(number).expect("the page is there");
        let at = random.below(bytes.len() as u64) as usize;
        bytes[at] ^= 1 << random.below(8);
        damaged.put_page(number, &bytes);
        match read(&damaged) {
            // Free pages may hold anything.
            Ok(found) => {
                assert!(found == whole);
                harmless += 1;
            }
            Err(problem) => assert!(problem.contains(&format!("page {number}")), "{problem}"),
        }
    }
    assert!(harmless <= report.free_pages);
    Ok(())
}
