//! The heap: one allocator, a cap on the bytes in use, and growth in large steps.
//!
//! talc gives out memory; this module decides how far it may grow. Three bounds lie above each other:
//! - the cap (`maxMemoryBytes`): a command that would keep more in use is refused with `ExceededMemoryLimit`;
//! - the margin above it, for allocations between two checkpoints, and for commands that keep nothing;
//! - `HIGHEST`, where growth ends in any case.
//!
//! Invariants: no address of the heap and a request added to it pass 2^32, because `HIGHEST` and `LARGEST_REQUEST` add
//! up to less: talc compares `base + size <= end` in wrapping arithmetic, so beyond that a request too large for a gap
//! at the top of memory would "fit" and overwrite the bottom of memory. Room for a sixteenth of the heap is had ahead
//! in one piece, so that a browser which refuses to grow memory is met by a check and not by an allocation; and of a
//! command with large allocations twice their sum (`LARGE_IN_USE`), because a large buffer grows by doubling or is
//! copied, and several may do so between two checks. For example two arrays of 16 MiB go on growing only where 64 MiB
//! are free in one piece. A command that made an allocation whose double is refused ends at the next check
//! (`HUGE_IN_USE`): what collects as much as memory holds does so in pieces. An allocation between two checks that is
//! larger than all that gets the reserve (`HELD`), and the next check ends the command.

use crate::env::heap::{Heap, Need};
use core::arch::wasm32::{memory_grow, memory_size};
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};
use talc::base::Talc;
use talc::base::binning::Binning;
use talc::cell::TalcSyncCell;
use talc::source::Source;
use talc::wasm::WasmBinning;

const MIB: usize = 1 << 20;
/// Bytes of a wasm page.
const WASM_PAGE: usize = 1 << 16;
/// Where memory ends, in bytes.
const HIGHEST: usize = 3584 * MIB;
/// Requests from here on are refused.
const LARGEST_REQUEST: usize = 511 * MIB;
/// The double of an allocation from here on is such a request.
const HUGE: usize = LARGEST_REQUEST.div_ceil(2);
/// The cap unless the host names one.
const DEFAULT_CAP: usize = 2048 * MIB;
/// The cap that leaves the largest margin below `HIGHEST`.
const LARGEST_CAP: usize = 3072 * MIB;
/// Commands up to this length may still grow memory a page at a time, until they did.
const SMALL: usize = 1 << 16;
/// A heap of fewer bytes has nothing held back: no browser refuses so little.
const HELD_FROM: usize = 16 * MIB;
/// The least and the most that is held back: a full reply's room when it doubles, and an array's at its bound.
const LEAST_HELD: usize = 40 * MIB;
const MOST_HELD: usize = 160 * MIB;
/// Allocations from here on are checked: so large a buffer grows by doubling, or is copied.
const LARGE: usize = 1 << 20;
/// The allocator's own bytes for each allocation, on average.
const OVERHEAD: usize = 16;

thread_local! {
    static CAP: Cell<usize> = const { Cell::new(DEFAULT_CAP) };
    /// Bytes given out and not given back.
    static USED: Cell<usize> = const { Cell::new(0) };
    /// `USED` when the command began.
    static USED_BEFORE: Cell<usize> = const { Cell::new(0) };
    /// `USED` up to which the room that was last found is certainly still there.
    static FOUND_UNTIL: Cell<usize> = const { Cell::new(0) };
    /// How large a piece of that room is, once so much of it was taken.
    static FOUND: Cell<usize> = const { Cell::new(0) };
    /// The command that begins may keep nothing: there is no room for the bytes that it brings, or for the reserve.
    static SHORT: Cell<bool> = const { Cell::new(false) };
    /// Where the piece of memory lies that is held back for an allocation that memory does not grow for, and its bytes.
    static HELD: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    /// An allocation took it: the command is to end.
    static SPENT: Cell<bool> = const { Cell::new(false) };
    /// Bytes of the large allocations that the command which runs has made and not given back.
    static LARGE_IN_USE: Cell<usize> = const { Cell::new(0) };
    /// How many of them are so large that they cannot double.
    static HUGE_IN_USE: Cell<usize> = const { Cell::new(0) };
    /// A command was refused for one of those.
    static WAS_HUGE: Cell<bool> = const { Cell::new(false) };
    /// The bytes that the command brings to be kept.
    static BROUGHT: Cell<usize> = const { Cell::new(0) };
    /// Memory's size after the last reservation, in wasm pages.
    static KNOWN: Cell<usize> = const { Cell::new(0) };
}

/// Grows wasm memory for talc, up to `HIGHEST`.
#[derive(Debug)]
struct Growth {
    /// Where the heap ends that is extended while nobody else grows memory.
    end: Option<NonNull<u8>>,
}

// SAFETY: it allocates nothing.
unsafe impl Source for Growth {
    fn acquire<B: Binning>(talc: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
        // talc's own words, the alignment, and the rest of a page.
        let pages = (layout.size() + layout.align() + 64).div_ceil(WASM_PAGE);
        if memory_size(0) + pages > HIGHEST / WASM_PAGE {
            return Err(());
        }
        let before = memory_grow::<0>(pages);
        if before == usize::MAX {
            return Err(());
        }
        let start = (before * WASM_PAGE) as *mut u8;
        let bytes = pages * WASM_PAGE;
        // SAFETY: the pages are new, so nobody else has them; they end below `HIGHEST`. `end` came from talc the last
        // time.
        talc.source.end = unsafe {
            match talc.source.end {
                Some(end) if end.as_ptr() == start => Some(talc.extend(end, start.add(bytes))),
                _ => talc.claim(start, bytes),
            }
        };
        Ok(())
    }
}

/// The allocator of the whole module: talc, with a count of the bytes in use.
struct Allocator(TalcSyncCell<Growth, WasmBinning>);

#[global_allocator]
static ALLOCATOR: Allocator = Allocator(TalcSyncCell::new_wasm(Growth { end: None }));

/// A piece of memory that nobody uses.
fn piece(bytes: usize) -> Layout {
    Layout::array::<u8>(bytes).unwrap_or(Layout::new::<u8>())
}

impl Allocator {
    /// Has a piece of memory, if memory can grow for it. It does not count as in use.
    fn take(&self, bytes: usize) -> *mut u8 {
        match bytes {
            1..LARGEST_REQUEST => {
                // SAFETY: there are bytes.
                unsafe { self.0.alloc(piece(bytes)) }
            }
            _ => null_mut(),
        }
    }

    /// Gives a piece back that `take` gave.
    fn give(&self, start: *mut u8, bytes: usize) {
        // SAFETY: it was allocated with this layout.
        unsafe { self.0.dealloc(start, piece(bytes)) }
    }

    /// Gives up the reserve; false when there is none.
    #[cold]
    #[inline(never)]
    fn spend(&self) -> bool {
        let (start, bytes) = HELD.replace((0, 0));
        if start == 0 {
            return false;
        }
        SPENT.set(true);
        self.give(start as *mut u8, bytes);
        true
    }
}

#[inline]
fn count(given: usize, taken: usize) {
    USED.set(USED.get().wrapping_add(given).wrapping_sub(taken));
    if given > LARGE || taken > LARGE {
        let of_large = |bytes: usize| if bytes > LARGE { bytes } else { 0 };
        let in_use = LARGE_IN_USE.get() + of_large(given);
        // One that was made before this command may be given back by it.
        LARGE_IN_USE.set(in_use.saturating_sub(of_large(taken)));
        let huge = HUGE_IN_USE.get() + usize::from(given >= HUGE);
        HUGE_IN_USE.set(huge.saturating_sub(usize::from(taken >= HUGE)));
    }
}

// SAFETY: talc's own; a request that is refused gets null, as the contract has it.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= LARGEST_REQUEST {
            return null_mut();
        }
        // SAFETY: the caller's.
        let mut found = unsafe { self.0.alloc(layout) };
        if found.is_null() && self.spend() {
            // SAFETY: the caller's.
            found = unsafe { self.0.alloc(layout) };
        }
        if !found.is_null() {
            count(layout.size() + OVERHEAD, 0);
        }
        found
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size() + OVERHEAD);
        // SAFETY: the caller's.
        unsafe { self.0.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size >= LARGEST_REQUEST {
            return null_mut();
        }
        // SAFETY: the caller's.
        let mut found = unsafe { self.0.realloc(pointer, layout, size) };
        if found.is_null() && self.spend() {
            // SAFETY: the caller's; the failed call changed nothing.
            found = unsafe { self.0.realloc(pointer, layout, size) };
        }
        if !found.is_null() {
            count(size, layout.size());
        }
        found
    }
}

/// How far above the cap a command may go that keeps nothing.
fn margin(cap: usize) -> usize {
    (cap / 8).clamp(32 * MIB, 256 * MIB)
}

/// Whether so many bytes are there in one piece; memory grows for them if it has to.
fn reserve(bytes: usize) -> bool {
    let found = ALLOCATOR.take(bytes);
    let is_there = !found.is_null();
    if is_there {
        ALLOCATOR.give(found, bytes);
    }
    KNOWN.set(memory_size(0));
    is_there
}

/// Holds memory back, more of it as more is in use; false where there is none to be had.
fn hold_back() -> bool {
    let (start, held) = HELD.get();
    let wanted = (USED.get() / 4).clamp(LEAST_HELD, MOST_HELD);
    if memory_size(0) * WASM_PAGE < HELD_FROM || held * 2 > wanted {
        return true;
    }
    let found = ALLOCATOR.take(wanted);
    if found.is_null() {
        // Less is better than nothing.
        return start != 0;
    }
    if start != 0 {
        ALLOCATOR.give(start as *mut u8, held);
    }
    HELD.set((found as usize, wanted));
    true
}

/// Sets the most bytes that may be in use, as near to `bytes` as the bounds of this module allow.
pub fn set_cap(bytes: f64) {
    CAP.set((bytes as usize).clamp(16 * MIB, LARGEST_CAP));
}

/// Whether another `bytes` may be in use, for a buffer that is given back when the command ends.
pub fn fits(bytes: usize) -> bool {
    let most = CAP.get().max(USED_BEFORE.get());
    USED.get().saturating_add(bytes) <= most + margin(CAP.get())
        && bytes < LARGEST_REQUEST
        && (bytes < SMALL || reserve(bytes))
}

/// Whether pages may be read that nobody has asked for yet.
pub fn may_read_ahead() -> bool {
    USED.get() + memory_size(0) * WASM_PAGE / 8 <= CAP.get()
}

/// How many bytes of pages to forget, where they can be read again: down to half of the cap, once three quarters of it
/// are in use.
pub fn pressing() -> usize {
    let (cap, used) = (CAP.get(), USED.get());
    match used > cap / 4 * 3 {
        true => used - cap / 2,
        false => 0,
    }
}

/// Whether so many bytes of pages can be read: the stored pages may be more than the cap, but not more than memory.
pub fn may_read(bytes: usize) -> bool {
    USED.get() + bytes + margin(CAP.get()) <= HIGHEST
}

/// Begins a command that brings so many bytes to be kept: makes sure that they are there for the allocator in one
/// piece, and some more when memory had to grow since the last call.
pub fn prepare(bytes: usize) {
    USED_BEFORE.set(USED.get());
    SPENT.set(false);
    LARGE_IN_USE.set(0);
    HUGE_IN_USE.set(0);
    WAS_HUGE.set(false);
    BROUGHT.set(bytes);
    let is_held = hold_back();
    SHORT.set(!is_held);
    let pages = memory_size(0);
    if bytes <= SMALL && KNOWN.get() == pages {
        return;
    }
    let found = |wanted: usize| USED.get() + wanted <= CAP.get() && reserve(wanted);
    SHORT.set(!is_held || (!found(bytes.max(pages * WASM_PAGE / 16)) && !found(bytes)));
}

/// The heap as the engine asks about it.
pub struct WasmHeap;

impl Heap for WasmHeap {
    fn growth(&self) -> usize {
        // Three fields that do not overlap: memory has fewer than 2^16 pages, and large allocations fewer than 2^12
        // MiB.
        memory_size(0) | (LARGE_IN_USE.get() / MIB) << 16 | usize::from(SPENT.get()) << 31
    }

    fn has_room(&self, need: Need) -> bool {
        if HUGE_IN_USE.get() > 0 {
            WAS_HUGE.set(true);
            return false;
        }
        if SPENT.get() {
            return false;
        }
        let (cap, used) = (CAP.get(), USED.get());
        // Memory that commands took above the cap and gave back asks for nothing.
        let ahead = (memory_size(0) * WASM_PAGE).min(cap) / 16;
        let (most, ahead) = match need {
            Need::Keep if SHORT.get() => return false,
            Need::Keep => (cap, ahead),
            Need::Work => (cap.max(USED_BEFORE.get()) + margin(cap), ahead / 4),
        };
        if used + ahead > most {
            return false;
        }
        // A large buffer may be about to double, or to be copied, after some more has been taken.
        let large = LARGE_IN_USE.get().saturating_mul(2);
        if used <= FOUND_UNTIL.get() && KNOWN.get() == memory_size(0) && large <= FOUND.get() {
            return true;
        }
        let wanted = ahead.max(large.saturating_add(ahead / 2));
        let found = reserve(wanted.min(LARGEST_REQUEST - 1));
        if need == Need::Keep {
            FOUND_UNTIL.set(if found { used + ahead / 2 } else { 0 });
            FOUND.set(wanted - ahead / 2);
        }
        found
    }

    fn wants_room(&self) -> bool {
        !WAS_HUGE.get()
    }

    fn begin_anew(&self) {
        prepare(BROUGHT.get());
    }
}
