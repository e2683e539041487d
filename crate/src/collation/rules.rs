//! A collation at work: comparing values, and making byte strings that compare alike.
//!
//! Invariants: the simple collation compares as `bson::compare` does and costs nothing; a collation and its clones
//! share one order of strings, so keys made by any of them may be compared with each other's only.

use super::order::StringOrder;
use super::spec::CollationSpec;
use super::translate::{is_collatable, translate_fields, translate_value};
use crate::bson::{self, Array, Document, DocumentBuf, Value, ValueRef};
use crate::env::{Env, StringComparer};
use crate::error::{Code, CommandError};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::convert::Infallible;
use std::fmt;
use std::rc::Rc;

/// How strings are compared: by their bytes, or by the rules of a language.
#[derive(Clone, Default)]
pub struct Collation(Option<Rc<Rules>>);

struct Rules {
    spec: CollationSpec,
    /// The host's comparers. Each decides between strings that the ones before it find equal.
    comparers: Vec<Rc<dyn StringComparer>>,
    order: RefCell<StringOrder>,
}

impl fmt::Debug for Collation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Collation").field(&self.spec()).finish()
    }
}

/// Collations are equal when their documents are.
impl PartialEq for Collation {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(left), Some(right)) => Rc::ptr_eq(left, right) || left.spec == right.spec,
            _ => false,
        }
    }
}

impl Collation {
    /// Strings by their bytes.
    pub const SIMPLE: Self = Self(None);

    /// The collation of a document such as `{locale: "en", strength: 2}`.
    ///
    /// # Errors
    /// A document that is no collation; 238 for a locale or an option that the host does not offer.
    pub fn parse(document: Document<'_>, env: &dyn Env) -> Result<Self, CommandError> {
        match CollationSpec::parse(document)? {
            None => Ok(Self::SIMPLE),
            Some(spec) => Self::of(spec, env),
        }
    }

    /// The collation that a document stands for.
    ///
    /// # Errors
    /// 238 for a locale or options that the host does not offer.
    pub fn of(spec: CollationSpec, env: &dyn Env) -> Result<Self, CommandError> {
        let mut comparers = Vec::new();
        for options in spec.plan()? {
            comparers.push(env.collator(&options).ok_or_else(|| {
                CommandError::new(
                    Code::NotImplemented,
                    format!(
                        "collation locale '{}' is not supported by this host; only 'simple' and what the host's \
                         Intl.Collator knows is",
                        spec.locale
                    ),
                )
            })?);
        }
        Ok(Self(Some(Rc::new(Rules {
            spec,
            comparers,
            order: RefCell::default(),
        }))))
    }

    pub fn is_simple(&self) -> bool {
        self.0.is_none()
    }

    /// The canonical document; `None` for the simple collation.
    pub fn spec(&self) -> Option<DocumentBuf> {
        self.0.as_ref().map(|rules| rules.spec.to_bson())
    }

    /// Orders two strings.
    pub fn compare_text(&self, left: &str, right: &str) -> Ordering {
        match &self.0 {
            None => left.as_bytes().cmp(right.as_bytes()),
            Some(rules) => rules.compare(left, right),
        }
    }

    /// Orders two values of any types.
    #[inline]
    pub fn compare(&self, left: ValueRef<'_>, right: ValueRef<'_>) -> Ordering {
        match &self.0 {
            None => bson::compare(left, right),
            Some(rules) => rules.compare_values(left, right),
        }
    }

    /// Whether two values are equal.
    pub fn equal(&self, left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
        self.compare(left, right).is_eq()
    }

    /// The value to make keys of: labels in the place of strings.
    #[inline]
    pub fn key_of<'v>(&self, value: ValueRef<'v>) -> Value<'v> {
        match &self.0 {
            Some(rules) if is_collatable(value) => {
                let Ok(value) =
                    translate_value::<Infallible>(value, &mut |text| Ok(rules.label(text)));
                value
            }
            _ => Value::Borrowed(value),
        }
    }

    /// The fields of a document to make keys of; `None` when the document itself will do.
    pub fn key_fields(
        &self,
        document: Document<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Option<DocumentBuf> {
        let rules = self.0.as_ref()?;
        let Ok(fields) =
            translate_fields::<Infallible>(
                document,
                wanted,
                &[],
                &mut |text| Ok(rules.label(text)),
            );
        Some(fields)
    }
}

impl Rules {
    fn compare(&self, left: &str, right: &str) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        self.comparers.iter().fold(Ordering::Equal, |found, next| {
            found.then_with(|| next.compare(left, right))
        })
    }

    fn label(&self, text: &str) -> String {
        let mut order = self.order.borrow_mut();
        order
            .label(text, &mut |left, right| self.compare(left, right))
            .to_string()
    }

    fn compare_values(&self, left: ValueRef<'_>, right: ValueRef<'_>) -> Ordering {
        use ValueRef::{Array, Document, String, Symbol};
        match (left, right) {
            (String(a) | Symbol(a), String(b) | Symbol(b)) => self.compare(&a.lossy(), &b.lossy()),
            (Document(a), Document(b)) => self.compare_documents(a, b),
            (Array(a), Array(b)) => self.compare_arrays(a, b),
            _ => bson::compare(left, right),
        }
    }

    fn compare_documents(&self, left: Document<'_>, right: Document<'_>) -> Ordering {
        let mut others = right.raw_elements();
        for element in left.raw_elements() {
            let Some(other) = others.next() else {
                return Ordering::Greater;
            };
            let class = element.kind.canonical_class();
            let ordering = class
                .cmp(&other.kind.canonical_class())
                .then_with(|| element.name.cmp(other.name))
                .then_with(|| self.compare_values(element.value(), other.value()));
            if ordering.is_ne() {
                return ordering;
            }
        }
        if others.next().is_some() {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }

    fn compare_arrays(&self, left: Array<'_>, right: Array<'_>) -> Ordering {
        let mut others = right.iter();
        for item in left.iter() {
            let Some(other) = others.next() else {
                return Ordering::Greater;
            };
            let ordering = self.compare_values(item, other);
            if ordering.is_ne() {
                return ordering;
            }
        }
        if others.next().is_some() {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;
    use crate::env::native::NativeEnv;

    fn collation(build: &dyn Fn(&mut DocumentBuilder)) -> Collation {
        let mut builder = DocumentBuilder::new();
        builder.append("locale", "en");
        build(&mut builder);
        let env = NativeEnv::fixed(0, 1);
        let document = builder.finish();
        Collation::parse(document.as_document(), &env).expect("the host has English")
    }

    fn text(text: &str) -> ValueRef<'_> {
        ValueRef::from(text)
    }

    #[test]
    fn strengths_tell_what_differs() {
        let of = |strength: i32, level: bool| {
            collation(&|spec| {
                spec.append("strength", strength).append("caseLevel", level);
            })
        };
        // Plain against upper case, and against an accent.
        for (strength, level, upper, accent) in [
            (1, false, true, true),
            (1, true, false, true),
            (2, false, true, false),
            (2, true, false, false),
            (3, false, false, false),
            (3, true, false, false),
        ] {
            let collation = of(strength, level);
            assert_eq!(collation.equal(text("a"), text("A")), upper, "{strength}");
            assert_eq!(
                collation.equal(text("e"), text("\u{e9}")),
                accent,
                "{strength}"
            );
            assert!(collation.compare(text("a"), text("B")).is_lt());
            assert!(collation.equal(text("\u{e9}"), text("e\u{301}")));
        }
    }

    #[test]
    fn options_change_the_order() {
        let numeric = collation(&|spec| {
            spec.append("numericOrdering", true);
        });
        assert!(numeric.compare(text("a10"), text("a9")).is_gt());
        let upper = collation(&|spec| {
            spec.append("caseFirst", "upper");
        });
        assert!(upper.compare(text("A"), text("a")).is_lt());
        let shifted = collation(&|spec| {
            spec.append("alternate", "shifted");
        });
        assert!(shifted.equal(text("black-bird"), text("blackbird")));
        assert!(!numeric.equal(text("black-bird"), text("blackbird")));
    }

    #[test]
    fn keys_compare_as_the_values_do() {
        let collation = collation(&|spec| {
            spec.append("strength", 2);
        });
        let texts = ["b", "A", "a", "C", "\u{e9}", "e", "E", "Z", "z", ""];
        for left in texts {
            for right in texts {
                let expected = collation.compare(text(left), text(right));
                let (left, right) = (collation.key_of(text(left)), collation.key_of(text(right)));
                assert_eq!(bson::compare(left.as_ref(), right.as_ref()), expected);
            }
        }
        let simple = Collation::SIMPLE;
        assert!(simple.compare(text("a"), text("B")).is_gt());
        assert!(simple == Collation::default() && simple != collation);
    }
}
