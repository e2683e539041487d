//! `Matcher`: a compiled filter.
//!
//! Invariant: the predicates of one conjunction are tested while the document's fields go by once (`scan`); predicates
//! that cannot be tested so (`$or`, `$expr`) are evaluated after it.

use super::compile::{Compiler, bad_value};
use super::evaluate::{MatchContext, MatchDetails};
use super::node::MatchNode;
use super::predicate::near::Near;
use super::scan::Scanning;
use crate::bson::Document;
use crate::collation::Collation;
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::{CompileContext, Frame};
use std::cell::RefCell;
use std::rc::Rc;

/// A compiled filter.
#[derive(Clone, Debug)]
pub struct Matcher {
    root: MatchNode,
    /// How the query compares strings.
    collation: Collation,
    scanning: RefCell<Scanning>,
}

impl Matcher {
    /// Compiles a filter; see the manual's "Query and Projection Operators".
    pub fn compile(
        filter: Document<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        Self::compile_by(Compiler::new(context), filter)
    }

    /// Compiles the filter of a query that is planned, so that it may ask for documents by their distance.
    ///
    /// # Errors
    /// As `compile`, and `BadValue` where `$near` does not stand alone among the filter's conjuncts.
    pub fn compile_query(
        filter: Document<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        let compiler = Compiler {
            near: true,
            ..Compiler::new(context)
        };
        Self::compile_near(compiler, filter)
    }

    /// As `compile_query`, without `$where`.
    ///
    /// # Errors
    /// As `compile_query`.
    pub fn compile_query_without_scripts(
        filter: Document<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        let compiler = Compiler {
            near: true,
            ..Compiler::new(context).without_scripts()
        };
        Self::compile_near(compiler, filter)
    }

    fn compile_near(compiler: Compiler<'_>, filter: Document<'_>) -> Result<Self, CommandError> {
        let root = compiler.filter(filter)?;
        let nears = root.count_near();
        if nears > 1 {
            return Err(bad_value("Too many geoNear expressions"));
        }
        let matcher = Self::from_node(root.optimise()).with_collation(&compiler.context.collation);
        if nears == 1 && matcher.near().is_none() {
            return Err(bad_value("geoNear must be top-level expr"));
        }
        Ok(matcher)
    }

    /// How far from where documents are asked for, if they are.
    pub fn near(&self) -> Option<&Rc<Near>> {
        self.root.conjuncts().iter().find_map(|node| match node {
            MatchNode::Near(test) => Some(&test.near),
            _ => None,
        })
    }

    /// Compiles a filter where `$where` and `$text` are refused: in a validator, an update.
    pub fn compile_without_scripts(
        filter: Document<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        let compiler = Compiler::new(context).without_scripts().without_texts();
        Self::compile_by(compiler, filter)
    }

    /// Compiles the filter of a pipeline's stage, where `$where` is refused.
    pub fn compile_stage(
        filter: Document<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        Self::compile_by(Compiler::new(context).without_scripts(), filter)
    }

    fn compile_by(compiler: Compiler<'_>, filter: Document<'_>) -> Result<Self, CommandError> {
        let root = compiler.filter(filter)?.optimise();
        Ok(Self::from_node(root).with_collation(&compiler.context.collation))
    }

    /// The matcher as that of a query with a collation. The tree's predicates have theirs already.
    pub fn with_collation(self, collation: &Collation) -> Self {
        Self {
            collation: collation.clone(),
            ..self
        }
    }

    /// How the query compares strings.
    pub fn collation(&self) -> &Collation {
        &self.collation
    }

    /// A matcher of an optimised tree.
    pub fn from_node(root: MatchNode) -> Self {
        Self {
            root,
            collation: Collation::SIMPLE,
            scanning: RefCell::new(Scanning::NotYet(0)),
        }
    }

    /// The tree that the planner reads.
    pub fn root(&self) -> &MatchNode {
        &self.root
    }

    /// Whether every document matches.
    pub fn is_empty(&self) -> bool {
        self.root.is_trivially_true()
    }

    /// How far into documents the last ones were read.
    pub fn reach(&self) -> usize {
        match self.scanning.try_borrow().as_deref() {
            Ok(Scanning::Ready(scan)) => scan.reach(),
            _ => 0,
        }
    }

    /// Whether a document matches; expressions can fail, and patterns be given up.
    pub fn matches(&self, document: Document<'_>, env: &dyn Env) -> Result<bool, CommandError> {
        self.matches_with_frame(document, env, None)
    }

    /// The same, with variables for `$expr`.
    pub fn matches_with_frame(
        &self,
        document: Document<'_>,
        env: &dyn Env,
        frame: Option<&Frame<'_>>,
    ) -> Result<bool, CommandError> {
        let context = MatchContext::new(env, frame);
        let answer = self.matches_in(document, &context);
        context.conclude(answer)
    }

    /// The same, telling which array item matched.
    pub fn matches_with_details(
        &self,
        document: Document<'_>,
        env: &dyn Env,
        details: &mut MatchDetails,
    ) -> Result<bool, CommandError> {
        details.array_index = None;
        let context = MatchContext::new(env, None);
        let answer = self.root.matches(document, &context, Some(details));
        context.conclude(answer)
    }

    #[inline]
    fn matches_in(
        &self,
        document: Document<'_>,
        context: &MatchContext<'_>,
    ) -> Result<bool, CommandError> {
        // Nothing that runs inside comes back to this matcher; if it did, it would go without the scan.
        let Ok(mut scanning) = self.scanning.try_borrow_mut() else {
            return self.root.matches(document, context, None);
        };
        let Some(scan) = scanning.get(&self.root) else {
            drop(scanning);
            return self.root.matches(document, context, None);
        };
        if !scan.holds(&self.root, document, context) {
            return Ok(false);
        }
        for position in scan.others() {
            context.ask(scan.others().len())?;
            if let Some(child) = self.root.conjuncts().get(*position)
                && !child.matches(document, context, None)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use crate::query::testing::matches;

    #[test]
    fn conjunctions_are_tested_in_one_walk() {
        let filter = "{a: 1, \"b.c\": {$gt: 2}, d: {$exists: false}, e: {$ne: 5}, \"f.0\": 1}";
        assert!(matches(filter, "{b: {c: 3}, a: 1, f: [1]}"));
        assert!(matches(
            filter,
            "{f: [1], b: [{c: 1}, {c: 3}], a: [1], e: 6}"
        ));
        assert!(!matches(filter, "{b: {c: 3}, a: 1, f: [1], d: null}"));
        assert!(!matches(filter, "{b: {c: 3}, a: 1, f: [1], e: [5]}"));
        assert!(!matches(filter, "{b: {c: 3}, a: 1}"));
        assert!(!matches(filter, "{b: 5, a: 1, f: [1]}"));
    }

    #[test]
    fn other_children_are_evaluated_too() {
        let filter = "{a: 1, b: 2, $or: [{c: 1}, {d: 1}], e: {$not: {$gt: 1, $lt: 3}}}";
        assert!(matches(filter, "{a: 1, b: 2, d: 1}"));
        assert!(!matches(filter, "{a: 1, b: 2}"));
        assert!(!matches(filter, "{a: 1, b: 2, d: 1, e: 2}"));
    }

    #[test]
    fn the_first_of_two_fields_of_one_name_counts() {
        assert!(matches("{a: 1, b: 1}", "{a: 1, b: 1, a: 2}"));
        assert!(!matches("{a: 2, b: 1}", "{a: 1, b: 1, a: 2}"));
    }
}
