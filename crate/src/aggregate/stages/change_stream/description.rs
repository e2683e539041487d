//! `updateDescription`: what an update changed, by the dotted paths of a `$v: 2` diff.

use crate::bson::{ArrayBuilder, Document, DocumentBuilder, ValueRef, is_digits};

/// One component of a path.
#[derive(Clone, Copy)]
enum Part<'d> {
    Field(&'d str),
    Position(&'d str),
}

impl<'d> Part<'d> {
    fn text(self) -> &'d str {
        match self {
            Self::Field(text) | Self::Position(text) => text,
        }
    }
}

#[derive(Default)]
struct Description {
    updated: DocumentBuilder,
    removed: ArrayBuilder,
    truncated: ArrayBuilder,
    /// The components of paths that can be read in two ways.
    disambiguated: DocumentBuilder,
}

/// Appends the description of a diff.
pub fn append(diff: Document<'_>, is_expanded: bool, builder: &mut DocumentBuilder) {
    let mut description = Description::default();
    description.document(diff, &mut Vec::new());
    builder.begin_document("updateDescription");
    builder.append("updatedFields", &description.updated.finish());
    builder.append("removedFields", &description.removed.finish());
    builder.append("truncatedArrays", &description.truncated.finish());
    if is_expanded {
        builder.append("disambiguatedPaths", &description.disambiguated.finish());
    }
    builder.end();
}

impl Description {
    fn document<'d>(&mut self, diff: Document<'d>, path: &mut Vec<Part<'d>>) {
        for section in ["u", "i"] {
            for field in fields(diff, section) {
                let name = self.path(path, Part::Field(field.0));
                self.updated.append(&name, field.1);
            }
        }
        for field in fields(diff, "d") {
            let name = self.path(path, Part::Field(field.0));
            self.removed.push(&*name);
        }
        for section in diff.iter() {
            if let (Some(name), ValueRef::Document(below)) =
                (section.name.strip_prefix('s'), section.value)
            {
                path.push(Part::Field(name));
                self.level(below, path);
                path.pop();
            }
        }
    }

    fn level<'d>(&mut self, diff: Document<'d>, path: &mut Vec<Part<'d>>) {
        if !diff.get("a").is_truthy() {
            self.document(diff, path);
            return;
        }
        if let Some(length) = diff.get("l").as_exact_i64()
            && let Some(last) = path.pop()
        {
            let name = self.path(path, last);
            path.push(last);
            let mut one = DocumentBuilder::new();
            one.append("field", &*name)
                .append_integer("newSize", length);
            self.truncated.push(&one.finish());
        }
        for item in diff.iter() {
            if let Some(position) = item.name.strip_prefix('u') {
                let name = self.path(path, Part::Position(position));
                self.updated.append(&name, item.value);
            } else if let (Some(position), ValueRef::Document(below)) =
                (item.name.strip_prefix('s'), item.value)
            {
                path.push(Part::Position(position));
                self.level(below, path);
                path.pop();
            }
        }
    }

    /// The dotted path, and notes its components where it can be read in another way.
    fn path(&mut self, above: &[Part<'_>], last: Part<'_>) -> String {
        let parts = || above.iter().copied().chain([last]);
        let texts: Vec<&str> = parts().map(Part::text).collect();
        let dotted = texts.join(".");
        let is_ambiguous = parts().enumerate().any(|(depth, part)| match part {
            Part::Field(name) => depth > 0 && is_digits(name) || name.contains('.'),
            Part::Position(_) => false,
        });
        if is_ambiguous {
            self.disambiguated.begin_array(&dotted);
            for (depth, part) in parts().enumerate() {
                match part {
                    Part::Field(name) => self.disambiguated.push_item(depth, name),
                    Part::Position(position) => {
                        let position: i32 = position.parse().unwrap_or_default();
                        self.disambiguated.push_item(depth, position)
                    }
                };
            }
            self.disambiguated.end();
        }
        dotted
    }
}

fn fields<'d>(diff: Document<'d>, section: &str) -> impl Iterator<Item = (&'d str, ValueRef<'d>)> {
    let section = diff.get(section).as_document().unwrap_or_default();
    section.iter().map(|field| (field.name, field.value))
}
