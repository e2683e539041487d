//! The duties of a page device, as one suite that runs on any of them.
//!
//! The suite asks a `Laboratory` for devices by name and says in words what a device did wrong. It is generic and
//! unused by the engine, so it costs a build nothing. Natively the futures run on `block_on`, in a browser on its event
//! loop.

use super::btree::Tree;
use super::check::check;
use super::commit::CommitBatch;
use super::device::{Durability, PageDevice, load};
use super::header::HEADER_COPIES;
use super::page::{PAGE_SIZE, PageNumber};
use super::pager::Pager;
use crate::env::NoEnv;
use crate::error::{StorageError, StorageFault};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Makes devices for the suite.
#[allow(async_fn_in_trait)]
pub trait Laboratory {
    /// The device under test.
    type Device: PageDevice;

    /// A device on the store of this name, which exists empty when the name is new. A second device on the same name
    /// stands for a second tab.
    ///
    /// # Errors
    /// Errors of the device.
    async fn open(&self, name: &str) -> Result<Self::Device, StorageError>;

    /// Stores bytes as one copy of the header in the store of this name, or takes that copy away.
    ///
    /// # Errors
    /// Errors of the device.
    async fn put_header(
        &self,
        name: &str,
        copy: usize,
        bytes: Option<&[u8]>,
    ) -> Result<(), StorageError>;
}

/// A duty that a device failed in, in words.
pub type Complaint = String;

fn said(what: &'static str) -> impl FnOnce(StorageError) -> Complaint {
    move |error| format!("{what}: {error}")
}

fn must(holds: bool, what: &str) -> Result<(), Complaint> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// Runs a future that never waits for anything outside, such as those of memory devices.
///
/// # Panics
/// Never ends when the future waits for something.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// Runs the whole suite.
///
/// # Errors
/// The first complaint, with the name of the part it came from.
pub async fn run<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let named = |name: &'static str| move |complaint: Complaint| format!("{name}: {complaint}");
    empty(laboratory).await.map_err(named("an empty store"))?;
    round_trip(laboratory).await.map_err(named("round trip"))?;
    ranges(laboratory).await.map_err(named("ranges"))?;
    fence(laboratory).await.map_err(named("fence"))?;
    repeat(laboratory).await.map_err(named("repeated write"))?;
    large(laboratory).await.map_err(named("large batch"))?;
    reuse(laboratory).await.map_err(named("reused pages"))?;
    merged(laboratory).await.map_err(named("merged batches"))?;
    shrinking(laboratory).await.map_err(named("shrinking"))?;
    headers(laboratory)
        .await
        .map_err(named("copies of the header"))
}

/// A deployment with one tree, which is its catalog.
struct Garden {
    pager: Pager,
    tree: Tree,
}

impl Garden {
    fn new() -> Self {
        Self {
            pager: Pager::new(),
            tree: Tree::new(),
        }
    }

    fn plant(&mut self, from: u32, to: u32, size: usize) -> Result<(), Complaint> {
        for number in from..to {
            let value = vec![number as u8; size];
            self.tree
                .put(&mut self.pager, &number.to_be_bytes(), &value)
                .map_err(said("put"))?;
        }
        Ok(())
    }

    fn seal(&mut self) -> Result<CommitBatch, Complaint> {
        self.pager.set_catalog_root(self.tree);
        let batch = self.pager.seal().map_err(said("seal"))?;
        batch.ok_or_else(|| "nothing to seal".to_owned())
    }

    async fn commit<D: PageDevice>(
        &mut self,
        device: &D,
        durability: Durability,
    ) -> Result<CommitBatch, Complaint> {
        let batch = self.seal()?;
        device
            .write(&batch, durability)
            .await
            .map_err(said("write"))?;
        self.pager.confirm(batch.sequence);
        Ok(batch)
    }
}

/// The stored deployment must be sound and hold exactly these keys.
async fn holds<D: PageDevice>(device: &D, keys: u64, sequence: u64) -> Result<(), Complaint> {
    let loaded = load(device)
        .await
        .map_err(said("load"))?
        .ok_or("the store has no header")?;
    must(loaded.damaged.is_empty(), "pages are missing or damaged")?;
    must(
        loaded.pager.sequence() == sequence,
        "the stored sequence is another",
    )?;
    let tree = loaded.pager.catalog_root();
    must(tree.len() == keys, "the number of keys is another")?;
    let report = check(&loaded.pager, &[("garden", tree)], &NoEnv).map_err(said("check"))?;
    match report.problems.first() {
        Some(problem) => Err(format!("page {}: {}", problem.page, problem.reason)),
        None => Ok(()),
    }
}

async fn empty<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("empty").await.map_err(said("open"))?;
    must(
        device
            .read_header()
            .await
            .map_err(said("read_header"))?
            .is_none(),
        "it has a header",
    )?;
    must(
        device
            .read_pages(1, 100)
            .await
            .map_err(said("read_pages"))?
            .is_empty(),
        "it has pages",
    )?;
    must(
        load(&device).await.map_err(said("load"))?.is_none(),
        "it has a deployment",
    )
}

async fn round_trip<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("round trip").await.map_err(said("open"))?;
    let mut garden = Garden::new();
    garden.plant(0, 2000, 50)?;
    let batch = garden.commit(&device, Durability::Relaxed).await?;
    same_bytes(&device, &batch).await?;
    garden.plant(1990, 2010, 60)?;
    let batch = garden.commit(&device, Durability::Strict).await?;
    same_bytes(&device, &batch).await?;
    holds(&device, 2010, 2).await?;
    drop(device);
    let device = laboratory.open("round trip").await.map_err(said("open"))?;
    same_bytes(&device, &batch).await?;
    holds(&device, 2010, 2).await
}

async fn same_bytes<D: PageDevice>(device: &D, batch: &CommitBatch) -> Result<(), Complaint> {
    let header = device.read_header().await.map_err(said("read_header"))?;
    must(
        header.as_deref() == Some(&batch.header[..]),
        "the header is another",
    )?;
    for (number, buffer) in &batch.pages {
        let read = device
            .read_pages(*number, 1)
            .await
            .map_err(said("read_pages"))?;
        let [(found, bytes)] = &read[..] else {
            return Err(format!("page {number} is not there"));
        };
        must(
            found == number && bytes == buffer,
            "a page's bytes are others",
        )?;
    }
    Ok(())
}

async fn ranges<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("ranges").await.map_err(said("open"))?;
    let mut garden = Garden::new();
    garden.plant(0, 400, 3000)?;
    let batch = garden.commit(&device, Durability::Relaxed).await?;
    let stored: Vec<PageNumber> = batch.pages.iter().map(|(number, _)| *number).collect();
    let last = stored.last().copied().unwrap_or(0);
    for (first, count) in [
        (1, last),
        (1, 1),
        (2, 7),
        (last, 1),
        (last - 3, 100),
        (last + 1, 5),
        (3, 0),
    ] {
        let read = device
            .read_pages(first, count)
            .await
            .map_err(said("read_pages"))?;
        let expected: Vec<_> = stored
            .iter()
            .copied()
            .filter(|number| (first..first + count).contains(number))
            .collect();
        must(
            read.iter().map(|(number, _)| *number).eq(expected),
            "a range has other pages",
        )?;
        must(
            read.iter().all(|(_, bytes)| bytes.len() == PAGE_SIZE),
            "a page has another size",
        )?;
    }
    Ok(())
}

async fn fence<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("fence").await.map_err(said("open"))?;
    let mut garden = Garden::new();
    garden.plant(0, 100, 50)?;
    garden.commit(&device, Durability::Relaxed).await?;
    // A second tab reads, the first writes on, then the second writes on its old state.
    let other = laboratory
        .open("fence")
        .await
        .map_err(said("open a second time"))?;
    let loaded = load(&other)
        .await
        .map_err(said("load"))?
        .ok_or("the store has no header")?;
    let mut second = Garden {
        tree: loaded.pager.catalog_root(),
        pager: loaded.pager,
    };
    garden.plant(100, 150, 50)?;
    garden.commit(&device, Durability::Relaxed).await?;
    second.plant(500, 900, 50)?;
    let late = second.seal()?;
    match other
        .write(&late, Durability::Strict)
        .await
        .map_err(StorageError::into_fault)
    {
        Err(StorageFault::Fenced {
            stored: 2,
            expected: 1,
        }) => {}
        outcome => return Err(format!("a late write ended with {outcome:?}")),
    }
    holds(&device, 150, 2).await?;
    // A store that another deployment lives in refuses a new one.
    let mut stranger = Garden::new();
    stranger.plant(0, 1, 10)?;
    let batch = stranger.seal()?;
    match device
        .write(&batch, Durability::Relaxed)
        .await
        .map_err(StorageError::into_fault)
    {
        Err(StorageFault::Fenced {
            stored: 2,
            expected: 0,
        }) => {}
        outcome => return Err(format!("a stranger's write ended with {outcome:?}")),
    }
    // Another deployment that came to the same sequence is not the same, however alike their headers are.
    let mut twin = Garden::new();
    twin.plant(1000, 1100, 50)?;
    twin.seal()?;
    twin.plant(1100, 1150, 50)?;
    for expected in [1, 2] {
        let batch = twin.seal()?;
        match device
            .write(&batch, Durability::Relaxed)
            .await
            .map_err(StorageError::into_fault)
        {
            Err(StorageFault::Fenced {
                stored: 2,
                expected: found,
            }) if found == expected => {}
            outcome => return Err(format!("a twin's write ended with {outcome:?}")),
        }
        twin.plant(1150, 1160, 50)?;
    }
    // A batch cannot overtake the one it follows.
    garden.plant(150, 160, 50)?;
    let first = garden.seal()?;
    garden.plant(160, 170, 50)?;
    let second = garden.seal()?;
    match device
        .write(&second, Durability::Relaxed)
        .await
        .map_err(StorageError::into_fault)
    {
        Err(StorageFault::Fenced {
            stored: 2,
            expected: 3,
        }) => {}
        outcome => return Err(format!("a write out of sequence ended with {outcome:?}")),
    }
    holds(&device, 150, 2).await?;
    device
        .write(&first, Durability::Relaxed)
        .await
        .map_err(said("write"))?;
    device
        .write(&second, Durability::Relaxed)
        .await
        .map_err(said("write"))?;
    holds(&device, 170, 4).await
}

async fn repeat<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("repeat").await.map_err(said("open"))?;
    let mut garden = Garden::new();
    garden.plant(0, 100, 50)?;
    let batch = garden.seal()?;
    for _ in 0..3 {
        device
            .write(&batch, Durability::Relaxed)
            .await
            .map_err(said("the same write again"))?;
    }
    holds(&device, 100, 1).await
}

async fn large<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("large").await.map_err(said("open"))?;
    let mut garden = Garden::new();
    garden.plant(0, 1500, 4000)?;
    garden.plant(1500, 1502, 3 << 20)?;
    let batch = garden.commit(&device, Durability::Strict).await?;
    must(batch.pages.len() > 600, "the batch is not large")?;
    holds(&device, 1502, 1).await
}

async fn reuse<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("reuse").await.map_err(said("open"))?;
    let mut garden = Garden::new();
    garden.plant(0, 1000, 200)?;
    garden.commit(&device, Durability::Relaxed).await?;
    for round in 0..6u32 {
        for number in (round % 3 * 300)..(round % 3 * 300 + 250) {
            garden
                .tree
                .remove(&mut garden.pager, &number.to_be_bytes())
                .map_err(said("remove"))?;
        }
        garden.commit(&device, Durability::Relaxed).await?;
        garden.plant(0, 1000, 200)?;
        garden.commit(&device, Durability::Relaxed).await?;
        holds(&device, 1000, u64::from(round) * 2 + 3).await?;
    }
    Ok(())
}

async fn merged<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("merged").await.map_err(said("open"))?;
    let mut garden = Garden::new();
    for round in 0..4 {
        garden.plant(round * 100, round * 100 + 150, 80)?;
        garden.seal()?;
    }
    let batch = garden
        .pager
        .unconfirmed_batch()
        .ok_or("nothing is unconfirmed")?;
    must(
        batch.expected == 0 && batch.sequence == 4,
        "the merged batch spans other sequences",
    )?;
    device
        .write(&batch, Durability::Relaxed)
        .await
        .map_err(said("write"))?;
    garden.pager.confirm(batch.sequence);
    must(
        garden.pager.unconfirmed_batch().is_none(),
        "something is unconfirmed still",
    )?;
    holds(&device, 450, 4).await
}

async fn shrinking<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let device = laboratory.open("shrinking").await.map_err(said("open"))?;
    let mut garden = Garden::new();
    garden.plant(0, 100, 50)?;
    garden.commit(&device, Durability::Relaxed).await?;
    for round in 0..2 {
        let mut tall = Tree::new();
        for number in 0..300_u32 {
            tall.put(&mut garden.pager, &number.to_be_bytes(), &[1; 3000])
                .map_err(said("put"))?;
        }
        // The tall tree stands in for the catalog once, so that it is stored.
        let small = std::mem::replace(&mut garden.tree, tall);
        let grown = garden.commit(&device, Durability::Relaxed).await?;
        garden.tree = small;
        tall.drop_tree(&mut garden.pager)
            .map_err(said("drop_tree"))?;
        garden.commit(&device, Durability::Relaxed).await?;
        must(garden.pager.has_changes(), "nothing is left to release")?;
        let released = garden.commit(&device, Durability::Relaxed).await?;
        must(
            released.pages.is_empty() && released.page_count + 50 < grown.page_count,
            "the batch releases nothing",
        )?;
        let stored = device.stored_pages().await.map_err(said("stored_pages"))?;
        must(
            stored < released.page_count,
            "released pages are still stored",
        )?;
        holds(&device, 100, round * 3 + 4).await?;
    }
    garden.plant(100, 900, 500)?;
    garden.commit(&device, Durability::Relaxed).await?;
    holds(&device, 900, 8).await
}

/// A damaged deployment is refused for reading, loading, and writing, which would overwrite the stored pages.
async fn refuses<D: PageDevice>(device: &D, batch: &CommitBatch) -> Result<(), Complaint> {
    let is_damage = |error: StorageError| {
        matches!(
            error.fault(),
            StorageFault::Corrupt { page: 0, .. } | StorageFault::UnsupportedFormat { .. }
        )
    };
    let read = device.read_header().await.err();
    must(
        read.is_some_and(is_damage),
        "a store without a header that can be read has one",
    )?;
    let loaded = load(device).await.err();
    must(loaded.is_some_and(is_damage), "it was loaded")?;
    let written = device.write(batch, Durability::Relaxed).await.err();
    must(written.is_some_and(is_damage), "it was written to")
}

async fn headers<L: Laboratory>(laboratory: &L) -> Result<(), Complaint> {
    let name = "headers";
    let device = laboratory.open(name).await.map_err(said("open"))?;
    let put = async |copy: usize, bytes: Option<&[u8]>| {
        let put = laboratory.put_header(name, copy, bytes).await;
        put.map_err(said("put_header"))
    };
    let stored = device.stored_pages().await.map_err(said("stored_pages"))?;
    must(stored == 0, "an empty store has pages")?;
    let mut garden = Garden::new();
    garden.plant(0, 100, 50)?;
    let first = garden.commit(&device, Durability::Relaxed).await?;
    garden.plant(100, 200, 50)?;
    let second = garden.commit(&device, Durability::Relaxed).await?;
    let mut flipped = second.header.to_vec();
    flipped[60] ^= 1;
    let mut unknown = second.header.to_vec();
    unknown[8] = 99;
    for copy in 0..HEADER_COPIES {
        for damage in [
            None,
            Some(&flipped[..]),
            Some(&unknown),
            Some(&first.header),
        ] {
            put(copy, damage).await?;
            holds(&device, 200, 2).await?;
            same_bytes(&device, &second).await?;
            put(copy, Some(&second.header)).await?;
        }
    }
    // A damaged copy is mended by the next batch: then the other may go.
    put(0, Some(&flipped)).await?;
    garden.plant(200, 300, 50)?;
    let third = garden.commit(&device, Durability::Relaxed).await?;
    put(1, None).await?;
    holds(&device, 300, 3).await?;
    put(0, None).await?;
    put(1, Some(&third.header)).await?;
    garden.plant(300, 400, 50)?;
    let fourth = garden.commit(&device, Durability::Relaxed).await?;
    put(1, Some(&flipped)).await?;
    holds(&device, 400, 4).await?;
    // The only copy of a build that kept one.
    put(1, None).await?;
    holds(&device, 400, 4).await?;
    let stored = device.stored_pages().await.map_err(said("stored_pages"))?;
    must(
        stored > 0 && stored < fourth.page_count,
        "pages are miscounted",
    )?;
    // Pages without a header are no new deployment, and are not written over: neither by a stranger nor by their
    // writer.
    let mut stranger = Garden::new();
    stranger.plant(0, 10, 10)?;
    let strange = stranger.seal()?;
    garden.plant(400, 500, 50)?;
    let next = garden.seal()?;
    for damage in [None, Some(&flipped[..]), Some(&unknown)] {
        for copy in 0..HEADER_COPIES {
            put(copy, damage).await?;
        }
        refuses(&device, &strange).await?;
        refuses(&device, &next).await?;
    }
    put(0, Some(&fourth.header)).await?;
    holds(&device, 400, 4).await
}

#[cfg(test)]
mod tests {
    use super::super::fault::FaultDevice;
    use super::super::memory::MemoryDevice;
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    /// Stores in memory by name.
    #[derive(Default)]
    struct Shelf(RefCell<BTreeMap<String, MemoryDevice>>);

    impl Shelf {
        fn store(&self, name: &str) -> MemoryDevice {
            self.0
                .borrow_mut()
                .entry(name.to_owned())
                .or_default()
                .clone()
        }
    }

    impl Laboratory for Shelf {
        type Device = MemoryDevice;

        async fn open(&self, name: &str) -> Result<MemoryDevice, StorageError> {
            Ok(self.store(name))
        }

        async fn put_header(
            &self,
            name: &str,
            copy: usize,
            bytes: Option<&[u8]>,
        ) -> Result<(), StorageError> {
            self.store(name).put_header(copy, bytes);
            Ok(())
        }
    }

    struct FaultyShelf(Shelf);

    impl Laboratory for FaultyShelf {
        type Device = FaultDevice;

        async fn open(&self, name: &str) -> Result<FaultDevice, StorageError> {
            Ok(FaultDevice::over(self.0.store(name)))
        }

        async fn put_header(
            &self,
            name: &str,
            copy: usize,
            bytes: Option<&[u8]>,
        ) -> Result<(), StorageError> {
            self.0.put_header(name, copy, bytes).await
        }
    }

    #[test]
    fn the_memory_device_conforms() {
        assert_eq!(block_on(run(&Shelf::default())), Ok(()));
    }

    #[test]
    fn the_fault_device_conforms_while_nothing_fails() {
        assert_eq!(block_on(run(&FaultyShelf(Shelf::default()))), Ok(()));
    }
}
