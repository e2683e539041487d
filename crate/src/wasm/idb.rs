//! The page device over IndexedDB.
//!
//! One database per deployment: store `pages` (key: page number, value: Uint8Array) and store `meta`
//! (key 0: header; a sequence: the numbers of the pages that commit changed). Invariants: one
//! readwrite transaction a batch, with the fence read inside it, all puts issued without a wait
//! between them, and success only once the transaction completed; every stored value is a copy,
//! never a view over wasm memory.

use crate::error::StorageError;
use crate::storage::page::{PAGE_SIZE, zeroed_buffer};
use crate::storage::{Buffer, CommitBatch, Durability, PageDevice, PageNumber, header_sequence};
use indexed_db_futures::KeyRange;
use indexed_db_futures::database::{Database, VersionChangeEvent};
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{
    Transaction, TransactionDurability, TransactionMode, TransactionOptions,
};
use js_sys::Uint8Array;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

const PAGES: &str = "pages";
const META: &str = "meta";
/// The layout of the IndexedDB database itself; the pages' format version is in the header.
const LAYOUT_VERSION: u8 = 1;
const HEADER_KEY: f64 = 0.0;
/// Pages of one `getAll`: 256 KiB, beyond which single results get slow.
const PAGES_PER_READ: u64 = 16;
/// How many commits the record of changed pages reaches back.
const REMEMBERED_COMMITS: u64 = 64;

/// A deployment's IndexedDB database. Opened when first used, and again after it was closed under us.
pub struct IdbDevice {
    name: String,
    open: Rc<RefCell<Option<Rc<Database>>>>,
}

fn device_error(reason: impl Into<String>) -> StorageError {
    StorageError::Device {
        reason: reason.into(),
    }
}

/// IndexedDB's own word for running out of room.
fn is_quota(error: &Error) -> bool {
    match error {
        Error::DomException(exception) => {
            let exception: &JsValue = exception.as_ref();
            exception
                .dyn_ref::<web_sys::DomException>()
                .is_some_and(|exception| exception.name() == "QuotaExceededError")
        }
        _ => false,
    }
}

fn storage_error(error: Error) -> StorageError {
    if is_quota(&error) {
        return StorageError::OutOfSpace;
    }
    match &error {
        Error::DomException(exception) => device_error(describe(exception)),
        other => device_error(other.to_string()),
    }
}

fn describe(exception: &DomException) -> String {
    let message = exception.message();
    if message.is_empty() {
        exception.to_string()
    } else {
        message
    }
}

fn open_error(error: &OpenDbError) -> StorageError {
    device_error(format!("IndexedDB could not be opened: {error}"))
}

impl IdbDevice {
    /// The device of a deployment; nothing is opened yet.
    pub fn new(name: &str) -> Self {
        Self {
            name: format!("quire:{name}"),
            open: Rc::new(RefCell::new(None)),
        }
    }

    /// Deletes the whole database.
    ///
    /// # Errors
    /// `Device`.
    pub async fn delete(&self) -> Result<(), StorageError> {
        self.close();
        let request = Database::delete_by_name(&self.name).map_err(|error| open_error(&error))?;
        request.await.map_err(storage_error)
    }

    /// Closes the connection; the next use opens it again.
    pub fn close(&self) {
        if let Some(database) = self.open.borrow_mut().take()
            && let Ok(database) = Rc::try_unwrap(database)
        {
            database.close();
        }
    }

    async fn database(&self) -> Result<Rc<Database>, StorageError> {
        if let Some(database) = &*self.open.borrow() {
            return Ok(Rc::clone(database));
        }
        let database = Database::open(self.name.clone())
            .with_version(LAYOUT_VERSION)
            .with_on_upgrade_needed(|_: VersionChangeEvent, database: Database| {
                database.create_object_store(PAGES).build()?;
                database.create_object_store(META).build()?;
                Ok(())
            })
            .await
            .map_err(|error| open_error(&error))?;
        self.close_when_asked(&database);
        let database = Rc::new(database);
        *self.open.borrow_mut() = Some(Rc::clone(&database));
        Ok(database)
    }

    /// Gives the connection up when another tab wants to delete or upgrade the database, so that
    /// it is not blocked by us.
    fn close_when_asked(&self, database: &Database) {
        let Ok(mut changes) = database.version_changes() else {
            return;
        };
        let open = Rc::downgrade(&self.open);
        wasm_bindgen_futures::spawn_local(async move {
            if changes.recv().await.is_some()
                && let Some(open) = open.upgrade()
                && let Some(database) = open.borrow_mut().take()
                && let Ok(database) = Rc::try_unwrap(database)
            {
                database.close();
            }
        });
    }

    /// Forgets a connection that no longer works, so that the next try opens a new one.
    fn forget(&self) {
        self.open.borrow_mut().take();
    }

    fn begin<'d>(
        &self,
        database: &'d Database,
        mode: TransactionMode,
        durability: Durability,
    ) -> Result<Transaction<'d>, StorageError> {
        let durability = match durability {
            Durability::Relaxed => TransactionDurability::Relaxed,
            Durability::Strict => TransactionDurability::Strict,
        };
        database
            .transaction([PAGES, META])
            .with_mode(mode)
            .with_options(TransactionOptions::new().with_durability(durability))
            .build()
            .map_err(|error| {
                // "The database connection is closing": the browser closed it under us.
                self.forget();
                storage_error(error)
            })
    }

    /// The numbers of the pages that the commits after `since` up to `until` changed; `None` when
    /// the record does not reach back that far.
    ///
    /// # Errors
    /// `Device`.
    pub async fn changed_pages(
        &self,
        since: u64,
        until: u64,
    ) -> Result<Option<Vec<PageNumber>>, StorageError> {
        if until.saturating_sub(since) > REMEMBERED_COMMITS {
            return Ok(None);
        }
        let database = self.database().await?;
        let transaction = self.begin(&database, TransactionMode::Readonly, Durability::Relaxed)?;
        let meta = transaction.object_store(META).map_err(storage_error)?;
        let mut numbers = Vec::new();
        for sequence in since + 1..=until {
            let record: Option<Uint8Array> = meta
                .get::<JsValue, _, _>(sequence as f64)
                .primitive()
                .map_err(storage_error)?
                .await
                .map_err(storage_error)?
                .and_then(|value| value.dyn_into().ok());
            let Some(record) = record else {
                return Ok(None);
            };
            numbers.extend(
                record
                    .to_vec()
                    .chunks_exact(8)
                    .filter_map(|bytes| bytes.try_into().ok().map(u64::from_le_bytes)),
            );
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(Some(numbers))
    }

    /// Some pages by number, as they are stored; all requests are issued at once.
    ///
    /// # Errors
    /// `Device`.
    pub async fn read_some(
        &self,
        numbers: &[PageNumber],
    ) -> Result<Vec<(PageNumber, Buffer)>, StorageError> {
        let database = self.database().await?;
        let transaction = self.begin(&database, TransactionMode::Readonly, Durability::Relaxed)?;
        let store = transaction.object_store(PAGES).map_err(storage_error)?;
        let mut requests = Vec::with_capacity(numbers.len());
        for number in numbers {
            requests.push((
                *number,
                store
                    .get::<JsValue, _, _>(*number as f64)
                    .primitive()
                    .map_err(storage_error)?,
            ));
        }
        let mut pages = Vec::with_capacity(numbers.len());
        for (number, request) in requests {
            if let Some(value) = request.await.map_err(storage_error)? {
                pages.push((number, buffer_of(value)));
            }
        }
        Ok(pages)
    }
}

/// A stored value as a page; whatever is no page of the right length becomes zeros, which no check
/// accepts.
fn buffer_of(value: JsValue) -> Buffer {
    let Ok(array) = value.dyn_into::<Uint8Array>() else {
        return zeroed_buffer();
    };
    if array.length() as usize != PAGE_SIZE {
        return zeroed_buffer();
    }
    let mut buffer = zeroed_buffer();
    if let Some(bytes) = Rc::get_mut(&mut buffer) {
        array.copy_to(bytes);
    }
    buffer
}

fn copy_of(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

fn bytes_of(value: JsValue) -> Option<Vec<u8>> {
    value
        .dyn_into::<Uint8Array>()
        .ok()
        .map(|array| array.to_vec())
}

impl PageDevice for IdbDevice {
    async fn read_header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        let database = self.database().await?;
        let transaction = self.begin(&database, TransactionMode::Readonly, Durability::Relaxed)?;
        let meta = transaction.object_store(META).map_err(storage_error)?;
        let value: Option<JsValue> = meta
            .get(HEADER_KEY)
            .primitive()
            .map_err(storage_error)?
            .await
            .map_err(storage_error)?;
        Ok(value.and_then(bytes_of))
    }

    async fn read_pages(
        &self,
        first: PageNumber,
        count: u64,
    ) -> Result<Vec<(PageNumber, Buffer)>, StorageError> {
        let database = self.database().await?;
        let transaction = self.begin(&database, TransactionMode::Readonly, Durability::Relaxed)?;
        let store = transaction.object_store(PAGES).map_err(storage_error)?;
        let end = first.saturating_add(count);
        let mut requests = Vec::new();
        let mut start = first;
        while start < end {
            let stop = end.min(start + PAGES_PER_READ);
            let range = || KeyRange::Bound(start as f64, false, stop as f64, true);
            requests.push((
                start,
                stop,
                store
                    .get_all::<JsValue>()
                    .with_query::<f64, _>(range())
                    .primitive()
                    .map_err(storage_error)?,
            ));
            start = stop;
        }
        let mut pages = Vec::with_capacity(count.min(1 << 20) as usize);
        for (start, stop, request) in requests {
            let values: Vec<JsValue> = request
                .await
                .map_err(storage_error)?
                .collect::<Result<_, _>>()
                .map_err(storage_error)?;
            if values.len() as u64 == stop - start {
                pages.extend((start..).zip(values.into_iter().map(buffer_of)));
            } else if !values.is_empty() {
                // Some numbers are missing, and values do not say their keys.
                let numbers: Vec<PageNumber> = (start..stop).collect();
                for number in numbers {
                    let value: Option<JsValue> = store
                        .get(number as f64)
                        .primitive()
                        .map_err(storage_error)?
                        .await
                        .map_err(storage_error)?;
                    pages.extend(value.map(|value| (number, buffer_of(value))));
                }
            }
        }
        Ok(pages)
    }

    async fn write(&self, batch: &CommitBatch, durability: Durability) -> Result<(), StorageError> {
        let database = self.database().await?;
        let transaction = self.begin(&database, TransactionMode::Readwrite, durability)?;
        let meta = transaction.object_store(META).map_err(storage_error)?;
        let store = transaction.object_store(PAGES).map_err(storage_error)?;
        let header: Option<JsValue> = meta
            .get(HEADER_KEY)
            .primitive()
            .map_err(storage_error)?
            .await
            .map_err(storage_error)?;
        let stored = match header.and_then(bytes_of) {
            Some(header) if header[..] == batch.header[..] => return Ok(()),
            Some(header) => header_sequence(&header)?,
            None => 0,
        };
        if stored != batch.expected {
            return Err(StorageError::Fenced {
                stored,
                expected: batch.expected,
            });
        }
        let mut changed = Vec::with_capacity(batch.pages.len() * 8);
        for (number, page) in &batch.pages {
            changed.extend_from_slice(&number.to_le_bytes());
            put(&store, *number as f64, copy_of(&page[..]))?;
        }
        put(&meta, HEADER_KEY, copy_of(&batch.header))?;
        // A merged batch leaves one record for the last of its commits; the ones before are
        // covered by a record each, so that a reader counting commits finds them all.
        for sequence in batch.expected + 1..batch.sequence {
            put(&meta, sequence as f64, copy_of(&[]))?;
        }
        put(&meta, batch.sequence as f64, copy_of(&changed))?;
        if batch.sequence > REMEMBERED_COMMITS {
            let oldest = batch.sequence - REMEMBERED_COMMITS;
            let forgotten = KeyRange::Bound(1.0, false, oldest as f64, false);
            drop(
                meta.delete::<f64, _>(forgotten)
                    .primitive()
                    .map_err(storage_error)?,
            );
        }
        transaction.commit().await.map_err(|error| {
            if !is_quota(&error) {
                self.forget();
            }
            storage_error(error)
        })
    }
}

/// Issues one put without waiting for it: the transaction's end tells whether all succeeded.
fn put(
    store: &indexed_db_futures::object_store::ObjectStore<'_>,
    key: f64,
    value: JsValue,
) -> Result<(), StorageError> {
    store
        .put(value)
        .with_key(key)
        .without_key_type()
        .build()
        .map(drop)
        .map_err(storage_error)
}
