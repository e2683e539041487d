//! The host of programs in Rust that run in a browser, a worker or Node, and of their tests (`wasm-pack test`).
//!
//! Invariant: it needs nothing but the language's globals (`Date`, `performance`, `crypto`) and evaluates no text, so
//! that it works under any Content-Security-Policy. Like the native host it knows no named time zones and runs no
//! script functions; both are refused, not guessed.

use crate::env::{Env, FunctionCall};
use js_sys::{Function, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

/// An `Env` over the globals.
#[derive(Debug, Default)]
pub struct GlobalEnv;

impl GlobalEnv {
    pub fn new() -> Self {
        Self
    }
}

/// Calls a method of a global object.
fn call(object: &str, method: &str, argument: &JsValue) -> Option<JsValue> {
    let object = Reflect::get(&js_sys::global(), &object.into()).ok()?;
    let method: Function = Reflect::get(&object, &method.into())
        .ok()?
        .dyn_into()
        .ok()?;
    method.call1(&object, argument).ok()
}

impl Env for GlobalEnv {
    fn now_millis(&self) -> i64 {
        js_sys::Date::now() as i64
    }

    fn monotonic_millis(&self) -> f64 {
        let elapsed = call("performance", "now", &JsValue::UNDEFINED);
        elapsed.and_then(|millis| millis.as_f64()).unwrap_or(0.0)
    }

    fn fill_random(&self, bytes: &mut [u8]) {
        // More than this is refused at a time.
        for part in bytes.chunks_mut(65_536) {
            let filled = Uint8Array::new_with_length(part.len() as u32);
            if call("crypto", "getRandomValues", &filled).is_none() {
                // An old Node: not for secrets, and these are none.
                (0..filled.length())
                    .for_each(|at| filled.set_index(at, (js_sys::Math::random() * 256.0) as u8));
            }
            filled.copy_to(part);
        }
    }

    fn zone_offset_seconds(&self, _: &str, _: i64) -> Option<i32> {
        None
    }

    fn call_function(&self, _: &FunctionCall<'_>) -> Result<String, String> {
        Err("there are no script functions here".to_owned())
    }
}
