//! `$_internalBoundedSort`: measurements of a time series in the order of their time, bucket by bucket.
//!
//! Manual: core/timeseries/timeseries-querying. The optimiser puts the stage in the place of a `$sort` by the time, and
//! the buckets are read in the order of their beginnings. Invariant: a measurement is given once no later bucket may
//! have one before it, which the beginnings and the span of a bucket tell.

use super::super::stage::{Flow, StagePlan};
use super::unpack_bucket::Unpacker;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::series::options::is_id_time;
use crate::error::CommandError;
use crate::exec::memory::Usage;
use crate::exec::{ExecContext, Stage};
use crate::expr::Dependencies;
use std::collections::VecDeque;

type Result<T> = std::result::Result<T, CommandError>;

/// The name of the stage.
const NAME: &str = "$_internalBoundedSort";

/// The stage as explain shows it. The unpacking before it does the work, as it alone knows where a bucket begins.
pub struct BoundedSortPlan {
    pub time: Box<str>,
    pub is_descending: bool,
}

impl StagePlan for BoundedSortPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        input
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document(NAME);
        builder.begin_document("sortKey");
        builder
            .append(&self.time, if self.is_descending { -1 } else { 1 })
            .end();
        builder.begin_document("bound");
        builder.append("base", "min").end().end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.add(&self.time);
        Flow::Passes
    }
}

/// Measurements that wait for those of other buckets.
pub struct Ordering {
    is_descending: bool,
    /// The milliseconds that a bucket has at most.
    span: i64,
    waiting: Vec<(i64, Vec<u8>)>,
    ready: VecDeque<Vec<u8>>,
    usage: Usage,
}

impl Ordering {
    pub fn new(is_descending: bool, span: i64) -> Self {
        Self {
            is_descending,
            span,
            waiting: Vec::new(),
            ready: VecDeque::new(),
            usage: Usage::default(),
        }
    }

    /// The next measurement that is ready.
    pub fn pop(&mut self) -> Option<Vec<u8>> {
        let next = self.ready.pop_front()?;
        self.usage.release(next.len());
        Some(next)
    }

    /// Takes the measurements of the bucket that is unpacked; those that nothing can come before any more are ready.
    ///
    /// # Errors
    /// Errors of the filter, and too much memory.
    pub fn take(
        &mut self,
        unpacker: &mut Unpacker,
        bucket: Document<'_>,
        time: &str,
        cx: &ExecContext<'_>,
    ) -> Result<()> {
        let control = bucket
            .get("control")
            .as_document()
            .unwrap_or(Document::EMPTY);
        let least = control.get("min").as_document().unwrap_or(Document::EMPTY);
        if let ValueRef::DateTime(begins) = least.get(time)
            && is_id_time(begins)
        {
            // Buckets of times that no ObjectId has come in any order.
            let bound = if self.is_descending {
                begins.saturating_add(self.span)
            } else {
                begins
            };
            self.release(Some(bound));
        }
        while unpacker.advance(cx)? {
            let document = unpacker.current();
            let ValueRef::DateTime(at) = document.get(time) else {
                continue;
            };
            self.usage.add(document.as_bytes().len(), NAME)?;
            self.waiting.push((at, document.as_bytes().to_vec()));
        }
        Ok(())
    }

    /// Makes those ready that lie before a bound, or all.
    pub fn release(&mut self, bound: Option<i64>) {
        let is_descending = self.is_descending;
        let goes = |at: i64| {
            bound.is_none_or(|bound| {
                if is_descending {
                    at >= bound
                } else {
                    at < bound
                }
            })
        };
        let (mut gone, kept): (Vec<_>, Vec<_>) =
            { self.waiting.drain(..) }.partition(|(at, _)| goes(*at));
        self.waiting = kept;
        crate::algorithms::sorting::sort_by(&mut gone, &mut |left, right| match is_descending {
            true => right.0.cmp(&left.0),
            false => left.0.cmp(&right.0),
        });
        self.ready
            .extend(gone.into_iter().map(|(_, document)| document));
    }
}
