//! A deployment in a page: the engine, its device, and what happens when storage fails.
//!
//! Invariants: batches go out strictly in sequence, one at a time; what is not confirmed is kept and
//! written again; after a bounded number of tries the deployment is read-only, with a reason, and
//! everything in memory stays readable.

use super::host::JsEnv;
use super::idb::IdbDevice;
use crate::engine::{Engine, Outcome};
use crate::error::{CommandError, StorageError};
use crate::storage::{Durability, PageDevice, Pager, header_sequence, load};
use serde::Serialize;
use std::cell::{Cell, RefCell};

/// How often a write is tried before the deployment becomes read-only.
const WRITE_TRIES: u32 = 4;

/// One open deployment.
pub struct Deployment {
    engine: RefCell<Engine>,
    env: JsEnv,
    device: Option<IdbDevice>,
    /// Why nothing can be written any more.
    failure: RefCell<Option<String>>,
    flushing: Cell<bool>,
}

/// What `status` tells the page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    mode: &'static str,
    reason: Option<String>,
    sequence: f64,
    page_bytes: f64,
    clock_offset_millis: f64,
    unconfirmed_batches: u32,
}

impl Deployment {
    /// A deployment that lives in memory only.
    ///
    /// # Errors
    /// What the engine says.
    pub fn in_memory(env: JsEnv) -> Result<Self, CommandError> {
        let engine = Engine::create(&env)?;
        Ok(Self::new(engine, env, None))
    }

    /// Opens a deployment stored in IndexedDB, or begins one.
    ///
    /// # Errors
    /// A device that cannot be opened; an unknown format version; a catalog that cannot be read.
    pub async fn in_indexed_db(name: &str, env: JsEnv) -> Result<Self, CommandError> {
        let device = IdbDevice::new(name);
        let pager = match load(&device).await? {
            Some(loaded) => loaded.pager,
            None => Pager::new(),
        };
        let engine = Engine::open(pager, true, &env)?;
        Ok(Self::new(engine, env, Some(device)))
    }

    fn new(engine: Engine, env: JsEnv, device: Option<IdbDevice>) -> Self {
        Self {
            engine: RefCell::new(engine),
            env,
            device,
            failure: RefCell::new(None),
            flushing: Cell::new(false),
        }
    }

    /// Runs a command.
    pub fn run(&self, command: &[u8]) -> Outcome {
        self.engine.borrow_mut().run(command, &self.env)
    }

    /// Whether something was changed that no device has confirmed; never in memory.
    pub fn has_unsaved(&self) -> bool {
        let engine = self.engine.borrow();
        self.device.is_some() && (engine.has_changes() || engine.pager().unconfirmed_count() > 0)
    }

    /// Writes everything that is not stored yet, and waits until it is.
    ///
    /// # Errors
    /// What made the last try fail; the deployment is read-only then.
    pub async fn flush(&self, durability: Durability) -> Result<(), StorageError> {
        let Some(device) = &self.device else {
            return Ok(());
        };
        if let Some(reason) = self.failure.borrow().clone() {
            return Err(StorageError::ReadOnly { reason });
        }
        // One writer at a time: whoever is at it also takes what comes in meanwhile.
        if self.flushing.replace(true) {
            return Ok(());
        }
        let result = self.write_out(device, durability).await;
        self.flushing.set(false);
        if let Err(error) = &result {
            let reason = reason_of(error);
            self.engine.borrow_mut().set_read_only(Some(reason.clone()));
            *self.failure.borrow_mut() = Some(reason);
        }
        result
    }

    async fn write_out(
        &self,
        device: &IdbDevice,
        durability: Durability,
    ) -> Result<(), StorageError> {
        loop {
            let batch = {
                let mut engine = self.engine.borrow_mut();
                engine.take_batch()?;
                engine.pager().unconfirmed_batch()
            };
            let Some(batch) = batch else { return Ok(()) };
            let mut tries = 0;
            loop {
                match device.write(&batch, durability).await {
                    Ok(()) => break,
                    // Trying again changes nothing about a full disk or another writer.
                    Err(error @ StorageError::Device { .. }) => {
                        tries += 1;
                        if tries >= WRITE_TRIES {
                            return Err(error);
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
            self.engine.borrow_mut().confirm(batch.sequence);
        }
    }

    /// Takes over what another tab stored since this one last read or wrote; false when there was
    /// nothing. Call it only while nothing here is unsaved.
    ///
    /// # Errors
    /// What the device or the pages say; the deployment is as before then.
    pub async fn reload(&self) -> Result<bool, CommandError> {
        let Some(device) = &self.device else {
            return Ok(false);
        };
        if self.has_unsaved() || self.failure.borrow().is_some() {
            return Ok(false);
        }
        let Some(header) = device.read_header().await? else {
            return Ok(false);
        };
        let known = self.engine.borrow().pager().sequence();
        let stored = header_sequence(&header)?;
        if stored == known {
            return Ok(false);
        }
        let changed = match stored > known {
            true => device.changed_pages(known, stored).await?,
            false => None,
        };
        let pager = match changed {
            Some(numbers) => self.with_changed(device, &header, &numbers).await?,
            None => match load(device).await? {
                Some(loaded) => loaded.pager,
                None => return Ok(false),
            },
        };
        self.engine.borrow_mut().reload(pager)?;
        Ok(true)
    }

    /// The stored deployment, from the pages in memory and those that changed.
    async fn with_changed(
        &self,
        device: &IdbDevice,
        header: &[u8],
        numbers: &[u64],
    ) -> Result<Pager, StorageError> {
        let fresh = device.read_some(numbers).await?;
        let mut pager = Pager::open(header)?;
        {
            let engine = self.engine.borrow();
            for number in 1..pager.page_count() {
                if numbers.binary_search(&number).is_err()
                    && let Some(buffer) = engine.pager().resident_buffer(number)
                {
                    // A page that is free in the stored deployment may fail; nobody asks for it.
                    let _ = pager.insert_buffer(number, buffer);
                }
            }
        }
        for (number, buffer) in fresh {
            pager.insert_buffer(number, buffer)?;
        }
        pager.load_free_list()?;
        Ok(pager)
    }

    /// What the page shows of the deployment.
    pub fn status(&self) -> Status {
        let engine = self.engine.borrow();
        let failure = self.failure.borrow().clone();
        Status {
            mode: match (&self.device, &failure) {
                (_, Some(_)) => "read-only",
                (Some(_), None) => "indexeddb",
                (None, None) => "memory",
            },
            reason: failure,
            sequence: engine.pager().sequence() as f64,
            page_bytes: (engine.pager().page_count() * crate::storage::PAGE_SIZE as u64) as f64,
            clock_offset_millis: engine.clock_offset_millis() as f64,
            unconfirmed_batches: engine.pager().unconfirmed_count() as u32,
        }
    }
}

/// Why a deployment became read-only, for a person.
fn reason_of(error: &StorageError) -> String {
    match error {
        StorageError::OutOfSpace => {
            "the browser gives this site no more storage; export the data, or free some room"
                .to_owned()
        }
        StorageError::Fenced { .. } => {
            "another tab wrote to this deployment in between; reload the page".to_owned()
        }
        other => other.to_string(),
    }
}
