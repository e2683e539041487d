//! `$rankFusion` and `$scoreFusion`: the documents of several pipelines over one collection, by what they are worth in
//! each.
//!
//! Follows the manual's "$rankFusion" and "$scoreFusion" pages. As on the server the stage stands for others: each
//! pipeline gives its documents with their ranks or scores, a `$group` by `_id` brings those of a document together,
//! and `$setMetadata` says what they come to. Invariant: a pipeline neither changes documents nor makes some.

use super::super::stage::StagePlan;
use super::table;
use crate::algorithms::sorting;
use crate::bson::extended_json::{Format, parse_document, to_string, write_string};
use crate::bson::{
    Array, ArrayBuf, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef,
};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::expr::path::check_field_name;
use std::fmt::Write;

type Result<T> = std::result::Result<T, CommandError>;

const RANK: &str = "$rankFusion";
const SCORE: &str = "$scoreFusion";

/// The ways in which a score is brought between 0 and 1; `none` leaves it as it is.
pub const NORMALIZATIONS: [&str; 3] = ["none", "sigmoid", "minMaxScaler"];

/// The stages that a pipeline of a fusion may have.
const SELECTING: [&str; 7] = [
    "$geoNear", "$limit", "$match", "$sample", "$score", "$skip", "$sort",
];

fn refuse<T>(code: i32, message: impl Into<String>) -> Result<T> {
    Err(CommandError::location(code, message))
}

/// One pipeline of a fusion.
struct Input<'a> {
    name: &'a str,
    stages: Array<'a>,
    weight: f64,
    /// The kind of metadata that is its score, if it has one.
    score: Option<&'static str>,
}

struct Fusion<'a> {
    name: &'static str,
    inputs: Vec<Input<'a>>,
    details: bool,
    normalization: &'a str,
    expression: ValueRef<'a>,
}

/// Compiles the stage where its pipeline is only checked: what it stands for needs the name of the collection.
///
/// # Errors
/// Those of `expand`.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let stages = read(name, specification)?.stages("_");
    table::compile_stages(stages.as_array(), context)
}

/// The stages that a pipeline stands for which begins with a fusion of a collection's documents; `None` for any other.
///
/// # Errors
/// 9 for a specification that is no object, 14, 40414 and 40415 for its fields, 10557301 for a time series, and a code
/// for each rule about pipelines, names and weights.
pub fn expand(stages: Array<'_>, collection: &str, is_series: bool) -> Result<Option<ArrayBuf>> {
    let first = { stages.iter().next() }.and_then(ValueRef::as_document);
    let Some(first) = first.and_then(|stage| stage.iter().next()) else {
        return Ok(None);
    };
    let name = match first.name {
        RANK => RANK,
        SCORE => SCORE,
        _ => return Ok(None),
    };
    if is_series {
        return refuse(
            10_557_301,
            format!("{name} is unsupported on timeseries collections"),
        );
    }
    let mut expanded = ArrayBuilder::new();
    for stage in read(name, first.value)?
        .stages(collection)
        .as_array()
        .iter()
    {
        expanded.push(stage);
    }
    for stage in stages.iter().skip(1) {
        expanded.push(stage);
    }
    Ok(Some(expanded.finish()))
}

/// The fields of an object, of which all are known.
fn fields<'a, const N: usize>(
    path: &str,
    value: ValueRef<'a>,
    names: [&str; N],
) -> Result<[ValueRef<'a>; N]> {
    let ValueRef::Document(object) = value else {
        return Err(super::describe::wrong_type(path, value, "object"));
    };
    let mut found = [ValueRef::Missing; N];
    for field in object.iter() {
        match names.iter().position(|name| *name == field.name) {
            Some(at) => found[at] = field.value,
            None => return Err(super::foreign::unknown_field(path, field.name)),
        }
    }
    Ok(found)
}

/// A field that may not be left out.
///
/// # Errors
/// 40414 `IDLFailedToParse` where it is absent.
pub fn required<'a>(path: &str, value: ValueRef<'a>) -> Result<ValueRef<'a>> {
    match value {
        ValueRef::Missing => Err(CommandError::new(
            Code::IDLFailedToParse,
            format!("BSON field '{path}' is missing but a required field"),
        )),
        value => Ok(value),
    }
}

/// One of some words; the first where none is given.
///
/// # Errors
/// 2 `BadValue` for another text, 14 `TypeMismatch` for another type.
pub fn word<'a>(path: &str, value: ValueRef<'a>, words: &[&'a str]) -> Result<&'a str> {
    match value {
        value if value.is_nullish() => Ok(words.first().copied().unwrap_or_default()),
        ValueRef::String(text) => match words.iter().find(|word| text == **word) {
            Some(word) => Ok(word),
            None => Err(CommandError::new(
                Code::BadValue,
                format!("Enumeration value '{text}' for field '{path}' is not a valid value."),
            )),
        },
        other => Err(super::describe::wrong_type(path, other, "string")),
    }
}

/// A flag that may be left out.
///
/// # Errors
/// 14 `TypeMismatch` for another type.
pub fn flag(path: &str, value: ValueRef<'_>) -> Result<bool> {
    match value {
        ValueRef::Boolean(flag) => Ok(flag),
        value if value.is_nullish() => Ok(false),
        other => Err(super::describe::wrong_type(path, other, "bool")),
    }
}

fn read<'a>(name: &'static str, specification: ValueRef<'a>) -> Result<Fusion<'a>> {
    if specification.as_document().is_none() {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!("{name} must take a nested object but found: {name}: {specification}"),
        ));
    }
    let by_rank = name == RANK;
    let at = |part: &str| format!("{name}.{part}");
    let [input, combination, details] = fields(
        name,
        specification,
        ["input", "combination", "scoreDetails"],
    )?;
    let input = required(&at("input"), input)?;
    let details = flag(&at("scoreDetails"), details)?;
    let (pipelines, normalization) = match by_rank {
        true => (fields(&at("input"), input, ["pipelines"])?[0], ""),
        false => {
            let parts = ["pipelines", "normalization"];
            let [pipelines, normalization] = fields(&at("input"), input, parts)?;
            let path = at("input.normalization");
            let normalization = required(&path, normalization)?;
            let normalization = word(&path, normalization, &NORMALIZATIONS)?;
            (pipelines, normalization)
        }
    };
    let [weights, method, expression] = match combination {
        none if none.is_nullish() => [ValueRef::Missing; 3],
        given if by_rank => {
            let [weights] = fields(&at("combination"), given, ["weights"])?;
            [weights, ValueRef::Missing, ValueRef::Missing]
        }
        given => fields(
            &at("combination"),
            given,
            ["weights", "method", "expression"],
        )?,
    };
    let method = word(&at("combination.method"), method, &["avg", "expression"])?;
    if (method == "expression") == expression.is_missing() {
        return refuse(
            10_017_300,
            "combination.expression should only be specified when combination.method has the value \"expression\"",
        );
    }
    if !weights.is_nullish() && !expression.is_missing() {
        return refuse(
            10_017_301,
            "both combination.expression and combination.weights cannot be specified",
        );
    }
    let path = at("input.pipelines");
    let ValueRef::Document(pipelines) = required(&path, pipelines)? else {
        return Err(super::describe::wrong_type(&path, pipelines, "object"));
    };
    let mut inputs = Vec::new();
    for field in pipelines.iter() {
        let ValueRef::Array(stages) = field.value else {
            return Err(CommandError::new(
                Code::TypeMismatch,
                "A pipeline must be an array of objects",
            ));
        };
        let score = check(name, stages)?;
        check_field_name(field.name).map_err(|error| {
            error.within(&format!(
                "{name} pipeline names must follow the naming rules of field path expressions."
            ))
        })?;
        if inputs
            .iter()
            .any(|held: &Input<'_>| held.name == field.name)
        {
            return refuse(
                if by_rank { 9_921_000 } else { 9_402_203 },
                format!(
                    "{name} pipeline names must be unique, but found duplicate name '{}'.",
                    field.name
                ),
            );
        }
        inputs.push(Input {
            name: field.name,
            stages,
            weight: 1.0,
            score,
        });
    }
    if inputs.is_empty() {
        return refuse(
            if by_rank { 9_834_300 } else { 9_402_503 },
            format!("{name} input pipelines cannot be empty."),
        );
    }
    match weights {
        ValueRef::Document(weights) => weigh(name, weights, &mut inputs)?,
        none if none.is_nullish() => {}
        other => {
            let path = at("combination.weights");
            return Err(super::describe::wrong_type(&path, other, "object"));
        }
    }
    sorting::sort_by(&mut inputs, &mut |one, other| one.name.cmp(other.name));
    Ok(Fusion {
        name,
        inputs,
        details,
        normalization,
        expression,
    })
}

/// Checks the stages of one pipeline; gives the kind of metadata that is its score.
fn check(fusion: &str, stages: Array<'_>) -> Result<Option<&'static str>> {
    let by_rank = fusion == RANK;
    let beginning = match by_rank {
        true => {
            "All subpipelines to the $rankFusion stage must begin with one of $search, $vectorSearch, $geoNear, or have a \
             custom $sort in the pipeline."
        }
        false => {
            "All subpipelines to the $scoreFusion stage must begin with one of $search, $vectorSearch, or have a custom \
             $score in the pipeline."
        }
    };
    let mut names = Vec::new();
    let mut has_text = false;
    for stage in stages.iter() {
        let ValueRef::Document(stage) = stage else {
            return Err(CommandError::new(
                Code::TypeMismatch,
                "Each element of the 'pipeline' array must be an object",
            ));
        };
        let field = stage.iter().next();
        let name = field.as_ref().map_or("", |field| field.name);
        if name == "$match" && names.is_empty() {
            let filter = field.and_then(|field| field.value.as_document());
            has_text = filter.is_some_and(|filter| !filter.get("$text").is_missing());
        }
        names.push((name, stage));
    }
    let has = |wanted: &str| names.iter().any(|(name, _)| *name == wanted);
    let first = names.first().map(|(name, _)| *name);
    if first.is_none() {
        return refuse(
            if by_rank { 9_834_300 } else { 9_402_503 },
            format!("{fusion} input pipeline cannot be empty. {beginning}"),
        );
    }
    if has(RANK) || has(SCORE) {
        return refuse(
            if by_rank { 10_473_002 } else { 10_473_003 },
            format!(
                "{fusion} input pipeline has a nested hybrid search stage ($rankFusion/$scoreFusion). {beginning}"
            ),
        );
    }
    if by_rank && has("$score") {
        return refuse(
            10_614_800,
            "$rankFusion input pipelines must not contain a $score stage.",
        );
    }
    let searches = matches!(first, Some("$search" | "$vectorSearch"));
    let is_ready = match by_rank {
        true => searches || first == Some("$geoNear") || has("$sort"),
        false => searches || has_text || has("$score"),
    };
    if !is_ready {
        return refuse(
            if by_rank { 9_191_100 } else { 9_402_500 },
            format!("Pipeline did not begin with a ranked stage. {beginning}"),
        );
    }
    let allowed = " Only stages that retrieve, limit, or order documents are allowed.";
    let code = if by_rank { 9_191_103 } else { 9_402_502 };
    for (name, stage) in &names {
        let near = stage.get("$geoNear").as_document();
        let changes = near.is_some_and(|near| {
            ["distanceField", "includeLocs"]
                .iter()
                .any(|field| !near.get(field).is_missing())
        });
        if changes {
            return refuse(
                code,
                format!(
                    "$geoNear is only a selection stage if 'includeLocs' and 'distanceField' are not specified, because \
                     these options modify the input documents by adding output fields.{allowed}"
                ),
            );
        }
        if !SELECTING.contains(name) && !matches!(*name, "$search" | "$vectorSearch") {
            return refuse(
                code,
                format!(
                    "{name} is not a selection stage because it modifies or transforms the input documents.{allowed}"
                ),
            );
        }
    }
    Ok(match (has("$score"), has_text) {
        (true, _) => Some("score"),
        (false, true) => Some("textScore"),
        _ => None,
    })
}

fn weigh(name: &str, weights: Document<'_>, inputs: &mut [Input<'_>]) -> Result<()> {
    let mut unknown = 0;
    for field in weights.iter() {
        let Some(input) = inputs.iter_mut().find(|input| input.name == field.name) else {
            unknown += 1;
            continue;
        };
        let Some(number) = field.value.as_number() else {
            return refuse(
                13118,
                format!("expected number, got {}", field.value.type_name()),
            );
        };
        let weight = number.to_f64();
        if weight.is_nan() || weight < 0.0 {
            return refuse(
                9_460_300,
                format!(
                    "{}'s pipeline weight must be non-negative, but given {} for pipeline '{}'.",
                    &name[1..],
                    field.value,
                    field.name
                ),
            );
        }
        input.weight = weight;
    }
    if weights.len() > inputs.len() {
        return refuse(
            9_460_301,
            format!(
                "{name} input has more weights ({}) than pipelines ({}).",
                weights.len(),
                inputs.len()
            ),
        );
    }
    match unknown {
        0 => Ok(()),
        _ => refuse(
            9_967_500,
            format!(
                "{name} stage contained ({unknown}) weight(s) in 'combination.weights' that did not reference valid \
                 pipeline names."
            ),
        ),
    }
}

/// A stage from its JSON text, which this module wrote.
fn stage(text: &str) -> DocumentBuf {
    parse_document(text).unwrap_or_default()
}

fn add(list: &mut ArrayBuilder, stages: Array<'_>, own: &[DocumentBuf]) {
    for stage in stages.iter().chain(own.iter().map(ValueRef::from)) {
        list.push(stage);
    }
}

fn double(number: f64) -> String {
    to_string(ValueRef::Double(number), Format::Canonical)
}

impl Fusion<'_> {
    /// The stages that this one stands for.
    ///
    /// On the way each document stands in the field `docs`. Beside it are its figures in the pipeline at place `n`: the
    /// weighted score in `s<n>`, the rank in `r<n>`, the score as the pipeline gave it in `v<n>`.
    fn stages(&self, collection: &str) -> ArrayBuf {
        let mut all = ArrayBuilder::new();
        for (at, input) in self.inputs.iter().enumerate() {
            let own = match self.name {
                RANK => self.ranked(at, input),
                _ => self.scored(at, input),
            };
            if at == 0 {
                add(&mut all, input.stages, &own);
                continue;
            }
            let mut pipeline = ArrayBuilder::new();
            add(&mut pipeline, input.stages, &own);
            let mut union = DocumentBuilder::new();
            union
                .begin_document("$unionWith")
                .append("coll", collection);
            union.append("pipeline", &pipeline.finish()).end();
            all.push(&union.finish());
        }
        let mut group = r#"{"$group":{"_id":"$docs._id","docs":{"$first":"$docs"}"#.to_owned();
        let mut sum = String::new();
        for at in 0..self.inputs.len() {
            for part in ["s", "r", "v"] {
                let default = if part == "v" { "null" } else { "0" };
                // Writing into a text cannot fail.
                let _ = write!(
                    group,
                    r#","{part}{at}":{{"$max":{{"$ifNull":["${part}{at}",{default}]}}}}"#
                );
            }
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(sum, r#"{comma}"$s{at}""#);
        }
        group.push_str("}}");
        all.push(&stage(&group));
        match self.expression {
            ValueRef::Missing => {
                let operator = if self.name == RANK { "$add" } else { "$avg" };
                all.push(&stage(&format!(
                    r#"{{"$set":{{"s":{{"{operator}":[{sum}]}}}}}}"#
                )));
            }
            expression => {
                let mut set = DocumentBuilder::new();
                set.begin_document("$set").begin_document("s");
                set.begin_document("$let").begin_document("vars");
                set.append("CURRENT", "$docs");
                for (at, input) in self.inputs.iter().enumerate() {
                    set.append(input.name, format!("$s{at}").as_str());
                }
                set.end().append("in", expression).end().end().end();
                all.push(&set.finish());
            }
        }
        all.push(&stage(r#"{"$sort":{"s":-1,"_id":1}}"#));
        all.push(&stage(r#"{"$setMetadata":{"score":"$s"}}"#));
        if self.details {
            all.push(&stage(&self.told()));
        }
        all.push(&stage(r#"{"$replaceWith":"$docs"}"#));
        all.finish()
    }

    /// What comes behind the stages of a ranked pipeline.
    fn ranked(&self, at: usize, input: &Input<'_>) -> Vec<DocumentBuf> {
        let mut order = DocumentBuf::default();
        for stage in input.stages.iter().filter_map(ValueRef::as_document) {
            if let ValueRef::Document(sort) = stage.get("$sort") {
                order = sort.to_buf();
            } else if !stage.get("$geoNear").is_missing() {
                order = parse_document(r#"{"d":{"$meta":"geoNearDistance"}}"#).unwrap_or_default();
            }
        }
        let mut rank = DocumentBuilder::new();
        rank.begin_document("$_internalRank");
        rank.append("as", format!("r{at}").as_str());
        rank.append("sortBy", &order).end();
        let value = match (self.details, input.score) {
            (true, Some(kind)) => format!(r#","v{at}":{{"$meta":"{kind}"}}"#),
            _ => String::new(),
        };
        let weight = double(input.weight);
        let score = format!(
            r#"{{"$set":{{"s{at}":{{"$multiply":[{{"$divide":[1,{{"$add":["$r{at}",60]}}]}},{weight}]}}{value}}}}}"#
        );
        vec![rank.finish(), stage(&score)]
    }

    /// What comes behind the stages of a scored pipeline.
    fn scored(&self, at: usize, input: &Input<'_>) -> Vec<DocumentBuf> {
        let kind = input.score.unwrap_or("score");
        let raw = format!(r#"{{"$meta":"{kind}"}}"#);
        let normal = match self.normalization {
            "sigmoid" => format!(r#"{{"$sigmoid":{raw}}}"#),
            _ => raw.clone(),
        };
        let weight = double(input.weight);
        let mut stages = vec![stage(&format!(
            r#"{{"$replaceWith":{{"docs":"$$ROOT","s{at}":{{"$multiply":[{normal},{weight}]}},"v{at}":{raw}}}}}"#
        ))];
        if self.normalization == "minMaxScaler" {
            stages.push(stage(&format!(
                r#"{{"$setWindowFields":{{"sortBy":{{"s{at}":-1}},"output":{{"s{at}":{{"$minMaxScaler":{{"input":"$s{at}"}}}}}}}}}}"#
            )));
        }
        stages
    }

    /// The stage that tells how the score of a document came about.
    fn told(&self) -> String {
        let by_rank = self.name == RANK;
        let mut details = String::new();
        for (at, input) in self.inputs.iter().enumerate() {
            details.push_str(if at == 0 { "" } else { "," });
            details.push_str(r#"{"inputPipelineName":{"$literal":"#);
            write_string(&mut details, input.name);
            let weight = double(input.weight);
            let _ = match by_rank {
                true => {
                    let value = match input.score {
                        None => String::new(),
                        Some(_) => format!(
                            r#","value":{{"$cond":[{{"$eq":["$v{at}",null]}},"$$REMOVE","$v{at}"]}}"#
                        ),
                    };
                    write!(
                        details,
                        r#"}},"rank":{{"$cond":[{{"$eq":["$r{at}",0]}},"NA","$r{at}"]}},"weight":{weight}{value},"details":[]}}"#
                    )
                }
                false => write!(
                    details,
                    r#"}},"inputPipelineRawScore":{{"$ifNull":["$v{at}",0]}},"weight":{weight},"value":"$s{at}","details":[]}}"#
                ),
            };
        }
        let mut about = String::new();
        if !by_rank {
            let _ = write!(
                about,
                r#","normalization":"{}","combination":{{"method":"#,
                self.normalization
            );
            about.push_str(match self.expression {
                ValueRef::Missing => r#""average"}"#,
                _ => r#""custom expression","expression":{"$literal":"#,
            });
            if !self.expression.is_missing() {
                write_string(&mut about, &shown(self.expression));
                about.push_str("}}");
            }
        }
        let description = match by_rank {
            true => {
                "value output by reciprocal rank fusion algorithm, computed as sum of (weight * (1 / (60 + rank))) across \
                 input pipelines from which this document is output, from:"
            }
            false => {
                "the value calculated by combining the scores (either normalized or raw) across input pipelines from \
                 which this document is output from:"
            }
        };
        format!(
            r#"{{"$setMetadata":{{"scoreDetails":{{"value":"$s","description":"{description}"{about},"details":[{details}]}}}}}}"#
        )
    }
}

/// An expression as `scoreDetails` shows it.
pub fn shown(expression: ValueRef<'_>) -> String {
    format!("{{ string: {expression} }}").replace('"', "'")
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_pipelines_names_and_weights() {
        let rank = |pipelines: &str, more: &str, code| {
            let stage = format!("[{{$rankFusion: {{input: {{pipelines: {pipelines}}}{more}}}}}]");
            fails(&stage, code);
        };
        rank("{a: []}", "", 9_834_300);
        rank("{a: [{$match: {}}]}", "", 9_191_100);
        rank("{a: [{$sort: {a: 1}}, {$project: {a: 1}}]}", "", 9_191_103);
        rank("{a: [{$rankFusion: {}}, {$sort: {a: 1}}]}", "", 10_473_002);
        rank("{a: 5}", "", 14);
        rank("{'a.b': [{$sort: {a: 1}}]}", "", 16412);
        rank("{$a: [{$sort: {a: 1}}]}", "", 16410);
        let weights = |weights: &str, code| {
            let more = format!(", combination: {{weights: {weights}}}");
            rank("{a: [{$sort: {a: 1}}]}", &more, code);
        };
        weights("{a: 'x'}", 13118);
        weights("{a: -1}", 9_460_300);
        weights("{b: 1}", 9_967_500);
        weights("{a: 1, b: 1}", 9_460_301);
        rank("{a: [{$sort: {a: 1}}]}", ", scoreDetails: 1", 14);
        fails("[{$rankFusion: 5}]", 9);
        fails("[{$rankFusion: {}}]", 40414);
        fails("[{$rankFusion: {foo: 1}}]", 40415);
        fails("[{$match: {}}, {$rankFusion: {}}]", 10_170_100);
        let score = |more: &str, code| {
            let input = "{pipelines: {a: [{$score: {score: 1}}]}, normalization: 'none'}";
            fails(
                &format!("[{{$scoreFusion: {{input: {input}{more}}}}}]"),
                code,
            );
        };
        score(", combination: {method: 'expression'}", 10_017_300);
        score(
            ", combination: {method: 'expression', expression: 1, weights: {a: 1}}",
            10_017_301,
        );
        score(", combination: {method: 'sum'}", 2);
        fails(
            "[{$scoreFusion: {input: {pipelines: {a: [{$sort: {a: 1}}]}, normalization: 'none'}}}]",
            9_402_500,
        );
    }
}
