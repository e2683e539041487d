//! The window a command looks through: the host's services, and the checkpoint that long loops ask.
//!
//! A checkpoint counts; after so many of them it looks at the clock, at the host's wish to stop and at the heap.
//! Invariant: the time between two looks stays near a millisecond, however much one turn of a loop costs, because the
//! count to the next look follows the time between the last ones. A heap that grew is looked at at once.

use crate::bson::Timestamp;
use crate::env::heap::Room;
use crate::env::{Env, FunctionCall};
use crate::error::{Code, CommandError};
use crate::storage::LogicalClock;
use std::cell::Cell;
use std::rc::Rc;

/// Checkpoints before the first look.
const FIRST_STRIDE: u32 = 16;
/// The most checkpoints between two looks. When the turns of a loop suddenly take longer, the next look comes this many
/// turns late.
const LONGEST_STRIDE: u32 = 512;
/// Looks that are nearer to each other move apart, in milliseconds.
const NEAR_MILLIS: f64 = 0.5;
/// Looks that are farther from each other move together, in milliseconds.
const FAR_MILLIS: f64 = 2.0;
/// How often the host is asked whether to stop, in milliseconds: it may have to ask another thread.
const STOP_MILLIS: f64 = 25.0;

/// The host's `Env`, with a checkpoint that ends the command.
pub(super) struct Watched<'e> {
    host: &'e dyn Env,
    room: Room,
    /// When the command must have ended, by the monotonic clock.
    deadline_millis: Option<f64>,
    /// Checkpoints until the next look.
    left: Cell<u32>,
    stride: Cell<u32>,
    /// `Heap::growth` at the last look.
    growth: Cell<usize>,
    looked_millis: Cell<f64>,
    asked_millis: Cell<f64>,
    /// The clock of a replica set.
    clock: Option<Rc<LogicalClock>>,
}

impl<'e> Watched<'e> {
    /// A command that began at `started_millis` and may take `limit_millis`, or any time when that is 0.
    pub(super) fn new(
        host: &'e dyn Env,
        room: Room,
        started_millis: f64,
        limit_millis: i64,
    ) -> Self {
        Self {
            host,
            room,
            deadline_millis: (limit_millis > 0).then_some(started_millis + limit_millis as f64),
            left: Cell::new(FIRST_STRIDE),
            stride: Cell::new(FIRST_STRIDE),
            growth: Cell::new(room.heap.growth()),
            looked_millis: Cell::new(started_millis),
            asked_millis: Cell::new(started_millis),
            clock: None,
        }
    }

    /// The same in a replica set, whose clock expressions may read.
    pub(super) fn with_clock(self, clock: Option<Rc<LogicalClock>>) -> Self {
        Self { clock, ..self }
    }

    #[cold]
    #[inline(never)]
    fn look(&self) -> Result<(), CommandError> {
        let now = self.host.monotonic_millis();
        if self.deadline_millis.is_some_and(|deadline| now >= deadline) {
            return Err(CommandError::new(
                Code::MaxTimeMSExpired,
                "operation exceeded time limit",
            ));
        }
        if now - self.asked_millis.get() >= STOP_MILLIS {
            self.asked_millis.set(now);
            if self.host.stop_requested() {
                return Err(CommandError::new(
                    Code::Interrupted,
                    "operation was interrupted",
                ));
            }
        }
        self.room.check()?;
        let taken = now - self.looked_millis.replace(now);
        let stride = self.stride.get();
        let next = if taken > FAR_MILLIS {
            (stride / 8).max(1)
        } else if taken < NEAR_MILLIS && self.left.get() == 0 {
            (stride * 2).min(LONGEST_STRIDE)
        } else {
            stride
        };
        self.stride.set(next);
        self.left.set(next);
        self.growth.set(self.room.heap.growth());
        Ok(())
    }
}

impl Env for Watched<'_> {
    crate::env::hand_on!(host: now_millis, monotonic_millis, stop_requested, fill_random, unicode_class, zone_offset_seconds, collator,
        words, server_name, credentials);

    fn cluster_time(&self) -> Option<Timestamp> {
        self.clock.as_ref().map(|clock| clock.last())
    }

    fn checkpoint(&self) -> Result<(), CommandError> {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        if left > 0 && self.room.heap.growth() == self.growth.get() {
            return Ok(());
        }
        self.look()
    }

    fn call_function(&self, call: &FunctionCall<'_>) -> Result<String, String> {
        let limit_millis = self
            .deadline_millis
            .map(|deadline| (deadline - self.host.monotonic_millis()).max(0.0));
        let called = self.host.call_function(&FunctionCall {
            limit_millis,
            ..*call
        });
        // It may have run for long, and failed because the command is to end: the next checkpoint looks.
        self.left.set(0);
        if called.is_err() {
            self.asked_millis.set(f64::NEG_INFINITY);
        }
        called
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::call_function;
    use crate::env::heap::{Heap, Need};
    use crate::env::native::NativeEnv;
    use std::cell::RefCell;

    /// A host whose monotonic clock moves on by so much each time it is read, and that may want to stop.
    struct Ticking {
        native: NativeEnv,
        step: Cell<f64>,
        now: Cell<f64>,
        stop: Cell<bool>,
        looks: Cell<u32>,
    }

    impl Ticking {
        fn new(step: f64) -> Self {
            Self {
                native: NativeEnv::fixed(0, 1),
                step: Cell::new(step),
                now: Cell::new(0.0),
                stop: Cell::new(false),
                looks: Cell::new(0),
            }
        }
    }

    impl Env for Ticking {
        crate::env::hand_on!(native: now_millis, fill_random, zone_offset_seconds);

        fn monotonic_millis(&self) -> f64 {
            self.looks.set(self.looks.get() + 1);
            self.now.set(self.now.get() + self.step.get());
            self.now.get()
        }
        fn stop_requested(&self) -> bool {
            self.stop.get()
        }
        fn call_function(&self, call: &FunctionCall<'_>) -> Result<String, String> {
            match call.source {
                "1" => Ok("1".to_owned()),
                _ => Err(String::new()),
            }
        }
    }

    /// How many checkpoints are passed until one fails, of at most `most`, and with which code.
    fn until(watched: &Watched<'_>, most: usize) -> Option<(usize, i32)> {
        (0..most).find_map(|turn| watched.checkpoint().err().map(|error| (turn, error.code)))
    }

    #[test]
    fn the_deadline_ends_a_command_of_cheap_turns() {
        let host = Ticking::new(0.1);
        let watched = Watched::new(&host, Room::UNCAPPED, 0.0, 5);
        let (_, code) = until(&watched, 1 << 20).expect("it ends");
        assert_eq!(code, Code::MaxTimeMSExpired as i32);
        assert!(until(&Watched::new(&host, Room::UNCAPPED, 0.0, 0), 1 << 16).is_none());
    }

    #[test]
    fn looks_move_apart_while_turns_are_cheap_and_together_when_they_are_dear() {
        let host = Ticking::new(0.01);
        let watched = Watched::new(&host, Room::UNCAPPED, 0.0, 0);
        assert!(until(&watched, 1 << 18).is_none());
        assert!(host.looks.get() < 600, "{} looks", host.looks.get());
        assert_eq!(watched.stride.get(), LONGEST_STRIDE);
        host.step.set(500.0);
        assert!(until(&watched, LONGEST_STRIDE as usize * 2).is_none());
        assert_eq!(watched.stride.get(), 1, "each turn is looked at");
    }

    #[test]
    fn a_function_that_ends_after_the_deadline_ends_by_the_deadline() {
        let host = Ticking::new(1.0);
        let called = |source, limit| {
            let watched = Watched::new(&host, Room::UNCAPPED, host.now.get(), limit);
            call_function(&watched, source, None, &[]).map_err(|error| error.code)
        };
        assert_eq!(called("f", 1), Err(Code::MaxTimeMSExpired as i32));
        assert_eq!(called("1", 1), Err(Code::MaxTimeMSExpired as i32));
        assert_eq!(called("f", 0), Err(Code::JSInterpreterFailure as i32));
        assert_eq!(called("1", 0), Ok("1".to_owned()));
        host.stop.set(true);
        assert_eq!(called("f", 0), Err(Code::Interrupted as i32));
    }

    #[test]
    fn the_host_stops_a_command() {
        let host = Ticking::new(1.0);
        let watched = Watched::new(&host, Room::UNCAPPED, 0.0, 0);
        assert!(until(&watched, 4096).is_none());
        host.stop.set(true);
        let (_, code) = until(&watched, 4096).expect("it ends");
        assert_eq!(code, Code::Interrupted as i32);
    }

    thread_local! {
        static HEAP: RefCell<(usize, bool)> = const { RefCell::new((0, true)) };
    }

    struct Scripted;

    impl Heap for Scripted {
        fn growth(&self) -> usize {
            HEAP.with_borrow(|heap| heap.0)
        }
        fn has_room(&self, need: Need) -> bool {
            need == Need::Work || HEAP.with_borrow(|heap| heap.1)
        }
    }

    #[test]
    fn a_heap_that_grew_is_looked_at_by_the_next_checkpoint() {
        let host = Ticking::new(0.01);
        let room = |need| Room {
            heap: &Scripted,
            need,
        };
        let watched = Watched::new(&host, room(Need::Keep), 0.0, 0);
        assert!(until(&watched, 10_000).is_none());
        HEAP.set((1, true));
        assert!(watched.checkpoint().is_ok());
        HEAP.set((2, false));
        let code = watched.checkpoint().map_err(|error| error.code);
        assert_eq!(code, Err(Code::ExceededMemoryLimit as i32));
        assert!(until(&Watched::new(&host, room(Need::Work), 0.0, 0), 100).is_none());
    }
}
