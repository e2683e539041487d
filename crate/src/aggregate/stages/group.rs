//! `$group`: documents gathered by a key, each group reduced by accumulators.
//!
//! Follows the manual's "$group" page. Invariant: groups are found by an encoding of the key that is the same for
//! values that are equal across types; field paths of key and accumulators are read in one walk, and their values are
//! decoded only where they are used; groups come out in the order they were first seen.

use super::super::accumulators::{Accumulator, AccumulatorPlan, table};
use super::super::output::Output;
use super::super::stage::{Flow, Part, StagePlan};
use super::group_single::SinglePlan;
use crate::bson::{DocumentBuilder, ReadValue, Value, ValueRef};
use crate::collation::Collation;
use crate::env::Env;
use crate::error::CommandError;
use crate::exec::memory::{Usage, append_no_spills};
use crate::exec::path_values::{Collected, Collector};
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::node::Node;
use crate::expr::{
    Bound, Carried, CompileContext, Dependencies, Expression, FieldPath,
    compile as compile_expression,
};
use crate::keycode::{self, TypeBits};
use crate::storage::KeyMap;

type Result<T> = std::result::Result<T, CommandError>;

/// An expression, and its slot in the collector when it is a plain path.
struct Input {
    expression: Expression,
    slot: Option<usize>,
}

/// One field of the groups.
struct Field {
    name: Box<str>,
    plan: AccumulatorPlan,
    /// As `Input::slot`, of the accumulator's argument.
    slot: Option<usize>,
}

/// A compiled `$group`.
pub struct GroupPlan {
    key: Input,
    fields: Vec<Field>,
    collector: Collector,
    collation: Collation,
    metadata: Carried,
}

/// A `$group` that one document of each group answers, such as `{_id: "$kind", first: {$first: "$name"}}`.
pub struct DistinctKey {
    /// The field whose values are the groups.
    pub field: String,
    /// Whether the last document of each is asked for, rather than the first.
    pub last: bool,
    /// Whether fields of that document are read.
    pub reads_document: bool,
}

impl GroupPlan {
    /// The documents that can answer this stage alone, one for each group; `None` when it needs all of a group.
    pub fn distinct_key(&self) -> Option<DistinctKey> {
        let field = self.key.expression.as_field_path()?.dotted();
        let mut names = self.fields.iter().map(|field| field.plan.name);
        let name = names.next();
        let of_one = name.is_none_or(|name| matches!(name, "$first" | "$last"));
        (of_one && names.all(|other| Some(other) == name)).then(|| DistinctKey {
            field,
            last: name == Some("$last"),
            reads_document: name.is_some(),
        })
    }

    /// Whether the stage reads nothing of a document but its key, of paths that `is_key` allows, and the least and the
    /// greatest values at paths that `is_bound` allows, by the accumulator's name.
    pub fn asks_for_extremes(
        &self,
        is_key: &dyn Fn(&str) -> bool,
        is_bound: &dyn Fn(&str, &str) -> bool,
    ) -> bool {
        let key = self.key.expression.dependencies();
        !key.whole_document
            && key.paths.iter().all(|path| is_key(path))
            && !self.fields.is_empty()
            && self.fields.iter().all(|field| {
                let path = field.plan.argument.as_field_path();
                matches!(field.plan.name, "$min" | "$max")
                    && path.is_some_and(|path| is_bound(field.plan.name, &path.dotted()))
            })
    }

    /// The stage that takes each document for its whole group; this one is left without anything to do.
    pub fn take_single(&mut self) -> SinglePlan {
        let nothing = Expression::constant(Value::NULL);
        let fields = std::mem::take(&mut self.fields);
        SinglePlan {
            key: std::mem::replace(&mut self.key.expression, nothing),
            fields: fields
                .into_iter()
                .map(|field| (field.name, field.plan.argument))
                .collect(),
        }
    }
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::location(
            15947,
            "a group's fields must be specified in an object",
        ));
    };
    let mut collector = Collector::default();
    let mut key = None;
    let mut accumulators = Vec::new();
    for field in fields.iter() {
        if field.name == "_id" {
            if key.is_some() {
                return Err(CommandError::location(
                    15948,
                    "a group's _id may only be specified once",
                ));
            }
            check_key(field.value)?;
            let expression = compile_expression(field.value, context)?;
            let slot = expression
                .as_field_path()
                .and_then(|path| collector.add(path));
            key = Some(Input { expression, slot });
            continue;
        }
        check_name(field.name)?;
        let plan = table::compile(field.name, field.value, context)?;
        let path = plan.argument.as_field_path();
        let slot = path.and_then(|path| collector.add(path));
        accumulators.push(Field {
            name: field.name.into(),
            plan,
            slot,
        });
    }
    let Some(key) = key else {
        return Err(CommandError::location(
            15955,
            "a group specification must include an _id",
        ));
    };
    Ok(vec![Box::new(GroupPlan {
        key,
        fields: accumulators,
        collector,
        collation: context.collation.clone(),
        metadata: Carried::default(),
    })])
}

/// Refuses a key of fields that reads like a projection: numbers and booleans beside the fields' names.
fn check_key(key: ValueRef<'_>) -> Result<()> {
    let ValueRef::Document(fields) = key else {
        return Ok(());
    };
    let mut fields = fields.iter().peekable();
    if fields
        .peek()
        .is_some_and(|first| first.name.starts_with('$'))
    {
        return Ok(());
    }
    let is_inclusion =
        |value: ValueRef<'_>| value.as_number().is_some() || matches!(value, ValueRef::Boolean(_));
    match fields.any(|field| is_inclusion(field.value)) {
        true => Err(CommandError::location(
            17390,
            "$group does not support inclusion-style expressions",
        )),
        false => Ok(()),
    }
}

/// Refuses a name that no output field may have.
///
/// # Errors
/// 40235 for one with a dot, 40236 for one that begins with `$`.
pub(super) fn check_name(name: &str) -> Result<()> {
    if name.contains('.') {
        return Err(CommandError::location(
            40235,
            format!("The field name '{name}' cannot contain '.'"),
        ));
    }
    if name.starts_with('$') {
        return Err(CommandError::location(
            40236,
            format!("The field name '{name}' cannot be an operator name"),
        ));
    }
    Ok(())
}

impl StagePlan for GroupPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(GroupStage {
            plan: self,
            input: Some(input),
            groups: Groups::default(),
            next: 0,
            given: 0,
            output: Output::default(),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$group");
        self.key.expression.to_bson("_id", builder);
        for field in &self.fields {
            builder.begin_document(&field.name);
            field.plan.explain(builder);
            builder.end();
        }
        builder.append("$willBeMerged", false).end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.merge(&self.key.expression.dependencies());
        for field in &self.fields {
            needed.merge(&field.plan.argument.dependencies());
        }
        Flow::Exhausts
    }

    fn part(&mut self) -> Part<'_> {
        Part::Group(self)
    }

    fn path_before(&self, path: &str) -> Option<String> {
        let below = path.strip_prefix("_id")?;
        match self.key.expression.node() {
            Node::Field(field) => before(field, below),
            Node::Object(fields) => {
                let below = below.strip_prefix('.')?;
                let (name, deeper) = below.split_at(below.find('.').unwrap_or(below.len()));
                match fields.iter().find(|(held, _)| **held == *name) {
                    Some((_, Node::Field(field))) => before(field, deeper),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn hides_absence(&self, path: &str) -> bool {
        // A key of several fields lacks those that the document lacks; a single one is null then.
        !matches!(self.key.expression.node(), Node::Object(fields) if fields.len() > 1)
            || path == "_id"
    }

    fn hides_types(&self) -> bool {
        true
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn makes_documents(&self) -> bool {
        true
    }

    fn reads_values(&self) -> Option<Vec<FieldPath>> {
        Some(self.collector.paths().to_vec())
    }
}

/// The name before the stage of a path `below` the group's key: `a.b` for the key `"$a"` and `.b`. `None` for a key
/// that is no top-level field.
fn before(field: &FieldPath, below: &str) -> Option<String> {
    let is_below = below.is_empty() || below.starts_with('.');
    (is_below && field.parts().len() == 1).then(|| format!("{}{below}", field.dotted()))
}

/// The groups seen so far; accumulators of all groups lie in one list, so many to a group.
#[derive(Default)]
struct Groups {
    map: KeyMap,
    keys: Vec<Value<'static>>,
    accumulators: Vec<Box<dyn Accumulator>>,
    usage: Usage,
    /// The bytes that the accumulators of each field hold.
    held: Vec<usize>,
    encoded: Vec<u8>,
    type_bits: TypeBits,
}

impl Groups {
    /// The position of a key's group, made when it is new.
    fn find(&mut self, key: ReadValue<'_>, plan: &GroupPlan, env: &dyn Env) -> Result<usize> {
        match key.text() {
            Some(text) if plan.collation.is_simple() => {
                let found = self.map.find_or_insert_tagged(TEXT, text, self.keys.len());
                if found.1 {
                    self.begin(key.value().to_value(), text.len(), plan, env)?;
                }
                Ok(found.0)
            }
            _ => self.find_value(key.value(), plan, env),
        }
    }

    fn find_value(&mut self, key: ValueRef<'_>, plan: &GroupPlan, env: &dyn Env) -> Result<usize> {
        let (tag, key) = match key {
            ValueRef::Missing => (OTHER, ValueRef::Null),
            ValueRef::String(_) | ValueRef::Symbol(_) => (TEXT, key),
            key => (OTHER, key),
        };
        self.encoded.clear();
        let labelled = plan.collation.key_of(key);
        match labelled.as_ref() {
            ValueRef::String(text) | ValueRef::Symbol(text) => {
                self.encoded.extend_from_slice(text.as_bytes());
            }
            key => {
                self.type_bits.clear();
                keycode::encode(key, false, &mut self.encoded, &mut self.type_bits);
            }
        }
        let count = self.keys.len();
        let (position, new) = self.map.find_or_insert_tagged(tag, &self.encoded, count);
        if new {
            self.begin(key.to_value(), self.encoded.len(), plan, env)?;
        }
        Ok(position)
    }

    #[inline(never)]
    fn begin(
        &mut self,
        key: Value<'static>,
        length: usize,
        plan: &GroupPlan,
        env: &dyn Env,
    ) -> Result<()> {
        let mut bytes = length * 2 + 64;
        self.held.resize(plan.fields.len(), 0);
        for (field, held) in plan.fields.iter().zip(&mut self.held) {
            let mut accumulator = field.plan.start();
            accumulator.begin(key.as_ref(), env)?;
            bytes += accumulator.bytes();
            *held += accumulator.bytes();
            self.accumulators.push(accumulator);
        }
        self.keys.push(key);
        self.usage.add(bytes, "$group")
    }

    fn add(
        &mut self,
        collected: &Collected<'_>,
        bound: Option<&Bound<'_>>,
        plan: &GroupPlan,
        env: &dyn Env,
    ) -> Result<()> {
        let scope = collected.scope(bound, env);
        let group = match plain(plan.key.slot, collected) {
            Some(key) => self.find(*key, plan, env)?,
            None => self.find_value(plan.key.expression.evaluate(&scope)?.as_ref(), plan, env)?,
        };
        let first = group * plan.fields.len();
        let accumulators = self.accumulators.get_mut(first..).unwrap_or_default();
        let fields = plan.fields.iter().zip(&mut self.held);
        for ((field, held), accumulator) in fields.zip(accumulators) {
            let grown = match plain(field.slot, collected) {
                Some(value) => accumulator.add_in(value.value(), env)?,
                None => match field.plan.argument.as_constant() {
                    Some(constant) => accumulator.add_in(constant.as_ref(), env)?,
                    None => {
                        let value = field.plan.argument.evaluate(&scope)?;
                        accumulator.add_in(value.as_ref(), env)?
                    }
                },
            };
            if grown > 0 {
                *held += grown;
                self.usage.add(grown, "$group")?;
            }
        }
        Ok(())
    }
}

/// The tag of keys that are a string's or symbol's bytes.
const TEXT: u8 = 1;
/// The tag of keys that `keycode` encoded.
const OTHER: u8 = 0;

/// The value that the collector read for an input, unless the input is an expression or its path met an array.
#[inline]
fn plain<'c, 'd>(slot: Option<usize>, collected: &'c Collected<'d>) -> Option<&'c ReadValue<'d>> {
    collected.plain(slot?)
}

struct GroupStage {
    plan: Box<GroupPlan>,
    /// Taken once it is read to its end.
    input: Option<Box<dyn Stage>>,
    groups: Groups,
    next: usize,
    /// The bytes of all documents that went out.
    given: u64,
    output: Output,
}

impl Stage for GroupStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if let Some(mut input) = self.input.take() {
            let env = cx.env;
            let mut collector = std::mem::take(&mut self.plan.collector);
            input.visit(cx, &mut |record| {
                let (read, bound) = (record.values, record.bound);
                match read {
                    Some(read) => self.groups.add(read, bound, &self.plan, env)?,
                    None => {
                        let read = collector.collect(record.document());
                        self.groups.add(&read, bound, &self.plan, env)?;
                    }
                }
                Ok(true)
            })?;
            self.plan.metadata.forget();
        }
        let Some(key) = self.groups.keys.get(self.next) else {
            return Ok(false);
        };
        cx.env.checkpoint()?;
        let mut builder = self.output.begin();
        builder.append("_id", key.as_ref());
        let first = self.next * self.plan.fields.len();
        for (position, field) in self.plan.fields.iter().enumerate() {
            if let Some(accumulator) = self.groups.accumulators.get_mut(first + position) {
                let value = accumulator.finish(cx.env)?;
                let value = match value.as_ref() {
                    // An accumulator of nothing is null, as the server's groups have it.
                    ValueRef::Missing => ValueRef::Null,
                    value => value,
                };
                builder.append(&field.name, value);
            }
        }
        self.output.finish(builder);
        self.given += self.output.current().as_bytes().len() as u64;
        self.next += 1;
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("maxAccumulatorMemoryUsageBytes");
        for (field, held) in self.plan.fields.iter().zip(&self.groups.held) {
            builder.append(&field.name, *held as i64);
        }
        builder.end();
        builder.append("totalOutputDataSizeBytes", self.given as i64);
        append_no_spills(builder);
        builder
            .append("numBytesSpilledEstimate", 0_i64)
            .append("spilledRecords", 0_i64);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn groups_by_values_equal_across_types() {
        gives(
            "[{$group: {_id: '$a.b', n: {$sum: 1}, s: {$sum: '$x'}, m: {$avg: '$x'}}}]",
            "[{a: {b: 1}, x: 2}, {a: {b: 1.0}, x: 4}, {x: 5}, {a: {b: null}, x: 'z'}]",
            "[{_id: 1, n: 2, s: 6, m: 3.0}, {_id: null, n: 2, s: 5, m: 5.0}]",
        );
        gives(
            "[{$group: {_id: {k: '$a', l: {$add: ['$b', 1]}}, n: {$count: {}}}}]",
            "[{a: 'x', b: 1}, {a: 'x', b: 1}, {b: 1}]",
            "[{_id: {k: 'x', l: 2}, n: 2}, {_id: {l: 2}, n: 1}]",
        );
        gives(
            "[{$group: {_id: '$a'}}]",
            "[{a: [1]}, {a: [1]}]",
            "[{_id: [1]}]",
        );
        gives("[{$group: {_id: null, n: {$sum: 1}}}]", "[]", "[]");
    }

    #[test]
    fn reads_through_arrays() {
        gives(
            "[{$group: {_id: null, v: {$push: '$a.b'}}}]",
            "[{a: [{b: 1}, {b: 2}]}, {a: {b: 3}}, {a: 4}]",
            "[{_id: null, v: [[1, 2], 3]}]",
        );
    }

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$group: 5}]", 15947);
        fails("[{$group: {n: {$sum: 1}}}]", 15955);
        fails("[{$group: {_id: 1, n: 5}}]", 40234);
        fails("[{$group: {_id: 1, n: {$foo: 5}}}]", 15952);
        fails("[{$group: {_id: 1, 'a.b': {$sum: 5}}}]", 40235);
        fails("[{$group: {_id: 1, n: {$sum: 1, $avg: 1}}}]", 40238);
        fails("[{$group: {_id: 1, n: {$sum: [1, 2]}}}]", 40237);
    }
}
