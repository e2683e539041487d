//! `$sort`: documents in the order of a pattern, all of them or only the first few.
//!
//! Follows the manual's "$sort (aggregation)" page.

use super::super::stage::{Flow, Part, StagePlan};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;
use crate::exec::Stage;
use crate::exec::sort::{Keeps, Sort, Sorting};
use crate::exec::sort_key::SortKeySource;
use crate::exec::sorter::Memory;
use crate::expr::{Carried, CompileContext, Dependencies};
use crate::query::SortPattern;
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$sort`.
pub struct SortPlan {
    pattern: SortPattern,
    limit: Option<u64>,
    metadata: Carried,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(pattern) = specification else {
        return Err(CommandError::location(
            15973,
            "the $sort key specification must be an object",
        ));
    };
    if pattern.is_empty() {
        return Err(CommandError::location(
            15976,
            "$sort stage must have at least one sort key",
        ));
    }
    let pattern = { SortPattern::compile(pattern)?.with_metadata(&context.metadata) }
        .with_collation(&context.collation);
    Ok(vec![Box::new(SortPlan::new(pattern))])
}

impl SortPlan {
    pub fn new(pattern: SortPattern) -> Self {
        Self {
            pattern,
            limit: None,
            metadata: Carried::default(),
        }
    }

    /// The same sort, of strings by a collation.
    pub fn with_collation(mut self, collation: &Collation) -> Self {
        self.pattern = self.pattern.with_collation(collation);
        self
    }

    pub fn pattern(&self) -> Document<'_> {
        self.pattern.spec()
    }

    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Keeps only so many of the first documents.
    pub fn keep(&mut self, limit: u64) {
        self.limit = Some(self.limit.map_or(limit, |held| held.min(limit)));
    }
}

impl StagePlan for SortPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        let sorting = Sorting {
            pattern: Rc::new(self.pattern),
            source: SortKeySource::Document,
            keeps: Keeps::Metadata,
            limit: self.limit,
            memory: Memory::Stage("$sort"),
            metadata: self.metadata,
        };
        Box::new(Sort::new(input, sorting))
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$sort");
        builder.append("sortKey", self.pattern());
        if let Some(limit) = self.limit {
            builder.append("limit", i64::try_from(limit).unwrap_or(i64::MAX));
        }
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        for path in self.pattern.paths() {
            needed.add(path);
        }
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::Sort(self)
    }

    fn path_before(&self, path: &str) -> Option<String> {
        self.limit.is_none().then(|| path.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn sorts_stably_by_several_fields() {
        gives(
            "[{$sort: {a: -1, b: 1}}]",
            "[{a: 1, b: 2}, {a: 2, b: 2}, {a: 2, b: 1}, {b: 0}]",
            "[{a: 2, b: 1}, {a: 2, b: 2}, {a: 1, b: 2}, {b: 0}]",
        );
        gives(
            "[{$sort: {a: 1}}]",
            "[{a: [3, 9]}, {a: 5}, {a: 'x'}]",
            "[{a: [3, 9]}, {a: 5}, {a: 'x'}]",
        );
        fails("[{$sort: 5}]", 15973);
        fails("[{$sort: {}}]", 15976);
        fails("[{$sort: {a: 2}}]", 15975);
    }

    #[test]
    fn keeps_the_first_few_of_many() {
        let many: Vec<String> = (0..500)
            .map(|n| format!("{{a: {}}}", (n * 7919) % 500))
            .collect();
        gives(
            "[{$sort: {a: 1}}, {$limit: 3}]",
            &format!("[{}]", many.join(", ")),
            "[{a: 0}, {a: 1}, {a: 2}]",
        );
    }
}
