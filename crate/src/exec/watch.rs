//! Stages that are looked at while and after they run, for a command that shows its own reads.
//!
//! Invariants: a watched stage gives the same rows as unwatched; nobody looks at a shared stage while it works. The
//! counts of a stage's rows and pages are exact; its time is measured at each of the first rows, and at one row of
//! `SAMPLED` after them.

use super::record::{Record, Visitor};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use std::cell::RefCell;
use std::rc::Rc;

/// A running stage that can be looked at while its reader pauses.
pub type Slot = Rc<RefCell<Option<Box<dyn Stage>>>>;

/// A stage that others may look at between two calls, also after a cursor was made of it.
pub struct Shared {
    slot: Slot,
    /// The current record, copied: it cannot be borrowed from a stage that is shared.
    document: Option<DocumentBuf>,
    record_id: Option<RecordId>,
}

impl Shared {
    /// Shares a stage: gives the stage to pull, and the slot to look at it.
    pub fn new(stage: Box<dyn Stage>) -> (Self, Slot) {
        let slot: Slot = Rc::new(RefCell::new(Some(stage)));
        let shared = Self {
            slot: Rc::clone(&slot),
            document: None,
            record_id: None,
        };
        (shared, slot)
    }
}

impl Stage for Shared {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let mut slot = self.slot.borrow_mut();
        let Some(stage) = slot.as_mut() else {
            return Ok(false);
        };
        let found = stage.advance(context)?;
        let record = stage.current();
        self.document = record.document.map(|document| document.to_buf());
        self.record_id = record.record_id;
        Ok(found)
    }

    fn current(&self) -> Record<'_> {
        Record {
            document: self.document.as_ref().map(DocumentBuf::as_document),
            record_id: self.record_id,
            ..Record::default()
        }
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        match self.slot.borrow_mut().as_mut() {
            Some(stage) => stage.visit(context, visitor),
            None => Ok(true),
        }
    }

    fn statistics(&self) -> StageStatistics {
        let slot = self.slot.borrow();
        slot.as_ref()
            .map_or_else(StageStatistics::default, |stage| stage.statistics())
    }

    fn is_eof(&self) -> bool {
        let slot = self.slot.borrow();
        slot.as_ref().is_none_or(|stage| stage.is_eof())
    }

    fn examined(&self) -> (u64, u64) {
        let slot = self.slot.borrow();
        slot.as_ref().map_or((0, 0), |stage| stage.examined())
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        let mut slot = self.slot.borrow_mut();
        slot.as_mut().is_none_or(|stage| stage.resume(collection))
    }
}

/// The time and the pages that a stage and all below it took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Meter {
    pub millis: f64,
    /// Pages that the command had not looked at before.
    pub pages: u64,
    /// How many spans were measured or passed over.
    spans: u32,
}

/// How many spans are each measured, from the first on.
const MEASURED: u32 = 256;
/// Behind them one span is measured of this number.
const SAMPLED: u32 = 16;

impl Meter {
    /// Has a span measured that ends with `work`: given to the stage, or taken from it.
    fn span<T>(&mut self, context: &ExecContext<'_>, sign: f64, work: impl FnOnce() -> T) -> T {
        let weight = match self.spans {
            0..MEASURED => 1,
            spans if spans.is_multiple_of(SAMPLED) => SAMPLED,
            _ => 0,
        };
        self.spans = self.spans.wrapping_add(1).max(1);
        let read = &context.pager.accounting().pages_read;
        let pages = read.get();
        let start = match weight {
            0 => 0.0,
            _ => context.env.monotonic_millis(),
        };
        let done = work();
        if weight > 0 {
            let millis = context.env.monotonic_millis() - start;
            self.millis += sign * millis * f64::from(weight);
        }
        let pages = read.get().saturating_sub(pages);
        self.pages = match sign > 0.0 {
            true => self.pages.wrapping_add(pages),
            false => self.pages.wrapping_sub(pages),
        };
        done
    }

    /// Visits a stage's rows. The time that the visitor takes is not counted as the stage's.
    pub fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
        stage: &mut dyn Stage,
    ) -> Result<bool, CommandError> {
        let mut elsewhere = Self {
            spans: self.spans,
            ..Self::default()
        };
        let mut whole = Self::default();
        let ended = whole.span(context, 1.0, || {
            stage.visit(context, &mut |record| {
                elsewhere.span(context, -1.0, || visitor(record))
            })
        });
        self.spans = elsewhere.spans;
        self.millis += whole.millis + elsewhere.millis;
        self.pages = self
            .pages
            .wrapping_add(whole.pages)
            .wrapping_add(elsewhere.pages);
        ended
    }

    /// Advances a stage by `step`.
    pub fn step<T>(&mut self, context: &ExecContext<'_>, step: impl FnOnce() -> T) -> T {
        self.span(context, 1.0, step)
    }

    /// Appends the figures, where `below` are those of the inputs.
    pub fn append_to(&self, below: &Self, builder: &mut DocumentBuilder) {
        builder.begin_document("quire");
        builder.append("millis", (self.millis - below.millis).max(0.0));
        builder.append_integer("pagesRead", self.pages.saturating_sub(below.pages) as i64);
        builder.end();
    }
}

/// A stage of a plan with its meter.
pub struct Metered {
    stage: Box<dyn Stage>,
    meter: Meter,
}

impl Metered {
    pub fn new(stage: Box<dyn Stage>) -> Self {
        Self {
            stage,
            meter: Meter::default(),
        }
    }
}

impl Stage for Metered {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let stage = &mut self.stage;
        self.meter.step(context, || stage.advance(context))
    }

    fn current(&self) -> Record<'_> {
        self.stage.current()
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let stage = &mut self.stage;
        self.meter.step(context, || stage.work(context))
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        self.meter.visit(context, visitor, &mut *self.stage)
    }

    fn statistics(&self) -> StageStatistics {
        self.stage.statistics()
    }

    fn is_eof(&self) -> bool {
        self.stage.is_eof()
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        self.stage.inputs()
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        self.stage.append_statistics(builder);
    }

    fn examined(&self) -> (u64, u64) {
        self.stage.examined()
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        self.stage.resume(collection)
    }

    fn meter(&self) -> Option<Meter> {
        Some(self.meter)
    }
}
