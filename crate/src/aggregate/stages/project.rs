//! `$project`, `$addFields`, `$set` and `$unset`: documents reshaped field by field.
//!
//! Follows the manual's "$project", "$addFields" and "$unset" pages; the projection itself is the
//! query language's.

use super::super::stage::{Flow, Following, Part, StagePlan, paths_touch};
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::Stage;
use crate::exec::projection::{Project, ProjectionSource};
use crate::expr::{CompileContext, Dependencies, FieldPath, compile as compile_expression};
use crate::query::{Projection, ProjectionKind};
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled reshaping stage.
pub struct ProjectPlan {
    name: &'static str,
    projection: Projection,
    /// The paths that computed fields read; meaningful for `$addFields` alone.
    reads: Dependencies,
    /// The fields read after an `$addFields`, once they are known.
    needed: Option<Dependencies>,
    specification: DocumentBuf,
}

fn plan(
    name: &'static str,
    projection: Projection,
    reads: Dependencies,
    specification: Document<'_>,
) -> Vec<Box<dyn StagePlan>> {
    vec![Box::new(ProjectPlan {
        name,
        projection,
        reads,
        needed: None,
        specification: specification.to_buf(),
    })]
}

fn within(name: &str, error: CommandError) -> CommandError {
    let message = format!("Invalid {name} :: caused by :: {}", error.message);
    error.with_message(message)
}

/// Compiles `$project`.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::location(
            15969,
            "$project specification must be an object",
        ));
    };
    let projection =
        Projection::compile_stage(fields, context).map_err(|error| within(name, error))?;
    Ok(plan(name, projection, Dependencies::default(), fields))
}

/// Compiles `$addFields` and `$set`.
pub fn compile_add_fields(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::location(
            40272,
            format!(
                "{name} specification stage must be an object, got {}",
                specification.type_name()
            ),
        ));
    };
    let projection =
        Projection::compile_add_fields(fields, context).map_err(|error| within(name, error))?;
    let mut reads = Dependencies::default();
    collect_reads(fields, context, &mut reads)?;
    Ok(plan(name, projection, reads, fields))
}

/// Adds the paths that the values of an `$addFields` specification read.
fn collect_reads(
    fields: Document<'_>,
    context: &CompileContext<'_>,
    reads: &mut Dependencies,
) -> Result<()> {
    for field in fields.iter() {
        match field.value {
            ValueRef::Document(inner)
                if !inner
                    .iter()
                    .next()
                    .is_some_and(|first| first.name.starts_with('$')) =>
            {
                reads.add(field.name);
                collect_reads(inner, context, reads)?;
            }
            value => {
                if field.name.contains('.') {
                    reads.add(field.name);
                }
                reads.merge(&compile_expression(value, context)?.dependencies());
            }
        }
    }
    Ok(())
}

/// Compiles `$unset`.
pub fn compile_unset(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let mut exclusion = DocumentBuilder::new();
    let mut add = |path: &str| {
        if path.starts_with('$') {
            return Err(CommandError::location(
                16410,
                format!(
                    "Invalid {name} :: caused by :: FieldPath field names may not start with '$'. Found: '{path}'"
                ),
            ));
        }
        exclusion.append(path, 0);
        Ok(())
    };
    match specification {
        ValueRef::String(path) => add(path.checked()?)?,
        ValueRef::Array(paths) if !paths.is_empty() => {
            for path in paths.iter() {
                let ValueRef::String(path) = path else {
                    return Err(CommandError::location(
                        31120,
                        "$unset specification must be a string or an array containing only string \
                         values",
                    ));
                };
                add(path.checked()?)?;
            }
        }
        ValueRef::Array(_) => {
            return Err(CommandError::location(
                31119,
                "$unset specification must be a string or an array with at least one field",
            ));
        }
        _ => {
            return Err(CommandError::location(
                31002,
                "$unset specification must be a string or an array",
            ));
        }
    }
    let exclusion = exclusion.finish();
    let projection = Projection::compile_stage(exclusion.as_document(), context)
        .map_err(|error| within(name, error))?;
    let reads = Dependencies::default();
    Ok(plan("$project", projection, reads, exclusion.as_document()))
}

impl ProjectPlan {
    /// The projection of each document.
    pub fn projection(&self) -> &Projection {
        &self.projection
    }
}

impl StagePlan for ProjectPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        let projection = Rc::new(self.projection);
        Box::new(Project::new(input, projection, ProjectionSource::Document))
    }

    fn narrow(&mut self, after: Following<'_>) {
        if self.projection.kind() == ProjectionKind::AddFields {
            self.needed = Some(after.needed());
        }
    }

    fn reads_bound(&self, path: &FieldPath, may_lack: bool) -> Option<Dependencies> {
        let name = path.parts().first()?;
        match self.projection.kind() {
            ProjectionKind::Inclusion => {
                let only_computes = self.projection.leaves(name) || self.projection.makes(name);
                only_computes.then(|| self.projection.dependencies())
            }
            ProjectionKind::AddFields => {
                let needed = self.needed.as_ref()?;
                let is_read = |path: &String| path.split('.').next() == Some(&**name);
                let is_needed = needed.whole_document || needed.paths.iter().any(is_read);
                // A field that is new is the last of a document, and the value made in its place the first of the added
                // ones.
                let is_replaced =
                    path.parts().len() == 1 && !may_lack && self.projection.makes_first(name);
                let is_left = !is_needed && self.projection.leaves(name);
                (is_replaced || is_left).then(|| self.reads.clone())
            }
            ProjectionKind::Exclusion => None,
        }
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append(self.name, &self.projection.canonical());
    }

    fn part(&mut self) -> Part<'_> {
        Part::Project(self)
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        match self.projection.kind() {
            ProjectionKind::Inclusion => {
                needed.merge(&self.projection.dependencies());
                Flow::Exhausts
            }
            ProjectionKind::Exclusion => Flow::Passes,
            ProjectionKind::AddFields => {
                needed.merge(&self.reads);
                Flow::Passes
            }
        }
    }

    fn path_before(&self, path: &str) -> Option<String> {
        let fields = self.specification.as_document();
        let same = || Some(path.to_owned());
        if let Some(renamed) = self.projection.renamed(path) {
            return Some(renamed);
        }
        if self.projection.kind() != ProjectionKind::Inclusion {
            let is_made = fields.iter().any(|field| paths_touch(field.name, path));
            return if is_made { None } else { same() };
        }
        // A path that is kept whole has the same value before and after.
        let is_kept = fields.iter().any(|field| {
            let flag = field.value.as_number().is_some() || field.value.as_bool().is_some();
            let covers = path == field.name
                || path
                    .strip_prefix(field.name)
                    .is_some_and(|rest| rest.starts_with('.'));
            flag && field.value.is_truthy() && covers
        });
        let keeps_id = fields.get("_id").is_missing();
        if is_kept || (keeps_id && paths_touch("_id", path)) {
            same()
        } else {
            None
        }
    }

    fn is_one_to_one(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn project_includes_excludes_and_computes() {
        let input = "[{_id: 1, a: 1, b: {c: 2, d: 3}, t: [{x: 1, y: 2}, 5]}]";
        gives("[{$project: {a: 1}}]", input, "[{_id: 1, a: 1}]");
        gives(
            "[{$project: {_id: 0, 'b.c': 1, 't.x': 1}}]",
            input,
            "[{b: {c: 2}, t: [{x: 1}]}]",
        );
        gives(
            "[{$project: {_id: 0, s: {$add: ['$a', '$b.c']}, n: {m: '$a'}}}]",
            input,
            "[{s: 3, n: {m: 1}}]",
        );
        gives(
            "[{$project: {t: 0, 'b.d': 0}}]",
            input,
            "[{_id: 1, a: 1, b: {c: 2}}]",
        );
        fails("[{$project: {a: 1, b: 0}}]", 31254);
        fails("[{$project: {}}]", 51272);
        fails("[{$project: 5}]", 15969);
    }

    #[test]
    fn add_fields_sets_in_place() {
        gives(
            "[{$addFields: {a: 2, 'b.c': '$a', n: '$$REMOVE'}}]",
            "[{a: 1, b: [{x: 1}, 5], z: 1}]",
            "[{a: 2, b: [{x: 1, c: 1}, {c: 1}], z: 1}]",
        );
        gives("[{$set: {x: 'lit'}}]", "[{a: 1}]", "[{a: 1, x: 'lit'}]");
        fails("[{$addFields: 5}]", 40272);
        gives("[{$addFields: {}}]", "[{a: 1}]", "[{a: 1}]");
    }

    #[test]
    fn unset_removes() {
        gives(
            "[{$unset: ['a', 'b.c']}]",
            "[{a: 1, b: {c: 1, d: 2}}]",
            "[{b: {d: 2}}]",
        );
        gives("[{$unset: 'a'}]", "[{a: 1, b: 2}]", "[{b: 2}]");
        fails("[{$unset: 5}]", 31002);
        fails("[{$unset: []}]", 31119);
    }
}
