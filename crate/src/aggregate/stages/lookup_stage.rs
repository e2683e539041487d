//! `$lookup` while it runs: what is joined to each document, and how that is written.
//!
//! Invariant: of documents on both sides only what is read later is copied, where that is known. Joins by equality alone are
//! made for many documents at once where the collections can do that (`lookup_batch`).

use super::super::memory;
use super::super::output::{Output, position_name};
use super::super::pipeline::Pipeline;
use super::super::source::{EqualityJoin, PipelineContext, Reads};
use super::super::stage::Stage;
use super::foreign;
use super::lookup::LookupPlan;
use super::lookup_batch::{Batch, Next, Wanted};
use super::unwind::set;
use crate::bson::{ArrayBuf, ArrayBuilder, Document, DocumentBuilder, Value, ValueRef};
use crate::error::CommandError;
use crate::expr::{CompileContext, FieldPath, Scope};
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
    /// The joined documents of the input's current one, when they are given one by one.
    joined: Option<Joined>,
    /// What the joins cost so far, where somebody keeps notes of it.
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
}

/// Refuses what a joined array may not grow to.
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

/// The document that is joined: one that was read ahead, or the input's.
fn document<'s>(batch: &'s Option<Batch>, input: &'s dyn Stage) -> Document<'s> {
    let ahead = batch.as_ref().and_then(Batch::current);
    ahead.map_or_else(|| input.current(), |next| next.document)
}

/// The value at a path, where looking for equal ones is all there is to do.
fn plain_value<'d>(local: Option<&FieldPath>, document: Document<'d>) -> Option<ValueRef<'d>> {
    match local?.evaluate(ValueRef::Document(document)) {
        Value::Borrowed(ValueRef::Missing) => Some(ValueRef::Null),
        // Arrays join by each of their items; the others are matched by more than equality, or by nothing.
        Value::Borrowed(ValueRef::Array(_) | ValueRef::Regex { .. } | ValueRef::Undefined) => None,
        Value::Borrowed(value) => Some(value),
        _ => None,
    }
}

impl LookupPlan {
    /// The value that is looked up, where looking for equal ones is all there is to do.
    fn plain_value<'d>(&self, document: Document<'d>) -> Option<ValueRef<'d>> {
        plain_value(self.join.as_ref().map(|(local, _)| local), document)
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
                prepared: None,
            }
        });
        let reads_ahead = plan.unwinding.is_none() && plan.output.parts().len() == 1;
        Self {
            batch: (reads_ahead && equality.is_some()).then(Batch::default),
            plan,
            input,
            output: Output::default(),
            equality,
            uncorrelated: None,
            joined: None,
            reads: Reads::default(),
        }
    }

    /// Moves to the next document that was read ahead; `None` where documents are joined one by one.
    fn advance_batch(&mut self, cx: &mut PipelineContext<'_>) -> Result<Option<bool>> {
        let (Some(batch), Some(join)) = (&mut self.batch, &mut self.equality) else {
            return Ok(None);
        };
        if !batch.has_more() {
            if !cx.namespaces.joins_at_once(join) {
                self.batch = None;
                return Ok(None);
            }
            let LookupPlan {
                join: by, foreign, ..
            } = &mut *self.plan;
            let local = by.as_ref().map(|(local, _)| local);
            let value: &Wanted<'_> = &|document| plain_value(local, document);
            if !batch.fill(&mut *self.input, join, foreign, value, cx)? {
                return Ok(Some(false));
            }
        }
        batch.advance();
        Ok(Some(true))
    }

    /// Joins by one value alone straight into the output; false when the join or the output is of another kind.
    fn write_equal(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        let Some(join) = &mut self.equality else {
            return Ok(false);
        };
        let ahead = self.batch.as_ref().and_then(Batch::current);
        let (document, joined) = match ahead {
            Some(Next { document, joined }) => (document, joined),
            None => (self.input.current(), None),
        };
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
        if let Some(joined) = joined {
            if let Some(fields) = joined {
                builder.begin_document("0").append_raw(fields).end();
            }
            builder.end();
            self.output.finish(builder);
            return Ok(true);
        }
        let before = builder.len();
        let mut position = 0;
        let mut digits = [0; 20];
        let found = cx.namespaces.find_equal(join, value, &mut |document| {
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

    fn joined(&mut self, cx: &mut PipelineContext<'_>) -> Result<ArrayBuf> {
        let mut found = ArrayBuilder::new();
        if let Some(join) = &mut self.equality
            && let Some(value) = self.plan.plain_value(document(&self.batch, &*self.input))
        {
            let plan = &mut self.plan;
            let take = &mut |document: Document<'_>| plan.take(document, &mut found);
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
            let value = expression.evaluate(&scope)?.into_owned();
            context.constants.push((name.clone(), value));
        }
        let equality =
            { plan.join.as_ref() }.map(|(local, other)| foreign::equality(document, local, other));
        let stages = plan.all_stages(equality);
        let mut running = if plan.from.is_empty() {
            Pipeline::compile(stages.as_array(), &context)?.start_without_source()
        } else {
            let database = plan.database.as_deref();
            cx.namespaces
                .open(database, &plan.from, stages.as_array(), &context)?
        };
        while running.advance(cx)? {
            plan.take(running.current(), &mut found)?;
        }
        // What it read is noted when it is dropped.
        drop(running);
        let found = found.finish();
        if once {
            self.uncorrelated = Some(found.clone());
        }
        Ok(found)
    }

    /// Moves to the next joined document of the stage's own unwinding.
    fn advance_unwinding(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        loop {
            if let Some(joined) = &mut self.joined
                && let Some(place) = joined.places.get(joined.next).cloned()
            {
                let position = joined.next as i64;
                joined.next += 1;
                let bytes = joined.documents.as_array().as_bytes();
                let item = bytes.get(place).unwrap_or_default();
                let item = Document::from_valid_bytes(item);
                let document = self.input.current();
                write(
                    &self.plan,
                    document,
                    Some((item, position)),
                    &mut self.output,
                );
                return Ok(true);
            }
            self.joined = None;
            if !self.input.advance(cx)? {
                return Ok(false);
            }
            let joined = Joined::new(self.joined(cx)?);
            let preserve = { self.plan.unwinding.as_ref() }.is_some_and(|held| held.preserve);
            if joined.places.is_empty() && preserve {
                write(&self.plan, self.input.current(), None, &mut self.output);
                return Ok(true);
            }
            self.joined = Some(joined);
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
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        if self.plan.unwinding.is_some() {
            let more = self.advance_unwinding(cx)?;
            self.reads.add(&cx.namespaces.take_reads());
            return Ok(more);
        }
        let more = match self.advance_batch(cx)? {
            Some(more) => more,
            None => self.input.advance(cx)?,
        };
        if !more {
            return Ok(false);
        }
        let written = self.write_equal(cx)?;
        if !written {
            let joined = self.joined(cx)?;
            let mut builder = self.output.begin();
            set(
                document(&self.batch, &*self.input),
                self.plan.output.parts(),
                ValueRef::from(&joined),
                &mut builder,
            );
            self.output.finish(builder);
        }
        self.reads.add(&cx.namespaces.take_reads());
        Ok(true)
    }

    fn current(&self) -> Document<'_> {
        self.output.current()
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        self.reads.append_to(builder);
    }
}
