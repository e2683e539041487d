//! Wasm memory grows in large steps.
//!
//! The allocator asks for as little as it needs, mostly a page or two, and every growth is dear for the host: it
//! makes another buffer object of the whole size, which its garbage collector takes for new memory. Room that was
//! never touched costs nothing.

use core::arch::wasm32::memory_size;
use std::cell::Cell;

/// Bytes of a wasm page.
const WASM_PAGE: usize = 1 << 16;
/// Commands up to this length may still grow memory a page at a time, until they did.
const SMALL: usize = 1 << 16;

thread_local! {
    /// Memory's size after the last reservation, in wasm pages.
    static KNOWN: Cell<usize> = const { Cell::new(0) };
}

/// Makes sure that about so many bytes in one piece are there for the allocator, and some more when memory had to
/// grow since the last call.
pub fn prepare(bytes: usize) {
    let pages = memory_size(0);
    if bytes <= SMALL && KNOWN.get() == pages {
        return;
    }
    let mut room: Vec<u8> = Vec::new();
    // Given back at once; if there is no room, whoever needs it finds out.
    let _ = room.try_reserve_exact(bytes.max(pages * WASM_PAGE / 16));
    drop(std::hint::black_box(room));
    KNOWN.set(memory_size(0));
}
