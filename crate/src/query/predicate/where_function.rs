//! `$where`: a script function over the whole document, as a predicate.
//!
//! Follows the manual's "$where" page. The host calls the function; a host without scripts refuses it.

use crate::bson::extended_json::{self, Format};
use crate::bson::{Document, DocumentBuilder, Value, ValueRef};
use crate::env::call_function;
use crate::error::{Code, CommandError};
use crate::query::compile::{Compiler, bad_value};
use crate::query::evaluate::MatchContext;
use crate::query::node::MatchNode;
use std::rc::Rc;

/// A function that is called with the document as `this`.
#[derive(Clone)]
pub struct WhereTest {
    operand: Rc<Value<'static>>,
    /// The code: a function, or statements whose last value counts.
    source: Rc<str>,
}

impl WhereTest {
    /// Whether the function's value is true, as a script sees it.
    pub fn matches(
        &self,
        document: Document<'_>,
        context: &MatchContext<'_>,
    ) -> Result<bool, CommandError> {
        let failed = |reason: String| CommandError::new(Code::JSInterpreterFailure, reason);
        let this = extended_json::to_string(ValueRef::Document(document), Format::Canonical);
        let answer = call_function(context.env, &self.source, Some(&this), &[])?;
        let answer = extended_json::parse_value(&answer)
            .map_err(|_| failed("a $where function's value cannot be read".to_owned()))?;
        Ok(is_true_in_script(answer.as_ref()))
    }

    /// Writes `$where: …` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        let operand: &Value<'static> = &self.operand;
        builder.append("$where", operand.as_ref());
    }
}

/// Unlike for expressions, the empty string and NaN are false for scripts.
fn is_true_in_script(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::String(text) => !text.is_empty(),
        other => other.is_truthy() && !other.as_number().is_some_and(|number| number.is_nan()),
    }
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    _: &str,
    value: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    if compiler.nested {
        return Err(bad_value("$elemMatch cannot contain $where expression"));
    }
    if !compiler.scripts {
        return Err(bad_value("$where is not allowed in this context"));
    }
    let code = match value {
        ValueRef::String(code) | ValueRef::JavaScript(code) => code.checked()?,
        ValueRef::JavaScriptWithScope { .. } => {
            return Err(CommandError::location(
                4_649_201,
                "$where no longer supports deprecated BSON type CodeWScope",
            ));
        }
        _ => return Err(bad_value("$where got bad type")),
    };
    if code.is_empty() {
        return Err(bad_value("code for $where cannot be empty"));
    }
    Ok(Some(MatchNode::Where(WhereTest {
        operand: Rc::new(value.to_value()),
        source: code.into(),
    })))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn calls_the_host_with_the_document() {
        // The test host's only function gives the document's field `a`.
        assert!(matches("{$where: \"this.a\"}", "{a: 1}"));
        assert!(!matches("{$where: \"this.a\"}", "{a: 0}"));
        assert!(!matches("{$where: \"this.a\"}", "{a: \"\"}"));
        assert!(!matches("{$where: \"this.a\"}", "{a: NaN}"));
        assert!(!matches("{$where: \"this.a\", a: 2}", "{a: 1}"));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(refusal("{$where: 5}"), "2: $where got bad type");
        assert_eq!(
            refusal("{a: {$elemMatch: {$where: \"1\"}}}"),
            "2: $elemMatch cannot contain $where expression"
        );
        assert_eq!(
            refusal("{$where: \"\"}"),
            "2: code for $where cannot be empty"
        );
    }
}
