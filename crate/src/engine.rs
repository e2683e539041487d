//! The engine: BSON command bytes in, BSON reply bytes out.
//!
//! The life of a command: `Engine::run` validates the bytes (`bson::validate`), finds the command and reads the fields
//! common to all of them (`Incoming::read`), lets due work run first (`run_ttl_pass`: a TTL pass), runs the command
//! under a savepoint when it may write (`dispatch`), and answers with its reply or an error reply. Its changes are
//! sealed by `take_batch` when the host's device is ready for them. Invariant: no bytes make `run` panic or leave a
//! failed command's changes behind.

#[cfg(feature = "bson")]
mod documents;
mod forgotten;
mod profiling;
mod salvage;
mod transactions;
mod watched;

use self::watched::Watched;
use crate::bson::object_id::ObjectIdGenerator;
use crate::bson::{Document, DocumentBuf, Timestamp, validate};
use crate::catalog::Catalog;
use crate::command::diagnostics::command_counts::CommandCounts;
use crate::command::diagnostics::log::Log;
use crate::command::diagnostics::parameters::Parameters;
use crate::command::diagnostics::profiler::Profiler;
use crate::command::maintenance::{default_concerns, quire_oplog};
use crate::command::query_settings;
use crate::command::request::cluster_time::append_times;
use crate::command::row::{WriteAccess, shorter_limit};
use crate::command::session::sessions::SessionTable;
use crate::command::session::transactions::begin_write;
use crate::command::write::change::ChangeScratch;
use crate::command::write::validation::ValidatorCache;
use crate::command::xray::inner;
use crate::command::{
    CommandContext, CommandRow, Deployment, Incoming, Request, ServerCounters, Topology,
    error_reply,
};
use crate::env::Env;
use crate::env::heap::{Heap, Need, Room, Uncapped};
use crate::error::{Code, CommandError, StorageError, StorageFault};
use crate::query::PartialFilterCompiler;
use crate::state::session_id::SessionId;
use crate::state::{
    self, Base, Changes, DocumentTotals, Run, Transaction, TransactionTable, oplog,
};
use crate::storage::{self, CommitBatch, Durability, PageNumber, Pager};
use std::rc::Rc;

/// The answer of `Engine::run`.
pub struct Outcome {
    /// The reply's BSON bytes.
    pub reply: Vec<u8>,
    /// Set when the command may have changed something that is still to be persisted, or asked that all earlier changes
    /// be on stable storage: how durable it asked them to be. Changes that were due before the command may be persisted
    /// without it.
    pub commit: Option<Durability>,
    /// Set when the command stopped at a page that is not in memory and was rolled back: load the
    /// page (`Pager::deliver`; all of them for `EVERY_PAGE`) and run the same bytes again.
    pub missing_page: Option<PageNumber>,
    /// Set when a `getMore` with `awaitData` found nothing yet: how long, in milliseconds, the
    /// host may hold the reply back and run the same bytes again once something was written.
    pub await_data_millis: Option<i64>,
}

/// Errors that put a TTL pass off. The command that the pass ran before goes on.
const PUTS_TTL_OFF: [Code; 4] = [
    Code::ExceededMemoryLimit,
    Code::OutOfDiskSpace,
    Code::DataCorruptionDetected,
    Code::InternalError,
];

/// A larger reply's room is not kept for the next one.
const MOST_SPARE_ROOM: usize = 1 << 18;

/// Why writes are refused.
struct Refusal {
    /// Worded for a person.
    reason: String,
    /// Only room is missing: commands that free some are allowed.
    is_full: bool,
}

impl Refusal {
    fn refuses(&self, (row, request): (&CommandRow, &Request<'_>)) -> Option<CommandError> {
        let reason = self.reason.clone();
        if !self.is_full {
            return Some(StorageError::read_only(reason).into());
        }
        (!row.frees(request)).then(|| CommandError::new(Code::OutOfDiskSpace, reason))
    }
}

/// One deployment and its commands.
pub struct Engine {
    base: Base,
    counters: ServerCounters,
    deployment: Deployment,
    /// The reason why no command may write any more, or only those that free room.
    refusal: Option<Refusal>,
    /// Where the memory of its data comes from.
    heap: &'static dyn Heap,
    /// The changes of all commands and TTL passes since they were taken, while they are gathered.
    gathered: Changes,
    gathers: bool,
    /// The profiler wrote since the last command ended.
    has_profiled: bool,
    /// Entries of the profiler that wait for a page, and their database.
    unwritten: Option<(Box<str>, Vec<DocumentBuf>)>,
}

impl Engine {
    /// An empty deployment.
    ///
    /// # Errors
    /// Never for an empty pager; the signature is shared with `open`.
    pub fn create(env: &dyn Env) -> Result<Self, CommandError> {
        Self::open(Pager::new(), env)
    }

    /// Reads the pages that a deployment cannot be opened without: those of the free list and the catalog. Run it again
    /// after an error that names a missing page, with that page loaded; the rest may come on demand.
    ///
    /// # Errors
    /// Corrupt or absent catalog pages. A damaged free list is no error here: it refuses writes when
    /// they come, and reading works without it.
    pub fn prepare(pager: &mut Pager, env: &dyn Env) -> Result<(), CommandError> {
        let env = &Watched::new(env, Room::UNCAPPED, env.monotonic_millis(), 0);
        match pager.load_free_list() {
            Err(error) if matches!(error.fault(), StorageFault::NotResident { .. }) => {
                return Err(error.into());
            }
            _ => {}
        }
        Catalog::open(pager, &PartialFilterCompiler { env }).map(drop)
    }

    /// A deployment over pages that were loaded, at least those that `prepare` asks for.
    ///
    /// # Errors
    /// Corrupt or absent catalog pages.
    pub fn open(pager: Pager, env: &dyn Env) -> Result<Self, CommandError> {
        let base = Base::open(pager, &PartialFilterCompiler { env })?;
        base.catalog.begin_use_counts(env.now_millis());
        if base.pages.clock().last() == Timestamp::default() {
            base.pages.clock().next(env.now_millis());
        }
        let mut process_id = [0; 12];
        env.fill_random(&mut process_id);
        if oplog::is_on(&base.catalog) {
            // Changes that a crash took back have times up to this second, which streams may have told: none of them is
            // given again.
            let [a, b, ..] = process_id;
            let seconds = env.now_millis().div_euclid(1000).saturating_add(1);
            let after = Timestamp::new(seconds as u32, u32::from(u16::from_le_bytes([a, b])) << 4);
            base.pages.clock().catch_up(after);
        }
        let deployment = Deployment {
            topology: Topology::default(),
            clock_offset_millis: 0,
            opened_millis: env.now_millis(),
            process_id,
            object_ids: ObjectIdGenerator::new(env),
            timestamps: Rc::clone(base.pages.clock()),
            await_data_millis: None,
            spare_reply: Vec::new(),
            salvaged: None,
            change_scratch: ChangeScratch::default(),
            validators: ValidatorCache::default(),
            sessions: SessionTable::default(),
            operation: 0,
            run: None,
            profiler: Profiler::default(),
            parameters: Parameters::default(),
            log: Log::default(),
            command_counts: CommandCounts::default(),
            transactions: TransactionTable::default(),
        };
        Ok(Self {
            base,
            counters: ServerCounters::default(),
            deployment,
            refusal: None,
            heap: &Uncapped,
            gathered: Changes::default(),
            gathers: false,
            has_profiled: false,
            unwritten: None,
        })
    }

    /// Runs one command: any bytes at all give a reply.
    pub fn run(&mut self, bytes: &[u8], env: &dyn Env) -> Outcome {
        self.deployment.await_data_millis = None;
        self.base.changes.clear();
        let (mut reply, durability, writes) = match self.run_checked(bytes, env) {
            Ok(done) => done,
            Err(error) => {
                if let Some(page) = error.missing_page {
                    return Outcome {
                        reply: error_reply(&error).into_bytes(),
                        commit: None,
                        missing_page: Some(page),
                        await_data_millis: None,
                    };
                }
                self.counters.refusals += 1;
                (error_reply(&error).into_bytes(), Durability::Relaxed, false)
            }
        };
        if self.deployment.topology.is_replica_set() {
            append_times(&mut reply, self.deployment.timestamps.last());
        }
        let counters = &mut self.counters;
        counters.requests += 1;
        counters.bytes_in += bytes.len() as i64;
        counters.bytes_out += reply.len() as i64;
        let writes = writes || std::mem::take(&mut self.has_profiled);
        let is_due = (writes && self.has_changes()) || durability == Durability::Strict;
        Outcome {
            reply,
            commit: is_due.then_some(durability),
            missing_page: None,
            await_data_millis: self.deployment.await_data_millis,
        }
    }

    /// Takes the room of a reply that is not needed any more, for one to come.
    pub fn recycle(&mut self, reply: Vec<u8>) {
        if reply.capacity() <= MOST_SPARE_ROOM {
            self.deployment.spare_reply = reply;
        }
    }

    /// Whether changes wait to be sealed.
    pub fn has_changes(&self) -> bool {
        self.base.has_changes()
    }

    /// Seals everything since the last batch into one: pages with checksums, and the header.
    ///
    /// # Errors
    /// A broken invariant; nothing is sealed then.
    pub fn take_batch(&mut self) -> Result<Option<CommitBatch>, StorageError> {
        self.write_back()?;
        let pager = &mut self.base.pages;
        if pager.has_changes() {
            let [a, b, c, d, ..] = self.deployment.process_id;
            pager.identify(u32::from_le_bytes([a, b, c, d]).max(1));
        }
        pager.seal()
    }

    /// Seals everything since the last batch, so that another batch can be stored before those that are not confirmed
    /// (`Pager::follow`).
    ///
    /// # Errors
    /// As `take_batch`.
    pub fn seal_behind(&mut self) -> Result<(), StorageError> {
        self.write_back()?;
        self.base.pages.seal_behind()
    }

    /// Writes the catalog's changes into pages. The catalog and the free list may take room that a command which keeps
    /// something may not: the changes in a sealed state were acknowledged.
    fn write_back(&mut self) -> Result<(), StorageError> {
        self.base.pages.set_room(Room::UNCAPPED);
        self.base.write_back()
    }

    /// Says that the device holds every batch up to this sequence.
    pub fn confirm(&mut self, sequence: u64) {
        self.base.pages.confirm(sequence);
    }

    /// Confirms up to the batch whose header the device holds; false where it is of none that is not confirmed.
    pub fn confirm_stored(&mut self, header: &[u8]) -> bool {
        self.base.pages.confirm_stored(header)
    }

    /// The deployment's pages, for the host's device driver.
    pub fn pager(&self) -> &Pager {
        &self.base.pages
    }

    /// The deployment's pages, to load one that was missing.
    pub fn pager_mut(&mut self) -> &mut Pager {
        &mut self.base.pages
    }

    /// The present state, for tests that prepare data.
    #[cfg(test)]
    pub(crate) fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    /// Refuses every command that may write from now on, for a reason worded for a person.
    pub fn set_read_only(&mut self, reason: String) {
        self.refusal = Some(Refusal {
            reason,
            is_full: false,
        });
    }

    /// Refuses every command that writes and frees no room, for a reason worded for a person.
    pub fn set_full(&mut self, reason: String) {
        self.refusal = Some(Refusal {
            reason,
            is_full: true,
        });
    }

    /// Drops all moments without a name, for a device that has no more room; gives how many there were. Pages that only
    /// they had and that are not stored yet need no room any more (`Pager::unconfirmed_batch`).
    ///
    /// # Errors
    /// Pages that are missing or damaged; nothing is dropped then.
    pub fn drop_unnamed_moments(&mut self) -> Result<usize, CommandError> {
        self.base.pages.settle_moments()?;
        let mut unit = self.base.begin(true);
        let dropped = state::room::drop_unnamed(unit.pages_mut());
        unit.end(dropped.is_ok())?;
        dropped
    }

    /// Presents the deployment as another kind of server than the only member of a replica set.
    pub fn set_topology(&mut self, topology: Topology) {
        self.deployment.topology = topology;
    }

    /// Allows all commands again.
    pub fn set_writable(&mut self) {
        self.refusal = None;
    }

    /// Has commands refused, with `ExceededMemoryLimit`, that need more than a heap has left.
    pub fn set_heap(&mut self, heap: &'static dyn Heap) {
        self.heap = heap;
    }

    /// Milliseconds that the virtual clock is ahead of the host's time.
    pub fn clock_offset_millis(&self) -> i64 {
        self.deployment.clock_offset_millis
    }

    /// The totals of documents and keys examined, pages touched and documents changed since the opening:
    /// `ServerCounters::account`.
    pub fn account(&self) -> [i64; 7] {
        self.counters.account()
    }

    /// What the last command changed, unless changes are gathered; nothing of a command that was undone.
    pub fn changes(&self) -> &Changes {
        &self.base.changes
    }

    /// Takes the changes of all commands since the last call, where they were gathered, and says whether to gather
    /// those of the next ones.
    pub fn take_changes(&mut self, gather: bool) -> Changes {
        self.gathers = gather;
        std::mem::take(&mut self.gathered)
    }

    /// Whether open cursors read the present state: its pages are worth reading before moving on.
    pub fn has_readers(&self) -> bool {
        self.base.cursors.keep_present() || self.deployment.transactions.has_absent()
    }

    /// Replaces the pages by newer ones that another writer stored; the virtual clock stays. Cursors go on over the
    /// state that they were opened on, unless something of it was never stored: then they end.
    ///
    /// # Errors
    /// Corrupt or absent catalog pages; the deployment is unchanged then.
    pub fn reload(&mut self, pager: Pager, env: &dyn Env) -> Result<(), CommandError> {
        self.replace(pager, &PartialFilterCompiler { env })
    }

    /// Moves on to the state that another writer stored: its header, and the pages that changed since this deployment's
    /// sequence. Cursors go on over the state that they were opened on, the virtual clock stays.
    ///
    /// # Errors
    /// `Broken` when something here is not stored, and a damaged header: nothing changed then.
    /// Corrupt or absent catalog pages: the deployment must be loaded anew (`reload`) then.
    pub fn refresh(
        &mut self,
        header: &[u8],
        changed: Vec<(PageNumber, storage::Buffer)>,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        self.move_on(header, changed, &PartialFilterCompiler { env })
    }

    fn run_checked(
        &mut self,
        bytes: &[u8],
        env: &dyn Env,
    ) -> Result<(Vec<u8>, Durability, bool), CommandError> {
        let nesting = validate(bytes).map_err(|error| {
            let code = if error.too_deep {
                Code::Overflow
            } else {
                Code::InvalidBSON
            };
            CommandError::new(code, format!("{} (at byte {})", error.reason, error.offset))
        })?;
        let Incoming {
            row,
            request,
            mut acknowledged,
            times,
        } = Incoming::read(
            Document::from_valid_bytes(bytes),
            nesting,
            self.deployment.topology,
        )
        .inspect_err(|error| {
            let is_unknown = error.code == Code::CommandNotFound as i32;
            self.deployment.command_counts.unknown += i64::from(is_unknown);
        })?;
        let now_millis = env
            .now_millis()
            .saturating_add(self.deployment.clock_offset_millis);
        self.base.catalog.set_now(now_millis);
        times.enter(&self.deployment.timestamps, now_millis)?;
        self.write_kept_entries(env)?;
        if self.refusal.as_ref().is_none_or(|refusal| refusal.is_full) {
            self.run_ttl_pass(now_millis, env)?;
        }
        let inner = match row.access {
            WriteAccess::ByInner => Some(inner::read(&request)?),
            _ => None,
        };
        if acknowledged.durability == Durability::Relaxed
            && row.writes(&request)
            && default_concerns::durability(&self.base.view())? == Durability::Strict
            && request.document.get("writeConcern").is_missing()
        {
            acknowledged.durability = Durability::Strict;
        }
        let durability = acknowledged.durability;
        let (named, durability) = match &inner {
            None => ((row, &request), durability),
            Some(inner) => (
                (inner.row, &inner.request),
                inner.acknowledged.durability.max(durability),
            ),
        };
        let gone = { &mut self.deployment.sessions }.note(named.1.session, now_millis)?;
        let transactions = &mut self.deployment.transactions;
        if !gone.is_empty() {
            let is_gone = |session: &SessionId| gone.contains(session);
            self.base.cursors.kill_of(&is_gone);
            transactions.abort_of(&mut self.base.claims, &is_gone);
        }
        transactions.expire(&mut self.base.claims, now_millis);
        if named.1.write_number.is_some() {
            let (base, deployment) = (&mut self.base, &mut self.deployment);
            begin_write(base, deployment, named.1, now_millis)?;
        }
        let is_begun = || self.deployment.run.as_ref().is_some_and(Run::is_begun);
        let begins_oplog = named.0.reads_oplog(named.1)
            && self.deployment.topology.is_replica_set()
            && !oplog::is_on(&self.base.catalog);
        let writes = begins_oplog
            || row.writes(&request) && (row.access != WriteAccess::ByRun || is_begun());
        if let (Some(refusal), true) = (&self.refusal, writes)
            && let Some(error) = refusal.refuses(named)
        {
            return Err(error);
        }
        if writes && !begins_oplog && !named.0.keeps_data {
            quire_oplog::check(named.0, named.1)?;
        }
        let call = Call {
            row,
            request: &request,
            named,
            writes,
            begins_oplog,
        };
        if named.1.transaction.is_some() {
            return self.run_within(&call, acknowledged, now_millis, env);
        }
        let reply = self.dispatch_with_room(&call, None, now_millis, env)?;
        Ok((acknowledged.told_in(reply).into_bytes(), durability, writes))
    }

    /// Runs the work that is due by the engine's clock: a TTL pass every 60 seconds.
    fn run_ttl_pass(&mut self, now_millis: i64, env: &dyn Env) -> Result<(), CommandError> {
        let parameters = &self.deployment.parameters;
        let every_millis = parameters.number("ttlMonitorSleepSecs") * 1000;
        if !self.base.catalog.is_ttl_due(now_millis, every_millis) {
            return Ok(());
        }
        let idle_millis = parameters.number("cursorTimeoutMillis");
        self.base.cursors.close_idle(now_millis, idle_millis);
        if !parameters.flag("ttlMonitorEnabled") {
            self.base.catalog.put_ttl_off(now_millis);
            return Ok(());
        }
        let room = Room {
            heap: self.heap,
            need: Need::Work,
        };
        self.base.pages.set_room(room);
        let env = Watched::new(env, room, env.monotonic_millis(), 0);
        let before = self.base.catalog.ttl_statistics();
        let mut unit = self.base.begin(true);
        let done = unit.writer().delete_expired(now_millis, &env);
        let done = done.and_then(|deleted| unit.log().map(|()| deleted));
        unit.end(done.is_ok())?;
        if done.is_err() {
            self.base.catalog.undo_ttl_pass(before);
        }
        if self.gathers {
            self.gathered.absorb(&mut self.base.changes);
        }
        self.base.changes.clear();
        match done {
            // Expired documents stay until there is memory to delete them, or until their collection is repaired.
            Err(error) if PUTS_TTL_OFF.iter().any(|code| *code as i32 == error.code) => {
                self.base.catalog.put_ttl_off(now_millis);
                Ok(())
            }
            done => done.map(drop),
        }
    }

    /// The room that a command has.
    fn room_of(&self, call: &Call<'_>) -> Room {
        Room {
            heap: self.heap,
            need: match call.writes && !call.named.0.frees(call.named.1) {
                true => Need::Keep,
                false => Need::Work,
            },
        }
    }

    fn dispatch(
        &mut self,
        call: &Call<'_>,
        own: Option<&mut Transaction>,
        (now_millis, started_millis): (i64, f64),
        env: &dyn Env,
    ) -> Result<DocumentBuf, CommandError> {
        let Call {
            row, named, writes, ..
        } = *call;
        let limit_millis = call.limit_millis();
        let room = self.room_of(call);
        if room.need == Need::Keep {
            room.check()?;
        }
        let clock = { self.deployment.topology }
            .is_replica_set()
            .then(|| Rc::clone(&self.deployment.timestamps));
        let watched = Watched::new(env, room, started_millis, limit_millis).with_clock(clock);
        self.base.pages.set_room(room);
        let is_within = own.is_some();
        if writes
            && !is_within
            && !named.0.keeps_data
            && let Some(run) = self.deployment.run.as_mut().filter(|run| !run.is_begun())
        {
            match &self.refusal {
                None => run.begin(&mut self.base, &watched, now_millis)?,
                // A moment would keep the room that the command is to free.
                Some(refusal) => run.begin_unkept(&refusal.reason),
            }
        }
        self.deployment.operation = self.deployment.operation.wrapping_add(1);
        let watch = self.watch_of(call);
        let is_settled = row.wants_settled(writes);
        if is_settled {
            self.base.settle()?;
        }
        let mut unit = match own {
            None => self.base.begin(writes),
            Some(own) => self.base.begin_within(own),
        };
        unit.pages_mut().set_room(room);
        let _ = unit.pages_mut().take_accounting();
        let mut context = CommandContext {
            env: &watched,
            now_millis,
            unit,
            counters: &mut self.counters,
            deployment: &mut self.deployment,
            started_millis,
            bypass_validation: false,
            watch,
            query_settings: None,
        };
        // No touched pages are noted of moments, which the playground takes by itself, and of forks, which are undone.
        if !is_settled {
            context.unit.pages_mut().begin_touching();
        }
        let counted = *context.counters;
        let result = match call.begins_oplog {
            false => Ok(()),
            true => context.begin_oplog(oplog::DEFAULT_BYTES),
        };
        let result = result
            .and_then(|()| query_settings::store::enter(&mut context, named.1))
            .and_then(|()| (row.run)(&mut context, call.request));
        let entries = profiling::entries(call, &context, &result, counted);
        let CommandContext {
            mut unit, counters, ..
        } = context;
        let result = match writes && !is_within && result.is_ok() {
            false => result,
            true => unit.log().and(result),
        };
        unit.pages_mut().end_touching(result.is_ok());
        let done = unit.pages_mut().take_accounting();
        // Those of a transaction count when it is committed.
        let documents = match is_within {
            true => DocumentTotals::default(),
            false => unit.changes().documents(),
        };
        // A command that is to be run again is counted then.
        let ended = !matches!(&result, Err(error) if error.missing_page.is_some())
            && !call.is_short(&result, self.heap, unit.cursors());
        let is_fork = row.access == WriteAccess::Fork;
        { unit.view().pages.accounting() }.settle_uses(ended && !is_fork);
        if !ended {
            // Its statements have counted themselves.
            *counters = counted;
        } else {
            counters.add(named.0.counter, &done, documents, result.is_ok());
        }
        unit.end(result.is_ok())?;
        if self.gathers {
            self.gathered.absorb(&mut self.base.changes);
        }
        if ended {
            let millis = (env.monotonic_millis() - started_millis).max(0.0);
            count_latency(&mut self.base.catalog, named, (millis * 1000.0) as u64);
            self.deployment
                .command_counts
                .note(named.0, result.is_err());
            self.log_command(named, millis, now_millis, result.as_ref().err());
            self.keep_entries(entries, named.1.database, env);
        }
        result
    }
}

/// A command on its way to its function.
struct Call<'c> {
    row: &'static CommandRow,
    request: &'c Request<'c>,
    /// The command that it is counted as: the one that it runs, where it runs one.
    named: (&'static CommandRow, &'c Request<'c>),
    writes: bool,
    /// It reads the oplog, which is not there yet.
    begins_oplog: bool,
}

impl Call<'_> {
    /// How long it may work; 0 for no limit. A command inside this one may have a limit of its own.
    fn limit_millis(&self) -> i64 {
        let (named, inner) = self.named;
        let within = match self.row.access {
            WriteAccess::ByInner => (named.limit_millis)(inner),
            _ => 0,
        };
        shorter_limit((self.row.limit_millis)(self.request), within)
    }
}

/// Drops the counters of collections that are gone.
#[inline(never)]
fn forget_latencies(catalog: &mut Catalog) {
    let mut latencies = std::mem::take(&mut catalog.latencies);
    latencies.retain(|namespace| catalog.named(namespace).is_some());
    catalog.latencies = latencies;
}

/// Counts how long a command took on the collection that it names.
fn count_latency(catalog: &mut Catalog, (row, request): (&CommandRow, &Request<'_>), micros: u64) {
    catalog.latencies.add_to_all(row.latency, micros);
    if row.ends_collections {
        forget_latencies(catalog);
    }
    let named = match row.collection_field {
        Some(field) => request.document.get(field),
        None => request.argument,
    };
    let Some(name) = named.as_str() else { return };
    let mut latencies = std::mem::take(&mut catalog.latencies);
    let kind = (row.latency, row.op);
    latencies.add((request.database, name), kind, micros, |namespace| {
        catalog.named(namespace).is_some()
    });
    catalog.latencies = latencies;
}
