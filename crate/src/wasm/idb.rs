//! The page device over IndexedDB.
//!
//! One database per deployment: stores `pages` and `blocks` (`blocks.rs`) and store `meta` (keys 0 and -1: the two
//! copies of the header; -2: room kept back; a sequence: the numbers of the pages that commit changed). Invariants: one
//! readwrite transaction a batch, with the fence read inside it, all puts issued without a wait between them, and
//! success only once the transaction completed; every stored value is a copy, never a view over wasm memory. A
//! connection that failed is closed and forgotten; the next use opens another.

use super::blocks::{
    BLOCKS, PAGES, Places, copy_of, count_pages, delete, drop_records, end_of_pages, get, put,
    put_pages, read_numbers, read_ranges, shrink_block,
};
use crate::algorithms::sorting;
use crate::error::{CommandError, StorageError, StorageFault};
use crate::storage::{
    BLOCK_PAGES, Buffer, CommitBatch, Durability, Fetched, FreedRecords, HEADER_COPIES, PageDevice,
    PageNumber, Pager, current_header, header_identity, header_keeps_moments, header_page_count,
    header_sequence,
};
use indexed_db_futures::KeyRange;
use indexed_db_futures::database::Database;
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::internals::SystemRepr;
use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{
    Transaction, TransactionDurability, TransactionMode, TransactionOptions,
};
use js_sys::{Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

const META: &str = "meta";
/// The layout of the IndexedDB database itself; the pages' format version is in the header.
///
/// 1: no store `blocks`. It is made at the next opening, and pages stay where they are until they are written again.
const LAYOUT_VERSION: u8 = 2;
/// Where the copies of the header are. Builds that kept one copy know the first only.
const HEADER_KEYS: [f64; HEADER_COPIES] = [0.0, -1.0];
/// Where the room lies that is kept back while there are moments: the batch that drops them needs some where there is
/// no other.
const RESERVE_KEY: f64 = -2.0;
const RESERVE_BYTES: u32 = 256 << 10;
/// How many commits the record of changed pages reaches back.
const REMEMBERED_COMMITS: u64 = 64;
/// How often a read is tried: a connection may have died since it was last used.
const READ_TRIES: u32 = 2;

/// A deployment's IndexedDB database. Opened when first used, and again after it was closed under us.
pub struct IdbDevice {
    name: String,
    open: Rc<RefCell<Option<Connection>>>,
    /// Where pages lie after the last batch that this device wrote, and the identity of that batch's header. Another
    /// writer's batch gives the store another header, and this is asked for anew.
    places: RefCell<Option<((u64, u64), Places)>>,
    /// Room is known to be kept back, or was given away.
    is_reserved: Cell<bool>,
}

/// What becomes of the room that is kept back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reserve {
    /// A batch that keeps moments sees to it that it is there.
    Wanted,
    /// The batch needs every byte.
    Spent,
}

/// An open database that is given up when the browser closes it, or when another tab wants to delete
/// or upgrade it: it is not to be blocked by us.
struct Connection {
    database: Database,
    _give_up: Closure<dyn FnMut()>,
}

impl Connection {
    fn new(database: Database, open: &Rc<RefCell<Option<Self>>>) -> Self {
        let open = Rc::downgrade(open);
        let give_up = Closure::new(move || {
            let connection = open.upgrade().and_then(|open| open.borrow_mut().take());
            drop(connection);
        });
        let listener = Some(give_up.as_ref().unchecked_ref());
        database.as_sys().set_onversionchange(listener);
        database.as_sys().set_onclose(listener);
        Self {
            database,
            _give_up: give_up,
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let database = self.database.as_sys();
        database.set_onversionchange(None);
        database.set_onclose(None);
        // A transaction under way still ends.
        database.close();
    }
}

/// The stored header, and the pages of the commits behind the sequence that was asked about.
pub struct Newer {
    pub header: Vec<u8>,
    /// The pages that changed; `None` when the record of them does not reach back that far.
    pub pages: Option<Vec<(PageNumber, Buffer)>>,
}

fn device_error(reason: impl Into<String>) -> StorageError {
    StorageError::device(reason.into())
}

/// Whether an error is the `DOMException` of this name.
fn is_named(error: &Error, name: &str) -> bool {
    match error {
        Error::DomException(exception) => {
            let exception: &JsValue = exception.as_ref();
            exception
                .dyn_ref::<web_sys::DomException>()
                .is_some_and(|exception| exception.name() == name)
        }
        _ => false,
    }
}

fn storage_error(error: Error) -> StorageError {
    if is_named(&error, "QuotaExceededError") {
        return StorageError::out_of_space();
    }
    device_error(word(&error))
}

/// An error's words. Its own `Display` would bring the standard library's formatting of doubles along, for numbers that
/// are never asked for.
fn word(error: &Error) -> String {
    match error {
        Error::DomException(exception) => describe(exception),
        Error::Serialisation(_) => "a stored value is of another type than was written".to_owned(),
        Error::MissingData(error) => format!("Missing data: {error}"),
        Error::Unknown(error) => format!("Generic JS error: {error}"),
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
    let reason = match error {
        OpenDbError::VersionZero => "Version cannot be zero".to_owned(),
        OpenDbError::UnsupportedEnvironment => "Unsupported environment".to_owned(),
        OpenDbError::NullFactory => {
            "The `indexedDB` getter returned `null` or `undefined`".to_owned()
        }
        OpenDbError::Base(error) if is_named(error, "VersionError") => {
            "a newer build of this engine stored it".to_owned()
        }
        OpenDbError::Base(error) => word(error),
    };
    device_error(format!("IndexedDB could not be opened: {reason}"))
}

impl IdbDevice {
    /// The device of a deployment; nothing is opened yet.
    pub fn new(name: &str) -> Self {
        Self {
            name: format!("quire:{name}"),
            open: Rc::new(RefCell::new(None)),
            places: RefCell::new(None),
            is_reserved: Cell::new(false),
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
        drop(self.open.borrow_mut().take());
    }

    async fn database(&self) -> Result<Database, StorageError> {
        if let Some(connection) = &*self.open.borrow() {
            return Ok(connection.database.clone());
        }
        let request = Database::open(self.name.clone())
            .with_version(LAYOUT_VERSION)
            .build()
            .map_err(|error| open_error(&error))?;
        // The wrapper's own listener words every error that there is, doubles among them.
        let raw = request.as_sys().clone();
        let upgrade = Closure::once(move |event: JsValue| -> Result<(), JsValue> {
            let database: web_sys::IdbDatabase = raw.result()?.unchecked_into();
            let before = Reflect::get(&event, &"oldVersion".into())?;
            if before.as_f64() == Some(0.0) {
                database.create_object_store(PAGES)?;
                database.create_object_store(META)?;
            }
            database.create_object_store(BLOCKS)?;
            Ok(())
        });
        request
            .as_sys()
            .set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
        let database = request.await.map_err(|error| open_error(&error))?;
        let connection = Connection::new(database.clone(), &self.open);
        // Another call may have opened one meanwhile; the older is closed.
        drop(self.open.borrow_mut().replace(connection));
        Ok(database)
    }

    /// The storage error that an error of IndexedDB stands for. The connection is not used again unless only room is
    /// missing.
    fn failed(&self, error: Error) -> StorageError {
        let error = storage_error(error);
        if !matches!(error.fault(), StorageFault::OutOfSpace) {
            self.close();
        }
        error
    }

    /// Reads; once more when the connection had died. The bytes may be damaged, which is no failure of the device.
    async fn reading<T>(
        &self,
        read: impl AsyncFn(&Transaction<'_>) -> Result<Result<T, StorageError>, Error>,
    ) -> Result<T, StorageError> {
        let mut tries = 0;
        loop {
            let database = self.database().await?;
            let outcome = match begin(&database, TransactionMode::Readonly, Durability::Relaxed) {
                Ok(transaction) => read(&transaction).await,
                Err(error) => Err(error),
            };
            tries += 1;
            match outcome {
                Ok(value) => return value,
                Err(error) if tries >= READ_TRIES => return Err(self.failed(error)),
                Err(error) => drop(self.failed(error)),
            }
        }
    }

    /// The header record that counts.
    ///
    /// # Errors
    /// `Device`; the errors of `current_header` for the stored copies.
    pub async fn header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        Ok(self.fetch(&[]).await?.header)
    }

    /// Opens the pages that are stored, in one view of the store; an empty page space when nothing is. `missing` names
    /// the pages that the opening needs and lacks, until there are none.
    ///
    /// # Errors
    /// As `header`; errors of `missing`.
    pub async fn open_pager(
        &self,
        missing: impl Fn(&mut Pager) -> Result<Option<Range<PageNumber>>, CommandError>,
    ) -> Result<Pager, CommandError> {
        self.reading(async |transaction| {
            let header = match stored_header(transaction, header_copies(transaction)?).await? {
                Ok(Some(header)) => header,
                Ok(None) => return Ok(Ok(Ok(Pager::new()))),
                Err(error) => return Ok(Err(error)),
            };
            let mut pager = match Pager::open(&header) {
                Ok(pager) => pager,
                Err(error) => return Ok(Err(error)),
            };
            let known = pager.durable_sequence();
            loop {
                let range = match missing(&mut pager) {
                    Ok(Some(range)) => range,
                    Ok(None) => return Ok(Ok(Ok(pager))),
                    Err(error) => return Ok(Ok(Err(error))),
                };
                let pages = read_ranges(transaction, std::slice::from_ref(&range)).await?;
                let header = Some(header.clone());
                let asked: Vec<PageNumber> = range.collect();
                // The wanted pages are there now, or known to be damaged: each turn asks for others.
                if let Err(error) = pager.deliver(Fetched { header, pages }, &asked, known) {
                    return Ok(Err(error));
                }
            }
        })
        .await?
    }

    /// The pages of some ranges, with the header that was stored beside them; each range is one result.
    ///
    /// # Errors
    /// As `header`.
    pub async fn fetch(&self, ranges: &[Range<PageNumber>]) -> Result<Fetched, StorageError> {
        self.reading(async |transaction| {
            let copies = header_copies(transaction)?;
            let pages = read_ranges(transaction, ranges).await?;
            let header = stored_header(transaction, copies).await?;
            Ok(header.map(|header| Fetched { header, pages }))
        })
        .await
    }

    /// The pages stored after the sequence `known`, in one view of the store. Outer `None`: the store
    /// has no header.
    ///
    /// # Errors
    /// As `header`.
    pub async fn newer(&self, known: u64) -> Result<Option<Newer>, StorageError> {
        self.reading(async |transaction| {
            let header = match stored_header(transaction, header_copies(transaction)?).await? {
                Ok(Some(header)) => header,
                Ok(None) => return Ok(Ok(None)),
                Err(error) => return Ok(Err(error)),
            };
            let pages = match header_sequence(&header) {
                Ok(until) => newer_pages(transaction, known, until).await?,
                Err(error) => return Ok(Err(error)),
            };
            Ok(Ok(Some(Newer { header, pages })))
        })
        .await
    }

    /// The number after the last page that is stored.
    ///
    /// # Errors
    /// `Device`.
    pub async fn end(&self) -> Result<PageNumber, StorageError> {
        self.reading(async |transaction| end_of_pages(transaction).await.map(Ok))
            .await
    }

    /// Makes sure that batches written with less durability are on stable storage too.
    ///
    /// # Errors
    /// As `header`.
    pub async fn sync(&self) -> Result<(), StorageError> {
        let database = self.database().await?;
        self.rewrite_header(&database)
            .await
            .map_err(|error| self.failed(error))?
    }

    /// The smallest write there is: IndexedDB syncs its log with it, and so all that came before.
    async fn rewrite_header(&self, database: &Database) -> Result<Result<(), StorageError>, Error> {
        let transaction = begin(database, TransactionMode::Readwrite, Durability::Strict)?;
        match stored_header(&transaction, header_copies(&transaction)?).await? {
            Ok(Some(header)) => put_header(&transaction.object_store(META)?, &header)?,
            Ok(None) => {}
            Err(error) => return Ok(Err(error)),
        }
        commit(transaction).await.map(Ok)
    }

    /// Gives away the room that is kept back, and the records of pages that the state of this identity has no more.
    ///
    /// # Errors
    /// `Fenced` where another state is stored; those of `header`.
    pub async fn give_room(
        &self,
        identity: (u64, u64),
        free: &FreedRecords,
    ) -> Result<(), StorageError> {
        let database = self.database().await?;
        self.places.take();
        self.drop_free(&database, identity, free)
            .await
            .map_err(|error| self.failed(error))??;
        self.is_reserved.set(false);
        Ok(())
    }

    async fn drop_free(
        &self,
        database: &Database,
        identity: (u64, u64),
        free: &FreedRecords,
    ) -> Result<Result<(), StorageError>, Error> {
        let transaction = begin(database, TransactionMode::Readwrite, Durability::Relaxed)?;
        if let Err(error) = fence(&transaction, identity).await? {
            return Ok(Err(error));
        }
        delete(
            &transaction.object_store(META)?,
            KeyRange::Only(RESERVE_KEY),
        )?;
        drop_records(&transaction, free)?;
        commit(transaction).await.map(Ok)
    }

    /// Puts the records of blocks anew without pages that the state of this identity has no more, until the room of so
    /// many pages is free. Each record is a transaction of its own, which needs little room.
    ///
    /// # Errors
    /// As `give_room`; `OutOfSpace`.
    pub async fn shrink_blocks(
        &self,
        identity: (u64, u64),
        freed: &FreedRecords,
        mut wanted: usize,
    ) -> Result<(), StorageError> {
        let database = self.database().await?;
        for pages in freed
            .pages
            .chunk_by(|a, b| a / BLOCK_PAGES == b / BLOCK_PAGES)
        {
            let block = pages.first().map_or(0, |page| page / BLOCK_PAGES);
            if wanted == 0 {
                break;
            }
            if freed.blocks.binary_search(&block).is_ok() {
                continue;
            }
            let shrunk = async {
                let transaction =
                    begin(&database, TransactionMode::Readwrite, Durability::Relaxed)?;
                if let Err(error) = fence(&transaction, identity).await? {
                    return Ok(Err(error));
                }
                let dropped = shrink_block(&transaction, block, pages).await?;
                commit(transaction).await.map(|()| Ok(dropped))
            };
            let dropped = shrunk.await.map_err(|error| self.failed(error))??;
            wanted = wanted.saturating_sub(dropped);
        }
        Ok(())
    }

    /// Writes a batch that found no room, and drops the records that nobody has from it on. No room is kept back.
    ///
    /// # Errors
    /// As `write`.
    pub async fn write_freeing(
        &self,
        batch: &CommitBatch,
        durability: Durability,
        freed: &FreedRecords,
    ) -> Result<(), StorageError> {
        let database = self.database().await?;
        self.write_batch(&database, batch, durability, freed, Reserve::Spent)
            .await
            .map_err(|error| self.failed(error))?
    }

    async fn write_batch(
        &self,
        database: &Database,
        batch: &CommitBatch,
        durability: Durability,
        freed: &FreedRecords,
        reserve: Reserve,
    ) -> Result<Result<(), StorageError>, Error> {
        let transaction = begin(database, TransactionMode::Readwrite, durability)?;
        let meta = transaction.object_store(META)?;
        // The places are taken out: a batch that fails leaves none behind, so that the next one reads them anew.
        let expected = (batch.expected, batch.expected_lineage);
        let known = { self.places.take() }.filter(|(header, _)| *header == expected);
        let places = Places::known_or_stored(known.map(|known| known.1), &transaction)?;
        let wants_reserve = reserve == Reserve::Wanted
            && !self.is_reserved.get()
            && header_keeps_moments(&batch.header);
        let reserved = match wants_reserve {
            true => Some(is_reserved(&meta)?),
            false => None,
        };
        let mut stored_count = 0;
        let stored = match stored_header(&transaction, header_copies(&transaction)?).await? {
            Ok(Some(header)) if header[..] == batch.header[..] => return Ok(Ok(())),
            Ok(Some(header)) => {
                stored_count = header_page_count(&header).unwrap_or(0);
                header_identity(&header)
            }
            Ok(None) => Ok((0, 0)),
            Err(error) if batch.over_damage && error.is_corrupt() => {
                // How many pages are stored is unknown.
                stored_count = u64::MAX;
                Ok(expected)
            }
            Err(error) => Err(error),
        };
        let stored = match stored {
            Ok(stored) => stored,
            Err(error) => return Ok(Err(error)),
        };
        if stored != expected {
            return Ok(Err(StorageError::fenced(stored.0, batch.expected)));
        }
        let mut places = places.await?;
        let reserves = match reserved {
            Some(is_there) => !is_there.await?,
            None => false,
        };
        let numbers = batch.pages.iter().map(|(number, _)| number.to_le_bytes());
        let changed: Vec<u8> = numbers.flatten().collect();
        let may_shrink = stored_count > batch.page_count;
        put_pages(&transaction, batch, freed, &mut places, may_shrink)?;
        if reserves {
            let room = Uint8Array::new_with_length(RESERVE_BYTES);
            put(&meta, RESERVE_KEY, room.into())?;
        }
        put_header(&meta, &batch.header)?;
        // A merged batch leaves its record with the last of its commits, and an empty one with each
        // before, so that a reader counting commits finds them all.
        let first = (batch.expected + 1).max(batch.sequence.saturating_sub(REMEMBERED_COMMITS));
        for sequence in first..batch.sequence {
            put(&meta, sequence as f64, copy_of(&[]))?;
        }
        put(&meta, batch.sequence as f64, copy_of(&changed))?;
        if batch.sequence > REMEMBERED_COMMITS {
            let oldest = batch.sequence - REMEMBERED_COMMITS;
            let forgotten = KeyRange::Bound(1.0, false, oldest as f64, false);
            delete(&meta, forgotten)?;
        }
        commit(transaction).await?;
        self.is_reserved
            .set(self.is_reserved.get() || wants_reserve);
        if let Ok(header) = header_identity(&batch.header) {
            self.places.replace(Some((header, places)));
        }
        Ok(Ok(()))
    }
}

fn begin(
    database: &Database,
    mode: TransactionMode,
    durability: Durability,
) -> Result<Transaction<'_>, Error> {
    let durability = match durability {
        Durability::Relaxed => TransactionDurability::Relaxed,
        Durability::Strict => TransactionDurability::Strict,
    };
    database
        .transaction([PAGES, BLOCKS, META])
        .with_mode(mode)
        .with_options(TransactionOptions::new().with_durability(durability))
        .build()
}

/// Ends a transaction and waits until it is stored. When it was aborted, its own error says why (a
/// quota, for one), which the event does not.
async fn commit(transaction: Transaction<'_>) -> Result<(), Error> {
    let raw = transaction.as_sys().clone();
    transaction
        .commit()
        .await
        .map_err(|error| raw.error().map_or(error, Error::from))
}

/// The values stored in the place of each copy of the header.
type HeaderCopies = [Option<Vec<u8>>; HEADER_COPIES];

/// Asks for the copies of the header.
fn header_copies(
    transaction: &Transaction<'_>,
) -> Result<impl Future<Output = Result<HeaderCopies, Error>> + use<>, Error> {
    let meta = transaction.object_store(META)?;
    let [first, second] = HEADER_KEYS.map(|key| get(&meta, key));
    let (first, second) = (first?, second?);
    Ok(async move {
        let first = first.await?.and_then(bytes_of);
        Ok([first, second.await?.and_then(bytes_of)])
    })
}

/// The header that counts among the copies. Whether there are pages is asked only where there is no header.
async fn stored_header(
    transaction: &Transaction<'_>,
    copies: impl Future<Output = Result<HeaderCopies, Error>>,
) -> Result<Result<Option<Vec<u8>>, StorageError>, Error> {
    let copies = copies.await?;
    let is_bare = copies.iter().all(Option::is_none);
    let has_pages = is_bare && count_pages(transaction).await? > 0;
    Ok(current_header(copies, has_pages))
}

/// Asks whether room is kept back.
fn is_reserved(
    meta: &ObjectStore<'_>,
) -> Result<impl Future<Output = Result<bool, Error>> + use<>, Error> {
    let count = meta
        .count()
        .with_query::<f64, _>(KeyRange::Only(RESERVE_KEY))
        .primitive()?;
    Ok(async move { Ok(count.await? > 0) })
}

/// Whether the state of this identity is stored.
async fn fence(
    transaction: &Transaction<'_>,
    identity: (u64, u64),
) -> Result<Result<(), StorageError>, Error> {
    let stored = stored_header(transaction, header_copies(transaction)?).await?;
    let stored = match stored.map(|header| header.map(|header| header_identity(&header))) {
        Ok(Some(Ok(stored))) => stored,
        Ok(None) => (0, 0),
        Ok(Some(Err(error))) | Err(error) => return Ok(Err(error)),
    };
    Ok(match stored == identity {
        true => Ok(()),
        false => Err(StorageError::fenced(stored.0, identity.0)),
    })
}

/// Issues the puts of all copies of the header.
fn put_header(meta: &ObjectStore<'_>, header: &[u8]) -> Result<(), Error> {
    HEADER_KEYS
        .into_iter()
        .try_for_each(|key| put(meta, key, copy_of(header)))
}

/// The pages that the commits after `known` up to `until` changed; `None` when the record does not reach back that far.
async fn newer_pages(
    transaction: &Transaction<'_>,
    known: u64,
    until: u64,
) -> Result<Option<Vec<(PageNumber, Buffer)>>, Error> {
    if until < known || until - known > REMEMBERED_COMMITS {
        return Ok(None);
    }
    let meta = transaction.object_store(META)?;
    let Some(numbers) = changed_pages(&meta, known, until).await? else {
        return Ok(None);
    };
    read_numbers(transaction, numbers).await.map(Some)
}

/// The numbers of the pages that the commits after `since` up to `until` changed; `None` when the
/// record does not reach back that far.
async fn changed_pages(
    meta: &ObjectStore<'_>,
    since: u64,
    until: u64,
) -> Result<Option<Vec<PageNumber>>, Error> {
    let wanted = KeyRange::Bound(since as f64, true, until as f64, false);
    if since == until {
        return Ok(Some(Vec::new()));
    }
    let records: Vec<JsValue> = meta
        .get_all::<JsValue>()
        .with_query::<f64, _>(wanted)
        .primitive()?
        .await?
        .collect::<Result<_, _>>()?;
    if records.len() as u64 != until - since {
        return Ok(None);
    }
    let mut numbers = Vec::new();
    for record in records {
        let Some(changed) = bytes_of(record).as_deref().and_then(page_numbers) else {
            return Ok(None);
        };
        numbers.extend(changed);
    }
    sorting::sort(&mut numbers);
    numbers.dedup();
    Ok(Some(numbers))
}

/// The page numbers in a record of changed pages; `None` where it is no such record, as if there were none.
fn page_numbers(record: &[u8]) -> Option<Vec<PageNumber>> {
    let (numbers, rest) = record.as_chunks::<8>();
    let numbers: Vec<PageNumber> = { numbers.iter() }
        .map(|bytes| u64::from_le_bytes(*bytes))
        .collect();
    let is_whole = rest.is_empty()
        && numbers.first() != Some(&0)
        && numbers.is_sorted_by(|a, b| a < b)
        && numbers
            .last()
            .is_none_or(|last| *last < u64::from(u32::MAX));
    is_whole.then_some(numbers)
}

fn bytes_of(value: JsValue) -> Option<Vec<u8>> {
    value
        .dyn_into::<Uint8Array>()
        .ok()
        .map(|array| array.to_vec())
}

impl PageDevice for IdbDevice {
    async fn read_header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        self.header().await
    }

    async fn stored_pages(&self) -> Result<u64, StorageError> {
        self.reading(async |transaction| count_pages(transaction).await.map(Ok))
            .await
    }

    async fn read_pages(
        &self,
        first: PageNumber,
        count: u64,
    ) -> Result<Vec<(PageNumber, Buffer)>, StorageError> {
        self.reading(async |transaction| {
            let range = first..first.saturating_add(count);
            let pages = read_ranges(transaction, std::slice::from_ref(&range)).await;
            pages.map(Ok)
        })
        .await
    }

    async fn write(&self, batch: &CommitBatch, durability: Durability) -> Result<(), StorageError> {
        let database = self.database().await?;
        let freed = FreedRecords::default();
        self.write_batch(&database, batch, durability, &freed, Reserve::Wanted)
            .await
            .map_err(|error| self.failed(error))?
    }
}
