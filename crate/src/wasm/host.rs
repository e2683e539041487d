//! The engine's `Env` over an object of JavaScript functions.
//!
//! Invariant: nothing here is trusted to hold: a host function that throws or answers nonsense gives
//! an error or a default, never a trap.

use crate::env::{
    CaseFirst, CollatorOptions, Env, FunctionCall, LANGUAGES, NoEnv, Sensitivity, StringComparer,
    Words,
};
use crate::error::{Code, CommandError, StorageError};
use js_sys::{Array, JsString, Promise, Reflect, Uint8Array};
use std::cmp::Ordering;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The functions that the page or worker supplies; `web/src/engine/bindings.ts` has the same shape.
    #[wasm_bindgen(typescript_type = "EngineHost")]
    pub type EngineHost;

    #[wasm_bindgen(method)]
    fn now(this: &EngineHost) -> f64;

    #[wasm_bindgen(method)]
    fn monotonic(this: &EngineHost) -> f64;

    #[wasm_bindgen(method, catch, js_name = shouldStop)]
    fn should_stop(this: &EngineHost) -> Result<bool, JsValue>;

    #[wasm_bindgen(method)]
    fn random(this: &EngineHost, bytes: &Uint8Array);

    #[wasm_bindgen(method, catch, js_name = unicodeClass)]
    fn unicode_class(this: &EngineHost, name: &str) -> Result<Option<Vec<u32>>, JsValue>;

    #[wasm_bindgen(method, js_name = zoneOffsetSeconds)]
    fn zone_offset_seconds(this: &EngineHost, zone: &str, millis: f64) -> Option<f64>;

    #[wasm_bindgen(method, catch)]
    fn collator(
        this: &EngineHost,
        locale: &str,
        sensitivity: &str,
        case_first: &str,
        numeric: bool,
        ignore_punctuation: bool,
    ) -> Result<Option<HostCollator>, JsValue>;

    /// An `Intl.Collator`, or another object that compares as one does.
    pub type HostCollator;

    #[wasm_bindgen(method, catch)]
    fn compare(this: &HostCollator, left: &str, right: &str) -> Result<f64, JsValue>;

    #[wasm_bindgen(method, catch, js_name = stems)]
    fn stems_of(this: &EngineHost, language: u32, words: &[u8])
    -> Result<Option<Vec<u8>>, JsValue>;

    #[wasm_bindgen(method, js_name = loadLanguages)]
    fn load_languages(this: &EngineHost) -> Promise;

    #[wasm_bindgen(method, catch, js_name = serverName)]
    fn server_name(this: &EngineHost) -> Result<Option<String>, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn credentials(
        this: &EngineHost,
        mechanism: &str,
        user: &str,
        password: &str,
    ) -> Result<Option<String>, JsValue>;

    #[wasm_bindgen(method, catch, js_name = callFunction)]
    fn call_function(
        this: &EngineHost,
        source: &str,
        this_json: Option<String>,
        arguments: &Array,
        limit_millis: Option<f64>,
    ) -> Result<JsString, JsValue>;
}

/// An `Env` over a host object.
pub struct JsEnv {
    host: EngineHost,
}

impl JsEnv {
    pub fn new(host: EngineHost) -> Self {
        Self { host }
    }

    /// Has the host fetch the languages.
    pub fn load_languages(&self) -> Promise {
        self.host.load_languages()
    }
}

/// The message of a thrown value, for a person.
pub fn message_of(thrown: &JsValue) -> String {
    Reflect::get(thrown, &JsValue::from_str("message"))
        .ok()
        .and_then(|message| message.as_string())
        .or_else(|| thrown.as_string())
        .unwrap_or_else(|| "unknown error".to_owned())
}

impl Env for JsEnv {
    fn now_millis(&self) -> i64 {
        self.host.now() as i64
    }

    fn monotonic_millis(&self) -> f64 {
        self.host.monotonic()
    }

    fn stop_requested(&self) -> bool {
        self.host.should_stop().unwrap_or(false)
    }

    fn fill_random(&self, bytes: &mut [u8]) {
        let filled = Uint8Array::new_with_length(bytes.len() as u32);
        self.host.random(&filled);
        filled.copy_to(bytes);
    }

    fn unicode_class(&self, name: &str) -> Option<Vec<(u32, u32)>> {
        let bounds = self.host.unicode_class(name).ok()??;
        let pairs = bounds.chunks_exact(2);
        Some(pairs.map(|pair| (pair[0], pair[1])).collect())
    }

    fn zone_offset_seconds(&self, zone: &str, utc_millis: i64) -> Option<i32> {
        self.host
            .zone_offset_seconds(zone, utc_millis as f64)
            .map(|seconds| seconds as i32)
    }

    fn collator(&self, options: &CollatorOptions<'_>) -> Option<Rc<dyn StringComparer>> {
        let sensitivity = match options.sensitivity {
            Sensitivity::Base => "base",
            Sensitivity::Accent => "accent",
            Sensitivity::Case => "case",
            Sensitivity::Variant => "variant",
        };
        let case_first = match options.case_first {
            CaseFirst::Off => "false",
            CaseFirst::Upper => "upper",
            CaseFirst::Lower => "lower",
        };
        let found = self.host.collator(
            options.locale,
            sensitivity,
            case_first,
            options.numeric,
            options.ignore_punctuation,
        );
        found
            .ok()?
            .map(|collator| Rc::new(collator) as Rc<dyn StringComparer>)
    }

    fn words(&self) -> Rc<dyn Words> {
        Rc::new(HostWords(
            self.host
                .unchecked_ref::<JsValue>()
                .clone()
                .unchecked_into(),
        ))
    }

    fn server_name(&self) -> String {
        let named = self.host.server_name().ok().flatten();
        named.unwrap_or_else(|| NoEnv.server_name())
    }

    fn credentials(&self, mechanism: &str, user: &str, password: &str) -> Option<String> {
        { self.host.credentials(mechanism, user, password) }
            .ok()
            .flatten()
    }

    fn call_function(&self, call: &FunctionCall<'_>) -> Result<String, String> {
        let values: Array = call
            .arguments
            .iter()
            .map(|text| JsValue::from_str(text))
            .collect();
        match self.host.call_function(
            call.source,
            call.this.map(str::to_owned),
            &values,
            call.limit_millis,
        ) {
            Ok(text) => Ok(String::from(text)),
            Err(thrown) => Err(message_of(&thrown)),
        }
    }
}

/// The words of languages, as the host knows them.
struct HostWords(EngineHost);

impl Words for HostWords {
    fn stems(&self, language: usize, words: &str) -> Result<String, CommandError> {
        match self.0.stems_of(language as u32, words.as_bytes()) {
            Ok(Some(stems)) => Ok(String::from_utf8(stems).unwrap_or_default()),
            Ok(None) => Err(StorageError::not_resident(LANGUAGES).into()),
            Err(thrown) => Err(CommandError::new(
                Code::FileStreamFailed,
                message_of(&thrown),
            )),
        }
    }
}

impl StringComparer for HostCollator {
    fn compare(&self, left: &str, right: &str) -> Ordering {
        let found = HostCollator::compare(self, left, right).unwrap_or(0.0);
        found.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
    }
}
