//! Collation documents: validation and canonical form.
//!
//! Manual: reference/collation. Invariant: a `CollationSpec` is valid as the server has it; options that hosts cannot
//! follow are refused by `CollationSpec::plan`, not here, so that a wrong document is told from an unsupported one.

use super::locales;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::env::{CaseFirst, CollatorOptions, Sensitivity};
use crate::error::{Code, CommandError};

/// The version that MongoDB 8.0 gives its collations.
const VERSION: &str = "57.1";

/// A collation other than the simple one, with every option decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollationSpec {
    pub locale: Box<str>,
    /// The locale as hosts name it.
    tag: Box<str>,
    pub case_level: bool,
    pub case_first: CaseFirst,
    /// 1 to 5.
    pub strength: i64,
    pub numeric_ordering: bool,
    pub is_shifted: bool,
    /// `maxVariable: "space"` instead of `"punct"`.
    pub only_space_varies: bool,
    pub normalization: bool,
    pub backwards: bool,
}

const FIELDS: &[&str] = &[
    "locale",
    "caseLevel",
    "caseFirst",
    "strength",
    "numericOrdering",
    "alternate",
    "maxVariable",
    "normalization",
    "backwards",
    "version",
];

fn bad_value(message: String) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

fn wrong_type(name: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "BSON field 'collation.{name}' is the wrong type '{}', expected type '{expected}'",
            value.type_name()
        ),
    )
}

fn flag(document: Document<'_>, name: &str) -> Result<Option<bool>, CommandError> {
    match document.get(name) {
        ValueRef::Missing | ValueRef::Null => Ok(None),
        ValueRef::Boolean(flag) => Ok(Some(flag)),
        other => Err(wrong_type(name, other, "bool")),
    }
}

fn text<'d>(document: Document<'d>, name: &str) -> Result<Option<&'d str>, CommandError> {
    match document.get(name) {
        ValueRef::Missing | ValueRef::Null => Ok(None),
        ValueRef::String(text) => Ok(Some(text.checked()?)),
        other => Err(wrong_type(name, other, "string")),
    }
}

/// The position of an option's text among those it may be.
fn choice(
    document: Document<'_>,
    name: &str,
    choices: &[&str],
) -> Result<Option<usize>, CommandError> {
    let Some(text) = text(document, name)? else {
        return Ok(None);
    };
    match choices.iter().position(|known| *known == text) {
        Some(position) => Ok(Some(position)),
        None => Err(not_a_choice(name, text)),
    }
}

fn not_a_choice(name: &str, value: impl std::fmt::Display) -> CommandError {
    bad_value(format!(
        "Enumeration value '{value}' for field 'collation.{name}' is not a valid value."
    ))
}

impl CollationSpec {
    /// Reads a collation document; `None` is the simple collation.
    ///
    /// # Errors
    /// 40414 without a locale, 40415 for unknown fields, 14, 2, 9 and 161 for fields of a wrong type or value.
    pub fn parse(document: Document<'_>) -> Result<Option<Self>, CommandError> {
        for element in document.iter() {
            if !FIELDS.contains(&element.name) {
                return Err(CommandError::new(
                    Code::IDLUnknownField,
                    format!(
                        "BSON field 'collation.{}' is an unknown field.",
                        element.name
                    ),
                ));
            }
        }
        let case_level = flag(document, "caseLevel")?;
        let case_first = choice(document, "caseFirst", &["off", "upper", "lower"])?;
        let strength = match document.get("strength") {
            ValueRef::Missing | ValueRef::Null => 3,
            value => match (value.as_number(), value.as_exact_i64()) {
                (_, Some(strength @ 1..=5)) => strength,
                (Some(_), _) => return Err(not_a_choice("strength", value)),
                (None, _) => return Err(wrong_type("strength", value, "int")),
            },
        };
        let numeric_ordering = flag(document, "numericOrdering")?;
        let alternate = choice(document, "alternate", &["non-ignorable", "shifted"])?;
        let max_variable = choice(document, "maxVariable", &["punct", "space"])?;
        let normalization = flag(document, "normalization")?;
        let backwards = flag(document, "backwards")?;
        let version = text(document, "version")?;
        let Some(locale) = text(document, "locale")? else {
            return Err(CommandError::new(
                Code::IDLFailedToParse,
                "BSON field 'collation.locale' is missing but a required field",
            ));
        };
        if locale == "simple" {
            // As on the server, the other options mean nothing beside it.
            return Ok(None);
        }
        if locale.is_empty() {
            return Err(bad_value(format!(
                "Field 'locale' cannot be the empty string in: {document}"
            )));
        }
        let tag = locales::tag(locale).map_err(|nearest| {
            let mut message = format!("Field 'locale' is invalid in: {document}");
            if let Some(nearest) = nearest {
                message.push_str(&format!(". Did you mean '{nearest}'?"));
            }
            bad_value(message)
        })?;
        if let Some(version) = version.filter(|version| *version != VERSION) {
            return Err(CommandError::new(
                Code::IncompatibleCollationVersion,
                format!(
                    "Requested collation version {version} but the only available collator version was \
                     {VERSION}. Requested collation spec: {document}"
                ),
            ));
        }
        let spec = Self {
            tag: tag.into(),
            case_level: case_level.unwrap_or(false),
            case_first: match case_first {
                Some(1) => CaseFirst::Upper,
                Some(2) => CaseFirst::Lower,
                None if locales::upper_first(locale) => CaseFirst::Upper,
                _ => CaseFirst::Off,
            },
            strength,
            numeric_ordering: numeric_ordering.unwrap_or(false),
            is_shifted: alternate.map_or(locales::is_shifted(locale), |choice| choice == 1),
            only_space_varies: max_variable == Some(1),
            normalization: normalization.unwrap_or(false),
            backwards: backwards.unwrap_or(locales::is_backwards(locale)),
            locale: locale.into(),
        };
        spec.check()?;
        Ok(Some(spec))
    }

    /// Refuses options that have no effect together.
    fn check(&self) -> Result<(), CommandError> {
        if self.backwards && self.strength == 1 {
            return Err(bad_value(format!(
                "'backwards' is invalid with 'strength' of 1 in: {}",
                self.to_bson().as_document()
            )));
        }
        if self.case_first != CaseFirst::Off && !self.case_level && self.strength < 3 {
            return Err(bad_value(format!(
                "'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2 in: {}",
                self.to_bson().as_document()
            )));
        }
        Ok(())
    }

    /// The document as replies and `listIndexes` show it: every option, and the version.
    pub fn to_bson(&self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        builder
            .append("locale", &*self.locale)
            .append("caseLevel", self.case_level)
            .append(
                "caseFirst",
                match self.case_first {
                    CaseFirst::Off => "off",
                    CaseFirst::Upper => "upper",
                    CaseFirst::Lower => "lower",
                },
            )
            .append("strength", self.strength as i32)
            .append("numericOrdering", self.numeric_ordering)
            .append(
                "alternate",
                match self.is_shifted {
                    true => "shifted",
                    false => "non-ignorable",
                },
            )
            .append(
                "maxVariable",
                match self.only_space_varies {
                    true => "space",
                    false => "punct",
                },
            )
            .append("normalization", self.normalization)
            .append("backwards", self.backwards)
            .append("version", VERSION);
        builder.finish()
    }

    /// The comparisons of a host that make this collation: each decides between strings that the ones before it find
    /// equal.
    ///
    /// # Errors
    /// 238 `NotImplemented` for options that no host's collator has.
    pub fn plan(&self) -> Result<Vec<CollatorOptions<'_>>, CommandError> {
        let refused = match self {
            Self { strength: 4.., .. } => Some("a 'strength' of 4 or 5"),
            Self {
                is_shifted: true,
                only_space_varies: true,
                ..
            } => Some("'maxVariable: \"space\"' with 'alternate: \"shifted\"'"),
            _ if self.backwards != locales::is_backwards(&self.locale) => {
                Some("'backwards' other than the locale's own")
            }
            _ if self.tag.contains("-co-search") => Some("a locale's variant for searching"),
            _ => None,
        };
        if let Some(refused) = refused {
            return Err(CommandError::new(
                Code::NotImplemented,
                format!("{refused} is not supported in a collation"),
            ));
        }
        let levels: &[Sensitivity] = match (self.strength, self.case_level) {
            (1, false) => &[Sensitivity::Base],
            (1, true) => &[Sensitivity::Case],
            (2, false) => &[Sensitivity::Accent],
            (2, true) => &[Sensitivity::Accent, Sensitivity::Case],
            (_, false) => &[Sensitivity::Variant],
            (_, true) => &[Sensitivity::Accent, Sensitivity::Case, Sensitivity::Variant],
        };
        Ok(levels
            .iter()
            .map(|sensitivity| CollatorOptions {
                locale: &self.tag,
                sensitivity: *sensitivity,
                case_first: self.case_first,
                numeric: self.numeric_ordering,
                ignore_punctuation: self.is_shifted,
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::Text;

    fn parsed(build: &dyn Fn(&mut DocumentBuilder)) -> Result<String, String> {
        let mut builder = DocumentBuilder::new();
        build(&mut builder);
        let document = builder.finish();
        match CollationSpec::parse(document.as_document()) {
            Ok(None) => Ok("simple".to_owned()),
            Ok(Some(spec)) => Ok(spec.to_bson().as_document().to_string()),
            Err(error) => Err(format!("{}: {}", error.code, error.message)),
        }
    }

    #[test]
    fn documents_become_canonical() {
        assert_eq!(
            parsed(&|spec| {
                spec.append("locale", "simple");
            }),
            Ok("simple".to_owned())
        );
        assert_eq!(
            parsed(&|spec| { spec.append("strength", 2.0).append("locale", "en"); }),
            Ok(
                "{ locale: \"en\", caseLevel: false, caseFirst: \"off\", strength: 2, numericOrdering: false, \
                alternate: \"non-ignorable\", maxVariable: \"punct\", normalization: false, backwards: false, \
                version: \"57.1\" }"
                    .to_owned()
            )
        );
        let canadian = parsed(&|spec| {
            spec.append("locale", "fr_CA");
        });
        assert!(canadian.is_ok_and(|text| text.contains("backwards: true")));
    }

    #[test]
    fn bad_documents_are_refused() {
        let refused = |name: &str, value: ValueRef<'_>| {
            let value = value.to_value();
            parsed(&|spec| {
                spec.append("locale", "en").append(name, value.as_ref());
            })
            .expect_err("refused")
        };
        assert!(parsed(&|_| {}).is_err_and(|error| error.starts_with("40414: ")));
        assert!(refused("foo", ValueRef::Int32(1)).starts_with("40415: "));
        assert!(refused("strength", ValueRef::Int32(6)).starts_with("2: "));
        assert!(refused("strength", ValueRef::String(Text(b"2"))).starts_with("14: "));
        assert!(refused("caseLevel", ValueRef::Int32(1)).starts_with("14: "));
        assert!(refused("caseFirst", ValueRef::String(Text(b"first"))).starts_with("2: "));
        assert!(refused("version", ValueRef::String(Text(b"60"))).starts_with("161: "));
        let error = parsed(&|spec| {
            spec.append("locale", "en-GB");
        });
        assert!(error.is_err_and(|error| error.ends_with(". Did you mean 'en'?")));
        let error = parsed(&|spec| {
            spec.append("locale", "en")
                .append("strength", 2)
                .append("caseFirst", "upper");
        });
        assert!(error.is_err_and(|error| error.contains("'caseFirst' is invalid unless")));
    }
}
