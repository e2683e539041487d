//! `clusteredIndex` and its `expireAfterSeconds` of `create`. Manual: core/clustered-collections.

use crate::bson::ValueRef;
use crate::catalog::index::specification::{ID_INDEX_NAME, is_id_pattern};
use crate::catalog::{Clustered, CollectionKind};
use crate::command::request::Params;
use crate::error::{Code, CommandError};

/// Reads the clustered index that is asked for, and when its documents expire.
///
/// # Errors
/// A specification that is not `{key: {_id: 1}, unique: true}`; options of other kinds; an expiry of no clustered
/// collection.
pub fn read(params: &Params<'_>) -> Result<Option<CollectionKind>, CommandError> {
    let seconds = params.integer("expireAfterSeconds")?;
    let given = params.value("clusteredIndex");
    let index = match (given, given.as_bool(), given.as_number()) {
        (ValueRef::Missing, ..) | (_, Some(false), _) => None,
        (ValueRef::Document(index), ..) => Some(index),
        (_, _, Some(number)) if number.is_zero() => None,
        (_, None, None) => {
            let expected = "bool, long, int, decimal, double, object";
            return Err(params.wrong_type("clusteredIndex", given, expected));
        }
        _ => {
            return Err(CommandError::location(
                5_979_703,
                "The 'clusteredIndex' legacy format {clusteredIndex: <bool>} is only for internal collections",
            ));
        }
    };
    let Some(index) = index else {
        return match seconds {
            None => Ok(None),
            Some(_) => Err(CommandError::new(
                Code::InvalidOptions,
                "'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex' \
                 option is specified",
            )),
        };
    };
    let fields = Params::new(index, "create.clusteredIndex", None);
    let key = fields.required_document("key")?;
    let unique = fields.safe_bool("unique")?.unwrap_or_else(|| {
        fields.lack("unique");
        false
    });
    let name = fields.string("name")?.unwrap_or(ID_INDEX_NAME);
    let version = fields.integer("v")?;
    fields.finish()?;
    let refuse = |code, message: &str| Err(CommandError::location(code, message));
    if !unique {
        return refuse(
            5_979_700,
            "The clusteredIndex option requires unique: true to be specified",
        );
    }
    if !is_id_pattern(key) {
        return refuse(
            5_979_701,
            "The clusteredIndex option is only supported for key: {_id: 1}",
        );
    }
    if version.is_some_and(|version| version != 2) {
        return refuse(
            5_979_704,
            "The only supported version of the clusteredIndex option is 2",
        );
    }
    if params.value("autoIndexId").as_bool() == Some(false) {
        return refuse(
            6_026_501,
            "The 'clusteredIndex' option is not supported with {autoIndexId: false}",
        );
    }
    if !params.value("size").is_missing() {
        return refuse(
            6_049_200,
            "the 'size' field is not supported for clustered collections",
        );
    }
    if !params.value("max").is_missing() {
        return refuse(
            6_049_204,
            "the 'max' field is not supported for clustered collections",
        );
    }
    if params.safe_bool("capped")?.unwrap_or(false) {
        return refuse(6_049_201, "a clustered collection cannot be capped");
    }
    Clustered::check_expiry(seconds)?;
    let clustered = Clustered {
        name: name.into(),
        expire_after_seconds: seconds,
    };
    Ok(Some(clustered.into()))
}
