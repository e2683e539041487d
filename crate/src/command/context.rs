//! The deployment's state and the host, as a command sees and changes them.
//!
//! Invariant: a command changes pages and collections only through the unit of this context, so that the engine can
//! undo all of it when the command fails.

use super::diagnostics::command_counts::CommandCounts;
use super::diagnostics::log::Log;
use super::diagnostics::parameters::Parameters;
use super::diagnostics::profiler::Profiler;
use super::read::watched::{ReadContext, StatementEnd, Watch};
use crate::bson::object_id::ObjectIdGenerator;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Element, Value, ValueRef};
use crate::catalog::salvage::Salvaged;
use crate::catalog::uuid;
use crate::collation::Collation;
use crate::command::row::Counter;
use crate::command::session::sessions::SessionTable;
use crate::command::topology::Topology;
use crate::command::write::change::ChangeScratch;
use crate::command::write::validation::ValidatorCache;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::compile::check_variable_for_write;
use crate::expr::{CompileContext, Scope};
use crate::state::{
    CursorTable, DocumentTotals, Fork, HeldView, OpenCursor, Run, TransactionTable, Unit, View,
    Writer,
};
use crate::storage::{LogicalClock, PageCounters};
use std::borrow::Cow;
use std::rc::Rc;

/// Counts since the engine was opened, for `serverStatus`.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServerCounters {
    pub insert: i64,
    pub query: i64,
    pub update: i64,
    pub delete: i64,
    pub getmore: i64,
    pub command: i64,
    pub keys_examined: i64,
    pub documents_examined: i64,
    pub documents_returned: i64,
    pub pages_read: i64,
    pub pages_written: i64,
    pub documents_inserted: i64,
    pub documents_updated: i64,
    pub documents_deleted: i64,
    /// Commands that were answered, with the bytes of them and of their replies.
    pub requests: i64,
    pub bytes_in: i64,
    pub bytes_out: i64,
    /// Commands that were answered with an error.
    pub refusals: i64,
    /// Retryable writes that were sent again, their statements, and how often one was noted for its session.
    pub retried_commands: i64,
    pub retried_statements: i64,
    pub session_writes: i64,
}

impl ServerCounters {
    /// The running totals of documents and keys examined, pages touched and documents changed, in the order of
    /// `web/src/engine/account.ts`.
    pub fn account(&self) -> [i64; 7] {
        [
            self.keys_examined,
            self.documents_examined,
            self.pages_read,
            self.pages_written,
            self.documents_inserted,
            self.documents_updated,
            self.documents_deleted,
        ]
    }

    /// Adds the counts of one command; the changes of a failed one (`is_kept` is false) do not count.
    pub fn add(
        &mut self,
        command: Counter,
        done: &PageCounters,
        documents: DocumentTotals,
        is_kept: bool,
    ) {
        match command {
            Counter::Query => self.query += 1,
            Counter::GetMore => self.getmore += 1,
            Counter::Command => self.command += 1,
            Counter::Statements => {}
        }
        self.keys_examined += done.keys_examined as i64;
        self.documents_examined += done.documents_examined as i64;
        self.pages_read += done.pages_read as i64;
        if is_kept {
            self.pages_written += done.pages_written as i64;
            self.documents_inserted += documents.inserted as i64;
            self.documents_updated += documents.updated as i64;
            self.documents_deleted += documents.deleted as i64;
        }
    }
}

/// What a deployment has beside its data: clocks, identities, sessions, and room that is used again.
pub struct Deployment {
    /// What it presents itself as.
    pub topology: Topology,
    /// Milliseconds that the virtual clock is ahead of the host's time.
    pub clock_offset_millis: i64,
    /// When the engine was opened, in host time.
    pub opened_millis: i64,
    /// The connection's id and the process's identity, fixed when opened.
    pub process_id: [u8; 12],
    /// Makes the `_id`s of documents that come without one.
    pub object_ids: ObjectIdGenerator,
    /// The logical clock, which the pages share.
    pub timestamps: Rc<LogicalClock>,
    /// Set by a `getMore` that waits for data: see `Outcome::await_data_millis`.
    pub await_data_millis: Option<i64>,
    /// The room of an earlier reply.
    pub spare_reply: Vec<u8>,
    /// The losses of the damaged deployment that this one was copied from.
    pub salvaged: Option<Box<Salvaged>>,
    /// The room that changing documents took before.
    pub change_scratch: ChangeScratch,
    pub validators: ValidatorCache,
    /// Sessions that were used lately.
    pub sessions: SessionTable,
    /// The number of the operation that runs.
    pub operation: i32,
    /// The run under way, whose commands belong together.
    pub run: Option<Run>,
    pub profiler: Profiler,
    /// The values of server parameters.
    pub parameters: Parameters,
    pub log: Log,
    /// How often each command was run, and failed.
    pub command_counts: CommandCounts,
    /// The transactions of the sessions.
    pub transactions: TransactionTable,
}

/// The parts of a deployment that a write needs together.
pub struct Writing<'d> {
    pub writer: Writer<'d>,
    pub cursors: &'d mut CursorTable,
    pub object_ids: &'d mut ObjectIdGenerator,
    pub timestamps: &'d LogicalClock,
    pub counters: &'d mut ServerCounters,
}

/// Passed into every command.
pub struct CommandContext<'e> {
    pub env: &'e dyn Env,
    /// The engine's time: the host's plus the virtual clock's offset, fixed per command.
    pub now_millis: i64,
    /// The data, as the command sees and changes it.
    pub unit: Unit<'e>,
    pub counters: &'e mut ServerCounters,
    pub deployment: &'e mut Deployment,
    /// When the command began, by the monotonic clock.
    pub started_millis: f64,
    /// Whether the command stores documents that its collections' validators refuse.
    pub bypass_validation: bool,
    /// Where the reads of an observed command are kept.
    pub watch: Option<Rc<Watch>>,
    /// The settings of the query's shape, where it has some.
    pub query_settings: Option<Rc<DocumentBuf>>,
}

impl<'e> CommandContext<'e> {
    /// The state that the command reads.
    #[inline]
    pub fn view(&self) -> View<'_> {
        self.unit.view()
    }

    /// The same context over another state, to be read.
    pub fn on<'o>(&'o mut self, state: &'o HeldView) -> CommandContext<'o> {
        CommandContext {
            env: self.env,
            now_millis: self.now_millis,
            unit: self.unit.on(state),
            counters: self.counters,
            deployment: self.deployment,
            started_millis: self.started_millis,
            bypass_validation: self.bypass_validation,
            watch: self.watch.clone(),
            query_settings: self.query_settings.clone(),
        }
    }

    /// The same context over a fork, whose counts are its own.
    pub fn fork<'f>(
        &'f mut self,
        own: &'f mut Fork,
        counters: &'f mut ServerCounters,
    ) -> CommandContext<'f> {
        CommandContext {
            env: self.env,
            now_millis: self.now_millis,
            unit: self.unit.fork(own),
            counters,
            deployment: self.deployment,
            started_millis: self.started_millis,
            bypass_validation: self.bypass_validation,
            watch: None,
            query_settings: self.query_settings.clone(),
        }
    }

    /// Begins the oplog, where there is none: see the unit's.
    ///
    /// # Errors
    /// Those of the unit.
    pub fn begin_oplog(&mut self, bytes: i64) -> Result<(), CommandError> {
        let uuid = uuid::random(self.env);
        self.unit.begin_oplog(uuid, bytes)
    }

    /// The door to write.
    pub fn writer(&mut self) -> Writer<'_> {
        self.unit.writer()
    }

    /// The door to write, and what a write needs beside it.
    pub fn writing(&mut self) -> Writing<'_> {
        let (writer, cursors) = self.unit.writer_and_cursors();
        Writing {
            writer,
            cursors,
            object_ids: &mut self.deployment.object_ids,
            timestamps: &self.deployment.timestamps,
            counters: self.counters,
        }
    }

    /// A compile context with the command's evaluated `let` variables.
    pub fn compile_context(
        &self,
        let_variables: Option<Document<'_>>,
    ) -> Result<CompileContext<'e>, CommandError> {
        let mut context = CompileContext::new(self.env, self.now_millis);
        context.has_clock = false;
        for element in let_variables.map(|all| all.iter()).into_iter().flatten() {
            let value = self.let_variable(&element, &context)?;
            context.constants.push((element.name.to_owned(), value));
        }
        context.has_clock = true;
        context.query_settings = self.query_settings.clone();
        Ok(context)
    }

    /// The value of one variable of a command's `let`: an expression over nothing but the variables before it.
    // Apart: few commands have variables.
    #[inline(never)]
    fn let_variable(
        &self,
        variable: &Element<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Value<'static>, CommandError> {
        let name = variable.name;
        if matches!(
            name,
            "NOW" | "CLUSTER_TIME" | "JS_SCOPE" | "IS_MR" | "USER_ROLES"
        ) {
            return Err(CommandError::location(
                4_738_901,
                format!("Attempt to set internal constant: {name}"),
            ));
        }
        check_variable_for_write(name).map_err(|error| error.within("Invalid 'let' parameter"))?;
        let expression = crate::expr::compile(variable.value, context)?;
        let read = expression.dependencies();
        if read.whole_document || !read.paths.is_empty() {
            return Err(CommandError::location(
                4_890_500,
                // The server's own two halves have no space between them.
                "Command let Expression tried to access a field, but this is not allowed because\
                 Command let Expressions run before the query examines any documents.",
            ));
        }
        let value =
            expression.evaluate(&Scope::of(ValueRef::Document(Document::EMPTY), self.env))?;
        Ok(value.into_owned())
    }

    /// The collation of an operation: the one that it names, or else its collection's.
    ///
    /// # Errors
    /// A document that is no collation; 167 `OptionNotSupportedOnView` for another collation than the view's own.
    pub fn collation(
        &self,
        namespace: &str,
        given: Option<Document<'_>>,
    ) -> Result<Collation, CommandError> {
        let named = self.view().catalog.named(namespace);
        let default = named.map_or(Collation::SIMPLE, |named| named.options.collation.clone());
        let Some(given) = given else {
            return Ok(default);
        };
        let collation = Collation::parse(given, self.env)?;
        if collation != default && named.is_some_and(|named| !named.has_documents()) {
            return Err(CommandError::new(
                Code::OptionNotSupportedOnView,
                format!("Cannot override a view's default collation: {namespace}"),
            ));
        }
        Ok(collation)
    }

    /// A compile context of an operation on a collection, with the collation it names or else the collection's.
    ///
    /// # Errors
    /// Errors of variables and collation.
    pub fn compile_for(
        &self,
        namespace: &str,
        let_variables: Option<Document<'_>>,
        collation: Option<Document<'_>>,
    ) -> Result<CompileContext<'e>, CommandError> {
        let mut context = self.compile_context(let_variables)?;
        context.collation = self.collation(namespace, collation)?;
        Ok(context)
    }

    /// The context that one statement of a command is compiled in.
    ///
    /// # Errors
    /// Errors of the collation.
    pub fn statement_context<'c>(
        &self,
        compile: &'c CompileContext<'e>,
        namespace: &str,
        collation: Option<Document<'_>>,
    ) -> Result<Cow<'c, CompileContext<'e>>, CommandError> {
        let collation = self.collation(namespace, collation)?;
        if collation == compile.collation {
            return Ok(Cow::Borrowed(compile));
        }
        let mut own = compile.clone();
        own.collation = collation;
        Ok(Cow::Owned(own))
    }

    /// An empty reply, in the room of one that was given back.
    pub fn reply(&mut self) -> DocumentBuilder {
        DocumentBuilder::with_buffer(std::mem::take(&mut self.deployment.spare_reply))
    }

    /// The context that stages run in; borrows the pages for reading.
    pub fn exec_context(&self) -> ReadContext<'_> {
        let exec = self.view().exec_context(self.env, self.now_millis);
        let watch = self.watch.as_deref();
        let forbids_scans = self.deployment.parameters.flag("notablescan");
        ReadContext {
            exec,
            watch,
            forbids_scans,
        }
    }

    /// Whether all plans are to be shown.
    pub fn explains(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.explains())
    }

    /// Tells the profiler of a statement that ended: `tell` appends the statement and its counts.
    pub fn end_statement(
        &self,
        done: &Result<impl Sized, CommandError>,
        tell: impl FnOnce(&mut DocumentBuilder, &mut DocumentBuilder),
    ) {
        let Some(watch) = self.watch.as_ref().filter(|watch| watch.profiles()) else {
            return;
        };
        let (mut command, mut counts) = (DocumentBuilder::new(), DocumentBuilder::new());
        tell(&mut command, &mut counts);
        watch.end_statement(StatementEnd {
            command: command.finish(),
            counts: counts.finish(),
            facts: watch.facts().len(),
            counters: self.view().pages.accounting().counters(),
            ended_millis: self.env.monotonic_millis(),
            error: done.as_ref().err().cloned(),
        });
    }

    /// Keeps a cursor for later commands, and gives its id.
    pub fn open_cursor(&mut self, cursor: OpenCursor) -> i64 {
        let mut random = [0; 8];
        self.env.fill_random(&mut random);
        self.unit.cursors_mut().insert(random, cursor)
    }
}

/// The result of a command's function: a reply without `ok`, or an error.
pub type CommandResult = Result<DocumentBuf, CommandError>;
