//! Retryable writes: a statement that a session sends again under the same `txnNumber` gives the first answer, and is
//! not done again. Manual: core/retryable-writes.
//!
//! What was done is a document of `config.transactions`, written in the unit of the write itself: it is there after a
//! reload and a crash exactly where the write is. Invariants: a session has one document, of its newest number; only a
//! statement that changed something is in it, for one that did not can be done again; it expires with the session, by
//! an index that the TTL monitor knows. A command without a number asks for nothing here.

use crate::algorithms::sorting::sort_by;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::catalog::{IndexDefinition, RecordId, uuid};
use crate::collation::Collation;
use crate::command::context::CommandContext;
use crate::command::request::{Params, Request};
use crate::command::session::sessions::SESSION_MINUTES;
use crate::command::session::transactions::write_too_old;
use crate::command::topology::append_op_time;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::query::PartialFilterCompiler;
use crate::state::oplog::Author;
use crate::state::session_id::{SessionId, append_identity};
use crate::state::{self, Changes, View};

/// How many statements are looked through one by one.
const FEW: usize = 64;

/// Where the server keeps the newest write of each session.
const TRANSACTIONS: &str = "config.transactions";

/// Statements, one behind the other, that were done alike.
#[derive(Debug, Clone)]
pub struct Done {
    first: i32,
    count: i32,
    /// Whether a document that was there was changed.
    pub is_modified: bool,
    /// The `_id` of an upserted document.
    pub upserted: Option<Value<'static>>,
}

impl Done {
    fn has(&self, id: i32) -> bool {
        id >= self.first && id - self.first < self.count
    }

    fn append_to(&self, item: &mut DocumentBuilder) {
        item.append("first", self.first)
            .append("count", self.count)
            .append("modified", self.is_modified);
        if let Some(id) = &self.upserted {
            item.append("upserted", id.as_ref());
        }
    }

    fn read(item: Document<'_>) -> Option<Self> {
        let int = |name: &str| i32::try_from(item.get(name).as_exact_i64()?).ok();
        let upserted = item.get("upserted");
        Some(Self {
            first: int("first")?,
            count: int("count")?,
            is_modified: item.get("modified").is_truthy(),
            upserted: (!upserted.is_missing()).then(|| upserted.to_value()),
        })
    }
}

/// The numbers of a command's statements.
enum Numbers {
    /// Their positions, from this one on.
    From(i32),
    Given(Vec<i32>),
}

/// The command's statements that were done before, and those that it does now.
pub struct Retry {
    session: SessionId,
    number: i64,
    numbers: Numbers,
    /// By their numbers.
    done: Vec<Done>,
    /// Those that are not in `done` yet, in the order of the command.
    fresh: Vec<Done>,
    /// The numbers that the command has done, in its order.
    noted: Vec<i32>,
    /// The record of the session's document.
    record: Option<RecordId>,
    /// The reply of a `findAndModify`.
    pub reply: Option<DocumentBuf>,
    /// Which image of the document that reply has, as the oplog calls it.
    pub image: &'static str,
    retried: Vec<i32>,
}

/// The numbers that a command gives its `count` statements: `stmtId`, `stmtIds`, or their positions.
///
/// # Errors
/// 72 `InvalidOptions` for both, 16 `InvalidLength` for too few or too many, 14 `TypeMismatch`.
fn numbers(params: &Params<'_>, count: usize) -> Result<Numbers, CommandError> {
    let int = |name: &'static str, value: ValueRef<'_>| match value {
        ValueRef::Int32(number) => Ok(number),
        other => Err(params.wrong_type(name, other, "int")),
    };
    let first = match params.value("stmtId") {
        ValueRef::Missing => None,
        value => Some(int("stmtId", value)?),
    };
    let Some(given) = params.array("stmtIds")? else {
        return Ok(Numbers::From(first.unwrap_or(0)));
    };
    if let Some(first) = first {
        return Err(CommandError::new(
            Code::InvalidOptions,
            format!(
                "May not specify both stmtId and stmtIds in write command. Got stmtId {first} and stmtIds"
            ),
        ));
    }
    let given: Vec<i32> = { given.iter() }
        .map(|value| int("stmtIds", value))
        .collect::<Result<_, _>>()?;
    if given.len() != count {
        return Err(CommandError::new(
            Code::InvalidLength,
            format!(
                "Number of statement ids must match the number of batch entries. Got {} statement ids but {count} \
                 operations.",
                given.len()
            ),
        ));
    }
    Ok(Numbers::Given(given))
}

/// Refuses a statement on many documents: nobody could tell how far it came.
///
/// # Errors
/// 72 `InvalidOptions`.
pub fn check_single(
    request: &Request<'_>,
    is_single: bool,
    what: &str,
) -> Result<(), CommandError> {
    match request.write_number.is_some() && !is_single {
        false => Ok(()),
        true => Err(CommandError::new(
            Code::InvalidOptions,
            format!("Cannot use (or request) retryable writes with {what}"),
        )),
    }
}

/// The record of a session's document.
fn record_of(view: &View<'_>, session: &SessionId) -> Result<Option<RecordId>, CommandError> {
    let Some(collection) = view.catalog.collection(TRANSACTIONS) else {
        return Ok(None);
    };
    let mut key = DocumentBuilder::new();
    append_identity(&mut key, "_id", session);
    let key = key.finish();
    let id = key.as_document().get("_id");
    Ok(collection.find_by_id(view.pages, id)?)
}

/// The document of a session, where it has one of this record.
fn read(view: &View<'_>, record: Option<RecordId>) -> Result<Option<DocumentBuf>, CommandError> {
    let (Some(collection), Some(record)) = (view.catalog.collection(TRANSACTIONS), record) else {
        return Ok(None);
    };
    let bytes = collection.read(view.pages, record)?;
    Ok(bytes.map(|bytes| DocumentBuf::from_valid_bytes(bytes.into_owned())))
}

fn number_in(stored: &DocumentBuf) -> i64 {
    stored.get("txnNum").as_exact_i64().unwrap_or(-1)
}

/// The number of the newest retryable write of a session that is stored.
///
/// # Errors
/// Storage errors.
pub fn stored_number(view: &View<'_>, session: &SessionId) -> Result<Option<i64>, CommandError> {
    let stored = read(view, record_of(view, session)?)?;
    Ok(stored.as_ref().map(number_in))
}

impl Retry {
    /// What there is to know of a command's statements; `None` where it has no `txnNumber`.
    ///
    /// # Errors
    /// 225 `TransactionTooOld`; errors of `stmtId` and `stmtIds`, which are checked in any command; storage errors.
    pub fn begin(
        context: &CommandContext<'_>,
        request: &Request<'_>,
        params: &Params<'_>,
        count: usize,
    ) -> Result<Option<Self>, CommandError> {
        let numbers = numbers(params, count)?;
        let (Some(session), Some(number)) = (request.session, request.write_number) else {
            return Ok(None);
        };
        let mut retry = Self {
            session,
            number,
            numbers,
            done: Vec::new(),
            fresh: Vec::new(),
            noted: Vec::new(),
            record: None,
            reply: None,
            image: "",
            retried: Vec::new(),
        };
        retry.load(context)?;
        Ok(Some(retry))
    }

    fn load(&mut self, context: &CommandContext<'_>) -> Result<(), CommandError> {
        let view = context.view();
        self.record = record_of(&view, &self.session)?;
        let Some(stored) = read(&view, self.record)? else {
            return Ok(());
        };
        let newest = number_in(&stored);
        if newest > self.number {
            let kind = "retryable write";
            return Err(write_too_old(self.number, &self.session, kind, newest));
        }
        if newest == self.number {
            let items = stored.get("statements").as_array();
            let items = items.map(|items| items.iter()).into_iter().flatten();
            self.done = items
                .filter_map(|item| Done::read(item.as_document()?))
                .collect();
            self.settle();
            self.reply = { stored.get("reply").as_document() }.map(Document::to_buf);
        }
        Ok(())
    }

    fn number_of(&self, position: usize) -> i32 {
        match &self.numbers {
            Numbers::From(first) => first.saturating_add(position as i32),
            Numbers::Given(given) => given.get(position).copied().unwrap_or(-1),
        }
    }

    /// How the statement at this position was done before, if it was.
    pub fn done(&mut self, position: usize) -> Option<Done> {
        let id = self.number_of(position);
        let before = self.done.partition_point(|done| done.first <= id);
        let found = { before.checked_sub(1) }
            .and_then(|at| self.done.get(at))
            .filter(|done| done.has(id));
        let found = found.or_else(|| self.fresh.iter().find(|done| done.has(id)));
        let found = found?.clone();
        self.retried.push(id);
        Some(found)
    }

    /// Notes that the statement at this position was done now.
    pub fn note(&mut self, position: usize, is_modified: bool, upserted: Option<Value<'static>>) {
        let id = self.number_of(position);
        self.noted.push(id);
        if let Some(last) = self.fresh.last_mut()
            && last.first.checked_add(last.count) == Some(id)
            && last.is_modified == is_modified
            && last.upserted.is_none()
            && upserted.is_none()
        {
            last.count += 1;
            return;
        }
        self.fresh.push(Done {
            first: id,
            count: 1,
            is_modified,
            upserted,
        });
        // So few are looked through one by one, and so seldom are all sorted, that numbers in any order cost little.
        if self.fresh.len() > FEW + self.done.len() / 32 {
            self.settle();
        }
    }

    /// Puts all statements in the order of their numbers.
    fn settle(&mut self) {
        self.done.append(&mut self.fresh);
        sort_by(&mut self.done, &mut |one, other| {
            one.first.cmp(&other.first)
        });
        self.done.dedup_by(|later, first| {
            let joins = first.first.checked_add(first.count) == Some(later.first)
                && later.is_modified == first.is_modified
                && later.upserted.is_none()
                && first.upserted.is_none();
            if joins {
                first.count += later.count;
            }
            joins
        });
    }

    /// The number of the first statement that was done before.
    pub fn first_retried(&self) -> i32 {
        self.retried.first().copied().unwrap_or_default()
    }

    /// Counts the statements that were done before.
    pub fn count(&self, context: &mut CommandContext<'_>) {
        let retried = self.retried.len() as i64;
        context.counters.retried_commands += i64::from(retried > 0);
        context.counters.retried_statements += retried;
    }

    /// Appends the numbers of statements that were done before.
    pub fn append_to(&self, reply: &mut DocumentBuilder) {
        if self.retried.is_empty() {
            return;
        }
        reply.begin_array("retriedStmtIds");
        for (position, id) in self.retried.iter().enumerate() {
            reply.append(&position.to_string(), *id);
        }
        reply.end();
    }

    /// Stores what was done, in the unit of the command.
    ///
    /// # Errors
    /// Storage errors; a document that is too large.
    pub fn keep(&mut self, context: &mut CommandContext<'_>) -> Result<(), CommandError> {
        self.count(context);
        if self.noted.is_empty() {
            return Ok(());
        }
        context.counters.session_writes += 1;
        self.settle();
        let author = Author {
            session: self.session,
            number: self.number,
            is_transaction: false,
            image: self.image,
        };
        { context.unit.changes_mut() }.note_statements(author, &self.noted);
        let env = context.env;
        let row = self.row(context);
        let row = row.as_document();
        // Nobody asked for this document: it is no change of theirs.
        let mut apart = Changes::default();
        let is_made = context.view().catalog.collection(TRANSACTIONS).is_some();
        let writer = context.unit.writer_apart(&mut apart);
        let mut collection = writer.into_created(TRANSACTIONS, &mut || uuid::random(env))?;
        if !is_made {
            collection.add_index(expiry(env)?, env)?;
        }
        state::put(&mut collection, self.record, row)
    }

    fn row(&self, context: &CommandContext<'_>) -> DocumentBuf {
        let time = context.deployment.timestamps.next(context.now_millis);
        let mut row = DocumentBuilder::new();
        append_identity(&mut row, "_id", &self.session);
        row.append("txnNum", self.number);
        append_op_time(&mut row, "lastWriteOpTime", time);
        row.append("lastWriteDate", ValueRef::DateTime(context.now_millis));
        row.begin_array("statements");
        for (position, done) in self.done.iter().enumerate() {
            row.begin_document(&position.to_string());
            done.append_to(&mut row);
            row.end();
        }
        row.end();
        if let Some(reply) = &self.reply {
            row.append("reply", reply);
        }
        row.finish()
    }
}

/// The index by which documents go with their sessions.
fn expiry(env: &dyn Env) -> Result<IndexDefinition, CommandError> {
    let mut spec = DocumentBuilder::new();
    spec.begin_document("key").append("lastWriteDate", 1).end();
    spec.append("name", "lastWriteDate_1")
        .append_integer("expireAfterSeconds", SESSION_MINUTES * 60);
    let compiler = PartialFilterCompiler { env };
    IndexDefinition::parse(spec.finish().as_document(), &compiler, &Collation::SIMPLE)
}
