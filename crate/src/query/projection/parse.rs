//! From a projection's specification to its tree.
//!
//! Follows the manual's "Project Fields to Return" and "$project" pages. Errors carry the server's codes: paths that
//! collide 31249 and 31250, inclusion and exclusion mixed 31253 and 31254, expressions beside exclusion 31252.

use super::positional::{Positional, without_position};
use super::slice::{self, Slice};
use super::tree::{Child, Collision, Node};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::{self, CompileContext};
use crate::query::compile::is_operators;
use crate::query::matcher::Matcher;
use crate::query::path::QueryPath;
use std::rc::Rc;

/// Which language a specification is in.
#[derive(Clone, Copy)]
pub enum Dialect<'m> {
    /// `find` and `findAndModify`: knows `$slice`, `$elemMatch`, `$meta` and the positional `$` of this filter.
    Find(&'m Matcher),
    /// The stages `$project` and `$unset`.
    Stage,
    /// `$addFields`: every value is an expression.
    AddFields,
}

/// The projection so far, while its fields are read.
pub struct Parser<'c> {
    dialect: Dialect<'c>,
    context: &'c CompileContext<'c>,
    pub root: Node,
    /// Set by the first field other than `_id` that decides: does the projection include?
    includes: Option<bool>,
    id: Option<bool>,
    has_elem_match: bool,
    pub has_expressions: bool,
    pub has_slice: bool,
    asks_metadata: bool,
    pub positional: Option<Positional>,
}

fn refuse(code: i32, message: impl Into<String>) -> CommandError {
    CommandError::location(code, message)
}

impl<'c> Parser<'c> {
    pub fn new(dialect: Dialect<'c>, context: &'c CompileContext<'c>) -> Self {
        Self {
            dialect,
            context,
            root: Node::default(),
            includes: None,
            id: None,
            has_elem_match: false,
            has_expressions: false,
            has_slice: false,
            asks_metadata: false,
            positional: None,
        }
    }

    /// Reads all fields of a specification.
    pub fn read(&mut self, specification: Document<'_>) -> Result<(), CommandError> {
        for element in specification.iter() {
            self.field(element.name, element.value, true)?;
        }
        if self.positional.is_some() && self.has_elem_match {
            return Err(refuse(
                31255,
                "Cannot specify positional operator and $elemMatch.",
            ));
        }
        Ok(())
    }

    /// Whether the projection includes the fields it names, rather than excluding them; `_id` beside exclusions decides
    /// nothing unless it stands alone.
    pub fn includes(&self) -> bool {
        match (self.includes, self.id) {
            (Some(includes), _) => includes,
            // A `$meta` that stands alone adds to the documents of a `find`, and is all that a stage gives.
            (None, _) if self.asks_metadata && !self.is_find() => true,
            (None, Some(true)) => true,
            (None, Some(false)) => self.has_elem_match,
            (None, None) => self.has_elem_match || (self.has_expressions && !self.has_slice),
        }
    }

    fn is_find(&self) -> bool {
        matches!(self.dialect, Dialect::Find(_))
    }

    fn field(
        &mut self,
        path: &str,
        value: ValueRef<'_>,
        is_top_level: bool,
    ) -> Result<(), CommandError> {
        if self.is_find() && is_top_level && path.contains('$') && self.positional(path, value)? {
            return Ok(());
        }
        if matches!(self.dialect, Dialect::Stage) && path.ends_with(".$") {
            return Err(refuse(
                31324,
                "Cannot use positional projection in aggregation projection",
            ));
        }
        expr::FieldPath::parse(path)?;
        if !matches!(self.dialect, Dialect::AddFields) {
            if let Some(flag) = value.as_bool() {
                return self.flag(path, flag);
            }
            if let Some(number) = value.as_number() {
                return self.flag(path, !number.is_zero());
            }
        }
        match value {
            ValueRef::Document(document) if is_operators(value, false) => {
                self.operator(path, document, value, is_top_level)
            }
            ValueRef::Document(document) if document.is_empty() => {
                if matches!(self.dialect, Dialect::AddFields) {
                    return self.expression(path, value);
                }
                Err(refuse(
                    51270,
                    format!(
                        "An empty sub-projection is not a valid value. Found empty object at path {path}"
                    ),
                ))
            }
            ValueRef::Document(document) => {
                for element in document.iter() {
                    if element.name.contains('.') {
                        return Err(refuse(
                            40183,
                            format!(
                                "FieldPath field names may not contain '.' in a nested object: {}",
                                element.name
                            ),
                        ));
                    }
                    let nested = format!("{path}.{}", element.name);
                    self.field(&nested, element.value, false)?;
                }
                Ok(())
            }
            value => self.expression(path, value),
        }
    }

    fn insert(&mut self, path: &str, child: Child) -> Result<(), CommandError> {
        let result = self.root.insert(&QueryPath::new(path), child);
        result.map_err(|collision| match collision {
            Collision::Same => refuse(31250, format!("Path collision at {path}")),
            Collision::Below(rest) => refuse(
                31249,
                format!("Path collision at {path} remaining portion {rest}"),
            ),
        })
    }

    fn decide(&mut self, path: &str, includes: bool) -> Result<(), CommandError> {
        match (self.includes, includes) {
            (Some(false), true) => Err(refuse(
                31253,
                format!("Cannot do inclusion on field {path} in exclusion projection"),
            )),
            (Some(true), false) => Err(refuse(
                31254,
                format!("Cannot do exclusion on field {path} in inclusion projection"),
            )),
            _ => {
                self.includes = Some(includes);
                Ok(())
            }
        }
    }

    fn flag(&mut self, path: &str, flag: bool) -> Result<(), CommandError> {
        let child = if flag { Child::Include } else { Child::Exclude };
        if path == "_id" {
            self.id = Some(flag);
        } else {
            self.decide(path, flag)?;
        }
        self.insert(path, child)
    }

    fn expression(&mut self, path: &str, value: ValueRef<'_>) -> Result<(), CommandError> {
        if self.includes == Some(false) {
            return Err(refuse(
                31252,
                "Cannot use expression other than $meta in exclusion projection",
            ));
        }
        let expression = expr::compile(value, self.context)?;
        self.has_expressions = true;
        // Computed fields stand among included ones.
        self.includes = Some(true);
        self.insert(path, Child::Computed(Rc::new(expression)))
    }

    fn operator(
        &mut self,
        path: &str,
        document: Document<'_>,
        value: ValueRef<'_>,
        is_top_level: bool,
    ) -> Result<(), CommandError> {
        let Some(first) = document.iter().next() else {
            return Ok(());
        };
        if document.len() > 1 {
            // Only one operator may stand there; the expression compiler words the error.
            return self.expression(path, value);
        }
        match first.name {
            // It stands among included fields as well as among excluded ones.
            "$meta" => {
                let expression = expr::compile(value, self.context)?;
                self.asks_metadata = true;
                self.has_expressions |= !self.is_find();
                self.insert(path, Child::Computed(Rc::new(expression)))
            }
            "$slice" if self.is_find() => match Slice::parse(first.value) {
                Ok(slice) => {
                    self.has_slice = true;
                    self.insert(path, Child::Slice(slice))
                }
                Err(reason) => self
                    .expression(path, value)
                    .map_err(|error| slice::refuse(first.value, reason, &error)),
            },
            "$elemMatch" if self.is_find() => self.elem_match(path, first.value, is_top_level),
            "$elemMatch" | "$slice" => self.expression(path, value),
            unknown
                if !matches!(self.dialect, Dialect::AddFields)
                    && !expr::table::is_known(unknown) =>
            {
                Err(refuse(31325, format!("Unknown expression {unknown}")))
            }
            _ => self.expression(path, value),
        }
    }

    fn elem_match(
        &mut self,
        path: &str,
        value: ValueRef<'_>,
        is_top_level: bool,
    ) -> Result<(), CommandError> {
        let Some(argument) = value.as_document() else {
            return Err(refuse(
                31274,
                format!(
                    "elemMatch: Invalid argument, object required, but got {}",
                    value.type_name()
                ),
            ));
        };
        if path.contains('.') || !is_top_level {
            return Err(refuse(
                31275,
                "Cannot use $elemMatch projection on a nested field.",
            ));
        }
        if self.positional.is_some() {
            return Err(refuse(
                31255,
                "Cannot specify positional operator and $elemMatch.",
            ));
        }
        let mut filter = DocumentBuilder::new();
        filter
            .begin_document(path)
            .append("$elemMatch", argument)
            .end();
        let filter = filter.finish();
        let matcher = Matcher::compile(filter.as_document(), self.context)?;
        self.has_elem_match = true;
        self.insert(path, Child::ElemMatch(Rc::new(matcher)))
    }

    /// Reads `"a.b.$": 1`; `false` when the path has no positional `$`.
    fn positional(&mut self, path: &str, value: ValueRef<'_>) -> Result<bool, CommandError> {
        let Dialect::Find(matcher) = self.dialect else {
            return Ok(false);
        };
        if path.contains(".$.") {
            return Err(refuse(
                31394,
                "As of 4.4, it's illegal to specify positional operator in the middle of a path.\
                 Positional projection may only be used at the end, for example: a.b.$. If the query \
                 previously used a form like a.b.$.d, remove the parts following the '$' and the \
                 results will be equivalent.",
            ));
        }
        let Some(array) = path.strip_suffix(".$") else {
            return Ok(false);
        };
        expr::FieldPath::parse(array)?;
        let (code, with) = match value {
            ValueRef::Document(_) => (31271, "an expression or sub object"),
            _ if value.as_bool().is_none() && value.as_number().is_none() => (31308, "a literal"),
            _ if !value.is_truthy() => (31395, "exclusion"),
            _ => (0, ""),
        };
        if code != 0 {
            return Err(refuse(
                code,
                format!("positional projection cannot be used with {with}"),
            ));
        }
        if self.positional.is_some() {
            return Err(refuse(
                31276,
                "Cannot specify more than one positional proj. per query.",
            ));
        }
        if self.has_elem_match {
            return Err(refuse(
                31256,
                "Cannot specify positional operator and $elemMatch.",
            ));
        }
        self.decide(path, true)?;
        if let Some(name) = without_position(matcher.root()) {
            return Err(CommandError::new(
                Code::QueryFeatureNotAllowed,
                format!("{name} is not allowed in this context"),
            ));
        }
        self.insert(array, Child::Include)?;
        self.positional = Some(Positional {
            path: QueryPath::new(array),
            matcher: Rc::new(matcher.clone()),
        });
        Ok(true)
    }
}
