//! Test support: pipelines over documents in the short notation of the expression tests.

use super::pipeline::Pipeline;
use super::writing::{Target, Writer};
use crate::bson::{
    Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ReadValue, Value, ValueRef,
    compare,
};
use crate::error::CommandError;
use crate::exec::namespaces::{DocumentVisitor, EqualityJoin, PlacedVisitor};
use crate::exec::{Documents, ExecContext, Namespaces, Stage};
use crate::expr::CompileContext;
use crate::expr::testing::{TestEnv, show, value};
use crate::query::Matcher;
use crate::storage::Pager;
use std::rc::Rc;

/// One other collection, named `others`.
#[derive(Default)]
pub struct TestNamespaces {
    others: Rc<Vec<DocumentBuf>>,
    /// Whether joins by equality alone are found without a pipeline.
    pub finds_equal: bool,
}

/// The documents that a pipeline wrote.
#[derive(Default)]
struct Written(Vec<DocumentBuf>);

impl TestNamespaces {
    /// With these documents as the other collection.
    pub fn with_others(others: Rc<Vec<DocumentBuf>>) -> Self {
        Self {
            others,
            finds_equal: false,
        }
    }
}

impl Namespaces for TestNamespaces {
    fn open(
        &self,
        _: Option<&str>,
        collection: &str,
        stages: Array<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Box<dyn Stage>, CommandError> {
        let documents = match collection {
            "others" => Rc::clone(&self.others),
            _ => Rc::default(),
        };
        let pipeline = Pipeline::compile(stages, context)?;
        Ok(pipeline.start(Box::new(Documents::new(documents))))
    }

    fn find_equal(
        &self,
        join: &mut EqualityJoin,
        value: ValueRef<'_>,
        visitor: &mut DocumentVisitor<'_>,
    ) -> Result<bool, CommandError> {
        let mut filter = DocumentBuilder::new();
        filter.begin_document(&join.path).append("$eq", value).end();
        let equal = Matcher::compile(filter.finish().as_document(), &context())?;
        let asked = join.filter.clone().map(Matcher::from_node);
        if !self.finds_equal {
            return Ok(false);
        }
        for document in self.others.iter().map(DocumentBuf::as_document) {
            let is_asked = match &asked {
                Some(asked) => asked.matches(document, &TestEnv)?,
                None => true,
            };
            if is_asked && equal.matches(document, &TestEnv)? {
                visitor(document)?;
            }
        }
        Ok(true)
    }

    fn joins_at_once(&self, join: &mut EqualityJoin) -> bool {
        self.finds_equal && join.path == "_id" && join.filter.is_none()
    }

    fn find_each(
        &self,
        _: &mut EqualityJoin,
        values: &[ReadValue<'_>],
        visitor: &mut PlacedVisitor<'_>,
    ) -> Result<(), CommandError> {
        // In no order that anybody may rely on.
        for document in self.others.iter().rev().map(DocumentBuf::as_document) {
            for (position, value) in values.iter().enumerate() {
                if compare(value.value(), document.get("_id")).is_eq() {
                    visitor(position, document)?;
                }
            }
        }
        Ok(())
    }
}

impl Target for Written {
    fn begin_replacing(
        &mut self,
        _: &str,
        _: &str,
        _: Option<Document<'_>>,
    ) -> Result<(), CommandError> {
        Ok(())
    }

    fn add_to_replacement(&mut self, documents: &[DocumentBuf]) -> Result<(), CommandError> {
        self.0.extend_from_slice(documents);
        Ok(())
    }

    fn finish_replacing(&mut self) -> Result<(), CommandError> {
        Ok(())
    }

    fn write(&mut self, _: &str, command: Document<'_>) -> Result<i64, CommandError> {
        self.0.push(command.to_buf());
        Ok(1)
    }
}

pub fn context() -> CompileContext<'static> {
    CompileContext::new(&TestEnv, 1000)
}

pub fn list(text: &str) -> Value<'static> {
    match value(text) {
        list @ Value::Array(_) => list,
        other => panic!("not an array: {other:?}"),
    }
}

pub fn array<'v>(value: &'v Value<'static>) -> Array<'v> {
    value.as_ref().as_array().expect("an array")
}

/// The documents of a list.
pub fn documents(text: &str) -> Vec<DocumentBuf> {
    let list = list(text);
    array(&list)
        .iter()
        .map(|item| item.as_document().expect("a document").to_buf())
        .collect()
}

/// Compiles a pipeline that must be valid.
pub fn compile(pipeline: &str) -> Pipeline {
    let stages = list(pipeline);
    Pipeline::compile(array(&stages), &context()).unwrap_or_else(|e| panic!("{pipeline}: {e}"))
}

fn run(pipeline: &str, input: &str, others: &str) -> Result<String, CommandError> {
    let stages = list(pipeline);
    let mut compiled = Pipeline::compile(array(&stages), &context())?;
    let input = Rc::new(documents(input));
    let writer = compiled.take_writer();
    let running = compiled.start(Box::new(Documents::new(input)));
    let namespaces = TestNamespaces::with_others(Rc::new(documents(others)));
    let output = match writer {
        Some(writer) => write(running, writer, &namespaces)?,
        None => pull(running, &namespaces)?,
    };
    Ok(show(ValueRef::from(&output.finish())))
}

fn run_in<R>(namespaces: &TestNamespaces, work: impl FnOnce(&ExecContext<'_>) -> R) -> R {
    let pager = Pager::new();
    work(&ExecContext {
        now_millis: 1000,
        namespaces,
        ..ExecContext::new(&pager, &TestEnv)
    })
}

/// Everything that a running pipeline gives.
pub fn pull(
    mut running: Box<dyn Stage>,
    namespaces: &TestNamespaces,
) -> Result<ArrayBuilder, CommandError> {
    run_in(namespaces, |cx| {
        let mut output = ArrayBuilder::new();
        while running.advance(cx)? {
            output.push(running.current().document());
        }
        Ok(output)
    })
}

/// Everything that a pipeline writes.
fn write(
    mut running: Box<dyn Stage>,
    mut writer: Box<dyn Writer>,
    namespaces: &TestNamespaces,
) -> Result<ArrayBuilder, CommandError> {
    run_in(namespaces, |cx| {
        let mut written = Written::default();
        writer.begin(&mut written)?;
        while !running.visit(cx, &mut |record| {
            writer.take(record.document(), cx, &mut || [7; 12])
        })? {
            writer.write(&mut written)?;
        }
        writer.write(&mut written)?;
        writer.finish(&mut written)?;
        let mut output = ArrayBuilder::new();
        for document in &written.0 {
            output.push(document);
        }
        Ok(output)
    })
}

/// Runs a pipeline over documents and compares the documents that come out (and then those written).
#[track_caller]
pub fn gives(pipeline: &str, input: &str, expected: &str) {
    gives_with(pipeline, input, "[]", expected);
}

/// The same, beside a collection `others`.
#[track_caller]
pub fn gives_with(pipeline: &str, input: &str, others: &str, expected: &str) {
    let got = run(pipeline, input, others).unwrap_or_else(|e| panic!("{pipeline}: {e}"));
    assert_eq!(got, show(list(expected).as_ref()), "{pipeline}");
}

/// Expects compiling to fail.
#[track_caller]
pub fn fails(pipeline: &str, code: i32) {
    let stages = list(pipeline);
    match Pipeline::compile(array(&stages), &context()) {
        Ok(_) => panic!("{pipeline} compiled"),
        Err(error) => assert_eq!(error.code, code, "{pipeline}: {error}"),
    }
}

/// Expects running to fail.
#[track_caller]
pub fn fails_on(pipeline: &str, input: &str, code: i32) {
    match run(pipeline, input, "[]") {
        Ok(got) => panic!("{pipeline} gave {got}"),
        Err(error) => assert_eq!(error.code, code, "{pipeline}: {error}"),
    }
}

/// Reduces all documents by one accumulator.
#[track_caller]
pub fn accumulates(accumulator: &str, input: &str, expected: &str) {
    let pipeline = format!("[{{$group: {{_id: null, x: {accumulator}}}}}]");
    let input = match input {
        "[]" => return,
        input => input,
    };
    gives(&pipeline, input, &format!("[{{_id: null, x: {expected}}}]"));
}

/// Expects an accumulator to be refused, at compile time or when it runs.
#[track_caller]
pub fn refuses(accumulator: &str, input: &str, code: i32) {
    let pipeline = format!("[{{$group: {{_id: null, x: {accumulator}}}}}]");
    fails_on(&pipeline, input, code);
}

/// The pipeline as explain prints it, after optimising.
pub fn explain(pipeline: &str) -> String {
    let mut stages = ArrayBuilder::new();
    compile(pipeline).explain(&mut stages);
    show(ValueRef::from(&stages.finish()))
}

/// The front that a read takes over, and how many stages remain.
pub fn leading(pipeline: &str) -> String {
    let mut compiled = compile(pipeline);
    let leading = compiled.take_leading();
    let mut parts = Vec::new();
    let part = |document: &DocumentBuf| show(ValueRef::from(document));
    if let Some(filter) = &leading.filter {
        parts.push(format!("filter: {}", part(&filter.root().to_bson())));
    }
    if let Some(sort) = &leading.sort {
        parts.push(format!("sort: {}", part(sort)));
    }
    parts.push(format!("skip: {}", leading.skip));
    if let Some(limit) = leading.limit {
        parts.push(format!("limit: {limit}"));
    }
    if let Some(projection) = &leading.projection {
        parts.push(format!("projection: {}", part(&projection.to_bson())));
    }
    if !leading.needed.whole_document {
        parts.push(format!("paths: {:?}", leading.needed.paths).replace('"', "'"));
    }
    parts.push(format!("rest: {}", compiled.stages.len()));
    format!("{{{}}}", parts.join(", "))
}
