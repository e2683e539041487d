//! An engine whose host counts how often it is asked whether to go on, and whose memory is counted.
//!
//! Invariant: all counts are of the thread that asks, so that tests beside each other do not mix. The host's monotonic
//! clock moves three milliseconds each time it is read: the engine then reads it at every checkpoint, and a time limit
//! is a number of checkpoints.

use quire::bson::extended_json::{Format, parse_document, to_string};
use quire::bson::{ArrayBuf, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef};
use quire::engine::Engine;
use quire::env::Env;
use quire::env::native::NativeEnv;
use quire::error::CommandError;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Milliseconds between two looks at the clock.
pub const TICK: i64 = 3;

/// Bytes of a thread's memory.
#[derive(Clone, Copy, Default)]
pub struct Memory {
    /// In use; memory that another thread gave back is not known of.
    pub held: isize,
    /// The most that were in use since `begin`.
    pub peak: isize,
    /// Taken since `begin`, whether given back or not.
    pub taken: usize,
    /// The largest piece asked for since `begin`.
    pub largest: usize,
}

thread_local! {
    static MEMORY: Cell<Memory> = const { Cell::new(Memory { held: 0, peak: 0, taken: 0, largest: 0 }) };
}

fn count(change: isize) {
    // A thread that ends has no counts any more.
    let _ = MEMORY.try_with(|memory| {
        let mut now = memory.get();
        now.held += change;
        now.peak = now.peak.max(now.held);
        let taken = usize::try_from(change).unwrap_or(0);
        now.taken += taken;
        now.largest = now.largest.max(taken);
        memory.set(now);
    });
}

struct Counting;

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's own promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's own promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: the caller's own promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The native host, with counts.
pub struct Host {
    native: NativeEnv,
    asked: Cell<u64>,
}

impl Env for Host {
    quire::env::hand_on!(native: now_millis, fill_random, unicode_class, zone_offset_seconds, collator, words, call_function);

    fn monotonic_millis(&self) -> f64 {
        self.asked.set(self.asked.get() + 1);
        (self.asked.get() as i64 * TICK) as f64
    }

    fn checkpoint(&self) -> Result<(), CommandError> {
        self.asked.set(self.asked.get() + 1);
        Ok(())
    }
}

/// The reply to a command and its costs.
pub struct Done {
    pub reply: DocumentBuf,
    /// How often the host was asked.
    pub asked: u64,
    /// The most memory above the bytes in use before, and all that was taken.
    pub peak: usize,
    pub taken: usize,
    /// The largest piece of memory that was asked for.
    pub largest: usize,
}

impl Done {
    /// The error code of the reply, or of its first write error; 0 where all went well.
    pub fn code(&self) -> i32 {
        let reply = self.reply.as_document();
        let code = |document: Document<'_>| match document.get("code") {
            ValueRef::Int32(code) => code,
            _ => 0,
        };
        match reply.get("writeErrors") {
            ValueRef::Array(errors) => errors.get(0).as_document().map_or(0, code),
            _ => code(reply),
        }
    }

    /// The reply as text.
    pub fn text(&self) -> String {
        to_string(
            ValueRef::Document(self.reply.as_document()),
            Format::Relaxed,
        )
    }
}

/// An engine in memory.
pub struct Counted {
    engine: Engine,
    host: Host,
}

impl Counted {
    pub fn new() -> Self {
        let host = Host {
            native: NativeEnv::fixed(1_767_225_600_000, 7),
            asked: Cell::new(0),
        };
        let engine = Engine::create(&host).expect("an engine in memory opens");
        Self { engine, host }
    }

    /// Runs a command.
    pub fn run(&mut self, command: &DocumentBuf) -> Done {
        let asked = self.host.asked.get();
        let before = MEMORY.with(|memory| {
            let now = memory.get();
            memory.set(Memory {
                held: now.held,
                peak: now.held,
                taken: 0,
                largest: 0,
            });
            now.held
        });
        let outcome = self.engine.run(command.as_bytes(), &self.host);
        let after = MEMORY.with(Cell::get);
        Done {
            reply: DocumentBuf::from_valid_bytes(outcome.reply),
            asked: self.host.asked.get() - asked,
            peak: usize::try_from(after.peak - before).unwrap_or(0),
            taken: after.taken,
            largest: after.largest,
        }
    }

    /// Runs a command of database `d`, in Extended JSON whose quotes may be single.
    pub fn run_text(&mut self, command: &str) -> Done {
        let command = json(command);
        let mut builder = DocumentBuilder::new();
        builder.append_all(command.as_document()).append("$db", "d");
        self.run(&builder.finish())
    }

    /// Runs a pipeline over collection `c`, from which one document is read.
    pub fn pipeline(&mut self, stages: &str) -> Done {
        self.run_text(&format!(
            "{{'aggregate': 'c', 'pipeline': {stages}, 'cursor': {{}}}}"
        ))
    }

    /// Stores a document in a collection.
    pub fn insert(&mut self, collection: &str, documents: impl IntoIterator<Item = DocumentBuf>) {
        let mut builder = DocumentBuilder::new();
        builder.append("insert", collection);
        builder.begin_array("documents");
        for (position, document) in documents.into_iter().enumerate() {
            builder.push_item(position, ValueRef::from(&document));
        }
        builder.end().append("$db", "d");
        let done = self.run(&builder.finish());
        assert_eq!(done.code(), 0, "{}", done.text());
    }
}

/// A document from Extended JSON whose quotes may be single.
pub fn json(text: &str) -> DocumentBuf {
    let text = text.replace('\'', "\"");
    parse_document(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// An array of numbers.
pub fn numbers(numbers: impl Iterator<Item = i32>) -> ArrayBuf {
    let mut array = ArrayBuilder::new();
    for number in numbers {
        array.push(number);
    }
    array.finish()
}
