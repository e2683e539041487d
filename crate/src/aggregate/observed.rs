//! Stages watched while they run, for explain.
//!
//! Invariant: a watched stage gives the same documents as unwatched; its time includes that of all stages before it.

use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::error::CommandError;
use crate::exec::watch::Meter;
use crate::exec::{ExecContext, Record, Stage, Visitor};
use std::cell::RefCell;
use std::rc::Rc;

/// The figures of a stage's run.
#[derive(Default)]
pub struct Report {
    returned: u64,
    millis: f64,
    facts: DocumentBuf,
    /// The meter of a pipeline whose cursor may stay open.
    meter: Option<Meter>,
}

/// A report that the running stage writes and explain reads.
pub type SharedReport = Rc<RefCell<Report>>;

impl Report {
    /// Appends the facts that explain shows behind the stage's specification; `below` is the report of its input.
    pub fn append_to(&self, below: Option<&Self>, builder: &mut DocumentBuilder) {
        builder.append_all(self.facts.as_document());
        builder
            .append("nReturned", self.returned as i64)
            .append("executionTimeMillisEstimate", self.millis as i64);
        if let Some(meter) = &self.meter {
            let below = below.and_then(|below| below.meter).unwrap_or_default();
            meter.append_to(&below, builder);
        }
    }
}

/// A watched stage.
pub struct Observed {
    stage: Box<dyn Stage>,
    report: SharedReport,
}

impl Observed {
    /// Watches a stage.
    pub fn new(stage: Box<dyn Stage>) -> (Self, SharedReport) {
        let report = SharedReport::default();
        let observed = Self {
            stage,
            report: Rc::clone(&report),
        };
        (observed, report)
    }

    /// Watches a stage that goes on behind the command: its report is complete after each batch.
    pub fn live(stage: Box<dyn Stage>) -> (Self, SharedReport) {
        let (observed, report) = Self::new(stage);
        report.borrow_mut().meter = Some(Meter::default());
        (observed, report)
    }

    /// The report's meter, while it is out of it.
    fn take_meter(&self) -> Option<Meter> {
        self.report.borrow_mut().meter.take()
    }

    /// Puts the meter back, and counts.
    fn put_meter(&self, meter: Meter, returned: u64) {
        self.note();
        let mut report = self.report.borrow_mut();
        report.millis = meter.millis;
        report.meter = Some(meter);
        report.returned += returned;
    }

    fn note(&self) {
        let mut facts = DocumentBuilder::new();
        self.stage.append_statistics(&mut facts);
        self.report.borrow_mut().facts = facts.finish();
    }
}

impl Stage for Observed {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool, CommandError> {
        if let Some(mut meter) = self.take_meter() {
            let stage = &mut self.stage;
            let found = meter.step(cx, || stage.advance(cx));
            self.put_meter(meter, u64::from(matches!(found, Ok(true))));
            return found;
        }
        let start = cx.env.monotonic_millis();
        let found = self.stage.advance(cx);
        let mut report = self.report.borrow_mut();
        report.millis += cx.env.monotonic_millis() - start;
        report.returned += u64::from(matches!(found, Ok(true)));
        found
    }

    fn current(&self) -> Record<'_> {
        self.stage.current()
    }

    fn visit(
        &mut self,
        cx: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        if let Some(mut meter) = self.take_meter() {
            let mut returned = 0;
            let counted = &mut |record: &Record<'_>| {
                returned += 1;
                visitor(record)
            };
            let ended = meter.visit(cx, counted, &mut *self.stage);
            self.put_meter(meter, returned);
            return ended;
        }
        let env = cx.env;
        let start = env.monotonic_millis();
        let (mut returned, mut elsewhere) = (0, 0.0);
        let result = self.stage.visit(cx, &mut |record| {
            returned += 1;
            let start = env.monotonic_millis();
            let result = visitor(record);
            elsewhere += env.monotonic_millis() - start;
            result
        });
        let mut report = self.report.borrow_mut();
        report.millis += env.monotonic_millis() - start - elsewhere;
        report.returned += returned;
        result
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        self.note();
    }
}
