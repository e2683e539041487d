//! Cursors that nobody reads on make room when memory ends: the one that was used longest ago goes first.
//!
//! A command that the heap refuses is rolled back, and run again once cursors were closed: one at first, then twice as
//! many each time, so that many small ones do not have it run as often. Invariant: no cursor goes before a command was
//! refused, and none for a command that would be refused all the same because of a bound of its own.

use super::{Call, Engine};
use crate::env::Env;
use crate::env::heap::Heap;
use crate::error::CommandError;
use crate::state::{CursorTable, Transaction};

impl Engine {
    /// Runs a command, again where closing cursors makes room for it.
    pub(super) fn dispatch_with_room(
        &mut self,
        call: &Call<'_>,
        mut own: Option<&mut Transaction>,
        now_millis: i64,
        env: &dyn Env,
    ) -> Result<Vec<u8>, CommandError> {
        let times = (now_millis, env.monotonic_millis());
        let mut most = 1;
        if let Some(cursor) = call.own_cursor() {
            let room = self.room_of(call);
            while !room.heap.has_room(room.need) && self.close_oldest(most, Some(cursor)) {
                most *= 2;
            }
            return self.dispatch(call, own, times, env);
        }
        loop {
            let result = self.dispatch(call, own.as_deref_mut(), times, env);
            if !call.is_short(&result, self.heap, &self.base.cursors)
                || !self.close_oldest(most, None)
            {
                return result;
            }
            most *= 2;
        }
    }

    fn close_oldest(&mut self, most: usize, spared: Option<i64>) -> bool {
        let closed = self.base.cursors.close_oldest(most, spared);
        self.heap.begin_anew();
        closed > 0
    }
}

impl Call<'_> {
    /// Whether the command was refused for want of room that cursors hold, and can be run again.
    pub(super) fn is_short(
        &self,
        result: &Result<impl Sized, CommandError>,
        heap: &dyn Heap,
        cursors: &CursorTable,
    ) -> bool {
        let wants_room = matches!(result, Err(error) if error.wants_room);
        wants_room && heap.wants_room() && self.own_cursor().is_none() && cursors.can_close()
    }

    /// The cursor that the command reads on. It gives its documents once: the command cannot be run again.
    fn own_cursor(&self) -> Option<i64> {
        let (row, request) = self.named;
        (!row.is_retriable).then(|| request.argument.as_exact_i64().unwrap_or(0))
    }
}
