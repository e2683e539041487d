//! `$lookup` while it runs: finding the documents joined to each document, and writing them.
//!
//! Invariant: of documents on both sides only the fields read later are copied, where they are known. Joins by equality
//! alone are made for many documents at once where the collections can do that (`lookup_batch`). Before a stage that
//! reads the joined documents by expressions alone nothing is written: the array, or the unwound document, is bound to
//! its path, narrowed to the paths that are read. Of an only document, just the values at these paths are bound.

use super::super::kept::Kept;
use super::super::output::{Output, position_name};
use super::super::pipeline::Pipeline;
use super::foreign;
use super::lookup::LookupPlan;
use super::lookup_batch::{Batch, Copied, Known, joins_as_it_is, only_item};
use super::unwind::set;
use crate::bson::{
    Array, ArrayBuf, ArrayBuilder, BsonType, Document, DocumentBuilder, ReadValue, Value, ValueRef,
};
use crate::error::CommandError;
use crate::exec::memory;
use crate::exec::namespaces::{EqualityJoin, JoinTarget, Reads};
use crate::exec::{ExecContext, Record, Stage, Visitor};
use crate::expr::{Bound, BoundValue, CompileContext, Ends, Scope};
use std::ops::Range;

type Result<T> = std::result::Result<T, CommandError>;

/// The running stage.
pub struct LookupStage {
    plan: Box<LookupPlan>,
    input: Box<dyn Stage>,
    output: Output,
    /// The join when it is by equality alone.
    equality: Option<EqualityJoin>,
    /// Documents that were read ahead to be joined at once, as long as that is possible.
    batch: Option<Batch>,
    /// The joined documents, once known, of a pipeline that depends on nothing.
    uncorrelated: Option<ArrayBuf>,
    /// The joined documents of the current one, when they are given one by one.
    joined: Option<Joined>,
    /// The value bound then, unless it was read ahead.
    bound: ArrayBuf,
    /// The costs of the joins so far, where somebody keeps notes of them.
    reads: Reads,
}

/// Joined documents and where each lies.
struct Joined {
    documents: ArrayBuf,
    places: Vec<Range<usize>>,
    next: usize,
}

impl Joined {
    fn new(documents: ArrayBuf) -> Self {
        let list = Document::from_valid_bytes(documents.as_array().as_bytes());
        let base = list.as_bytes().as_ptr() as usize;
        let places = list
            .raw_elements()
            .map(|item| {
                // The item's bytes lie within the list's.
                let start = item.value_bytes.as_ptr() as usize - base;
                start..start + item.value_bytes.len()
            })
            .collect();
        Self {
            documents,
            places,
            next: 0,
        }
    }

    /// The document that was gone to, and its position.
    fn current(&self) -> Option<(Document<'_>, i64)> {
        let at = self.next.checked_sub(1)?;
        let bytes = self.documents.as_array().as_bytes();
        let item = bytes.get(self.places.get(at)?.clone())?;
        Some((Document::from_valid_bytes(item), at as i64))
    }
}

/// Refuses a joined array of more than `memory::LIMIT` bytes.
fn check_size(bytes: usize, from: &str) -> Result<()> {
    if bytes <= memory::LIMIT {
        return Ok(());
    }
    Err(CommandError::location(
        4568,
        format!(
            "Total size of documents in {from} matching pipeline's $lookup stage exceeds {} bytes",
            memory::LIMIT
        ),
    ))
}

/// The joined documents, as they are bound to a path of so many names.
fn bound_value<'b>(known: Known<'b>, paths: &'b [Vec<Box<str>>], walked: usize) -> BoundValue<'b> {
    match known {
        Known::Array(array) => BoundValue::Whole(ReadValue {
            kind: BsonType::Array,
            value_bytes: array.as_bytes(),
            walked,
        }),
        Known::Ends(places, bytes) => BoundValue::OnlyItem(Ends {
            paths,
            places,
            bytes,
        }),
    }
}

/// The document that is joined: one that was read ahead, or the input's.
fn document<'s>(batch: &'s Option<Batch>, input: &'s dyn Stage) -> Document<'s> {
    let ahead = batch.as_ref().and_then(Batch::current);
    ahead.map_or_else(|| input.current().document(), |next| next.document)
}

impl LookupPlan {
    /// The value that is looked up, where looking for equal ones is all there is to do.
    fn plain_value<'d>(&self, document: Document<'d>) -> Option<ValueRef<'d>> {
        let (local, _) = self.join.as_ref()?;
        match local.evaluate(ValueRef::Document(document)) {
            Value::Borrowed(ValueRef::Missing) => Some(ValueRef::Null),
            Value::Borrowed(value) if joins_as_it_is(value.bson_type()) => Some(value),
            _ => None,
        }
    }

    /// Adds a joined document.
    fn take(&mut self, document: Document<'_>, found: &mut ArrayBuilder) -> Result<()> {
        match &mut self.foreign {
            Some(kept) => {
                let mut builder = DocumentBuilder::new();
                kept.write(document, &mut builder);
                found.push(&builder.finish());
            }
            None => {
                found.push(document);
            }
        }
        check_size(found.byte_len(), &self.from)
    }
}

impl LookupStage {
    /// Starts a plan on its input.
    pub fn new(plan: Box<LookupPlan>, input: Box<dyn Stage>) -> Self {
        let is_plain = plan.pipeline.as_array().is_empty()
            && plan.variables.is_empty()
            && !plan.from.is_empty()
            // Strings join as the collation has it, which a plain look-up does not know of.
            && plan.collation.is_simple();
        let equality = plan.join.as_ref().filter(|_| is_plain).map(|(_, other)| {
            let filter = plan.filter.clone();
            EqualityJoin {
                database: plan.database.clone(),
                collection: plan.from.clone(),
                path: other.dotted(),
                filter,
                target: JoinTarget::default(),
            }
        });
        Self {
            batch: { plan.join.as_ref() }
                .filter(|_| equality.is_some() && !plan.one_by_one)
                .map(|(local, _)| Batch::new(local)),
            plan,
            input,
            output: Output::default(),
            equality,
            uncorrelated: None,
            joined: None,
            bound: ArrayBuf::default(),
            reads: Reads::default(),
        }
    }

    /// Moves to the next document that is joined: one that was read ahead, where that can be, or the input's.
    fn next_document(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        let (Some(batch), Some(join)) = (&mut self.batch, &mut self.equality) else {
            return self.input.advance(cx);
        };
        if !batch.has_more() {
            if !cx.namespaces.joins_at_once(join) {
                self.batch = None;
                return self.input.advance(cx);
            }
            let mut copied = Copied {
                by_ends: self.plan.by_ends,
                kept: &mut self.plan.foreign,
            };
            if !batch.fill(&mut *self.input, join, &mut copied, cx)? {
                return Ok(false);
            }
        }
        batch.advance();
        Ok(true)
    }

    /// The documents joined to the current one, where they were found ahead.
    fn known(&self) -> Option<Known<'_>> {
        self.batch.as_ref()?.current()?.joined
    }

    /// Hands on the next documents that were read ahead, as long as their joined documents are known. False: the
    /// visitor needs no more.
    fn visit_known(&mut self, visitor: &mut Visitor<'_>) -> Result<bool> {
        let path = self.plan.output.parts();
        let paths = { self.plan.foreign.as_ref() }.map_or(&[] as &[_], Kept::paths);
        let Some(batch) = &mut self.batch else {
            return Ok(true);
        };
        while let Some((document, known)) = batch.advance_known() {
            let bound = Bound {
                path,
                value: bound_value(known, paths, path.len()),
                outer: None,
            };
            let record = Record {
                bound: Some(&bound),
                ..Record::from(document)
            };
            if !visitor(&record)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The documents joined to the current one, at their path.
    fn bound(&self) -> Bound<'_> {
        let path = self.plan.output.parts();
        let value = match self.plan.unwinding {
            Some(_) => {
                let (kind, value_bytes) = match self.item() {
                    Some((item, _)) => (BsonType::Document, item.as_bytes()),
                    None => (BsonType::Missing, Default::default()),
                };
                BoundValue::Whole(ReadValue {
                    kind,
                    value_bytes,
                    walked: path.len(),
                })
            }
            None => {
                let known = self.known().unwrap_or(Known::Array(self.bound.as_array()));
                let paths = { self.plan.foreign.as_ref() }.map_or(&[] as &[_], Kept::paths);
                bound_value(known, paths, path.len())
            }
        };
        Bound {
            path,
            value,
            outer: None,
        }
    }

    /// Writes the current document with an array of joined ones.
    fn write_array(&mut self, array: Option<ArrayBuf>) {
        let next = self.batch.as_ref().and_then(Batch::current);
        let array = match (&array, &next) {
            (Some(array), _) => array.as_array(),
            (None, Some(next)) => next.joined.map_or(Array::EMPTY, Known::array),
            (None, None) => Array::EMPTY,
        };
        let document = next.map_or_else(|| self.input.current().document(), |next| next.document);
        let LookupPlan { own, output, .. } = &mut *self.plan;
        let mut builder = self.output.begin();
        match (output.parts(), own) {
            // A field in that place keeps its place.
            ([name], Some(own)) if document.get(name).is_missing() => {
                own.write(document, &mut builder);
                builder.append(name, array);
            }
            (parts, _) => set(document, parts, ValueRef::Array(array), &mut builder),
        }
        self.output.finish(builder);
    }

    /// Joins by one value alone straight into the output; false when the join or the output is of another kind.
    fn write_equal(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        let Some(join) = &mut self.equality else {
            return Ok(false);
        };
        let document = document(&self.batch, &*self.input);
        let Some(value) = self.plan.plain_value(document) else {
            return Ok(false);
        };
        let LookupPlan {
            own,
            foreign,
            from,
            output,
            ..
        } = &mut *self.plan;
        let [name] = output.parts() else {
            return Ok(false);
        };
        // A field in that place keeps its place.
        if !document.get(name).is_missing() {
            return Ok(false);
        }
        let mut builder = self.output.begin();
        match own {
            Some(kept) => kept.write(document, &mut builder),
            None => {
                builder.append_all(document);
            }
        }
        builder.begin_array(name);
        let before = builder.len();
        let mut position = 0;
        let mut digits = [0; 20];
        let env = cx.env;
        let found = cx.namespaces.find_equal(join, value, &mut |document| {
            env.checkpoint()?;
            builder.begin_document(position_name(position, &mut digits));
            match foreign {
                Some(kept) => kept.write(document, &mut builder),
                None => {
                    builder.append_all(document);
                }
            }
            builder.end();
            position += 1;
            check_size(builder.len() - before, from)
        });
        builder.end();
        self.output.finish(builder);
        found
    }

    fn joined(&mut self, cx: &ExecContext<'_>) -> Result<ArrayBuf> {
        let mut found = ArrayBuilder::new();
        if let Some(join) = &mut self.equality
            && let Some(value) = self.plan.plain_value(document(&self.batch, &*self.input))
        {
            let (env, plan) = (cx.env, &mut self.plan);
            let take = &mut |document: Document<'_>| {
                env.checkpoint()?;
                plan.take(document, &mut found)
            };
            if cx.namespaces.find_equal(join, value, take)? {
                return Ok(found.finish());
            }
        }
        let plan = &mut *self.plan;
        let once = plan.join.is_none() && plan.variables.is_empty();
        if let Some(found) = self.uncorrelated.as_ref().filter(|_| once) {
            return Ok(found.clone());
        }
        let document = document(&self.batch, &*self.input);
        let mut context = CompileContext::new(cx.env, cx.now_millis);
        context.constants.clone_from(&plan.constants);
        context.collation.clone_from(&plan.collation);
        let scope = Scope::of(ValueRef::Document(document), cx.env);
        for (name, expression) in &plan.variables {
            cx.env.checkpoint()?;
            let value = expression.evaluate(&scope)?.into_owned();
            context.constants.push((name.clone(), value));
        }
        let equality = { plan.join.as_ref() }
            .map(|(local, other)| foreign::equality(document, local, other, cx.env));
        let stages = plan.all_stages(equality.transpose()?);
        let mut running = if plan.from.is_empty() {
            Pipeline::compile(stages.as_array(), &context)?.start_without_source()
        } else {
            let database = plan.database.as_deref();
            cx.namespaces
                .open(database, &plan.from, stages.as_array(), &context)?
        };
        while running.advance(cx)? {
            cx.env.checkpoint()?;
            plan.take(running.current().document(), &mut found)?;
        }
        // A pipeline notes its reads when it is dropped.
        drop(running);
        let found = found.finish();
        if once {
            self.uncorrelated = Some(found.clone());
        }
        Ok(found)
    }

    /// Moves to the next joined document of the stage's own unwinding.
    fn advance_unwinding(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        let preserve = { self.plan.unwinding.as_ref() }.is_some_and(|held| held.preserve);
        loop {
            if let Some(joined) = &mut self.joined
                && joined.next < joined.places.len()
            {
                joined.next += 1;
                return Ok(true);
            }
            self.joined = None;
            if !self.next_document(cx)? {
                return Ok(false);
            }
            if let Some(known) = self.known() {
                if preserve || !known.array().is_empty() {
                    return Ok(true);
                }
                continue;
            }
            let joined = Joined::new(self.joined(cx)?);
            let is_empty = joined.places.is_empty();
            self.joined = Some(joined);
            if is_empty && preserve {
                return Ok(true);
            }
        }
    }

    /// The joined document that the unwinding went to, and its position; `None` where nothing was joined.
    fn item(&self) -> Option<(Document<'_>, i64)> {
        match &self.joined {
            Some(joined) => joined.current(),
            None => Some((only_item(self.known()?.array())?, 0)),
        }
    }
}

/// Writes a document with one of its joined ones and that one's position, or with neither.
fn write(
    plan: &LookupPlan,
    document: Document<'_>,
    item: Option<(Document<'_>, i64)>,
    output: &mut Output,
) {
    let value = item.map_or(ValueRef::Missing, |(item, _)| ValueRef::Document(item));
    let mut builder = output.begin();
    set(document, plan.output.parts(), value, &mut builder);
    output.finish(builder);
    let index = { plan.unwinding.as_ref() }.and_then(|unwinding| unwinding.index.as_ref());
    if let Some(index) = index {
        let position = item.map_or(ValueRef::Null, |(_, position)| ValueRef::Int64(position));
        let mut builder = DocumentBuilder::new();
        set(output.current(), index.parts(), position, &mut builder);
        output.finish(builder);
    }
}

impl Stage for LookupStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        let is_unwound = self.plan.unwinding.is_some();
        cx.env.checkpoint()?;
        let more = match is_unwound {
            true => self.advance_unwinding(cx)?,
            false => self.next_document(cx)?,
        };
        if more {
            self.plan.output.check_written()?;
        }
        if more && is_unwound && !self.plan.binds {
            let mut output = std::mem::take(&mut self.output);
            let document = document(&self.batch, &*self.input);
            write(&self.plan, document, self.item(), &mut output);
            self.output = output;
        } else if more && !is_unwound {
            match (self.known().is_some(), self.plan.binds) {
                (true, true) => {}
                (true, false) => self.write_array(None),
                (false, true) => self.bound = self.joined(cx)?,
                (false, false) => {
                    if !self.write_equal(cx)? {
                        let joined = self.joined(cx)?;
                        self.write_array(Some(joined));
                    }
                }
            }
        }
        // Explain takes no notes of look-ups that were made ahead.
        if self.known().is_none() {
            self.reads.add(&cx.namespaces.take_reads());
        }
        Ok(more)
    }

    fn current(&self) -> Record<'_> {
        let document = match self.plan.binds {
            true => document(&self.batch, &*self.input),
            false => self.output.current(),
        };
        Record::from(document)
    }

    fn visit(&mut self, cx: &ExecContext<'_>, visitor: &mut Visitor<'_>) -> Result<bool> {
        while self.advance(cx)? {
            let bound = self.plan.binds.then(|| self.bound());
            let record = Record {
                bound: bound.as_ref(),
                ..self.current()
            };
            if !visitor(&record)? {
                return Ok(false);
            }
            cx.env.checkpoint()?;
            if self.plan.binds && self.plan.unwinding.is_none() && !self.visit_known(visitor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        self.reads.append_to(builder);
    }
}
