//! A deployment in one file, on a disk whose cache, syncs and writes fail: the process is killed, the power goes, a
//! write or a sync fails, there is no room.
//!
//! The disk has the two faces of a real one: the bytes that a process reads (`cache`), and those that are on stable
//! storage. Between two syncs each write may have come there wholly, by half or not at all, in any order; a sync that
//! fails may have dropped all of them, although they are read as if they were there. Invariant: a file that is opened
//! again has exactly the last commit that was acknowledged, or the one under way, sound in every page. Seeded by
//! `QUIRE_SEED`, which is printed.

use crate::crash::{Model, Random, Writer, read};
use quire::env::NoEnv;
use quire::error::{StorageError, StorageFault};
use quire::storage::conformance::{self, Laboratory, block_on};
use quire::storage::{
    ByteFile, CommitBatch, Durability, FileDevice, PAGE_SIZE, PageDevice, Pager, Tree, check, load,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What goes wrong at one call of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    /// The process ends in the midst of the call.
    Kill,
    /// The power goes in the midst of the call.
    Power,
    /// The call fails; a sync loses what it was to bring to stable storage.
    Fail,
    /// There is room for half of the bytes.
    Full,
    /// Half of the bytes are taken, which is no failure.
    Short,
}

#[derive(Clone)]
enum Pending {
    Write(usize, Vec<u8>),
    Cut(usize),
}

#[derive(Clone, Default)]
struct Bytes {
    cache: Vec<u8>,
    stable: Vec<u8>,
    pending: Vec<Pending>,
    calls: u64,
    plan: Option<(u64, Trouble)>,
    is_dead: bool,
    /// The file may have so many bytes; no limit where it is `None`.
    room: Option<usize>,
}

fn put(bytes: &mut Vec<u8>, at: usize, new: &[u8]) {
    let end = at + new.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[at..end].copy_from_slice(new);
}

/// A file on a disk. Clones are other handles of the same file.
#[derive(Clone, Default)]
pub struct Disk(Rc<RefCell<Bytes>>);

impl Disk {
    /// A disk of its own with these bytes on stable storage.
    pub fn with(bytes: Vec<u8>) -> Self {
        let (cache, stable) = (bytes.clone(), bytes);
        Self(Rc::new(RefCell::new(Bytes {
            cache,
            stable,
            ..Bytes::default()
        })))
    }

    /// Says how many bytes the file may have from here on.
    pub fn set_room(&self, room: usize) {
        self.0.borrow_mut().room = Some(room);
    }

    /// The bytes that a process reads.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.borrow().cache.clone()
    }

    fn copy(&self) -> Self {
        Self(Rc::new(RefCell::new(self.0.borrow().clone())))
    }

    fn plan(&self, at: u64, trouble: Trouble) {
        let mut disk = self.0.borrow_mut();
        disk.calls = 0;
        disk.plan = Some((at, trouble));
    }

    /// The planned trouble where this call meets it.
    fn call(&self) -> Result<Option<Trouble>, StorageError> {
        let mut disk = self.0.borrow_mut();
        if disk.is_dead {
            return Err(StorageError::device("the process has ended"));
        }
        disk.calls += 1;
        match disk.plan {
            Some((at, trouble)) if disk.calls == at + 1 => {
                disk.plan = None;
                disk.is_dead = matches!(trouble, Trouble::Kill | Trouble::Power);
                Ok(Some(trouble))
            }
            _ => Ok(None),
        }
    }

    /// The file as the next process finds it: what was read before, or what of that came to stable storage.
    fn after(&self, trouble: Trouble, random: &mut Random) -> Vec<u8> {
        let disk = self.0.borrow();
        if trouble != Trouble::Power {
            return disk.cache.clone();
        }
        let mut stable = disk.stable.clone();
        let mut pending = disk.pending.clone();
        while !pending.is_empty() {
            let next = random.below(pending.len() as u64) as usize;
            match pending.swap_remove(next) {
                _ if random.below(3) == 0 => {}
                Pending::Write(at, bytes) => {
                    let end = match random.below(3) {
                        0 => random.below(bytes.len() as u64) as usize,
                        _ => bytes.len(),
                    };
                    put(&mut stable, at, &bytes[..end]);
                }
                // It comes after the writes before it, or is lost.
                Pending::Cut(length) if pending.is_empty() => stable.truncate(length),
                Pending::Cut(_) => {}
            }
        }
        stable
    }
}

impl ByteFile for Disk {
    fn length(&self) -> Result<u64, StorageError> {
        Ok(self.0.borrow().cache.len() as u64)
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<usize, StorageError> {
        let disk = self.0.borrow();
        let rest = disk.cache.get(at as usize..).unwrap_or_default();
        let length = rest.len().min(bytes.len());
        bytes[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Result<usize, StorageError> {
        let mut trouble = self.call()?;
        let mut taken = match trouble {
            None => bytes.len(),
            Some(_) => bytes.len() / 2,
        };
        if let Some(room) = self.0.borrow().room
            && at as usize + taken > room
        {
            taken = room.saturating_sub(at as usize);
            trouble = trouble.or(Some(Trouble::Full));
        }
        let mut disk = self.0.borrow_mut();
        put(&mut disk.cache, at as usize, &bytes[..taken]);
        disk.pending
            .push(Pending::Write(at as usize, bytes[..taken].to_vec()));
        match trouble {
            None | Some(Trouble::Short) => Ok(taken),
            Some(Trouble::Full) => Err(StorageError::out_of_space()),
            Some(_) => Err(StorageError::device("the write failed")),
        }
    }

    async fn sync(&self) -> Result<(), StorageError> {
        let trouble = self.call()?;
        let mut disk = self.0.borrow_mut();
        match trouble {
            None | Some(Trouble::Short) => {
                for done in std::mem::take(&mut disk.pending) {
                    match done {
                        Pending::Write(at, bytes) => put(&mut disk.stable, at, &bytes),
                        Pending::Cut(length) => disk.stable.truncate(length),
                    }
                }
                Ok(())
            }
            // The bytes are read as if they were there, and no later sync brings them.
            Some(Trouble::Fail | Trouble::Full) => {
                disk.pending.clear();
                Err(StorageError::device("the sync failed"))
            }
            Some(_) => Err(StorageError::device("the process has ended")),
        }
    }

    fn truncate(&self, length: u64) -> Result<(), StorageError> {
        if self
            .call()?
            .is_some_and(|trouble| trouble != Trouble::Short)
        {
            return Err(StorageError::device("the cut failed"));
        }
        let mut disk = self.0.borrow_mut();
        disk.cache.truncate(length as usize);
        disk.pending.push(Pending::Cut(length as usize));
        Ok(())
    }
}

/// A device that keeps few spare places, so that copies of its disk are small.
fn over(disk: Disk) -> FileDevice<Disk> {
    FileDevice::new(disk).sparing(2)
}

#[derive(Default)]
struct Drawer(RefCell<BTreeMap<String, Disk>>);

impl Laboratory for Drawer {
    type Device = FileDevice<Disk>;

    async fn open(&self, name: &str) -> Result<Self::Device, StorageError> {
        let mut disks = self.0.borrow_mut();
        Ok(over(disks.entry(name.to_owned()).or_default().clone()))
    }

    async fn put_header(
        &self,
        name: &str,
        copy: usize,
        bytes: Option<&[u8]>,
    ) -> Result<(), StorageError> {
        let disk = self.open(name).await?.file().clone();
        let mut slot = vec![0; PAGE_SIZE];
        if let Some(bytes) = bytes {
            slot[..bytes.len()].copy_from_slice(bytes);
            slot[PAGE_SIZE - 16..PAGE_SIZE - 8].copy_from_slice(b"QUIREPGS");
            slot[PAGE_SIZE - 8] = 1;
            slot[PAGE_SIZE - 4..].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
        }
        disk.write((copy * PAGE_SIZE) as u64, &slot).map(drop)
    }
}

#[test]
fn a_file_has_the_duties_of_a_device() {
    assert_eq!(block_on(conformance::run(&Drawer::default())), Ok(()));
}

/// A device that wrote `last` before, over a copy of the disk.
fn device_over(disk: &Disk, last: Option<&CommitBatch>) -> FileDevice<Disk> {
    let device = over(disk.copy());
    if let Some(last) = last {
        block_on(device.write(last, Durability::Strict)).expect("the batch is stored already");
    }
    device.file().0.borrow_mut().calls = 0;
    device
}

#[test]
fn a_kill_or_a_power_cut_at_any_call_loses_nothing_acknowledged() -> Result<(), StorageError> {
    let mut random = Random::seeded();
    let disk = Disk::default();
    let mut writer = Writer::new();
    let (mut before, mut last): (Model, Option<CommitBatch>) = (Model::new(), None);
    let mut cuts = 0;
    for round in 0..24u64 {
        let batch = writer.work(&mut random)?;
        let whole = device_over(&disk, last.as_ref());
        block_on(whole.write(&batch, Durability::Strict))?;
        let calls = whole.file().0.borrow().calls;
        for at in 0..calls {
            for trouble in [Trouble::Kill, Trouble::Power] {
                let device = device_over(&disk, last.as_ref());
                device.file().plan(at, trouble);
                let outcome = block_on(device.write(&batch, Durability::Strict));
                let found = Disk::with(device.file().after(trouble, &mut random));
                let (sequence, model) = read(&over(found))
                    .unwrap_or_else(|problem| panic!("{round}, {trouble:?} at {at}: {problem}"));
                let is_new = sequence == round + 1 && model == writer.model;
                let is_old = sequence == round && model == before;
                assert!(
                    is_new || (is_old && outcome.is_err()),
                    "{round}, {trouble:?} at {at}"
                );
                cuts += 1;
            }
        }
        block_on(over(disk.clone()).write(&batch, Durability::Strict))?;
        writer.pager.confirm(batch.sequence);
        before = writer.model.clone();
        last = Some(batch);
    }
    println!("{cuts} cuts");
    Ok(())
}

/// Writes the unconfirmed batches as a deployment does: a batch whose write failed is written again, and a batch that
/// the device has already, from such a failed write, is confirmed.
fn write_out(device: &FileDevice<Disk>, writer: &mut Writer) -> Result<(), StorageError> {
    while let Some(batch) = writer.pager.unconfirmed_pages() {
        match block_on(device.write(&batch, Durability::Strict)) {
            Ok(()) => writer.pager.confirm(batch.sequence),
            Err(error) if matches!(error.fault(), StorageFault::Fenced { .. }) => {
                let header = device.header()?.expect("a batch is stored");
                assert!(writer.pager.confirm_stored(&header), "nobody else writes");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[test]
fn writing_goes_on_after_failed_writes_and_syncs() -> Result<(), StorageError> {
    let mut random = Random::seeded();
    let mut device = over(Disk::default());
    let mut writer = Writer::new();
    let (mut failures, mut deaths) = (0, 0);
    // What was acknowledged last, and every state since.
    let mut states = vec![(0, Model::new())];
    for round in 0..500u64 {
        let batch = writer.work(&mut random)?;
        states.push((batch.sequence, writer.model.clone()));
        let all = [
            Trouble::Kill,
            Trouble::Power,
            Trouble::Fail,
            Trouble::Full,
            Trouble::Short,
        ];
        let trouble = all[random.below(5) as usize];
        if random.below(2) == 0 {
            device
                .file()
                .plan(random.below(batch.pages.len() as u64 + 8), trouble);
        }
        let outcome = write_out(&device, &mut writer);
        match outcome {
            Ok(()) => drop(states.drain(..states.len() - 1)),
            Err(_) => failures += 1,
        }
        let is_dead = device.file().0.borrow().is_dead;
        // The power goes at rest too: after a sync that failed above all.
        if is_dead || random.below(8) == 0 {
            deaths += 1;
            let cause = if is_dead { trouble } else { Trouble::Power };
            device = over(Disk::with(device.file().after(cause, &mut random)));
            let found = read(&device).unwrap_or_else(|problem| panic!("{round}: {problem}"));
            assert!(states.contains(&found), "round {round}: {}", found.0);
            let pager = block_on(load(&device))?.map_or_else(Pager::new, |loaded| loaded.pager);
            writer = Writer {
                tree: pager.catalog_root(),
                pager,
                model: found.1.clone(),
            };
            states = vec![found];
        }
        device.file().0.borrow_mut().plan = None;
    }
    println!("{failures} failures, {deaths} deaths");
    assert!(failures > 100 && deaths > 50);
    Ok(())
}

/// A file that holds a tree of `entries` entries, with the pager that wrote the file.
fn planted(entries: u32) -> Result<(FileDevice<Disk>, Pager, Tree), StorageError> {
    let device = over(Disk::default());
    let (mut pager, mut tree) = (Pager::new(), Tree::new());
    for number in 0..entries {
        tree.put(&mut pager, &number.to_be_bytes(), &[number as u8; 900])?;
    }
    pager.set_catalog_root(tree);
    let batch = pager.seal()?.expect("there are changes");
    block_on(device.write(&batch, Durability::Strict))?;
    pager.confirm(batch.sequence);
    Ok((device, pager, tree))
}

#[test]
fn pages_are_read_when_they_are_needed_and_forgotten_again() -> Result<(), StorageError> {
    let (device, _, tree) = planted(3000)?;
    let device = Rc::new(device);
    let mut pager = Pager::open(&device.header()?.expect("a header"))?;
    pager.set_source(device.clone());
    pager.load_free_list()?;
    assert!(pager.is_resident() && pager.resident_count() == 0);
    assert!(tree.get(&pager, &7u32.to_be_bytes())?.is_some());
    let path = pager.resident_count();
    assert!(path <= 3, "a way down the tree is short: {path}");
    assert_eq!(pager.accounting().counters().pages_read, path);
    assert!(check(&pager, &[("herbs", tree)], &NoEnv)?.is_sound());
    let all = pager.resident_count();
    assert!(all > 150);
    // The pages looked at by the last command are forgotten last.
    pager.take_accounting();
    tree.get(&pager, &7u32.to_be_bytes())?;
    assert_eq!(pager.spare(all as usize - 10), all as usize - 10);
    pager.take_accounting();
    let resident = pager.resident_count();
    tree.get(&pager, &7u32.to_be_bytes())?;
    assert_eq!(pager.resident_count(), resident);
    // A snapshot reads freed pages that were never in memory.
    let snapshot = pager.open_snapshot();
    assert!(pager.spare(usize::MAX) > 0);
    let mut now = tree;
    now.drop_tree(&mut pager)?;
    pager.set_catalog_root(now);
    let batch = pager.seal()?.expect("there are changes");
    assert_eq!(pager.spare(usize::MAX), 0, "a batch is not confirmed");
    block_on(device.write(&batch, Durability::Strict))?;
    pager.confirm(batch.sequence);
    for number in (0..3000u32).step_by(97) {
        let value = tree.get_ref(&pager, &number.to_be_bytes())?;
        assert_eq!(value.as_deref(), Some(&[number as u8; 900][..]));
    }
    drop(snapshot);
    Ok(())
}

#[test]
fn damage_is_told_with_its_page_and_costs_no_other() -> Result<(), StorageError> {
    let (device, _, tree) = planted(500)?;
    let bytes = device.file().0.borrow().cache.clone();
    let opened = |bytes: Vec<u8>| -> Result<Pager, StorageError> {
        let device = Rc::new(over(Disk::with(bytes)));
        let mut pager = Pager::open(&device.header()?.expect("a header"))?;
        pager.set_source(device);
        Ok(pager)
    };
    let said = |pager: &Pager| {
        let mut problems: Vec<String> = (0..500u32)
            .filter_map(|number| tree.get(pager, &number.to_be_bytes()).err())
            .map(|error| error.to_string())
            .collect();
        problems.dedup();
        problems
    };
    let mut flipped = bytes.clone();
    flipped[PAGE_SIZE * 4 + 9000] ^= 1;
    assert_eq!(
        said(&opened(flipped)?),
        ["page 3 is corrupt: checksum mismatch"]
    );
    let mut moved = bytes.clone();
    moved.copy_within(PAGE_SIZE * 4..PAGE_SIZE * 5, PAGE_SIZE * 5);
    assert_eq!(
        said(&opened(moved)?),
        ["page 4 is corrupt: it carries the number 3"]
    );
    let cut = said(&opened(bytes[..PAGE_SIZE * 9 + 100].to_vec())?);
    assert_eq!(cut[0], "page 8 is corrupt: checksum mismatch");
    assert!(
        cut[1..]
            .iter()
            .all(|word| word.ends_with("it is not stored"))
    );
    // Bytes that another program put behind the end are nobody's.
    let grown = [&bytes[..], &[9; 40_000]].concat();
    assert!(said(&opened(grown)?).is_empty());
    Ok(())
}

#[test]
fn a_file_that_is_none_of_ours_is_neither_read_nor_written() -> Result<(), StorageError> {
    let (_, mut pager, _) = planted(10)?;
    pager.set_catalog_root(Tree::new());
    let batch = pager.seal()?.expect("there are changes");
    let note = b"dear diary".to_vec();
    for bytes in [note, vec![7; 5 * PAGE_SIZE], vec![0; 5 * PAGE_SIZE]] {
        let device = over(Disk::with(bytes.clone()));
        let said = device.header().expect_err("it is no data file").to_string();
        assert!(said.contains("none of this engine's"), "{said}");
        block_on(device.write(&batch, Durability::Strict)).expect_err("nothing is written");
        assert!(device.file().0.borrow().cache == bytes);
    }
    // A new file whose making was cut off is a new file.
    for length in [0, 1, PAGE_SIZE, PAGE_SIZE + 7] {
        let device = over(Disk::with(vec![0; length]));
        assert_eq!(device.header()?, None);
    }
    Ok(())
}

#[test]
fn another_writer_is_met_by_the_fence() -> Result<(), StorageError> {
    let (device, mut pager, mut tree) = planted(10)?;
    let other = over(device.file().clone());
    let mut theirs = block_on(load(&other))?.expect("a deployment").pager;
    let mut their_tree = theirs.catalog_root();
    their_tree.put(&mut theirs, b"theirs", b"1")?;
    theirs.set_catalog_root(their_tree);
    let batch = theirs.seal()?.expect("there are changes");
    block_on(other.write(&batch, Durability::Strict))?;
    tree.put(&mut pager, b"ours", b"1")?;
    pager.set_catalog_root(tree);
    let batch = pager.seal()?.expect("there are changes");
    let before = device.file().0.borrow().cache.clone();
    let refused = block_on(device.write(&batch, Durability::Strict));
    assert!(matches!(
        refused.map_err(StorageError::into_fault),
        Err(StorageFault::Fenced {
            stored: 2,
            expected: 1
        })
    ));
    assert!(device.file().0.borrow().cache == before);
    Ok(())
}
