//! Demand paging: how a deployment's pages come in from IndexedDB.
//!
//! Opening reads header, free list and catalog, in one transaction, which no other writer can overtake. A command that
//! stops at an absent page has that page fetched with its neighbours and is run again; once a command has been
//! answered, everything else streams in behind. Invariants: a command that stops after many faults, or that cannot be
//! repeated, waits for all pages, so repeating ends; pages asked for before a refresh are dropped; a page that can no
//! longer be had is given up, so that the read that needs it fails with its number.

use super::deployment::{GONE, HostedDeployment, pause};
use super::host::{JsEnv, message_of};
use super::idb::IdbDevice;
use super::memory;
use crate::algorithms::sorting;
use crate::engine::Engine;
use crate::env::LANGUAGES;
use crate::error::{CommandError, StorageError, StorageFault};
use crate::storage::{
    BLOCK_PAGES, Buffer, Delivery, EVERY_PAGE, PAGE_SIZE, PageDevice, PageNumber, Pager,
};
use js_sys::Promise;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};

/// Pages of a block of the stream: as many as may be stored as one.
const BLOCK: u64 = BLOCK_PAGES;
/// Pages that a fault brings: the way down a tree finds few neighbours that it needs, and each takes its time.
pub(super) const FAULT_BLOCK: u64 = 4;
/// Blocks read in one transaction: the next fault waits for those under way, and for no more.
const BLOCKS_AT_ONCE: usize = 1;
/// Transactions under way at a time while everything streams in.
const LANES: usize = 3;
/// After so many faults a command that misses a page waits for all of them: the stream brings pages faster than faults
/// do.
const FAULTS_BEFORE_ALL: u32 = 32;
/// Pages read at a time of a damaged deployment.
const REMAINS_BLOCK: u64 = 1024;
/// How often the state of other writers is run after.
const CATCH_UP_TRIES: u32 = 8;
/// When streaming begins although no command has come, in milliseconds.
pub const IDLE_MILLIS: u32 = 250;

/// The pages under way from the device, and who waits for them.
#[derive(Default)]
pub(super) struct Paging {
    /// Where the last command stopped.
    missing: Cell<Option<PageNumber>>,
    /// How often commands stopped since this state was opened.
    faults: Cell<u32>,
    /// Streaming has begun, or there is nothing to stream.
    begun: Cell<bool>,
    /// Resolves when the streaming under way has ended.
    reading: RefCell<Option<Promise>>,
    /// Somebody waits for all pages: they are read even beyond the heap's cap.
    all_wanted: Cell<bool>,
    /// The first page that no lane has asked for.
    next: Cell<PageNumber>,
    /// Why streaming ended early.
    trouble: RefCell<Option<Result<Delivery, CommandError>>>,
    /// Counts the states that this deployment was refreshed to.
    generation: Cell<u32>,
    /// Pages read from the device since opening.
    pub(super) fetched: Cell<u64>,
}

/// The block of so many pages around a page, cut at the end of the page space.
pub(super) fn block_of(pager: &Pager, page: PageNumber, length: u64) -> Range<PageNumber> {
    let first = page - page % length;
    first.max(1)..(first + length).min(pager.page_count())
}

/// Opens the stored deployment with the pages that opening needs; an empty page space when nothing is stored.
pub(super) async fn open_pager(device: &IdbDevice, env: &JsEnv) -> Result<Pager, CommandError> {
    device
        .open_pager(|pager| match Engine::prepare(pager, env) {
            Ok(()) => Ok(None),
            Err(error) => {
                let page = error.missing_page.ok_or(error)?;
                Ok(Some(block_of(pager, page, FAULT_BLOCK)))
            }
        })
        .await
}

/// Reads all pages of a damaged deployment that are stored, and its header where one can be read.
///
/// # Errors
/// `Device`; another format version; nothing stored; more pages than memory holds twice.
pub(super) async fn read_remains(
    device: &IdbDevice,
) -> Result<(Option<Vec<u8>>, Vec<(PageNumber, Buffer)>), CommandError> {
    let header = match device.header().await {
        Err(error) if matches!(error.fault(), StorageFault::Corrupt { .. }) => None,
        header => Some(header?.ok_or_else(|| StorageError::device("nothing is stored"))?),
    };
    let count = device.stored_pages().await?;
    // The copy that is made of them takes about as much again.
    if !memory::may_read(count as usize * 2 * PAGE_SIZE) {
        return Err(StorageError::out_of_memory().into());
    }
    let end = device.end().await?;
    let mut pages = Vec::new();
    for first in (1..end).step_by(REMAINS_BLOCK as usize) {
        pages.append(&mut device.read_pages(first, REMAINS_BLOCK).await?);
    }
    sorting::sort_by(&mut pages, &mut |a, b| a.0.cmp(&b.0));
    device.close();
    Ok((header, pages))
}

fn too_busy() -> CommandError {
    let reason = "other tabs keep writing; try again".to_owned();
    StorageError::device(reason).into()
}

impl HostedDeployment {
    /// Notes how a command ended. Streaming begins behind the first answer.
    #[inline]
    pub(super) fn note_missing(self: &Rc<Self>, missing: Option<PageNumber>) {
        let paging = &self.paging;
        paging.missing.set(missing);
        if missing.is_none() && !paging.begun.get() {
            drop(self.start_reading());
        }
    }

    /// Begins to stream in a while, if no command has made it begin by then.
    pub(super) fn read_when_idle(self: &Rc<Self>) {
        let deployment = Rc::clone(self);
        spawn_local(async move {
            pause(IDLE_MILLIS).await;
            if !deployment.paging.begun.get() {
                drop(deployment.start_reading());
            }
        });
    }

    /// Nothing more is streamed.
    pub fn stop_reading(&self) {
        self.paging.begun.set(true);
        self.paging.next.set(EVERY_PAGE);
    }

    /// The state is another one now: reads under way were asked of the old one.
    pub(super) fn read_anew(self: &Rc<Self>) {
        let paging = &self.paging;
        paging.generation.set(paging.generation.get() + 1);
        paging.next.set(1);
        paging.faults.set(0);
        paging.trouble.borrow_mut().take();
        if paging.begun.get() {
            drop(self.start_reading());
        }
    }

    /// Brings the page at which the last command stopped, or the languages; the command is to be run again then.
    ///
    /// # Errors
    /// Errors of the device.
    pub async fn fetch_missing(self: Rc<Self>) -> Result<(), CommandError> {
        let paging = &self.paging;
        let missing = paging.missing.take();
        if missing == Some(LANGUAGES) {
            let loaded = JsFuture::from(self.env.load_languages()).await;
            let reason = |thrown| StorageError::device(message_of(&thrown)).into();
            return loaded.map(drop).map_err(reason);
        }
        let (Some(page), Some(device)) = (missing, self.shared()) else {
            return Ok(());
        };
        paging.faults.set(paging.faults.get() + 1);
        if page == EVERY_PAGE || paging.faults.get() > FAULTS_BEFORE_ALL {
            return self.everything().await;
        }
        let block = block_of(self.engine.borrow().pager(), page, FAULT_BLOCK);
        let delivery = self.fetch(device, &[block]).await?;
        let is_there = self.engine.borrow().pager().next_absent(page) != Some(page);
        if is_there {
            return Ok(());
        }
        self.settle(delivery).await
    }

    /// Waits until every page is there that can be had.
    ///
    /// # Errors
    /// Errors of the device.
    pub async fn everything(self: &Rc<Self>) -> Result<(), CommandError> {
        for _ in 0..CATCH_UP_TRIES {
            if self.shared().is_none() || self.engine.borrow().pager().is_resident() {
                return Ok(());
            }
            self.paging.all_wanted.set(true);
            // It never rejects: `trouble` has the error.
            let _ = JsFuture::from(self.start_reading()).await;
            self.paging.all_wanted.set(false);
            let trouble = self.paging.trouble.borrow_mut().take();
            if let Some(trouble) = trouble {
                self.settle(trouble?).await?;
            }
        }
        Err(too_busy())
    }

    /// Works on the engine between commands, and again with each page that was missing.
    ///
    /// # Errors
    /// Errors of the work and of the device; a missing page that another writer has replaced.
    pub(super) async fn with_pages<T>(
        &self,
        device: &IdbDevice,
        work: impl Fn(&mut Engine) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        loop {
            let done = work(&mut self.engine.borrow_mut());
            let Some(page) = done.as_ref().err().and_then(|error| error.missing_page) else {
                return done;
            };
            let block = block_of(self.engine.borrow().pager(), page, FAULT_BLOCK);
            if self.fetch(device, &[block]).await? != Delivery::Taken {
                return done;
            }
        }
    }

    /// Reads those absent pages of the present state that another writer has not replaced.
    pub(super) async fn read_what_is_left(&self, device: &IdbDevice) {
        let mut next = 1;
        loop {
            let absent = self.engine.borrow().pager().next_absent(next);
            let Some(page) = absent else { return };
            let block = block_of(self.engine.borrow().pager(), page, BLOCK);
            next = block.end;
            // A page that cannot be read is missing to the cursors that need it: they fail with its number.
            if self.fetch(device, &[block]).await.is_err() {
                return;
            }
        }
    }

    /// The streaming under way, or a new one over all absent pages.
    fn start_reading(self: &Rc<Self>) -> Promise {
        let paging = &self.paging;
        paging.begun.set(true);
        if let Some(promise) = &*paging.reading.borrow() {
            return promise.clone();
        }
        paging.next.set(1);
        paging.trouble.borrow_mut().take();
        let lanes: Vec<Promise> = (0..LANES).map(|_| self.start_lane()).collect();
        let deployment = Rc::clone(self);
        let promise = future_to_promise(async move {
            for lane in lanes {
                let _ = JsFuture::from(lane).await;
            }
            deployment.paging.reading.borrow_mut().take();
            Ok(JsValue::UNDEFINED)
        });
        *paging.reading.borrow_mut() = Some(promise.clone());
        promise
    }

    fn start_lane(self: &Rc<Self>) -> Promise {
        let deployment = Rc::clone(self);
        future_to_promise(async move {
            if let Some(device) = deployment.shared() {
                deployment.read_lane(device).await;
            }
            Ok(JsValue::UNDEFINED)
        })
    }

    async fn read_lane(&self, device: &IdbDevice) {
        loop {
            let blocks = self.next_blocks();
            if blocks.is_empty() {
                return;
            }
            let outcome = self.fetch(device, &blocks).await;
            if !matches!(outcome, Ok(Delivery::Taken)) {
                *self.paging.trouble.borrow_mut() = Some(outcome);
                return;
            }
        }
    }

    /// The next blocks with absent pages that no lane has asked for; none once the heap is near its cap, unless
    /// somebody waits.
    fn next_blocks(&self) -> Vec<Range<PageNumber>> {
        if !self.paging.all_wanted.get() && !memory::may_read_ahead() {
            return Vec::new();
        }
        let engine = self.engine.borrow();
        let (pager, next) = (engine.pager(), &self.paging.next);
        let mut blocks = Vec::with_capacity(BLOCKS_AT_ONCE);
        while blocks.len() < BLOCKS_AT_ONCE
            && let Some(page) = pager.next_absent(next.get())
        {
            let block = block_of(pager, page, BLOCK);
            next.set(block.end);
            blocks.push(block);
        }
        blocks
    }

    async fn fetch(
        &self,
        device: &IdbDevice,
        blocks: &[Range<PageNumber>],
    ) -> Result<Delivery, CommandError> {
        let pages: u64 = blocks.iter().map(|block| block.end - block.start).sum();
        if !memory::may_read(pages as usize * PAGE_SIZE) {
            return Err(StorageError::out_of_memory().into());
        }
        let known = self.engine.borrow().pager().durable_sequence();
        let (generation, counted) = (&self.paging.generation, &self.paging.fetched);
        let asked_in = generation.get();
        let fetched = device.fetch(blocks).await?;
        counted.set(counted.get() + fetched.pages.len() as u64);
        if generation.get() != asked_in {
            return Ok(Delivery::Taken);
        }
        let asked: Vec<PageNumber> = blocks.iter().cloned().flatten().collect();
        let mut engine = self.engine.borrow_mut();
        Ok(engine.pager_mut().deliver(fetched, &asked, known)?)
    }

    /// Goes on from a delivery that did not bring the wanted pages: on to the state of another writer where nothing
    /// is unsaved here; else this deployment is read-only, with the pages that it has.
    async fn settle(self: &Rc<Self>, delivery: Delivery) -> Result<(), CommandError> {
        match delivery {
            Delivery::Taken => return Ok(()),
            Delivery::Gone if self.has_failed() => {}
            Delivery::Gone => self.fail(GONE.to_owned()),
            Delivery::MovedOn => {
                // Commands that were rolled back leave marks that look like changes.
                self.engine.borrow_mut().take_batch()?;
                if !self.has_unsaved() && !self.has_failed() {
                    return self.reload().await.map(drop);
                }
                if !self.has_failed() {
                    self.give_way();
                }
            }
        }
        let mut engine = self.engine.borrow_mut();
        let pager = engine.pager_mut();
        let mut next = 1;
        while let Some(page) = pager.next_absent(next) {
            pager.give_up(
                page,
                "it was not read before another writer went on, or the data was deleted",
            );
            next = page + 1;
        }
        Ok(())
    }
}
