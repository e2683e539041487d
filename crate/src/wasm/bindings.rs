//! The engine's exports to JavaScript: one class, `QuireEngine`.
//!
//! Bulk data crosses as bytes in wasm memory: the caller writes a command into the command buffer and reads the reply
//! at the address that `run` gives. Invariant: `run` and `runJson` answer to any bytes and any text;
//! `web/src/engine/bindings.ts` has the same shape.

use super::data_file::EngineFile;
use super::deployment::{self, HostedDeployment};
use super::host::{EngineHost, JsEnv};
use super::idb::IdbDevice;
use super::lent;
use super::memory;
use crate::bson::Document;
use crate::bson::extended_json::{Format, parse_document, write_document};
use crate::command::{Topology, error_reply};
use crate::error::{Code, CommandError};
use crate::storage::Durability;
use js_sys::{Promise, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// An engine and its deployment.
#[wasm_bindgen]
pub struct QuireEngine {
    /// Shared with the promises of `flush` and `reload`, which outlive the call that made them.
    deployment: Rc<HostedDeployment>,
    command: Vec<u8>,
    reply: Vec<u8>,
    await_data_millis: Option<f64>,
}

fn thrown(error: impl std::fmt::Display) -> JsValue {
    js_sys::Error::new(&error.to_string()).into()
}

/// An error that goes by the name of its code.
fn named(error: &CommandError) -> JsValue {
    let thrown = js_sys::Error::new(&error.message);
    thrown.set_name(&error.code_name());
    thrown.into()
}

#[wasm_bindgen]
impl QuireEngine {
    /// How many bytes this module's engine may have in use before commands that keep more are refused. To be
    /// said before it is opened.
    #[wasm_bindgen(js_name = limitMemory)]
    pub fn limit_memory(bytes: f64) {
        memory::set_cap(bytes);
    }

    /// Has the next deployment present itself as a standalone, where it is the only member of a replica set otherwise.
    #[wasm_bindgen(js_name = presentStandalone)]
    pub fn present_standalone() {
        deployment::NEXT.set(Topology::Standalone);
    }

    /// A deployment in memory only.
    ///
    /// # Errors
    /// Throws errors of the engine.
    #[wasm_bindgen(js_name = openMemory)]
    pub fn open_memory(host: EngineHost) -> Result<QuireEngine, JsValue> {
        let deployment = HostedDeployment::in_memory(JsEnv::new(host)).map_err(thrown)?;
        Ok(Self::new(deployment))
    }

    /// A deployment stored in IndexedDB under a name. It is open before its pages are there: `run` says when one is
    /// missing.
    ///
    /// # Errors
    /// Throws when the database cannot be opened or read; the error's name is that of the code.
    #[wasm_bindgen(js_name = openIndexedDb)]
    pub async fn open_indexed_db(name: String, host: EngineHost) -> Result<QuireEngine, JsValue> {
        let deployment = HostedDeployment::in_indexed_db(&name, JsEnv::new(host))
            .await
            .map_err(|error| named(&error))?;
        let engine = Self::new(deployment);
        engine.deployment.read_when_idle();
        Ok(engine)
    }

    /// A deployment in a file.
    ///
    /// # Errors
    /// Throws when the file cannot be read; the error's name is that of the code.
    #[wasm_bindgen(js_name = openFile)]
    pub fn open_file(file: EngineFile, host: EngineHost) -> Result<QuireEngine, JsValue> {
        let deployment = HostedDeployment::in_file(file, JsEnv::new(host));
        Ok(Self::new(deployment.map_err(|error| named(&error))?))
    }

    /// The readable part of a damaged deployment in IndexedDB: a copy in memory, read-only, of every readable document,
    /// whose indexes are built anew. The command `quireSalvage` lists the losses. Nothing stored is changed, unless it
    /// is to be repaired and something was lost: the copy then takes the place of all that is stored, in one
    /// transaction.
    ///
    /// # Errors
    /// Throws when storage cannot be read or written, nothing is stored, or another format version is.
    #[wasm_bindgen(js_name = openDamaged)]
    pub async fn open_damaged(
        name: String,
        host: EngineHost,
        repair: bool,
    ) -> Result<QuireEngine, JsValue> {
        let deployment = HostedDeployment::salvaged(&name, JsEnv::new(host), repair)
            .await
            .map_err(thrown)?;
        Ok(Self::new(deployment))
    }

    /// The readable part of a damaged deployment in a file, as of `openDamaged`; the file is only read.
    ///
    /// # Errors
    /// Throws when the file cannot be read, or has another format version; the error's name is that of the code.
    #[wasm_bindgen(js_name = openDamagedFile)]
    pub fn open_damaged_file(file: EngineFile, host: EngineHost) -> Result<QuireEngine, JsValue> {
        let deployment = HostedDeployment::salvaged_file(file, JsEnv::new(host));
        Ok(Self::new(deployment.map_err(|error| named(&error))?))
    }

    /// Makes room for a command of `length` bytes; gives its address. A larger room keeps the bytes of the smaller one,
    /// because the encoder grows it while it writes. A length of 0 gives a bulk command's room back. The address is 0
    /// when memory does not suffice: the earlier room is kept.
    #[wasm_bindgen(js_name = commandBuffer)]
    pub fn command_buffer(&mut self, length: usize) -> *const u8 {
        if length == 0 {
            self.command = Vec::new();
        } else if self.command.len() < length {
            let more = length - self.command.len();
            if !memory::fits(length) || self.command.try_reserve_exact(more).is_err() {
                return std::ptr::null();
            }
            self.command.resize(length, 0);
        }
        self.command.as_ptr()
    }

    /// Runs the command in the first bytes of the room; gives where the reply lies, which is kept
    /// until the next call. 0 when the command stopped at a page that is not in memory and changed
    /// nothing: await `fetchMissing`, then run the same bytes again.
    pub fn run(&mut self, length: usize) -> *const u8 {
        // A bulk command stores about as many bytes as it has itself, and its index keys.
        memory::prepare(length + length / 2);
        let command = self.command.get(..length).unwrap_or_default();
        let outcome = self
            .deployment
            .run(command, std::mem::take(&mut self.reply));
        let is_missing = outcome.missing_page.is_some();
        self.reply = outcome.reply;
        self.await_data_millis = outcome.await_data_millis.map(|millis| millis as f64);
        if is_missing {
            return std::ptr::null();
        }
        self.reply.as_ptr()
    }

    /// Brings the page at which the last `run` stopped.
    ///
    /// # Errors
    /// Rejects when storage cannot be read.
    #[wasm_bindgen(js_name = fetchMissing)]
    pub fn fetch_missing(&self) -> Promise {
        let deployment = Rc::clone(&self.deployment);
        future_to_promise(async move {
            deployment.fetch_missing().await.map_err(thrown)?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Resolves when every page is in memory that can be had: no `run` and no `runJson` stops at a missing one then,
    /// until a `reload`.
    ///
    /// # Errors
    /// Rejects when storage cannot be read.
    pub fn resident(&self) -> Promise {
        let deployment = Rc::clone(&self.deployment);
        future_to_promise(async move {
            deployment.everything().await.map_err(thrown)?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// How long the last reply is, in bytes.
    #[wasm_bindgen(js_name = replyLength)]
    pub fn reply_length(&self) -> usize {
        self.reply.len()
    }

    /// Set when the last `run` was a `getMore` with `awaitData` that found nothing yet: for how many
    /// milliseconds the host may hold the reply back, to run the same bytes again once something was
    /// written.
    #[wasm_bindgen(js_name = awaitDataMillis)]
    pub fn await_data_millis(&self) -> Option<f64> {
        self.await_data_millis
    }

    /// Runs a command given as Extended JSON; the reply is canonical Extended JSON. Where pages may be missing, await
    /// `resident` before: this tells of none.
    #[wasm_bindgen(js_name = runJson)]
    pub fn run_json(&mut self, text: &str) -> String {
        memory::prepare(text.len());
        let reply = match parse_document(text) {
            Ok(command) => self.deployment.run(command.as_bytes(), Vec::new()).reply,
            Err(error) => {
                error_reply(&CommandError::new(Code::FailedToParse, error.to_string())).into_bytes()
            }
        };
        let mut out = String::with_capacity(reply.len() * 2);
        write_document(
            &mut out,
            Document::from_valid_bytes(&reply),
            Format::Canonical,
        );
        out
    }

    /// Stores all changes that are not stored yet, as one batch; resolves when the device has it. Nothing else stores
    /// it. A batch with a command that asked for its journal is strict in any case.
    ///
    /// # Errors
    /// Rejects when it cannot be stored; `status` says whether a later try may succeed. Where there was no room
    /// the last time, nothing is tried before something changed, unless it is to be tried `again`.
    pub fn flush(&self, strict: bool, again: bool) -> Promise {
        let durability = if strict {
            Durability::Strict
        } else {
            Durability::Relaxed
        };
        let deployment = Rc::clone(&self.deployment);
        future_to_promise(async move {
            deployment.flush(durability, again).await.map_err(thrown)?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Drops the changes that are not stored and goes on from another tab's stored state; for the mode `displaced`.
    ///
    /// # Errors
    /// Rejects when it cannot be read; try it again then.
    #[wasm_bindgen(js_name = startAnew)]
    pub fn start_anew(&self) -> Promise {
        let deployment = Rc::clone(&self.deployment);
        future_to_promise(async move {
            deployment.start_anew().await.map_err(thrown)?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Whether the last command asked to be journaled; in memory too.
    #[wasm_bindgen(js_name = askedJournal)]
    pub fn asked_journal(&self) -> bool {
        self.deployment.asked_journal()
    }

    /// Whether the last command left changes to be stored, or asked to be journaled; in memory too.
    #[wasm_bindgen(js_name = hasChanged)]
    pub fn has_changed(&self) -> bool {
        self.deployment.has_changed()
    }

    /// About how many bytes are still to be stored.
    #[wasm_bindgen(js_name = unsavedBytes)]
    pub fn unsaved_bytes(&self) -> usize {
        self.deployment.unsaved_bytes()
    }

    /// The running totals of documents and keys examined, pages touched and documents changed by all commands, in the
    /// order of `web/src/engine/account.ts`.
    pub fn account(&self) -> Vec<f64> {
        self.deployment.account().map(|total| total as f64).to_vec()
    }

    /// Which pages the commands of a run touched: `Pager::take_touched`.
    #[wasm_bindgen(js_name = takeTouched)]
    pub fn take_touched(&self, watch: bool) -> Vec<u32> {
        self.deployment.take_touched(watch)
    }

    /// What the commands since the last call changed, where that was gathered, and whether to gather what the next ones
    /// change: `Changes::told`; no bytes where nothing changed.
    #[wasm_bindgen(js_name = takeWritten)]
    pub fn take_written(&self, gather: bool) -> Vec<u8> {
        self.deployment.take_written(gather)
    }

    /// The reason why changes are not stored, as `status` words it: 0 none, 1 full, 2 displaced, 3 read-only.
    pub fn trouble(&self) -> u8 {
        self.deployment
            .trouble()
            .map_or(0, |trouble| trouble as u8 + 1)
    }

    /// Whether a command asked for journaling that nothing written since has given it.
    #[wasm_bindgen(js_name = wantsStrict)]
    pub fn wants_strict(&self) -> bool {
        self.deployment.wants_strict()
    }

    /// Seals the changes since the last batch and gives them as bytes for `storeBatch` in another worker, while a
    /// script keeps this one busy; undefined when there are none, or it cannot be now. Nothing is written here until
    /// `endLending`.
    ///
    /// # Errors
    /// A broken invariant of the pages.
    #[wasm_bindgen(js_name = lendBatch)]
    pub fn lend_batch(&self) -> Result<Option<Uint8Array>, JsValue> {
        self.deployment.lend_batch().map_err(thrown)
    }

    /// Says that the other worker stored every lent batch up to this sequence.
    #[wasm_bindgen(js_name = lentStored)]
    pub fn lent_stored(&self, sequence: f64) {
        self.deployment.lent_stored(sequence as u64);
    }

    /// Says that the other worker stores nothing more; the next flush here writes the rest.
    #[wasm_bindgen(js_name = endLending)]
    pub fn end_lending(&self, stored: bool) {
        self.deployment.end_lending(stored);
    }

    /// Stores a batch that an engine in another worker lent, in the deployment of this name.
    ///
    /// # Errors
    /// Rejects with errors of the device; nothing was stored then.
    #[wasm_bindgen(js_name = storeBatch)]
    pub fn store_batch(name: String, bytes: Uint8Array) -> Promise {
        future_to_promise(async move {
            let device = IdbDevice::new(&name);
            lent::store(&device, &bytes).await.map_err(thrown)?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Whether there are changes that are not stored.
    #[wasm_bindgen(js_name = hasUnsaved)]
    pub fn has_unsaved(&self) -> bool {
        self.deployment.has_unsaved()
    }

    /// Takes over the changes that another tab stored; resolves to whether there were any.
    ///
    /// # Errors
    /// Rejects when it cannot be read.
    pub fn reload(&self) -> Promise {
        let deployment = Rc::clone(&self.deployment);
        future_to_promise(async move {
            deployment
                .reload()
                .await
                .map(JsValue::from_bool)
                .map_err(thrown)
        })
    }

    /// Mode, reason, commit sequence and sizes, as an object.
    ///
    /// # Errors
    /// Never in practice.
    pub fn status(&self) -> Result<JsValue, JsValue> {
        serde_wasm_bindgen::to_value(&self.deployment.status()).map_err(thrown)
    }
}

impl Drop for QuireEngine {
    fn drop(&mut self) {
        self.deployment.stop_reading();
    }
}

impl QuireEngine {
    fn new(deployment: HostedDeployment) -> Self {
        Self {
            deployment: Rc::new(deployment),
            command: Vec::new(),
            reply: Vec::new(),
            await_data_millis: None,
        }
    }
}
