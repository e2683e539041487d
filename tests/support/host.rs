//! A host in JavaScript for an engine under test: a browser's or Node's own clock and randomness.
//!
//! Invariant: needs nothing but the language's globals, so that the same tests run in workers and in Node.

use js_sys::Function;
use quire::wasm::host::EngineHost;
use wasm_bindgen::prelude::*;

const HOST: &str = "return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    shouldStop: () => false,
    random: (bytes) => crypto.getRandomValues(bytes),
    unicodeClass: () => undefined,
    zoneOffsetSeconds: (zone) => zone === 'Asia/Tokyo' ? 32400 : undefined,
    collator: (locale, sensitivity, caseFirst, numeric, ignorePunctuation) =>
        new Intl.Collator(locale, { sensitivity, caseFirst, numeric, ignorePunctuation }),
    callFunction: () => { throw new Error('there are no script functions here'); },
};";

/// A new host.
pub fn host() -> EngineHost {
    let made = Function::new_no_args(HOST).call0(&JsValue::NULL);
    made.expect("the host's source is fixed").unchecked_into()
}
