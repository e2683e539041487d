//! How often each part of the engine ran.

use wasm_bindgen::prelude::*;

/// The counts so far, in LLVM's raw form; empty when there is no memory for them.
#[wasm_bindgen(js_name = takeProfile)]
pub fn take_profile() -> Vec<u8> {
    let mut profile = Vec::new();
    // SAFETY: the engine has one thread, which is here.
    if unsafe { minicov::capture_coverage(&mut profile) }.is_err() {
        profile.clear();
    }
    profile
}
