//! `Projection`: a compiled projection, and the paths it reads of a document.
//!
//! Follows the manual's "Project Fields to Return" page.

use super::apply::Application;
use super::parse::{Dialect, Parser};
use super::positional::Positional;
use super::tree::{Child, Node};
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::miscellaneous::meta::kind_of;
use crate::expr::{self, CompileContext, Dependencies, MetaKind, Scope};
use crate::query::evaluate::MatchDetails;
use crate::query::matcher::Matcher;

/// The fate of the fields that are not named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectionKind {
    /// Fields that are not named are left out.
    Inclusion,
    /// Fields that are not named are kept.
    Exclusion,
    /// Fields that are not named are kept, and computed fields replace those of their names (`$addFields`).
    AddFields,
}

/// A compiled projection.
#[derive(Clone)]
pub struct Projection {
    specification: DocumentBuf,
    pub(super) kind: ProjectionKind,
    pub(super) root: Node,
    has_expressions: bool,
    has_slice: bool,
    positional: Option<Positional>,
}

impl Projection {
    /// Compiles the projection of a `find`; the filter tells positions to the positional `$`. An empty one keeps all.
    ///
    /// # Errors
    /// Errors of the server's parser: see `parse`.
    pub fn compile(
        specification: Document<'_>,
        filter: &Matcher,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        Self::with_dialect(specification, Dialect::Find(filter), context)
    }

    /// Compiles the specification of `$project`.
    ///
    /// # Errors
    /// 51272 for an empty one, and errors of the server's parser.
    pub fn compile_stage(
        specification: Document<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        if specification.is_empty() {
            return Err(CommandError::location(
                51272,
                "projection specification must have at least one field",
            ));
        }
        Self::with_dialect(specification, Dialect::Stage, context)
    }

    /// Compiles the specification of `$addFields`.
    ///
    /// # Errors
    /// Errors of the server's parser.
    pub fn compile_add_fields(
        specification: Document<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        Self::with_dialect(specification, Dialect::AddFields, context)
    }

    fn with_dialect(
        specification: Document<'_>,
        dialect: Dialect<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        let mut parser = Parser::new(dialect, context);
        parser.read(specification)?;
        let kind = match dialect {
            Dialect::AddFields => ProjectionKind::AddFields,
            _ if parser.includes() => ProjectionKind::Inclusion,
            _ => ProjectionKind::Exclusion,
        };
        let named = parser
            .root
            .children
            .iter()
            .any(|(name, _)| &**name == "_id");
        if kind == ProjectionKind::Inclusion && !named {
            parser.root.children.push(("_id".into(), Child::Include));
        }
        Ok(Self {
            specification: specification.to_buf(),
            kind,
            root: parser.root,
            has_expressions: parser.has_expressions,
            has_slice: parser.has_slice,
            positional: parser.positional,
        })
    }

    /// The same projection, which shows itself as a pipeline's explain does.
    pub fn shown_canonically(mut self) -> Self {
        self.specification = self.canonical();
        self
    }

    pub fn kind(&self) -> ProjectionKind {
        self.kind
    }

    /// The specification as it was given, as explain prints it.
    pub fn specification(&self) -> Document<'_> {
        self.specification.as_document()
    }

    /// The same, to be kept.
    pub fn to_bson(&self) -> DocumentBuf {
        self.specification.clone()
    }

    /// Whether nothing is projected at all: the empty specification.
    pub fn is_empty(&self) -> bool {
        self.specification.as_document().is_empty()
    }

    /// Whether only whole top-level fields are kept or left out: explain calls this `PROJECTION_SIMPLE`.
    pub fn is_simple(&self) -> bool {
        self.kind != ProjectionKind::AddFields
            && self.positional.is_none()
            && self
                .root
                .children
                .iter()
                .all(|(_, child)| matches!(child, Child::Include | Child::Exclude))
    }

    /// Writes the projection of a document into an open document.
    ///
    /// # Errors
    /// Errors of its expressions; 51246 and 51247 when the positional `$` finds no matching item in an array.
    pub fn apply(
        &self,
        document: Document<'_>,
        builder: &mut DocumentBuilder,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let scope = Scope::of(ValueRef::Document(document), env);
        self.apply_in(document, builder, &scope)
    }

    /// The same, where expressions see more than the document.
    pub fn apply_in(
        &self,
        document: Document<'_>,
        builder: &mut DocumentBuilder,
        scope: &Scope<'_>,
    ) -> Result<(), CommandError> {
        let application = Application {
            keeps_others: self.kind != ProjectionKind::Inclusion,
            scope,
        };
        let Some(positional) = &self.positional else {
            return application.document(&self.root, document, builder);
        };
        let mut details = MatchDetails::default();
        positional
            .matcher
            .matches_with_details(document, scope.env, &mut details)?;
        let mut projected = DocumentBuilder::new();
        application.document(&self.root, document, &mut projected)?;
        let projected = projected.finish();
        positional.append(projected.as_document(), details.array_index, builder)
    }

    /// The paths that it reads of a document: all of it, or the paths it keeps and computes from.
    pub fn dependencies(&self) -> Dependencies {
        let mut found = Dependencies::default();
        if self.kind != ProjectionKind::Inclusion {
            found.whole_document = true;
            return found;
        }
        self.root.visit("", &mut |path, child| match child {
            Child::Include | Child::Slice(_) | Child::ElemMatch(_) => found.add(path),
            Child::Computed(expression) => {
                found.merge(&expression.dependencies());
                // A computed field inside a stored document keeps to that document's shape.
                if let Some((outer, _)) = path.split_once('.') {
                    found.add(outer);
                }
            }
            Child::Exclude | Child::Nested(_) => {}
        });
        if let Some(positional) = &self.positional {
            let mut paths = Vec::new();
            found.whole_document |= !positional.matcher.root().collect_paths(&mut paths);
            for path in paths {
                found.add(path);
            }
        }
        found
    }

    /// Whether documents rebuilt from an index with these fields (none of them an array) give the same
    /// answer as the stored ones.
    pub fn is_covered_by(&self, index_paths: &[&str]) -> bool {
        let needed = self.dependencies();
        // As on a server, metadata beside the sort key needs the document.
        let is_plain = self.positional.is_none()
            && !self.has_slice
            && !needed.whole_document
            && !self.asks(&|kind| kind != MetaKind::SORT_KEY.name());
        is_plain
            && !self
                .root
                .children
                .iter()
                .any(|(_, child)| matches!(child, Child::ElemMatch(_)))
            && needed
                .paths
                .iter()
                .all(|path| index_paths.contains(&path.as_str()))
    }

    /// Whether it does not name a top-level field, nor anything below it.
    pub fn leaves(&self, name: &str) -> bool {
        self.root.get(name.as_bytes()).is_none()
    }

    /// Whether it makes a top-level field anew by an expression.
    pub fn makes(&self, name: &str) -> bool {
        let child = self.root.get(name.as_bytes());
        matches!(child, Some(Child::Computed(_)))
    }

    /// Whether it makes a top-level field anew by an expression, and that field first.
    pub fn makes_first(&self, name: &str) -> bool {
        let first = self.root.children.first();
        first.is_some_and(|(first, _)| **first == *name) && self.makes(name)
    }

    /// Whether it asks for metadata of a kind that `for_it` accepts by its name.
    pub fn asks(&self, for_it: &dyn Fn(&str) -> bool) -> bool {
        let mut asks = false;
        self.root.visit("", &mut |_, child| {
            if let Child::Computed(expression) = child {
                expression.node().visit(&mut |node| {
                    asks |= matches!(node, expr::Node::Call(call) if kind_of(call).is_some_and(for_it));
                });
            }
        });
        asks
    }

    /// Whether any field is computed by an expression.
    pub fn has_expressions(&self) -> bool {
        self.has_expressions
    }
}
