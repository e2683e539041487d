//! The bytes of a deployment's file as the host gives them: in Node, positional reads and writes of an open file.
//!
//! Invariant: nothing here is trusted to hold: a host function that throws or answers nonsense gives an error, never a
//! trap.

use super::host::message_of;
use crate::error::StorageError;
use crate::storage::{ByteFile, FileDevice};
use js_sys::{Promise, Reflect};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// An open file; `web/src/engine/bindings.ts` has the same shape.
    #[wasm_bindgen(typescript_type = "EngineFile")]
    pub type EngineFile;

    #[wasm_bindgen(method, catch)]
    fn length(this: &EngineFile) -> Result<f64, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn read(this: &EngineFile, at: f64, bytes: &mut [u8]) -> Result<f64, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn write(this: &EngineFile, at: f64, bytes: &[u8]) -> Result<f64, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn sync(this: &EngineFile) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn truncate(this: &EngineFile, length: f64) -> Result<(), JsValue>;
}

/// The file of a deployment, which the deployment and its pager share.
pub(super) type DataFile = Rc<FileDevice<HostFile>>;

/// A `ByteFile` over a host object.
pub struct HostFile(EngineFile);

impl HostFile {
    /// The device over a host's file.
    pub(super) fn device(file: EngineFile) -> DataFile {
        Rc::new(FileDevice::new(Self(file)))
    }
}

/// The codes of systems that have no room, for this file or for anybody.
const NO_ROOM: [&str; 3] = ["ENOSPC", "EDQUOT", "EFBIG"];

fn failed(thrown: JsValue) -> StorageError {
    let code = Reflect::get(&thrown, &JsValue::from_str("code")).ok();
    match code.and_then(|code| code.as_string()) {
        Some(code) if NO_ROOM.contains(&code.as_str()) => StorageError::out_of_space(),
        _ => StorageError::device(message_of(&thrown)),
    }
}

impl ByteFile for HostFile {
    fn length(&self) -> Result<u64, StorageError> {
        self.0.length().map(|length| length as u64).map_err(failed)
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<usize, StorageError> {
        let most = bytes.len();
        let read = self.0.read(at as f64, bytes).map_err(failed)?;
        Ok((read as usize).min(most))
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Result<usize, StorageError> {
        let written = self.0.write(at as f64, bytes).map_err(failed)?;
        Ok((written as usize).min(bytes.len()))
    }

    async fn sync(&self) -> Result<(), StorageError> {
        let synced = self.0.sync().map_err(failed)?;
        JsFuture::from(synced).await.map(drop).map_err(failed)
    }

    fn truncate(&self, length: u64) -> Result<(), StorageError> {
        self.0.truncate(length as f64).map_err(failed)
    }
}
