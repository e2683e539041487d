//! One row of the dispatch table: a command's function, and all that the rest of the engine and the web side have to
//! know about the command.
//!
//! Invariant: a fact about a command is a field of its row. No other file lists commands by name (`tests/tidy.rs`).

use super::context::{CommandContext, CommandResult};
use super::frees_room::FreesRoom;
use super::read::explain::Shown;
use super::read::watched::Observed;
use super::request::{Request, Unstable};
use crate::bson::DocumentBuilder;
use crate::catalog::latencies::Kind;
use crate::error::CommandError;
use crate::exec::explain::Verbosity;

/// Whether a command writes: the engine decides by it whether to open a savepoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteAccess {
    /// Reads only: no savepoint, nothing to commit.
    Read,
    /// May change pages or the catalog: runs under a savepoint.
    Write,
    /// As `Write`. Before it, the changes of earlier commands are written into the catalog's tree and the moments'
    /// lists.
    WriteMoments,
    /// As `Write`, but it takes no write concern.
    WriteAlone,
    /// Writes when its pipeline ends with a stage that does.
    ByPipeline,
    /// Writes unless its results are its reply.
    ByOut,
    /// Writes when it is to repair.
    ByRepair,
    /// Writes when it makes the profiler's collection.
    ByLevel,
    /// Writes when the command does that it runs.
    ByInner,
    /// All its writes are undone at its end.
    Fork,
    /// As `WriteMoments`, where it ends a run that has written.
    ByRun,
}

/// The states of the data that a command can run on; each takes in those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunsOn {
    /// The present alone.
    Present,
    /// A fork too: all its traces can be undone, which are pages, the catalog, cursors and counters.
    Fork,
    /// A moment too: it reads nothing but documents and the catalog.
    Moment,
}

/// Whether a command can be run in a multi-document transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InTransactions {
    /// `instead`: the advice that the server gives.
    Never {
        instead: &'static str,
    },
    /// Not as the first command.
    Later,
    Anywhere,
    /// It ends one; `called` is how the server words an attempt to begin with it.
    Ends {
        called: &'static str,
    },
}

impl InTransactions {
    /// Whether it is `commitTransaction`, which may be asked for again.
    pub fn commits(self) -> bool {
        self == COMMITS
    }
}

/// The command that commits.
pub const COMMITS: InTransactions = InTransactions::Ends { called: "a commit" };
/// The command that aborts.
pub const ABORTS: InTransactions = InTransactions::Ends { called: "an abort" };

/// The levels of read concern that a command takes outside of transactions; each takes in those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadLevels {
    Local,
    Available,
    AllButSnapshot,
    All,
}

/// The counter of `serverStatus.opcounters` that a command adds to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    Query,
    GetMore,
    Command,
    /// Each of its statements is counted by itself, where it is done.
    Statements,
}

/// What the profiler calls most commands.
const COMMAND_OP: &str = "command";

/// A command's function.
pub type Run = fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult;

/// Appends how a command would be run.
pub type Explain = fn(
    &CommandContext<'_>,
    &Request<'_>,
    Verbosity,
    &mut DocumentBuilder,
) -> Result<Shown, CommandError>;

/// Appends the plans by which a command was run.
pub type Observe = fn(
    &Observed<'_>,
    &CommandContext<'_>,
    &Request<'_>,
    &mut DocumentBuilder,
) -> Result<(), CommandError>;

/// Checks a query that stands for all of its shape, and gives its first stage where that tells of the server itself.
pub type CheckShape =
    fn(&CommandContext<'_>, &Request<'_>) -> Result<Option<&'static str>, CommandError>;

/// One row of the table. `CommandRow::new` has the facts of most commands that read.
#[derive(Clone, Copy)]
pub struct CommandRow {
    /// As the manual calls it.
    pub name: &'static str,
    /// Its other names.
    pub aliases: &'static [&'static str],
    /// One line for `listCommands`.
    pub help: &'static str,
    pub run: Run,
    pub access: WriteAccess,
    /// Documents, indexes and collections are after it as they were, even where it writes.
    pub keeps_data: bool,
    /// Only the `admin` database accepts it.
    pub admin_only: bool,
    /// A server answers it before anybody has signed in.
    pub is_open: bool,
    pub runs_on: RunsOn,
    pub in_transactions: InTransactions,
    /// Its writes can be retried under a number (`write/retryable.rs`).
    pub is_retryable: bool,
    pub read_levels: ReadLevels,
    /// The fields that are not of version 1 of the Stable API; `None` where the command itself is not.
    pub stable_api: Option<&'static [Unstable]>,
    pub counter: Counter,
    /// What the profiler calls it, where that is not `command`; empty where it is never profiled.
    pub op: &'static str,
    /// The histogram that its time is counted in.
    pub latency: Kind,
    /// The field that names its collection, where that is not the command's own.
    pub collection_field: Option<&'static str>,
    /// How long it may work, in milliseconds; 0 for no limit.
    pub limit_millis: fn(&Request<'_>) -> i64,
    /// Collections may be gone after it, or have another name.
    pub ends_collections: bool,
    pub frees_room: FreesRoom,
    /// It has all earlier changes stored.
    pub is_durable: bool,
    /// It can be run again after it failed. A cursor gives its documents once.
    pub is_retriable: bool,
    /// Its reply may wait until something was written.
    pub waits_for_data: bool,
    /// Its reply may have a cursor.
    pub opens_cursor: bool,
    /// It closes what other commands left open.
    pub closes_cursors: bool,
    /// It calls functions that it brings, whatever operators it has.
    pub calls_functions: bool,
    /// Its field `pwd` is a password, which is not shown.
    pub has_password: bool,
    pub explain: Option<Explain>,
    /// Set where it is a query, whose shape has a hash.
    pub check_shape: Option<CheckShape>,
    /// Set where `quireObserve` has a plan to tell of it.
    pub observe: Option<Observe>,
}

/// The limit in a request's own `maxTimeMS`.
fn own_limit(request: &Request<'_>) -> i64 {
    request.max_time_millis
}

/// The shorter one of two limits, of which 0 is none.
pub fn shorter_limit(one: i64, other: i64) -> i64 {
    match one > 0 && other > 0 {
        true => one.min(other),
        false => one.max(other),
    }
}

/// Facts: each of these says one.
impl CommandRow {
    /// A command that only reads, on the present.
    pub const fn new(name: &'static str, run: Run, help: &'static str) -> Self {
        Self {
            name,
            aliases: &[],
            help,
            run,
            access: WriteAccess::Read,
            keeps_data: true,
            admin_only: false,
            is_open: false,
            runs_on: RunsOn::Present,
            in_transactions: InTransactions::Never { instead: "" },
            is_retryable: false,
            read_levels: ReadLevels::Local,
            stable_api: None,
            counter: Counter::Command,
            op: COMMAND_OP,
            latency: Kind::Other,
            collection_field: None,
            limit_millis: own_limit,
            ends_collections: false,
            frees_room: FreesRoom::Never,
            is_durable: false,
            is_retriable: true,
            waits_for_data: false,
            opens_cursor: false,
            closes_cursors: false,
            calls_functions: false,
            has_password: false,
            explain: None,
            check_shape: None,
            observe: None,
        }
    }

    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// It is a query, whose shape has a hash.
    pub const fn with_shape(mut self, check: CheckShape) -> Self {
        self.check_shape = Some(check);
        self
    }

    /// A server answers it before anybody has signed in.
    pub const fn open_to_all(mut self) -> Self {
        self.is_open = true;
        self
    }

    /// Its field `pwd` is a password.
    pub const fn with_password(mut self) -> Self {
        self.has_password = true;
        self
    }

    /// It writes, always or as `access` says, and what it writes is data.
    pub const fn writing(mut self, access: WriteAccess) -> Self {
        self.access = access;
        self.keeps_data = false;
        self
    }

    /// It writes, but no data.
    pub const fn writing_no_data(mut self, access: WriteAccess) -> Self {
        self.access = access;
        self
    }

    pub const fn admin_only(mut self) -> Self {
        self.admin_only = true;
        self
    }

    pub const fn runs_on(mut self, most: RunsOn) -> Self {
        self.runs_on = most;
        self
    }

    pub const fn retryable(mut self) -> Self {
        self.is_retryable = true;
        self
    }

    pub const fn reads_at(mut self, levels: ReadLevels) -> Self {
        self.read_levels = levels;
        self
    }

    pub const fn in_transactions(mut self, where_to: InTransactions) -> Self {
        self.in_transactions = where_to;
        self
    }

    /// It is of version 1 of the Stable API, but for some fields.
    pub const fn stable_api(mut self, unstable: &'static [Unstable]) -> Self {
        self.stable_api = Some(unstable);
        self
    }

    pub const fn counts_as(mut self, counter: Counter, latency: Kind) -> Self {
        self.counter = counter;
        self.latency = latency;
        self
    }

    /// What the profiler calls it; nothing: it is not profiled.
    pub const fn op(mut self, op: &'static str) -> Self {
        self.op = op;
        self
    }

    pub const fn collection_field(mut self, field: &'static str) -> Self {
        self.collection_field = Some(field);
        self
    }

    pub const fn limited_by(mut self, limit_millis: fn(&Request<'_>) -> i64) -> Self {
        self.limit_millis = limit_millis;
        self
    }

    pub const fn ends_collections(mut self) -> Self {
        self.ends_collections = true;
        self
    }

    pub const fn frees_room(mut self, frees_room: FreesRoom) -> Self {
        self.frees_room = frees_room;
        self
    }

    pub const fn durable(mut self) -> Self {
        self.is_durable = true;
        self
    }

    pub const fn not_retriable(mut self) -> Self {
        self.is_retriable = false;
        self
    }

    pub const fn waits_for_data(mut self) -> Self {
        self.waits_for_data = true;
        self
    }

    pub const fn opens_cursor(mut self) -> Self {
        self.opens_cursor = true;
        self
    }

    pub const fn closes_cursors(mut self) -> Self {
        self.closes_cursors = true;
        self
    }

    pub const fn calls_functions(mut self) -> Self {
        self.calls_functions = true;
        self
    }

    pub const fn explain(mut self, explain: Explain) -> Self {
        self.explain = Some(explain);
        self
    }

    pub const fn observe(mut self, observe: Observe) -> Self {
        self.observe = Some(observe);
        self
    }
}

/// Questions that more than one field answers.
impl CommandRow {
    /// All its names, the manual's first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// What the profiler calls the command; `None` where it is not profiled. Those that neither read nor change data
    /// are not.
    pub fn profiled_as(&self) -> Option<&'static str> {
        let is_of_data = self.runs_on != RunsOn::Present || self.op != COMMAND_OP;
        (is_of_data && !self.op.is_empty()).then_some(self.op)
    }

    /// Whether the command may be given a write concern.
    pub fn has_write_concern(&self) -> bool {
        !matches!(
            self.access,
            WriteAccess::Read
                | WriteAccess::WriteAlone
                | WriteAccess::ByRepair
                | WriteAccess::ByLevel
                | WriteAccess::Fork
        )
    }

    /// Whether the changes of earlier commands are to be in the catalog's tree and the moments' lists before it, where
    /// it writes or not.
    pub fn wants_settled(&self, writes: bool) -> bool {
        match self.access {
            WriteAccess::WriteMoments | WriteAccess::Fork => true,
            WriteAccess::ByRun => writes,
            _ => false,
        }
    }

    /// Whether this request reads the oplog, so that it is to be begun: by a change stream, or by its name.
    pub fn reads_oplog(&self, request: &Request<'_>) -> bool {
        let is_named =
            request.database == "local" && request.argument().as_str() == Some("oplog.rs");
        self.opens_cursor && (is_named || super::read::pipeline_writes::begins_stream(request))
    }

    /// Whether this request may change pages or the catalog.
    pub fn writes(&self, request: &Request<'_>) -> bool {
        match self.access {
            WriteAccess::Read | WriteAccess::Fork => false,
            WriteAccess::ByInner => super::xray::inner::writes(request),
            WriteAccess::Write | WriteAccess::WriteAlone | WriteAccess::WriteMoments => true,
            WriteAccess::ByRun => super::moments::quire_run::ends(request),
            WriteAccess::ByPipeline => super::read::pipeline_writes::writes(request),
            WriteAccess::ByOut => super::read::map_reduce::writes(request),
            WriteAccess::ByRepair => super::maintenance::validate::writes(request),
            WriteAccess::ByLevel => super::diagnostics::profile::writes(request),
        }
    }
}
