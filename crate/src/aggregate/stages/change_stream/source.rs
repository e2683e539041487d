//! `$changeStream`: the running stage, which reads the oplog as it is at each `getMore`.
//!
//! Invariant: every change behind the beginning is told once, in the order of the oplog; a beginning that the oplog
//! does not reach back to any more is refused, and so is a stream that was read too seldom.

use super::super::super::stage::{Flow, Part, StagePlan};
use super::event::{Event, Operation};
use super::specification::{Scope, Specification, Start};
use super::token::Token;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Timestamp, ValueRef};
use crate::error::{Code, CommandError};
use crate::exec::namespaces::Namespaces;
use crate::exec::stream::Stream;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{CompileContext, Dependencies};
use std::collections::VecDeque;
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

/// The stages that may stand behind a change stream.
pub const STAGES_BEHIND: &[&str] = &[
    "$addFields",
    "$changeStreamSplitLargeEvent",
    "$match",
    "$project",
    "$redact",
    "$replaceRoot",
    "$replaceWith",
    "$set",
    "$unset",
];

/// A compiled `$changeStream`.
pub struct ChangeStreamPlan {
    shown: DocumentBuf,
    specification: Specification,
    scope: Option<Scope>,
    stream: Rc<Stream>,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let read = Specification::read(specification)?;
    Ok(vec![Box::new(ChangeStreamPlan {
        shown: specification.as_document().unwrap_or_default().to_buf(),
        specification: read,
        scope: None,
        stream: Rc::default(),
    })])
}

impl ChangeStreamPlan {
    /// Opens the stream on a namespace.
    ///
    /// # Errors
    /// Those of `Specification::scope`.
    pub fn open(&mut self, namespace: &str, has_collection: bool) -> Result<()> {
        self.scope = Some(self.specification.scope(namespace, has_collection)?);
        Ok(())
    }

    /// The place that the cursor shares.
    pub fn stream(&self) -> Rc<Stream> {
        Rc::clone(&self.stream)
    }

    /// The fragment of a split event to go on behind.
    pub fn fragment(&self) -> Option<Token> {
        match self.specification.start {
            Start::Behind(token) if token.fragment.is_some() => Some(token),
            _ => None,
        }
    }
}

impl StagePlan for ChangeStreamPlan {
    fn start(self: Box<Self>, _: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(ChangeStream {
            specification: self.specification,
            scope: self.scope.unwrap_or(Scope::All),
            stream: self.stream,
            next: None,
            waiting: VecDeque::new(),
            current: DocumentBuf::default(),
            missing: None,
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append("$changeStream", &self.shown);
    }

    fn dependencies(&self, _: &mut Dependencies) -> Flow {
        Flow::Exhausts
    }

    fn part(&mut self) -> Part<'_> {
        Part::ChangeStream(self)
    }
}

struct ChangeStream {
    specification: Specification,
    scope: Scope,
    stream: Rc<Stream>,
    /// The time from which on entries are still to be read; none before the beginning was found.
    next: Option<u64>,
    /// Events of the entry that was read last.
    waiting: VecDeque<Event>,
    current: DocumentBuf,
    /// The token that the stream is to go on behind and has not met: the next event tells that it never will.
    missing: Option<Token>,
}

fn lost() -> CommandError {
    CommandError::new(
        Code::ChangeStreamHistoryLost,
        "Resume of change stream was not possible, as the resume point may no longer be in the oplog.",
    )
}

fn not_found(token: Token) -> CommandError {
    CommandError::new(
        Code::ChangeStreamFatalError,
        format!(
            "cannot resume stream; the resume token was not found. {}",
            token.to_document("").as_document()
        ),
    )
}

impl ChangeStream {
    /// The events of an entry, those of a transaction with what its earlier entries hold.
    fn read(
        &self,
        at: u64,
        entry: Document<'_>,
        namespaces: &dyn Namespaces,
        events: &mut VecDeque<Event>,
    ) -> Result<()> {
        let mut tell = |event| {
            events.push_back(event);
            Ok(())
        };
        let wall = entry.get("wall");
        let o = entry.get("o").as_document().unwrap_or_default();
        if o.get("applyOps").is_missing() {
            let operation = Operation {
                fields: entry,
                at,
                wall,
                within: None,
            };
            return operation.events(&self.specification, &self.scope, namespaces, &mut tell);
        }
        if o.get("partialTxn").is_truthy() {
            return Ok(());
        }
        let mut entries = vec![entry.to_buf()];
        loop {
            let first = entries
                .last()
                .map(DocumentBuf::as_document)
                .unwrap_or_default();
            // Of a retryable write that one leads to other changes, which were told before.
            let is_alone = !first.get("multiOpType").is_missing();
            let before = { first.get("prevOpTime").as_document() }.filter(|_| !is_alone);
            let before = before
                .and_then(|place| Timestamp::of(place.get("ts")).map(Timestamp::to_bits))
                .unwrap_or(0);
            if before == 0 {
                break;
            }
            let mut found = None;
            namespaces.visit_oplog(before, &mut |at, entry| {
                found = (at == before).then(|| entry.to_buf());
                Ok(false)
            })?;
            entries.push(found.ok_or_else(lost)?);
        }
        let mut index = 0;
        for entry in entries.iter().rev() {
            let entry = entry.as_document();
            let o = entry.get("o").as_document().unwrap_or_default();
            let operations = o.get("applyOps").as_array();
            let operations = operations.into_iter().flat_map(|all| all.iter());
            for fields in operations.filter_map(ValueRef::as_document) {
                let operation = Operation {
                    fields,
                    at,
                    wall,
                    within: Some((index, entry.get("lsid"), entry.get("txnNumber"))),
                };
                operation.events(&self.specification, &self.scope, namespaces, &mut tell)?;
                index += 1;
            }
        }
        Ok(())
    }

    /// Finds the beginning.
    fn begin(&mut self, namespaces: &dyn Namespaces) -> Result<u64> {
        let start = self.specification.start;
        let from = match start {
            Start::Now => namespaces.newest_entry().unwrap_or(0),
            Start::Time(at) | Start::BehindEntry(at) => at,
            Start::Behind(token) => token.at,
        };
        let (mut is_there, mut events) = (false, VecDeque::new());
        let oldest = namespaces.visit_oplog(from, &mut |at, entry| {
            is_there = at == from;
            if let (Start::Behind(_), true) = (start, is_there) {
                self.read(at, entry, namespaces, &mut events)?;
            }
            Ok(false)
        })?;
        if oldest.is_none_or(|oldest| from < oldest) {
            return Err(lost());
        }
        let token = match start {
            Start::Behind(token) => token,
            Start::Time(_) => {
                self.stream.pass(Token::of_time(from).to_document(""));
                return Ok(from);
            }
            // A crash took the entry back: the client that has the token was told a change that was lost.
            Start::BehindEntry(_) if !is_there => return Err(not_found(Token::of_time(from))),
            Start::BehindEntry(_) | Start::Now => {
                self.stream.pass(Token::behind_entry(from).to_document(""));
                return Ok(from + 1);
            }
        };
        // What follows the token of a split event's fragment begins with that event.
        let whole = Token {
            fragment: None,
            ..token
        };
        let place = events.iter().position(|event| event.token == whole);
        self.stream.pass(token.to_document(""));
        let Some(place) = place else {
            self.missing = Some(token);
            return Ok(from + 1);
        };
        let told = place + usize::from(token.fragment.is_none());
        self.waiting = events.split_off(told);
        // An invalidation that was told ends nothing for a stream that begins behind it.
        if token.is_invalidation {
            self.waiting.clear();
        }
        Ok(from + 1)
    }

    /// Goes on to the next event.
    fn take(&mut self) -> Result<bool> {
        let Some(event) = self.waiting.pop_front() else {
            return Ok(false);
        };
        if let Some(token) = self.missing {
            return Err(not_found(token));
        }
        let id = event.document.get("_id").as_document().unwrap_or_default();
        self.stream.pass(id.to_buf());
        if event.is_end {
            self.waiting.clear();
            self.stream.end();
        }
        self.current = event.document;
        Ok(true)
    }
}

impl Stage for ChangeStream {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if self.stream.is_ended() {
            return Ok(false);
        }
        let mut next = match self.next {
            Some(next) => next,
            None => self.begin(cx.namespaces)?,
        };
        self.next = Some(next);
        if self.take()? {
            return Ok(true);
        }
        let from = next;
        let mut events = VecDeque::new();
        let oldest = cx.namespaces.visit_oplog(from, &mut |at, entry| {
            next = at + 1;
            self.read(at, entry, cx.namespaces, &mut events)?;
            Ok(events.is_empty())
        })?;
        // Entries that were not read yet are gone, or the oplog is: the stream has a gap.
        if oldest.is_none_or(|oldest| from < oldest) {
            return Err(lost());
        }
        self.next = Some(next);
        self.waiting = events;
        if self.take()? {
            return Ok(true);
        }
        if let Some(newest) = cx.namespaces.newest_entry()
            && next > from
        {
            self.stream
                .pass(Token::behind_entry(newest).to_document(""));
        }
        Ok(false)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.current.as_document())
    }
}
