//! `$score`: a document's score, from an expression.
//!
//! Follows the manual's "$score" page. As on the server the stage stands for others.

use super::super::stage::StagePlan;
use super::describe::wrong_type;
use super::foreign::unknown_field;
use super::fusion::{NORMALIZATIONS, flag, required, shown, word};
use super::table;
use crate::bson::{ArrayBuilder, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

type Result<T> = std::result::Result<T, CommandError>;

/// Compiles the stage.
///
/// # Errors
/// 9 for a specification that is no object, 2, 14, 40414 and 40415 for its fields.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "The {name} stage specification must be an object, found {}",
                specification.type_name()
            ),
        ));
    };
    let names = ["score", "normalization", "weight", "scoreDetails"];
    if let Some(other) = fields.iter().find(|field| !names.contains(&field.name)) {
        return Err(unknown_field(name, other.name));
    }
    let score = required("$score.score", fields.get("score"))?;
    let normalization = fields.get("normalization");
    let normalization = word("$score.normalization", normalization, &NORMALIZATIONS)?;
    let weight = match fields.get("weight") {
        value if value.is_nullish() => 1.0,
        value => match value.as_number() {
            Some(number) => number.to_f64(),
            None => return Err(wrong_type("$score.weight", value, "double")),
        },
    };
    if !(0.0..=1.0).contains(&weight) {
        return Err(CommandError::new(
            Code::BadValue,
            format!(
                "BSON field 'weight' value must be >= 0 and <= 1, actual value '{}'",
                fields.get("weight")
            ),
        ));
    }
    let details = flag("$score.scoreDetails", fields.get("scoreDetails"))?;
    let scaled = normalization == "minMaxScaler";
    let mut stages = ArrayBuilder::new();
    if scaled {
        let mut wrapped = DocumentBuilder::new();
        wrapped.begin_document("$replaceWith");
        wrapped.append("docs", "$$ROOT").append("raw", score).end();
        stages.push(&wrapped.finish());
        let mut window = DocumentBuilder::new();
        window
            .begin_document("$setWindowFields")
            .begin_document("sortBy")
            .append("raw", -1)
            .end()
            .begin_document("output")
            .begin_document("n")
            .append("$minMaxScaler", "$raw");
        window.end().end().end();
        stages.push(&window.finish());
    }
    let raw = if scaled { "$raw".into() } else { score };
    let write_value = |stage: &mut DocumentBuilder, name: &str| {
        stage.begin_document(name).begin_array("$multiply");
        match normalization {
            "sigmoid" => stage.begin_document("0").append("$sigmoid", raw).end(),
            "minMaxScaler" => stage.append("0", "$n"),
            _ => stage.append("0", raw),
        };
        stage.append("1", weight).end().end();
    };
    if details {
        let mut told = DocumentBuilder::new();
        told.begin_document("$setMetadata")
            .begin_document("scoreDetails");
        write_value(&mut told, "value");
        told.append(
            "description",
            "the score calculated from multiplying a weight in the range [0,1] with either a normalized or nonnormalized \
             value:",
        );
        told.append("rawScore", raw)
            .append("normalization", normalization);
        told.append("weight", weight).begin_document("expression");
        told.append("$literal", shown(score).as_str()).end();
        told.begin_array("details").end().end().end();
        stages.push(&told.finish());
    }
    let mut set = DocumentBuilder::new();
    set.begin_document("$setMetadata");
    write_value(&mut set, "score");
    set.end();
    stages.push(&set.finish());
    if scaled {
        let mut unwrapped = DocumentBuilder::new();
        unwrapped.append("$replaceWith", "$docs");
        stages.push(&unwrapped.finish());
    }
    let stages = stages.finish();
    table::compile_stages(stages.as_array(), context)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn scores_by_an_expression() {
        gives(
            "[{$score: {score: '$a', weight: 0.5}}, {$set: {s: {$meta: 'score'}}}]",
            "[{a: 1}, {a: 3}]",
            "[{a: 1, s: 0.5}, {a: 3, s: 1.5}]",
        );
        gives(
            "[{$score: {score: '$a', normalization: 'minMaxScaler'}}, {$set: {s: {$meta: 'score'}}}]",
            "[{a: 1}, {a: 3}, {a: 2}]",
            "[{a: 3, s: 1.0}, {a: 2, s: 0.5}, {a: 1, s: 0.0}]",
        );
        fails("[{$score: {}}]", 40414);
        fails("[{$score: {score: 1, weight: 2}}]", 2);
        fails("[{$score: {score: 1, normalization: 'x'}}]", 2);
        fails("[{$score: {score: 1, x: 1}}]", 40415);
        fails("[{$score: 1}]", 9);
    }
}
