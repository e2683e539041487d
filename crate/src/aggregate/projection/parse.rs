//! Reads the specifications of `$project`, `$addFields` and `$unset` into field trees.
//!
//! Follows the manual's "$project (aggregation)" page: inclusion and exclusion do not mix, `_id`
//! excepted; anything that is not a flag is an expression.

use super::tree::{Branch, Mode, Tree};
use crate::bson::{Document, ValueRef};
use crate::error::CommandError;
use crate::expr::{CompileContext, Expression, FieldPath, compile};

type Result<T> = std::result::Result<T, CommandError>;

/// One leaf of a specification.
enum Leaf {
    Flag(bool),
    Compute(Expression),
}

/// Reads a `$project` specification.
pub fn project(spec: Document<'_>, context: &CompileContext<'_>) -> Result<(Mode, Tree)> {
    if spec.is_empty() {
        return Err(invalid(
            51272,
            "projection specification must have at least one field",
        ));
    }
    let mut leaves = Vec::new();
    read_level(spec, "", true, context, &mut leaves)?;
    let mode = mode_of(&leaves)?;
    let mut tree = Tree::default();
    let mut names_id = false;
    for (path, leaf) in leaves {
        let parsed = FieldPath::parse(&path)?;
        let is_id = path == "_id";
        names_id |= is_id || path.starts_with("_id.");
        let branch = match (leaf, mode) {
            (Leaf::Compute(_), Mode::Exclude) => {
                return Err(invalid(
                    31252,
                    "Cannot use expression other than $meta in exclusion projection",
                ));
            }
            (Leaf::Compute(expression), _) => Branch::Compute(expression),
            (Leaf::Flag(true), Mode::Include) => Branch::Keep,
            (Leaf::Flag(false), Mode::Exclude) => Branch::Drop,
            (Leaf::Flag(false), _) if is_id => Branch::Drop,
            (Leaf::Flag(true), Mode::Exclude) if is_id => continue,
            (Leaf::Flag(true), _) => {
                return Err(invalid(
                    31253,
                    &format!("Cannot do inclusion on field {path} in exclusion projection"),
                ));
            }
            (Leaf::Flag(false), _) => {
                return Err(invalid(
                    31254,
                    &format!("Cannot do exclusion on field {path} in inclusion projection"),
                ));
            }
        };
        tree.insert(&parsed, branch)?;
    }
    if mode == Mode::Include && !names_id {
        tree.fields.insert(0, ("_id".into(), Branch::Keep));
    }
    Ok((mode, tree))
}

fn invalid(code: i32, reason: &str) -> CommandError {
    CommandError::location(code, format!("Invalid $project :: caused by :: {reason}"))
}

/// The first flag that is not `_id`'s decides; an expression asks for inclusion.
fn mode_of(leaves: &[(String, Leaf)]) -> Result<Mode> {
    let mut id = None;
    for (path, leaf) in leaves {
        match leaf {
            Leaf::Flag(flag) if path == "_id" => id = Some(*flag),
            Leaf::Flag(false) => return Ok(Mode::Exclude),
            _ => return Ok(Mode::Include),
        }
    }
    Ok(if id == Some(false) {
        Mode::Exclude
    } else {
        Mode::Include
    })
}

fn read_level(
    spec: Document<'_>,
    prefix: &str,
    flags: bool,
    context: &CompileContext<'_>,
    leaves: &mut Vec<(String, Leaf)>,
) -> Result<()> {
    for field in spec.iter() {
        let path = if prefix.is_empty() {
            field.name.to_owned()
        } else {
            format!("{prefix}.{}", field.name)
        };
        match field.value {
            value if flags && (value.as_number().is_some() || value.as_bool().is_some()) => {
                leaves.push((path, Leaf::Flag(value.is_truthy())));
            }
            ValueRef::Document(nested) => match nested.iter().next() {
                None => {
                    let (code, what) = if flags {
                        (51270, "An empty sub-projection")
                    } else {
                        (40180, "an empty object")
                    };
                    return Err(CommandError::location(
                        code,
                        format!("{what} is not a valid value. Found empty object at path {path}"),
                    ));
                }
                Some(first) if first.name.starts_with('$') => {
                    leaves.push((path, Leaf::Compute(compile(field.value, context)?)));
                }
                Some(_) => read_level(nested, &path, flags, context, leaves)?,
            },
            other => leaves.push((path, Leaf::Compute(compile(other, context)?))),
        }
    }
    Ok(())
}

/// Reads an `$addFields` specification.
pub fn add_fields(name: &str, spec: Document<'_>, context: &CompileContext<'_>) -> Result<Tree> {
    if spec.is_empty() {
        return Err(CommandError::location(
            40177,
            format!("Invalid {name} :: caused by :: specification must have at least one field"),
        ));
    }
    let mut leaves = Vec::new();
    read_level(spec, "", false, context, &mut leaves)?;
    let mut tree = Tree::default();
    for (path, leaf) in leaves {
        if let Leaf::Compute(expression) = leaf {
            tree.insert(&FieldPath::parse(&path)?, Branch::Compute(expression))?;
        }
    }
    Ok(tree)
}

/// The tree that drops those paths.
pub fn exclusion<'p>(paths: impl Iterator<Item = &'p str>) -> Result<Tree> {
    let mut tree = Tree::default();
    for path in paths {
        tree.insert(&FieldPath::parse(path)?, Branch::Drop)?;
    }
    Ok(tree)
}
