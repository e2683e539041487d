//! Demand paging: a deployment is opened with few of its pages, and gets the others when they are asked for.
//!
//! A command that meets an absent page stops with `NotResident` and is rolled back; the host asks its device for that
//! page, gives the answer to `deliver`, then runs the command again. Invariants: a delivered page becomes resident only
//! when it belongs to the state that this pager has, so a page that another writer replaced meanwhile is never taken
//! for ours; a page that was asked for and is not stored is damaged, not absent, so asking for pages ends.

use super::header::{Header, header_sequence};
use super::page::{self, Buffer, PageNumber};
use super::pager::{Pager, State};
use crate::error::StorageError;

/// The page number that means all pages. A command that cannot be run a second time asks for it.
pub const EVERY_PAGE: PageNumber = PageNumber::MAX;

/// The fault of a page that is asked for and that no device has.
pub(crate) const NOT_STORED: &str = "it is not stored";

/// Pages read from a device in one view of it.
#[derive(Debug, Clone, Default)]
pub struct Fetched {
    /// The header that was stored then.
    pub header: Option<Vec<u8>>,
    /// The stored pages among those asked for.
    pub pages: Vec<(PageNumber, Buffer)>,
}

/// The outcome of `deliver`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Each page asked for is resident now, or known to be damaged.
    Taken,
    /// Another writer committed meanwhile. The pages that it did not replace were taken; the others can only be had
    /// after a `refresh`.
    MovedOn,
    /// The device holds another deployment, or none.
    Gone,
}

impl Pager {
    /// Whether a device may still be asked for this page: a free one that a snapshot may see counts.
    #[inline]
    fn is_absent(&self, number: PageNumber) -> bool {
        self.table.get(number as usize).is_some_and(|entry| {
            entry.buffer.get().is_none()
                && !entry.corrupt
                && number != 0
                && entry.state != State::Reusable
        })
    }

    /// The first absent page from this number on.
    pub fn next_absent(&self, from: PageNumber) -> Option<PageNumber> {
        (from.max(1)..self.page_count()).find(|number| self.is_absent(*number))
    }

    /// Whether no command can stop at an absent page any more.
    pub fn is_resident(&self) -> bool {
        if self.source.is_some() {
            return true;
        }
        if !self.resident.get() {
            self.resident.set(self.next_absent(1).is_none());
        }
        self.resident.get()
    }

    /// Takes over the pages that a device delivered when asked for `asked`. `known` is the `durable_sequence` of that
    /// time. Give nothing here that was asked for before a `refresh`.
    ///
    /// # Errors
    /// `UnsupportedFormat` for a header of another format version, `Corrupt` (page 0) for a damaged one.
    pub fn deliver(
        &mut self,
        fetched: Fetched,
        asked: &[PageNumber],
        known: u64,
    ) -> Result<Delivery, StorageError> {
        let Some(header) = &fetched.header else {
            return Ok(Delivery::Gone);
        };
        let sequence = header_sequence(header)?;
        if sequence < known || self.is_foreign(header)? {
            return Ok(Delivery::Gone);
        }
        let moved_on = sequence > self.sequence();
        for (number, buffer) in fetched.pages {
            let is_newer = moved_on && page::sequence_of(&buffer) > self.sequence();
            if self.is_absent(number) && !is_newer {
                // A page that fails its checks is marked: reading it is an error that names it.
                let _ = self.insert_buffer(number, buffer);
            }
        }
        if moved_on {
            return Ok(Delivery::MovedOn);
        }
        for number in asked {
            self.give_up(*number, NOT_STORED);
        }
        Ok(Delivery::Taken)
    }

    /// Whether a header is another deployment's, as far as it tells: of another identity, or of this sequence and
    /// another lineage.
    ///
    /// # Errors
    /// Those of `header_sequence`.
    pub fn is_foreign(&self, header: &[u8]) -> Result<bool, StorageError> {
        let header = Header::decode(header)?;
        // A deployment without an identity is given one by its next batch, whichever tab writes that.
        let is_marked = self.mark.identity != 0 && self.durable_sequence() > self.mark.unmarked;
        let is_other = is_marked && header.mark != self.mark;
        let has_branched = header.sequence == self.sequence() && header.lineage != self.lineage();
        Ok(is_other || has_branched)
    }

    /// Declares that an absent page can no longer be had, and why. A page known to be damaged stays so.
    pub fn give_up(&mut self, number: PageNumber, reason: &str) {
        if self.is_absent(number) {
            self.mark_corrupt(number, reason.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::conformance::block_on;
    use super::super::{
        CommitBatch, Durability, MemoryDevice, PageDevice, Snapshot, Tree, check, load,
    };
    use super::*;
    use crate::env::NoEnv;
    use crate::error::StorageFault;

    type Result<T = ()> = std::result::Result<T, StorageError>;

    fn key(number: u32) -> [u8; 4] {
        number.to_be_bytes()
    }

    fn commit(pager: &mut Pager, tree: Tree, device: &MemoryDevice) -> Result<CommitBatch> {
        pager.set_catalog_root(tree);
        let batch = pager.seal()?.expect("there are changes");
        block_on(device.write(&batch, Durability::Strict))?;
        pager.confirm(batch.sequence);
        Ok(batch)
    }

    fn planted(entries: u32) -> Result<(Pager, Tree, MemoryDevice)> {
        let (mut pager, mut tree, device) = (Pager::new(), Tree::new(), MemoryDevice::new());
        for number in 0..entries {
            tree.put(&mut pager, &key(number), &[number as u8; 900])?;
        }
        commit(&mut pager, tree, &device)?;
        Ok((pager, tree, device))
    }

    fn opened(device: &MemoryDevice) -> Result<Pager> {
        let mut pager = Pager::open(&block_on(device.read_header())?.expect("a header"))?;
        // So few pages were freed that the header tells them all.
        pager.load_free_list()?;
        Ok(pager)
    }

    fn fetched(device: &MemoryDevice, asked: &[PageNumber]) -> Result<Fetched> {
        let header = block_on(device.read_header())?;
        let mut pages = Vec::new();
        for number in asked {
            pages.extend(block_on(device.read_pages(*number, 1))?);
        }
        Ok(Fetched { header, pages })
    }

    fn read(pager: &Pager, tree: Tree, number: u32) -> Result<Option<Vec<u8>>> {
        let value = tree.get_ref(pager, &key(number))?;
        Ok(value.map(|value| value.to_vec()))
    }

    /// Reads, and fetches missing pages until the read succeeds.
    fn faulting<T>(
        pager: &mut Pager,
        device: &MemoryDevice,
        mut read: impl FnMut(&mut Pager) -> Result<T>,
    ) -> Result<T> {
        loop {
            match read(pager) {
                Err(error) if matches!(error.fault(), StorageFault::NotResident { .. }) => {
                    let StorageFault::NotResident { page } = error.into_fault() else {
                        continue;
                    };
                    let known = pager.durable_sequence();
                    let fetched = fetched(device, &[page])?;
                    assert_eq!(pager.deliver(fetched, &[page], known)?, Delivery::Taken);
                }
                outcome => return outcome,
            }
        }
    }

    #[test]
    fn everything_is_resident_once_nothing_is_absent() -> Result {
        let (pager, _, device) = planted(500)?;
        assert!(pager.is_resident() && Pager::new().is_resident());
        let mut cold = opened(&device)?;
        assert!(!cold.is_resident());
        let mut next = 1;
        while let Some(number) = cold.next_absent(next) {
            assert!(!cold.is_resident());
            let fetched = fetched(&device, &[number])?;
            assert_eq!(cold.deliver(fetched, &[number], 1)?, Delivery::Taken);
            next = number + 1;
        }
        assert!(cold.is_resident());
        assert_eq!(cold.resident_count(), pager.resident_count());
        let tree = cold.catalog_root();
        assert!(check(&cold, &[("garden", tree)], &NoEnv)?.is_sound());
        Ok(())
    }

    #[test]
    fn a_page_that_another_writer_replaced_is_not_taken() -> Result {
        let (mut writer, mut tree, device) = planted(500)?;
        let mut reader = opened(&device)?;
        let old = reader.catalog_root();
        // Two commits on: the second reuses the pages that the first freed.
        for round in 1..=2 {
            for number in 0..500 {
                tree.put(&mut writer, &key(number), &[round; 900])?;
            }
            commit(&mut writer, tree, &device)?;
        }
        let mut outcomes = Vec::new();
        let mut number = 1;
        while let Some(page) = reader.next_absent(number) {
            let fetched = fetched(&device, &[page])?;
            outcomes.push(reader.deliver(fetched, &[page], 1)?);
            number = page + 1;
        }
        assert!(outcomes.iter().all(|one| *one == Delivery::MovedOn));
        assert!(!reader.is_resident(), "some were replaced");
        match read(&reader, old, 0).map_err(StorageError::into_fault) {
            Err(StorageFault::NotResident { .. }) => {}
            other => panic!("the old state was read from newer pages: {other:?}"),
        }
        // The changed pages are the record's matter; here they are just all.
        let header = block_on(device.read_header())?.expect("a header");
        let changed: Vec<PageNumber> = (1..writer.page_count()).collect();
        reader.refresh(&header, &changed)?;
        let tree = reader.catalog_root();
        let value = faulting(&mut reader, &device, |pager| read(pager, tree, 7))?;
        assert_eq!(value, Some(vec![2; 900]));
        Ok(())
    }

    #[test]
    fn a_page_that_is_not_stored_or_damaged_is_named() -> Result {
        let (_, tree, device) = planted(500)?;
        let mut cold = opened(&device)?;
        let known = cold.durable_sequence();
        let nothing = Fetched {
            header: block_on(device.read_header())?,
            pages: Vec::new(),
        };
        let missing = read(&cold, tree, 3).map_err(StorageError::into_fault);
        let Err(StorageFault::NotResident { page }) = missing else {
            panic!("nothing is resident");
        };
        assert_eq!(cold.deliver(nothing, &[page], known)?, Delivery::Taken);
        let said = read(&cold, tree, 3).expect_err("the page is missing");
        assert!(
            matches!(said.fault(), StorageFault::Corrupt { page: named, reason } if *named == page && reason == NOT_STORED),
            "{said}"
        );
        let mut bytes = device.page(page).expect("it is stored");
        bytes[9000] ^= 1;
        device.put_page(page, &bytes);
        let mut cold = opened(&device)?;
        let damaged = fetched(&device, &[page])?;
        assert_eq!(cold.deliver(damaged, &[page], known)?, Delivery::Taken);
        assert!(matches!(
            read(&cold, tree, 3).map_err(StorageError::into_fault),
            Err(StorageFault::Corrupt { page: named, reason }) if named == page && reason == "checksum mismatch"
        ));
        Ok(())
    }

    #[test]
    fn another_deployment_or_none_is_not_ours() -> Result {
        let (_, _, device) = planted(50)?;
        let (mut other, mut tree, elsewhere) = planted(60)?;
        let mut cold = opened(&device)?;
        let none = Fetched::default();
        assert_eq!(cold.deliver(none, &[1], 1)?, Delivery::Gone);
        let foreign = fetched(&elsewhere, &[1])?;
        assert_eq!(cold.deliver(foreign, &[1], 1)?, Delivery::Gone);
        assert_eq!(cold.resident_count(), 0);
        tree.put(&mut other, &key(1), b"later")?;
        commit(&mut other, tree, &elsewhere)?;
        let mut newer = opened(&elsewhere)?;
        let older = fetched(&device, &[1])?;
        assert_eq!(newer.deliver(older, &[1], 2)?, Delivery::Gone);
        Ok(())
    }

    #[test]
    fn a_snapshot_reads_pages_that_were_freed_before_they_came() -> Result {
        let (_, tree, device) = planted(2000)?;
        let mut cold = opened(&device)?;
        let snapshot: Snapshot = cold.open_snapshot();
        let old = tree;
        let mut now = tree;
        // Freed while the leaves are absent: dropping a tree reads its branches only.
        faulting(&mut cold, &device, |pager| {
            let savepoint = pager.savepoint();
            let mut copy = now;
            match copy.drop_tree(pager) {
                Ok(()) => {
                    pager.release(savepoint);
                    now = copy;
                    Ok(())
                }
                Err(error) => {
                    pager.rollback_to(savepoint)?;
                    Err(error)
                }
            }
        })?;
        commit(&mut cold, now, &device)?;
        for number in (0..2000).step_by(97) {
            let value = faulting(&mut cold, &device, |pager| read(pager, old, number))?;
            assert_eq!(value, Some(vec![number as u8; 900]));
        }
        drop(snapshot);
        let savepoint = cold.savepoint();
        cold.release(savepoint);
        assert!(cold.is_resident(), "free pages are not asked for");
        assert!(check(&cold, &[("garden", now)], &NoEnv)?.is_sound());
        let reopened = block_on(load(&device))?.expect("a deployment").pager;
        assert!(check(&reopened, &[("garden", reopened.catalog_root())], &NoEnv)?.is_sound());
        Ok(())
    }
}
