//! `$graphLookup`: documents reached from each one by following references within a collection.
//!
//! Follows the manual's "$graphLookup" page. Invariant: a breadth-first search, one query a level; a
//! document is visited once, so cycles end.

use super::super::output::Output;
use super::super::stage::{Flow, StagePlan, first_of, paths_touch};
use super::foreign;
use super::unwind::set;
use crate::bson::{
    ArrayBuf, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, Value, ValueRef,
};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::exec::memory::LIMIT;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{
    CompileContext, Dependencies, Expression, FieldPath, Scope, compile as compile_expression,
};
use crate::keycode::{self, TypeBits};
use crate::storage::KeyMap;

type Result<T> = std::result::Result<T, CommandError>;

struct GraphPlan {
    database: Option<String>,
    from: String,
    start: Expression,
    connect_from: FieldPath,
    connect_to: FieldPath,
    output: FieldPath,
    depth_field: Option<FieldPath>,
    most_depth: Option<u64>,
    restriction: Option<DocumentBuf>,
    constants: Vec<(String, Value<'static>)>,
    collation: Collation,
    specification: DocumentBuf,
}

fn refuse<T>(code: i32, message: impl Into<String>) -> Result<T> {
    Err(CommandError::location(code, message))
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "the $graphLookup stage specification must be an object, but found {}",
                specification.type_name()
            ),
        ));
    };
    let (mut from, mut start) = (None, None);
    let (mut connect_from, mut connect_to, mut output, mut depth_field) = (None, None, None, None);
    let (mut most_depth, mut restriction) = (None, None);
    for field in fields.iter() {
        match field.name {
            "from" => from = Some(foreign::namespace("$graphLookup", field.value)?),
            "startWith" => start = Some(compile_expression(field.value, context)?),
            "maxDepth" => most_depth = Some(depth(field.value)?),
            "restrictSearchWithMatch" => {
                let ValueRef::Document(filter) = field.value else {
                    return refuse(
                        40185,
                        format!(
                            "restrictSearchWithMatch must be an object, found {}",
                            field.value.type_name()
                        ),
                    );
                };
                crate::query::Matcher::compile_without_scripts(filter, context)?;
                restriction = Some(filter.to_buf());
            }
            "as" => output = Some(path(field.name, field.value)?),
            "connectFromField" => connect_from = Some(path(field.name, field.value)?),
            "connectToField" => connect_to = Some(path(field.name, field.value)?),
            "depthField" => depth_field = Some(path(field.name, field.value)?),
            other => {
                return refuse(40104, format!("Unknown argument to $graphLookup: {other}"));
            }
        }
    }
    let (Some(from), Some(start), Some(output), Some(connect_from), Some(connect_to)) =
        (from, start, output, connect_from, connect_to)
    else {
        return refuse(
            40105,
            "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and \
             'connectToField' to be specified.",
        );
    };
    Ok(vec![Box::new(GraphPlan {
        database: from.0,
        from: from.1,
        start,
        connect_from,
        connect_to,
        output,
        depth_field,
        most_depth,
        restriction,
        constants: context.constants.clone(),
        collation: context.collation.clone(),
        specification: fields.to_buf(),
    })])
}

fn depth(value: ValueRef<'_>) -> Result<u64> {
    if value.as_number().is_none() {
        return refuse(
            40100,
            format!(
                "maxDepth must be numeric, found type: {}",
                value.type_name()
            ),
        );
    }
    match value.as_exact_i64() {
        Some(depth) => match u64::try_from(depth) {
            Ok(depth) => Ok(depth),
            Err(_) => refuse(
                40101,
                format!("maxDepth requires a nonnegative argument, found: {depth}"),
            ),
        },
        None => refuse(40102, "maxDepth could not be represented as a long long"),
    }
}

fn path(name: &str, value: ValueRef<'_>) -> Result<FieldPath> {
    match value {
        ValueRef::String(path) => FieldPath::parse(path.checked()?),
        other => refuse(
            40103,
            format!(
                "expected string as argument for {name}, found: {}",
                other.type_name()
            ),
        ),
    }
}

impl StagePlan for GraphPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(GraphStage {
            plan: self,
            input,
            output: Output::default(),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append("$graphLookup", &self.specification);
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.merge(&self.start.dependencies());
        Flow::Passes
    }

    fn path_before(&self, path: &str) -> Option<String> {
        (!paths_touch(&self.output.dotted(), path)).then(|| path.to_owned())
    }

    fn lets_sort_through(&self, path: &str) -> bool {
        first_of(&self.output.dotted()) != first_of(path)
    }

    fn is_one_to_one(&self) -> bool {
        true
    }
}

struct GraphStage {
    plan: Box<GraphPlan>,
    input: Box<dyn Stage>,
    output: Output,
}

/// Values that were seen before.
#[derive(Default)]
struct Seen {
    map: KeyMap,
    key: Vec<u8>,
    type_bits: TypeBits,
    collation: Collation,
}

impl Seen {
    /// Whether a value is new; it is not the next time.
    fn is_new(&mut self, value: ValueRef<'_>) -> bool {
        self.key.clear();
        self.type_bits.clear();
        let key = self.collation.key_of(value);
        keycode::encode(key.as_ref(), false, &mut self.key, &mut self.type_bits);
        self.map.find_or_insert(&self.key, 0).1
    }
}

impl GraphPlan {
    /// The query of one level.
    fn stages(&self, frontier: &[Value<'static>]) -> ArrayBuf {
        let values: Vec<ValueRef<'_>> = frontier.iter().map(Value::as_ref).collect();
        let mut stages = ArrayBuilder::new();
        if let Some(restriction) = &self.restriction {
            let mut stage = DocumentBuilder::new();
            stage.append("$match", restriction);
            stages.push(&stage.finish());
        }
        let connect_to = self.connect_to.dotted();
        stages.push(&foreign::equality_of(&values, &connect_to));
        // A null finds nulls, and no document without the field.
        if values.iter().any(|value| value.is_nullish()) {
            let mut stage = DocumentBuilder::new();
            { stage.begin_document("$match") }.begin_document(&connect_to);
            stage.append("$exists", true).end().end();
            stages.push(&stage.finish());
        }
        stages.finish()
    }

    fn search(&self, document: Document<'_>, cx: &ExecContext<'_>) -> Result<ArrayBuf> {
        let scope = Scope::of(ValueRef::Document(document), cx.env);
        let start = self.start.evaluate(&scope)?.into_owned();
        let mut context = CompileContext::new(cx.env, cx.now_millis);
        context.constants.clone_from(&self.constants);
        context.collation.clone_from(&self.collation);
        // Two documents are the same only by the same `_id`, whatever the collation.
        let mut visited = Seen::default();
        let mut values = Seen {
            collation: self.collation.clone(),
            ..Seen::default()
        };
        let mut found = ArrayBuilder::new();
        let check = |found: &ArrayBuilder, values: &Seen, visited: &Seen| {
            cx.env.checkpoint()?;
            if found.byte_len() + values.map.bytes() + visited.map.bytes() > LIMIT {
                return refuse(40099, "$graphLookup reached maximum memory consumption");
            }
            Ok(())
        };
        let mut frontier: Vec<Value<'static>> = Vec::new();
        let add = |value: ValueRef<'_>, values: &mut Seen, frontier: &mut Vec<Value<'static>>| {
            if values.is_new(value) {
                frontier.push(value.to_value());
            }
        };
        match start.as_ref() {
            ValueRef::Array(items) => {
                for item in items.iter() {
                    add(item, &mut values, &mut frontier);
                    check(&found, &values, &visited)?;
                }
            }
            ValueRef::Missing => {}
            value => add(value, &mut values, &mut frontier),
        }
        let mut level = 0_u64;
        while !frontier.is_empty() && self.most_depth.is_none_or(|most| level <= most) {
            let stages = self.stages(&frontier);
            frontier.clear();
            let database = self.database.as_deref();
            let mut running =
                cx.namespaces
                    .open(database, &self.from, stages.as_array(), &context)?;
            while running.advance(cx)? {
                let document = running.current().document();
                if !visited.is_new(document.get("_id")) {
                    continue;
                }
                let mut next = Vec::new();
                foreign::collect(
                    ValueRef::Document(document),
                    self.connect_from.parts(),
                    &mut next,
                    cx.env,
                )?;
                for value in next {
                    add(value, &mut values, &mut frontier);
                }
                match &self.depth_field {
                    Some(path) => {
                        path.check_written()?;
                        let depth = ValueRef::Int64(i64::try_from(level).unwrap_or(i64::MAX));
                        let mut builder = DocumentBuilder::new();
                        set(document, path.parts(), depth, &mut builder);
                        found.push(&builder.finish());
                    }
                    None => {
                        found.push(document);
                    }
                }
                check(&found, &values, &visited)?;
            }
            level += 1;
        }
        Ok(found.finish())
    }
}

impl Stage for GraphStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if !self.input.advance(cx)? {
            return Ok(false);
        }
        self.plan.output.check_written()?;
        let found = self.plan.search(self.input.current().document(), cx)?;
        let mut builder = self.output.begin();
        set(
            self.input.current().document(),
            self.plan.output.parts(),
            ValueRef::from(&found),
            &mut builder,
        );
        self.output.finish(builder);
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives_with};

    const OTHERS: &str =
        "[{_id: 'a', to: 'b'}, {_id: 'b', to: ['c', 'a']}, {_id: 'c'}, {_id: 'd'}]";

    #[test]
    fn follows_references_and_ends_in_cycles() {
        gives_with(
            "[{$graphLookup: {from: 'others', startWith: '$s', connectFromField: 'to', connectToField: '_id', as: 'r', \
             depthField: 'd'}}, {$project: {'r._id': 1, 'r.d': 1}}]",
            "[{s: 'a'}, {s: 'x'}]",
            OTHERS,
            "[{r: [{_id: 'a', d: NumberLong(0)}, {_id: 'b', d: NumberLong(1)}, {_id: 'c', d: NumberLong(2)}]}, {r: []}]",
        );
        gives_with(
            "[{$graphLookup: {from: 'others', startWith: '$s', connectFromField: 'to', connectToField: '_id', as: 'r', \
             maxDepth: 1, restrictSearchWithMatch: {_id: {$ne: 'b'}}}}, {$project: {'r._id': 1}}]",
            "[{s: ['a', 'd']}]",
            OTHERS,
            "[{r: [{_id: 'a'}, {_id: 'd'}]}]",
        );
    }

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$graphLookup: 5}]", 9);
        fails("[{$graphLookup: {from: 'x'}}]", 40105);
        fails("[{$graphLookup: {q: 'x'}}]", 40104);
        fails("[{$graphLookup: {maxDepth: -1}}]", 40101);
    }
}
