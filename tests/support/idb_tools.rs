//! The tools of the IndexedDB tests, as Rust calls them; `idb_tools.js` describes each.

use js_sys::Function;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The object that `support/idb_tools.js` returns.
    pub type Tools;
    #[wasm_bindgen(method, catch)]
    pub async fn keys(this: &Tools, name: &str, store: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub async fn read(this: &Tools, name: &str, store: &str, key: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub async fn write(
        this: &Tools,
        name: &str,
        store: &str,
        key: f64,
        value: &JsValue,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = longestBuffer)]
    pub async fn longest_buffer(this: &Tools, name: &str, store: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = makeOld)]
    pub async fn make_old(this: &Tools, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub async fn delete(this: &Tools, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method)]
    pub fn watch(this: &Tools);
    #[wasm_bindgen(method)]
    pub fn seen(this: &Tools, what: &str) -> JsValue;
    #[wasm_bindgen(method)]
    pub fn fill(this: &Tools);
    #[wasm_bindgen(method, js_name = abortCommits)]
    pub fn abort_commits(this: &Tools, times: u32);
    #[wasm_bindgen(method, js_name = closeNextConnection)]
    pub fn close_next_connection(this: &Tools);
    #[wasm_bindgen(method, js_name = dropTimers)]
    pub fn drop_timers(this: &Tools, millis: u32);
    #[wasm_bindgen(method)]
    pub fn restore(this: &Tools);
}

/// The tools, made anew.
pub fn tools() -> Tools {
    let made = Function::new_no_args(include_str!("idb_tools.js")).call0(&JsValue::NULL);
    made.expect("the tools' source is fixed").unchecked_into()
}
