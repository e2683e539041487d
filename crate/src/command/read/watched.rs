//! The reads of an observed command: its own plans, with the figures of the run that answered it.
//!
//! Invariant: showing a read runs nothing. A cursor that stays open goes on afterwards, and the figures are those of
//! its batches so far.

use super::aggregate::{Observation, append_stages};
use super::explain_plan::{Explained, Run, Wrapper, append_planning, append_run};
use super::prepare::{PlannedRead, plan};
use crate::aggregate::{Pipeline, SharedReport};
use crate::bson::{ArrayBuilder, Document, DocumentBuf, DocumentBuilder};
use crate::catalog::Catalog;
use crate::command::context::CommandContext;
use crate::command::request::Request;
use crate::command::row::CommandRow;
use crate::error::{Code, CommandError};
use crate::exec::eof::Eof;
use crate::exec::explain::Verbosity;
use crate::exec::watch::Slot;
use crate::exec::{ExecContext, Stage};
use crate::planner::{Planned, QueryRequest};
use crate::state::OpenCursor;
use crate::storage::PageCounters;
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

/// One planned read and its stages.
#[derive(Clone)]
pub struct WatchedRead {
    pub read: Rc<PlannedRead>,
    pub slot: Slot,
}

impl WatchedRead {
    /// The read as it is shown: of the collection that it read, which the command need not name.
    fn explained<'r>(&'r self, wrapper: Wrapper<'r>) -> Explained<'r> {
        Explained {
            namespace: &self.read.collection.namespace,
            read: &self.read,
            wrapper,
        }
    }
}

/// A pipeline: its read, and the stages that are left.
#[derive(Clone)]
pub struct WatchedPipeline {
    read: Option<WatchedRead>,
    stages: Vec<DocumentBuf>,
    reports: Vec<SharedReport>,
}

/// A read of a command, as it is shown.
#[derive(Clone)]
pub enum Fact {
    Read(WatchedRead),
    Pipeline(WatchedPipeline),
}

/// One statement of a write command that ended, for the profiler.
pub struct StatementEnd {
    /// The statement, as it is told.
    pub command: DocumentBuf,
    /// The counts of its documents.
    pub counts: DocumentBuf,
    /// How many reads the command had kept.
    pub facts: usize,
    /// What the command had cost.
    pub counters: PageCounters,
    pub ended_millis: f64,
    pub error: Option<CommandError>,
}

impl Fact {
    /// The plan of its read, if it has one.
    pub fn planned(&self) -> Option<&Planned> {
        let read = match self {
            Self::Read(read) => Some(read),
            Self::Pipeline(pipeline) => pipeline.read.as_ref(),
        };
        read.map(|watched| &watched.read.planned)
    }
}

/// Where the reads of a command are kept that is observed or profiled.
#[derive(Default)]
pub struct Watch {
    kept: RefCell<Vec<Fact>>,
    /// Whether all plans are to be shown: the cache of plans is left alone then.
    explains: Cell<bool>,
    /// Whether the profiler asks.
    profiles: bool,
    statements: RefCell<Vec<StatementEnd>>,
    /// The command that opened the cursor which this one reads on.
    origin: RefCell<Option<DocumentBuf>>,
}

impl Watch {
    /// A watch of a command whose plans the profiler tells.
    pub fn of_profiler() -> Self {
        Self {
            profiles: true,
            ..Self::default()
        }
    }

    pub fn keep(&self, fact: Fact) {
        self.kept.borrow_mut().push(fact);
    }

    /// The reads that were kept so far.
    pub fn facts(&self) -> Vec<Fact> {
        self.kept.borrow().clone()
    }

    /// Has all plans shown from here on.
    pub fn explain(&self) {
        self.explains.set(true);
    }

    pub fn explains(&self) -> bool {
        self.explains.get()
    }

    /// Whether statements are told one by one.
    pub fn profiles(&self) -> bool {
        self.profiles
    }

    pub fn end_statement(&self, statement: StatementEnd) {
        self.statements.borrow_mut().push(statement);
    }

    pub fn take_statements(&self) -> Vec<StatementEnd> {
        self.statements.take()
    }

    /// Goes on with the reads of a cursor.
    pub fn read_on(&self, cursor: &OpenCursor) {
        *self.origin.borrow_mut() = Some(cursor.origin.clone());
        let observed = cursor.observed.as_ref();
        if let Some(facts) = observed.and_then(|facts| facts.downcast_ref::<Vec<Fact>>()) {
            self.kept.borrow_mut().extend(facts.iter().cloned());
        }
    }

    pub fn with_origin(&self, tell: impl FnOnce(Document<'_>)) {
        if let Some(origin) = &*self.origin.borrow() {
            tell(origin.as_document());
        }
    }
}

/// The context of a command's reads: that of their stages, and a place to keep the reads if they are to be shown.
#[derive(Clone, Copy)]
pub struct ReadContext<'e> {
    pub exec: ExecContext<'e>,
    pub watch: Option<&'e Watch>,
    /// Whether a read that looks at each document of a collection is refused.
    pub forbids_scans: bool,
}

impl ReadContext<'_> {
    /// Checks that a plan may be run.
    ///
    /// # Errors
    /// 291 `NoQueryExecutionPlans`.
    pub fn allow(&self, planned: &Planned) -> Result<(), CommandError> {
        match self.forbids_scans && planned.winner.scans_collection() {
            true => Err(CommandError::new(
                Code::NoQueryExecutionPlans,
                "error processing query: planner returned error :: caused by :: No indexed plans available, and \
                 running with 'notablescan'",
            )),
            false => Ok(()),
        }
    }

    /// Whether all plans are to be shown.
    pub fn explains(&self) -> bool {
        self.watch.is_some_and(Watch::explains)
    }
}

impl<'e> Deref for ReadContext<'e> {
    type Target = ExecContext<'e>;

    fn deref(&self) -> &ExecContext<'e> {
        &self.exec
    }
}

/// The stage that a pipeline starts on, and the watched read behind it.
pub type WatchedInput = (Box<dyn Stage>, Option<WatchedRead>);

/// The figures of a command's run that its stages do not have.
pub struct Ran {
    pub millis: f64,
    /// How many documents were changed, of those that an update found.
    pub updated: i64,
}

/// Keeps the plan of a count that the collection's counter answers, so that no stage runs.
///
/// # Errors
/// Errors of the planner.
pub fn keep_unread(
    catalog: &Catalog,
    exec: &ReadContext<'_>,
    namespace: &str,
    query: QueryRequest,
) -> Result<(), CommandError> {
    let read = super::prepare::aside(exec, || plan(catalog, exec, namespace, query))?;
    if let Some(watch) = exec.watch {
        let nothing: Box<dyn Stage> = Box::<Eof>::default();
        watch.keep(Fact::Read(WatchedRead {
            read: Rc::new(read),
            slot: Rc::new(RefCell::new(Some(nothing))),
        }));
    }
    Ok(())
}

/// Starts a pipeline on its read, or without one, and keeps both; `stages` are those that are left, as explain shows
/// them.
pub fn start(
    pipeline: Pipeline,
    read: Option<WatchedInput>,
    stages: Vec<DocumentBuf>,
    watch: &Watch,
) -> Box<dyn Stage> {
    let (input, read) = match read {
        Some((input, read)) => (Some(input), read),
        None => (None, None),
    };
    let (running, reports) = pipeline.start_observed(input, true);
    watch.keep(Fact::Pipeline(WatchedPipeline {
        read,
        stages,
        reports,
    }));
    running
}

/// The reads of a command that has run.
pub struct Observed<'r> {
    pub facts: Vec<Fact>,
    pub ran: &'r Ran,
}

impl Observed<'_> {
    /// Appends the plans of the command that ran: its row says how.
    ///
    /// # Errors
    /// None that the run would not have given.
    pub fn tell(
        &self,
        context: &CommandContext<'_>,
        (row, request): (&CommandRow, &Request<'_>),
        plans: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        let observe = row.observe.unwrap_or(observe_read);
        observe(self, context, request, plans)
    }

    /// Appends the plans as explain shows them, as an array's items: one a statement. `wrapper` says which stages the
    /// command itself puts around a read.
    ///
    /// # Errors
    /// None that the run would not have given.
    pub fn append_to<'w>(
        &self,
        context: &CommandContext<'_>,
        wrapper: &dyn Fn(&QueryRequest) -> Wrapper<'w>,
        reply: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        for (position, fact) in self.facts.iter().take(MOST_READS).enumerate() {
            reply.begin_document(&position.to_string());
            match fact {
                Fact::Read(found) => {
                    let wrapper = wrapper(&found.read.query);
                    append_read(context, found, wrapper, self.ran, reply)?;
                }
                Fact::Pipeline(found) => append_pipeline(context, found, self.ran, reply)?,
            }
            reply.end();
        }
        Ok(())
    }
}

/// Appends the plans of a command that only reads.
///
/// # Errors
/// None that the run would not have given.
pub(in crate::command) fn observe_read(
    observed: &Observed<'_>,
    context: &CommandContext<'_>,
    _: &Request<'_>,
    plans: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    observed.append_to(context, &|_| Wrapper::None, plans)
}

/// A command of many statements shows the plans of the first.
const MOST_READS: usize = 20;

fn append_read(
    context: &CommandContext<'_>,
    found: &WatchedRead,
    wrapper: Wrapper<'_>,
    ran: &Ran,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let explained = found.explained(wrapper);
    reply.append("explainVersion", "1");
    append_planning(&explained, reply);
    let slot = found.slot.borrow();
    let Some(stage) = slot.as_deref() else {
        return Ok(());
    };
    let run = Run::observed(&explained, stage, ran.millis as i64, ran.updated);
    let verbosity = Verbosity::AllPlansExecution;
    append_run(context, &explained, stage, &run, verbosity, reply)
}

fn append_pipeline(
    context: &CommandContext<'_>,
    found: &WatchedPipeline,
    ran: &Ran,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    if let (Some(read), true) = (&found.read, found.stages.is_empty()) {
        return append_read(context, read, Wrapper::None, ran, reply);
    }
    let read = found.read.as_ref();
    let explained = read.map(|watched| watched.explained(Wrapper::None));
    let observation = Observation {
        reports: found.reports.clone(),
        finished: read.map_or_else(Slot::default, |watched| Rc::clone(&watched.slot)),
        millis: ran.millis as i64,
    };
    let mut list = ArrayBuilder::new();
    append_stages(
        context,
        explained.as_ref(),
        found.stages.clone(),
        Some(&observation),
        Verbosity::AllPlansExecution,
        &mut list,
    )?;
    reply.append("explainVersion", "1");
    reply.append("stages", &list.finish());
    Ok(())
}
