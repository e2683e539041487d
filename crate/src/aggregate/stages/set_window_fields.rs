//! `$setWindowFields`: fields computed over the documents around each one.
//!
//! Follows the manual's "$setWindowFields" page. Invariant: documents come out by partition and,
//! within it, by the sort; of each only the fields are held that the stage or a later one reads.

use super::super::kept::Kept;
use super::super::output::Output;
use super::super::stage::{Flow, Following, StagePlan};
use super::super::window::bounds::simple_sort_field;
use super::super::window::function::{self, Function, Sorting};
use super::super::window::partition::{Cutting, Partition, read};
use super::super::window::running::evaluate;
use super::unwind::set;
use crate::bson::{DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::exec::memory::Usage;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{
    Carried, CompileContext, Dependencies, Expression, FieldPath, compile as compile_expression,
};
use crate::query::SortPattern;

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled stage of windows.
pub struct WindowPlan {
    collation: Collation,
    by: Option<Expression>,
    pattern: Option<SortPattern>,
    outputs: Vec<(FieldPath, Function)>,
    specification: DocumentBuf,
    name: &'static str,
    /// The fields that the stage and later ones read; `None` for all.
    kept: Option<Kept>,
    metadata: Carried,
}

/// Compiles the stage.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let refuse = |message: String| CommandError::new(Code::FailedToParse, message);
    let ValueRef::Document(fields) = specification else {
        return Err(refuse(format!(
            "the {name} stage specification must be an object, found {}",
            specification.type_name()
        )));
    };
    let (mut by, mut pattern, mut output) = (None, None, None);
    for field in fields.iter() {
        match (field.name, field.value) {
            ("partitionBy", value) => by = Some(compile_expression(value, context)?),
            ("sortBy", ValueRef::Document(sort)) => {
                let sort = SortPattern::compile(sort)?.with_metadata(&context.metadata);
                pattern = Some(sort.with_collation(&context.collation));
            }
            ("output", ValueRef::Document(fields)) => output = Some(fields),
            ("sortBy" | "output", other) => {
                return Err(CommandError::new(
                    Code::TypeMismatch,
                    format!(
                        "BSON field '{name}.{}' is the wrong type '{}', expected type 'object'",
                        field.name,
                        other.type_name()
                    ),
                ));
            }
            (other, _) => {
                return Err(CommandError::new(
                    Code::IDLUnknownField,
                    format!("BSON field '{name}.{other}' is an unknown field."),
                ));
            }
        }
    }
    let output = output.ok_or_else(|| {
        CommandError::new(
            Code::IDLFailedToParse,
            format!("BSON field '{name}.output' is missing but a required field"),
        )
    })?;
    let sorting = Sorting {
        fields: pattern.as_ref().map_or(0, |pattern| pattern.parts().len()),
        simple: pattern
            .as_ref()
            .is_some_and(|pattern| simple_sort_field(pattern.spec()).is_some()),
    };
    let mut outputs = Vec::new();
    for field in output.iter() {
        let path = FieldPath::parse(field.name)?;
        outputs.push((
            path,
            function::compile(field.name, field.value, sorting, context)?,
        ));
    }
    Ok(vec![Box::new(WindowPlan {
        by,
        pattern,
        outputs,
        collation: context.collation.clone(),
        specification: fields.to_buf(),
        name,
        kept: None,
        metadata: Carried::default(),
    })])
}

impl StagePlan for WindowPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(WindowStage {
            plan: self,
            input: Some(input),
            partitions: Vec::new().into_iter(),
            partition: Partition::default(),
            values: Vec::new(),
            next: 0,
            output: Output::default(),
            spare: Output::default(),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append(self.name, &self.specification);
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        self.add_reads(needed);
        Flow::Passes
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn narrow(&mut self, after: Following<'_>) {
        let mut needed = after.needed();
        self.add_reads(&mut needed);
        self.kept = match needed.whole_document {
            true => None,
            false => Kept::of(needed.paths.iter().map(String::as_str)),
        };
    }
}

impl WindowPlan {
    /// Adds the paths that the stage itself reads.
    fn add_reads(&self, needed: &mut Dependencies) {
        let inputs = { self.outputs.iter() }.filter_map(|(_, function)| function.input());
        for expression in self.by.iter().chain(inputs) {
            needed.merge(&expression.dependencies());
        }
        for field in self
            .pattern
            .iter()
            .flat_map(|pattern| pattern.spec().iter())
        {
            needed.add(field.name);
        }
    }
}

struct WindowStage {
    plan: Box<WindowPlan>,
    input: Option<Box<dyn Stage>>,
    /// The partitions that come later.
    partitions: std::vec::IntoIter<Partition>,
    partition: Partition,
    /// For each output, the value of each row of the partition, or the one value of all rows.
    values: Vec<Vec<Value<'static>>>,
    next: usize,
    output: Output,
    spare: Output,
}

impl WindowStage {
    /// Goes to the next partition; false at the end.
    fn begin_partition(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        let Some(partition) = self.partitions.next() else {
            return Ok(false);
        };
        self.partition = partition;
        self.partition.sort(cx.env)?;
        self.next = 0;
        let plan = &self.plan;
        let reads_sorts = plan
            .outputs
            .iter()
            .any(|(_, function)| function.reads_sorts());
        let sorts = match plan.pattern.as_ref().map(SortPattern::parts) {
            _ if !reads_sorts => Vec::new(),
            Some([only]) => self
                .partition
                .values(&FieldPath::parse(only.path.dotted())?),
            _ => vec![Value::MISSING; self.partition.count()],
        };
        let rows = self.partition.rows(&sorts);
        self.values.clear();
        let mut usage = Usage::default();
        for (_, function) in &plan.outputs {
            self.values
                .push(evaluate(function, &rows, &mut usage, cx.env)?);
        }
        Ok(true)
    }
}

impl Stage for WindowStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if let Some(input) = self.input.take() {
            let plan = &mut *self.plan;
            let cutting = Cutting {
                by: plan.by.as_ref(),
                collation: &plan.collation,
                pattern: plan.pattern.as_ref(),
                stage: plan.name,
                metadata: &plan.metadata,
            };
            let partitions = read(input, &cutting, plan.kept.as_mut(), cx)?;
            self.partitions = partitions.into_iter();
        }
        while self.next >= self.partition.count() {
            if !self.begin_partition(cx)? {
                return Ok(false);
            }
        }
        cx.env.checkpoint()?;
        let document = self.partition.document(self.next);
        let outputs = self.plan.outputs.iter().zip(&self.values);
        for (position, ((path, _), values)) in outputs.enumerate() {
            path.check_written()?;
            let value = values.get(self.next).or(values.last());
            let value = value.map_or(ValueRef::Null, Value::as_ref);
            let mut builder = self.spare.begin();
            let document = match position {
                0 => document,
                _ => self.output.current(),
            };
            set(document, path.parts(), value, &mut builder);
            self.spare.finish(builder);
            std::mem::swap(&mut self.output, &mut self.spare);
        }
        if self.plan.outputs.is_empty() {
            self.output.copy(document);
        }
        self.next += 1;
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    const INPUT: &str =
        "[{p: 'b', t: 1, x: 5}, {p: 'a', t: 2, x: 2}, {p: 'a', t: 1, x: 1}, {p: 'a', t: 2, x: 4}]";

    #[test]
    fn accumulates_over_windows() {
        gives(
            "[{$setWindowFields: {partitionBy: '$p', sortBy: {t: 1}, output: {s: {$sum: '$x', window: {documents: ['unbounded', 'current']}}, \
             all: {$push: '$x'}}}}, {$project: {x: 1, s: 1, all: 1}}]",
            INPUT,
            "[{x: 1, s: 1, all: [1, 2, 4]}, {x: 2, s: 3, all: [1, 2, 4]}, {x: 4, s: 7, all: [1, 2, 4]}, {x: 5, s: 5, all: [5]}]",
        );
        gives(
            "[{$setWindowFields: {sortBy: {t: 1}, output: {s: {$sum: '$x', window: {documents: [-1, 1]}}}}}, {$project: {s: 1}}]",
            "[{t: 1, x: 1}, {t: 2, x: 2}, {t: 3, x: 4}]",
            "[{s: 3}, {s: 7}, {s: 6}]",
        );
        gives(
            "[{$setWindowFields: {sortBy: {t: 1}, output: {s: {$sum: '$x', window: {range: [-1, 0]}}}}}, {$project: {s: 1}}]",
            "[{t: 1, x: 1}, {t: 2, x: 2}, {t: 5, x: 4}]",
            "[{s: 1}, {s: 3}, {s: 4}]",
        );
    }

    #[test]
    fn ranks_shifts_and_fills() {
        gives(
            "[{$setWindowFields: {partitionBy: '$p', sortBy: {t: 1}, output: {r: {$rank: {}}, d: {$denseRank: {}}, n: {$documentNumber: {}}, \
             w: {$shift: {output: '$x', by: -1, default: 0}}}}}, {$project: {r: 1, d: 1, n: 1, w: 1}}]",
            "[{t: 1, x: 1}, {t: 1, x: 2}, {t: 3, x: 3}]",
            "[{r: 1, d: 1, n: 1, w: 0}, {r: 1, d: 1, n: 2, w: 1}, {r: 3, d: 2, n: 3, w: 2}]",
        );
        gives(
            "[{$setWindowFields: {sortBy: {t: 1}, output: {l: {$locf: '$x'}, f: {$linearFill: '$x'}}}}, {$project: {l: 1, f: 1}}]",
            "[{t: 1, x: 1}, {t: 2}, {t: 4, x: 7}, {t: 5}]",
            "[{l: 1, f: 1}, {l: 1, f: 3.0}, {l: 7, f: 7}, {l: 7, f: null}]",
        );
        gives(
            "[{$setWindowFields: {sortBy: {t: 1}, output: {d: {$derivative: {input: '$x'}, window: {documents: [-1, 0]}}, \
             i: {$integral: {input: '$x'}, window: {documents: ['unbounded', 'current']}}, e: {$expMovingAvg: {input: '$x', N: 3}}}}}, \
             {$project: {d: 1, i: 1, e: 1}}]",
            "[{t: 0, x: 0}, {t: 2, x: 4}]",
            "[{d: null, i: 0, e: 0.0}, {d: 2.0, i: 4.0, e: 2.0}]",
        );
    }

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$setWindowFields: 5}]", 9);
        fails("[{$setWindowFields: {}}]", 40414);
        fails("[{$setWindowFields: {output: {a: {$foo: 1}}}}]", 9);
        fails(
            "[{$setWindowFields: {output: {a: {$rank: {}}}}}]",
            5_371_602,
        );
        fails(
            "[{$setWindowFields: {output: {a: {$sum: 1, window: {documents: [0, 1]}}}}}]",
            5_339_901,
        );
        fails(
            "[{$setWindowFields: {sortBy: {t: 1}, output: {a: {$sum: 1, window: {documents: [2, 1]}}}}}]",
            5_339_900,
        );
    }
}
