//! A deployment in a page or a file: the engine, its device, and the course taken when storage fails.
//!
//! Invariants: batches go out strictly in sequence, one at a time, when the host asks for a flush (`storing.rs`). The
//! strictest durability asked for holds for everything in a batch; pages that are not confirmed are kept and written
//! again. Without room, only commands that free some are allowed until a later write succeeds. After a bounded number
//! of tries at a failing device the deployment is read-only, with a reason, and everything in memory stays readable.
//! Behind the fence no unstored change is ever stored: `start_anew` drops it. A file has one writer: where another one
//! went on all the same, the deployment is read-only for good.

use super::data_file::{DataFile, EngineFile, HostFile};
use super::host::JsEnv;
use super::idb::IdbDevice;
use super::lent;
use super::memory::{self, WasmHeap};
use super::paging::{FAULT_BLOCK, Paging, block_of, open_pager, read_remains};
use super::storing::{Storing, Trouble};
use crate::command::Topology;
use crate::engine::{Engine, Outcome};
use crate::env::LANGUAGES;
use crate::error::{CommandError, StorageError, StorageFault};
use crate::storage::{
    Durability, FreedRecords, PAGE_SIZE, PageDevice, PageSource, Pager, header_sequence,
};
use js_sys::{Promise, Uint8Array};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// How long is waited before a write is tried again, in milliseconds; after the last the deployment
/// becomes read-only.
const WRITE_PAUSES: [u32; 3] = [20, 100, 500];

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &js_sys::Function, millis: u32) -> JsValue;
}

pub(super) async fn pause(millis: u32) {
    let over = Promise::new(&mut |resolve, _| {
        set_timeout(&resolve, millis);
    });
    // A timer does not fail.
    let _ = JsFuture::from(over).await;
}

/// The room that a batch is written into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    /// As much as there is.
    Found,
    /// A first try found too little, and some was made.
    Made,
}

/// Where a deployment is stored.
pub(super) enum Device {
    /// Tabs take turns at it, and its pages are fetched between commands.
    Shared(IdbDevice),
    /// It has one writer, and its pages are read in the midst of commands.
    Own(DataFile),
}

/// One open deployment.
pub struct HostedDeployment {
    pub(super) engine: RefCell<Engine>,
    pub(super) env: JsEnv,
    device: Option<Device>,
    /// The durability that the last command asked for its changes.
    asked: Cell<Option<Durability>>,
    storing: Storing,
    /// A refresh failed half way: only reading everything anew helps.
    stale: Cell<bool>,
    pub(super) paging: Paging,
}

thread_local! {
    /// What the next deployment presents itself as.
    pub(super) static NEXT: Cell<Topology> = const { Cell::new(Topology::ReplicaSet) };
}

/// The answer of `status`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    mode: &'static str,
    reason: Option<String>,
    sequence: f64,
    page_bytes: f64,
    clock_offset_millis: f64,
    unconfirmed_batches: u32,
    /// Pages read from the device since opening.
    pages_fetched: f64,
}

impl HostedDeployment {
    /// A deployment that lives in memory only.
    ///
    /// # Errors
    /// Errors of the engine.
    pub fn in_memory(env: JsEnv) -> Result<Self, CommandError> {
        let engine = Engine::create(&env)?;
        Ok(Self::new(engine, env, None))
    }

    /// Opens a deployment stored in IndexedDB, or begins one. Most of its pages come later (`paging`).
    ///
    /// # Errors
    /// A device that cannot be opened; an unknown format version; a catalog that cannot be read.
    pub async fn in_indexed_db(name: &str, env: JsEnv) -> Result<Self, CommandError> {
        let device = IdbDevice::new(name);
        let pager = open_pager(&device, &env).await?;
        let engine = Engine::open(pager, &env)?;
        Ok(Self::new(engine, env, Some(Device::Shared(device))))
    }

    /// Opens the deployment in a file, or begins one.
    ///
    /// # Errors
    /// A file that cannot be read, or is none of this engine's; an unknown format version; a catalog that cannot be
    /// read.
    pub fn in_file(file: EngineFile, env: JsEnv) -> Result<Self, CommandError> {
        let file = HostFile::device(file);
        let mut pager = file
            .header()?
            .map_or_else(|| Ok(Pager::new()), |header| Pager::open(&header))?;
        let source = Rc::clone(&file);
        pager.set_source(source);
        // Where there is no room for the spare places now, commands that need them are told. A page that the engine
        // adds in opening is claimed with the first command that keeps it: a program that reads changes nothing.
        let _ = file.claim(pager.page_count(), true);
        Engine::prepare(&mut pager, &env)?;
        let engine = Engine::open(pager, &env)?;
        let deployment = Self::new(engine, env, Some(Device::Own(file)));
        deployment.stop_reading();
        Ok(deployment)
    }

    /// The readable part of a damaged deployment in IndexedDB, copied into memory and read-only. Nothing stored is
    /// changed, unless it is to be repaired and something was lost: the copy then takes the place of all that is
    /// stored, in one transaction.
    ///
    /// # Errors
    /// A device that cannot be read, or written; an unknown format version; nothing stored; another tab that wrote
    /// meanwhile.
    pub async fn salvaged(name: &str, env: JsEnv, repair: bool) -> Result<Self, CommandError> {
        let device = IdbDevice::new(name);
        let (header, pages) = read_remains(&device).await?;
        let mut engine = Engine::salvage(header.as_deref(), pages, &env)?;
        if repair && let Some(batch) = engine.take_repair()? {
            persistently(async || device.write(&batch, Durability::Strict).await).await?;
            device.close();
            engine.confirm(batch.sequence);
        }
        Ok(Self::new(engine, env, None))
    }

    /// The readable part of a damaged deployment in a file, copied into memory and read-only. The file is only read.
    ///
    /// # Errors
    /// A file that cannot be read, or has no page; an unknown format version; memory.
    pub fn salvaged_file(file: EngineFile, env: JsEnv) -> Result<Self, CommandError> {
        let file = HostFile::device(file);
        let header = match file.header() {
            Err(error) if error.is_corrupt() => None,
            header => header?,
        };
        let end = file.end()?;
        // The copy that is made of them takes about as much again.
        if !memory::may_read(end as usize * 2 * PAGE_SIZE) {
            return Err(StorageError::out_of_memory().into());
        }
        let mut pages = Vec::new();
        for number in 1..end {
            pages.extend(file.read(number)?.map(|page| (number, page)));
        }
        let engine = Engine::salvage(header.as_deref(), pages, &env)?;
        Ok(Self::new(engine, env, None))
    }

    fn new(mut engine: Engine, env: JsEnv, device: Option<Device>) -> Self {
        engine.set_heap(&WasmHeap);
        engine.set_topology(NEXT.take());
        Self {
            engine: RefCell::new(engine),
            env,
            device,
            asked: Cell::new(None),
            storing: Storing::default(),
            stale: Cell::new(false),
            paging: Paging::default(),
        }
    }

    /// The device whose pages are fetched, and that other tabs write too.
    pub(super) fn shared(&self) -> Option<&IdbDevice> {
        match &self.device {
            Some(Device::Shared(device)) => Some(device),
            _ => None,
        }
    }

    /// Forgets pages that can be read again, where they fill memory.
    fn spare_memory(&self) {
        let wanted = memory::pressing() / PAGE_SIZE;
        if wanted > 0 && matches!(self.device, Some(Device::Own(_))) {
            self.engine.borrow_mut().pager_mut().spare(wanted);
        }
    }

    /// Runs a command; its changes are stored by the next `flush`. `spare` is the room of an
    /// earlier reply. A command that stopped at a missing page changed nothing: `fetch_missing`, then run it
    /// again.
    pub fn run(self: &Rc<Self>, command: &[u8], spare: Vec<u8>) -> Outcome {
        let outcome = {
            let mut engine = self.engine.borrow_mut();
            engine.recycle(spare);
            engine.run(command, &self.env)
        };
        if outcome.missing_page == Some(LANGUAGES) {
            self.note_missing(outcome.missing_page);
        }
        match self.device {
            Some(Device::Shared(_)) => self.note_missing(outcome.missing_page),
            Some(Device::Own(_)) => self.spare_memory(),
            None => {}
        }
        self.asked.set(outcome.commit);
        if let Some(durability) = outcome.commit
            && self.device.is_some()
        {
            self.storing.want(durability);
        }
        outcome
    }

    /// Whether there are changes that no device has confirmed; never in memory.
    pub fn has_unsaved(&self) -> bool {
        let engine = self.engine.borrow();
        self.device.is_some() && (engine.has_changes() || engine.pager().unconfirmed_count() > 0)
    }

    /// The running totals of `Engine::account`.
    pub fn account(&self) -> [i64; 7] {
        self.engine.borrow().account()
    }

    /// `Pager::take_touched`.
    pub fn take_touched(&self, watch: bool) -> Vec<u32> {
        self.engine.borrow().pager().take_touched(watch)
    }

    /// `Engine::take_changes`, as a page reads them; no bytes where there are none.
    pub fn take_written(&self, gather: bool) -> Vec<u8> {
        let changes = self.engine.borrow_mut().take_changes(gather);
        match changes.is_empty() {
            true => Vec::new(),
            false => changes.told().into_bytes(),
        }
    }

    /// About how many bytes are still to be stored; 0 in memory.
    pub fn unsaved_bytes(&self) -> usize {
        match self.device {
            Some(_) => self.engine.borrow().pager().unsaved_bytes(),
            None => 0,
        }
    }

    /// Writes all changes that are not stored yet as one batch, and waits until it is stored, as durable as
    /// asked here or by a command. Changes made meanwhile are left for the next flush. Where the last try found no
    /// room, nothing is tried before something changed, unless it is to be tried `again`.
    ///
    /// # Errors
    /// The error of the last try; `status` tells whether a later one may succeed. A write that is under way, here or of
    /// lent batches.
    pub async fn flush(
        self: Rc<Self>,
        durability: Durability,
        again: bool,
    ) -> Result<(), StorageError> {
        let Some(device) = &self.device else {
            return Ok(());
        };
        self.storing.want(durability);
        self.storing.begin()?;
        let is_due = match self.storing.trouble() {
            None => true,
            Some(Trouble::Full) => again || self.engine.borrow().has_changes(),
            Some(_) => false,
        };
        if is_due {
            match self.write_out(device).await {
                Ok(()) => self.recover(),
                Err(error) => self.meet(device.trouble_of(&error), device.reason_of(&error)),
            }
        }
        self.storing.end();
        match self.storing.explained() {
            Some((_, reason)) => Err(StorageError::read_only(reason)),
            None => Ok(()),
        }
    }

    /// Whether the last command asked for more durability than to be applied; in memory too.
    pub fn asked_journal(&self) -> bool {
        self.asked.get() == Some(Durability::Strict)
    }

    /// Whether the last command left changes to be stored, or asked that all earlier ones be.
    pub fn has_changed(&self) -> bool {
        self.asked.get().is_some()
    }

    /// Whether a command asked for its journal and no strict batch was taken since.
    pub fn wants_strict(&self) -> bool {
        self.device.is_some() && self.storing.wants_strict()
    }

    /// Seals the changes since the last batch, for another thread to store while a script keeps this one from it.
    /// Nothing is written here until `end_lending`. `None` when there are no changes, or a write is under way, or
    /// storage failed.
    ///
    /// # Errors
    /// A broken invariant of the pages.
    pub fn lend_batch(&self) -> Result<Option<Uint8Array>, StorageError> {
        if self.shared().is_none() || !self.storing.may_lend() {
            return Ok(None);
        }
        // A script function of a `$where` runs while the engine is at work.
        let Ok(mut engine) = self.engine.try_borrow_mut() else {
            return Ok(None);
        };
        let Some(batch) = engine.take_batch()? else {
            return Ok(None);
        };
        let strict = self.storing.lend() == Durability::Strict;
        Ok(Some(lent::encode(&batch, strict)))
    }

    /// The other thread stored every batch up to this sequence.
    pub fn lent_stored(&self, sequence: u64) {
        self.engine.borrow_mut().confirm(sequence);
    }

    /// The other thread stores nothing more: changes that are not confirmed are written here, strictly unless
    /// all of it was stored.
    pub fn end_lending(&self, stored: bool) {
        self.storing.end_lending(stored);
    }

    /// No more writes from here on, for a reason worded for a person.
    pub(super) fn fail(&self, reason: String) {
        self.meet(Trouble::Failed, reason);
    }

    /// Another writer took over while changes were not stored here: nothing more is written before `start_anew`.
    pub(super) fn give_way(&self) {
        self.meet(Trouble::Displaced, OTHER_TAB.to_owned());
    }

    fn meet(&self, trouble: Trouble, reason: String) {
        let mut engine = self.engine.borrow_mut();
        if trouble == Trouble::Full {
            engine.set_full(reason.clone());
        } else {
            engine.set_read_only(reason.clone());
        }
        self.storing.meet(trouble, reason);
    }

    /// Everything is stored: room was found again, if there was none.
    fn recover(&self) {
        if self.trouble() == Some(Trouble::Full) {
            self.storing.recover();
            self.engine.borrow_mut().set_writable();
        }
    }

    /// The reason why changes are not stored.
    pub fn trouble(&self) -> Option<Trouble> {
        self.storing.trouble()
    }

    /// Whether writing has ended until `start_anew` or for good. A write that lacked room is tried again.
    pub(super) fn has_failed(&self) -> bool {
        self.trouble()
            .is_some_and(|trouble| trouble != Trouble::Full)
    }

    /// Drops the changes that are not stored and goes on from the stored state: for a deployment that another writer
    /// displaced.
    ///
    /// # Errors
    /// Errors of the device or the pages; nothing changed then, and it may be tried again.
    pub async fn start_anew(self: &Rc<Self>) -> Result<(), CommandError> {
        let Some(device) = self.shared() else {
            return Ok(());
        };
        let pager = open_pager(device, &self.env).await?;
        let mut engine = self.engine.borrow_mut();
        engine.reload(pager, &self.env)?;
        engine.set_writable();
        drop(engine);
        self.storing.start_anew();
        self.stale.set(false);
        self.read_anew();
        Ok(())
    }

    async fn write_out(&self, device: &Device) -> Result<(), StorageError> {
        let durability = self.storing.take_wanted();
        let mut outcome = self.write_sealed(device, durability, Room::Found).await;
        // Each turn confirms a batch at least.
        while let Err(StorageFault::Fenced { .. }) = outcome.as_ref().map_err(StorageError::fault)
            && self.confirm_stored(device).await
        {
            outcome = self.write_sealed(device, durability, Room::Found).await;
        }
        if let Device::Shared(shared) = device
            && let Err(StorageFault::OutOfSpace) = outcome.as_ref().map_err(StorageError::fault)
        {
            // Where the moments cannot be read, the batch is tried without their room.
            let _ = self.make_room(shared).await;
            outcome = self.write_sealed(device, durability, Room::Made).await;
        }
        if outcome.is_err() {
            self.storing.want(durability);
        }
        outcome
    }

    /// Makes room for a batch that found none. Records without data are dropped: the room that is kept back, and the
    /// records of free pages. Moments that nobody named go.
    async fn make_room(&self, device: &IdbDevice) -> Result<(), CommandError> {
        self.with_pages(device, Engine::drop_unnamed_moments)
            .await?;
        let (identity, free, wanted) = {
            let mut engine = self.engine.borrow_mut();
            // What they held is freed by a batch, even where they are not stored.
            engine.take_batch()?;
            let pager = engine.pager();
            let wanted = pager.unsaved_bytes() / PAGE_SIZE + 1;
            (pager.followed(), pager.free_records(), wanted)
        };
        let Some(identity) = identity else {
            return Ok(());
        };
        device.give_room(identity, &free).await?;
        device.shrink_blocks(identity, &free, wanted).await?;
        let freed = self.store_drops(device).await?;
        let followed = self.engine.borrow().pager().followed();
        if let Some(identity) = followed {
            device.shrink_blocks(identity, &freed, wanted).await?;
        }
        Ok(())
    }

    /// Stores alone, before everything that found no room, that those moments are dropped which the present has no
    /// more: the batches that follow may be larger than all the room there was. Gives the records that nobody has from
    /// there on.
    async fn store_drops(&self, device: &IdbDevice) -> Result<FreedRecords, CommandError> {
        let kept = self
            .with_pages(device, |engine| Ok(engine.pager_mut().moment_numbers()?))
            .await?;
        let mut stored = device
            .open_pager(|pager| match pager.drop_moments_but(&kept) {
                Ok(_) => Ok(None),
                Err(error) => match error.fault() {
                    StorageFault::NotResident { page } => {
                        Ok(Some(block_of(pager, *page, FAULT_BLOCK)))
                    }
                    _ => Err(error.into()),
                },
            })
            .await?;
        if !stored.has_changes() {
            return Ok(FreedRecords::default());
        }
        let Some(drops) = stored.seal()? else {
            return Ok(FreedRecords::default());
        };
        if self.engine.borrow().has_readers() {
            // Cursors go on over a moment that was dropped.
            self.read_what_is_left(device).await;
        }
        let freed = {
            let mut engine = self.engine.borrow_mut();
            if engine.pager().followed() != Some((drops.expected, drops.expected_lineage)) {
                return Ok(FreedRecords::default());
            }
            engine.seal_behind()?;
            stored.freed_records(Some(engine.pager()))
        };
        persistently(async || {
            device
                .write_freeing(&drops, Durability::Relaxed, &freed)
                .await
        })
        .await?;
        self.engine.borrow_mut().pager_mut().follow(&drops)?;
        Ok(freed)
    }

    async fn write_sealed(
        &self,
        device: &Device,
        durability: Durability,
        room: Room,
    ) -> Result<(), StorageError> {
        let sealed = {
            let mut engine = self.engine.borrow_mut();
            engine.take_batch()?;
            match device {
                Device::Shared(_) => engine.pager().unconfirmed_batch(),
                Device::Own(_) => engine.pager().unconfirmed_pages(),
            }
        };
        // A file is written as strictly as can be.
        let is_unsynced = self.storing.is_unsynced() && matches!(device, Device::Shared(_));
        if sealed.is_none() && !(is_unsynced && durability == Durability::Strict) {
            return Ok(());
        }
        let freed = match room {
            Room::Made => Some(self.engine.borrow().pager().freed_records(None)),
            Room::Found => None,
        };
        // One future for all: each is compiled with the waiting around it.
        persistently(async || match (&sealed, device) {
            (Some(batch), Device::Own(file)) => file.write(batch, durability).await,
            (Some(batch), Device::Shared(device)) => match &freed {
                Some(freed) => device.write_freeing(batch, durability, freed).await,
                None => device.write(batch, durability).await,
            },
            (None, Device::Shared(device)) => device.sync().await,
            (None, Device::Own(_)) => Ok(()),
        })
        .await?;
        if let Some(batch) = sealed {
            self.engine.borrow_mut().confirm(batch.sequence);
            // Their pages are clean now.
            self.spare_memory();
        }
        self.storing.stored(durability);
        Ok(())
    }

    /// Confirms this deployment's own batches that the stored header shows to be stored. The worker that a batch was
    /// lent to may store it late, or end before it says so. False where the header is of no such batch: then another
    /// writer took over.
    async fn confirm_stored(&self, device: &Device) -> bool {
        let header = match device {
            Device::Shared(device) => device.header().await,
            Device::Own(file) => file.header(),
        };
        match header {
            Ok(Some(header)) => self.engine.borrow_mut().confirm_stored(&header),
            Ok(None) | Err(_) => false,
        }
    }

    /// Takes over the changes that another tab stored since this one last read or wrote; false when there were none.
    /// Call it only while nothing here is unsaved.
    ///
    /// # Errors
    /// Errors of the device or the pages: call it again before the next command then.
    pub async fn reload(self: &Rc<Self>) -> Result<bool, CommandError> {
        let Some(device) = self.shared() else {
            return Ok(false);
        };
        if self.has_unsaved() || self.has_failed() {
            return Ok(false);
        }
        let known = self.engine.borrow().pager().sequence();
        let newer = device.newer(known).await?;
        let (stored, is_foreign) = match &newer {
            Some(newer) => (
                header_sequence(&newer.header)?,
                self.engine.borrow().pager().is_foreign(&newer.header)?,
            ),
            None => (0, false),
        };
        if stored < known || is_foreign {
            self.fail(GONE.to_owned());
            return Ok(true);
        }
        let Some(newer) = newer.filter(|_| stored > known || self.stale.get()) else {
            return Ok(false);
        };
        if self.engine.borrow().has_readers() {
            // Cursors go on over the pages of their moment. Of those not in memory, the ones that another tab wrote
            // over are gone; the others are read now.
            self.read_what_is_left(device).await;
        }
        if let Some(pages) = newer.pages
            && !self.stale.get()
        {
            let refreshed = self
                .engine
                .borrow_mut()
                .refresh(&newer.header, pages, &self.env);
            if refreshed.is_ok() {
                self.read_anew();
                return Ok(true);
            }
        }
        self.stale.set(true);
        let pager = open_pager(device, &self.env).await?;
        self.engine.borrow_mut().reload(pager, &self.env)?;
        self.stale.set(false);
        self.read_anew();
        Ok(true)
    }

    /// Mode, reason and sizes, for the page to show.
    pub fn status(&self) -> Status {
        let engine = self.engine.borrow();
        let failure = self.storing.explained();
        Status {
            mode: match (&self.device, &failure) {
                (_, Some((Trouble::Full, _))) => "full",
                (_, Some((Trouble::Displaced, _))) => "displaced",
                (_, Some((Trouble::Failed, _))) => "read-only",
                (Some(Device::Shared(_)), None) => "indexeddb",
                (Some(Device::Own(_)), None) => "file",
                (None, None) => "memory",
            },
            reason: failure.map(|(_, reason)| reason),
            sequence: engine.pager().sequence() as f64,
            page_bytes: (engine.pager().page_count() * PAGE_SIZE as u64) as f64,
            clock_offset_millis: engine.clock_offset_millis() as f64,
            unconfirmed_batches: engine.pager().unconfirmed_count() as u32,
            pages_fetched: self.paging.fetched.get() as f64,
        }
    }
}

/// Writes, and again after a while when the device failed. Trying again changes nothing about a full
/// disk or another writer.
async fn persistently(
    write: impl AsyncFn() -> Result<(), StorageError>,
) -> Result<(), StorageError> {
    for millis in WRITE_PAUSES {
        match write().await {
            Err(error) if matches!(error.fault(), StorageFault::Device { .. }) => {
                pause(millis).await;
            }
            outcome => return outcome,
        }
    }
    write().await
}

pub(super) const GONE: &str =
    "the stored data was deleted or replaced in between; export what is here, then reload the page";

const OTHER_TAB: &str = "another tab wrote to this deployment in between";

impl Device {
    /// What becomes of the changes that could not be stored. A file that another process wrote, lock or no lock, is
    /// left as it is: what was acknowledged here stays readable.
    fn trouble_of(&self, error: &StorageError) -> Trouble {
        match (self, Trouble::of(error)) {
            (Self::Own(_), Trouble::Displaced) => Trouble::Failed,
            (_, trouble) => trouble,
        }
    }

    /// Why a deployment's changes are not stored, for a person.
    fn reason_of(&self, error: &StorageError) -> String {
        let reason = match (self, error.fault()) {
            (Self::Shared(_), StorageFault::OutOfSpace) => {
                "the browser gives this site no more storage; what frees room is still allowed"
            }
            (Self::Own(_), StorageFault::OutOfSpace) => {
                "there is no room for the data file; it is tried again, and what frees room is still allowed"
            }
            (Self::Own(_), StorageFault::Fenced { .. }) => {
                "another process wrote to the data file in between; export what is here"
            }
            (Self::Shared(_), StorageFault::Fenced { stored, expected }) if stored <= expected => {
                GONE
            }
            (Self::Shared(_), StorageFault::Fenced { .. }) => OTHER_TAB,
            (_, other) => return other.to_string(),
        };
        reason.to_owned()
    }
}
