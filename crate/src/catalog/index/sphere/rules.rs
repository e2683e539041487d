//! What a `2dsphere` index does in its own way, and how key patterns name it.
//!
//! Manual: core/indexes/index-types/geospatial/2dsphere. Invariant: from version 2 on an index holds no document
//! without a geometry; from version 3 on keys are numbers of cells, before that their paths as strings.

use super::keys;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::field::{FieldKind, KeyField};
use crate::catalog::index::keys::KeySet;
use crate::catalog::index::kind::{IndexKind, KindRow, KindRules};
use crate::catalog::index::paths::{check_numbers, exact_option};
use crate::catalog::index::validation::cannot_create;
use crate::error::CommandError;
use crate::geo::IndexLevels;

/// The option that names the version.
const VERSION: &str = "2dsphereIndexVersion";
/// The version of an index whose specification names none.
const LATEST: i64 = 3;

/// How key patterns name the kind: `{place: "2dsphere"}`.
pub(in crate::catalog::index) const ROW: KindRow = KindRow {
    name: "2dsphere",
    field: FieldKind::Sphere,
    is_named_by: |element| matches!(element.value, ValueRef::String(text) if text == *"2dsphere"),
    make,
    ..KindRow::PLAIN
};

fn make(_: &[KeyField], specification: Document<'_>) -> Result<IndexKind, CommandError> {
    let version = match specification.get(VERSION) {
        ValueRef::Missing => LATEST,
        value => value
            .as_exact_i64()
            .filter(|version| (1..=LATEST).contains(version))
            .ok_or_else(|| {
                cannot_create(format!(
                    "unsupported geo index version {{ {VERSION} : {value} }}, only versions: [1,2,3] are supported"
                ))
            })?,
    };
    let mut levels = IndexLevels::of_version(version as i32);
    let level = |name: &str, default: u32| {
        exact_option(specification, name).map(|level| level.unwrap_or(i64::from(default)))
    };
    let finest = level("finestIndexedLevel", levels.coverer.finest)?;
    let coarsest = level("coarsestIndexedLevel", levels.coverer.coarsest)?;
    let refused = match (finest, coarsest) {
        (_, ..0) => Some((16747, "coarsestIndexedLevel must be >= 0")),
        (31.., _) => Some((16748, "finestIndexedLevel must be <= 30")),
        _ if finest < coarsest => {
            Some((16749, "finestIndexedLevel must be >= coarsestIndexedLevel"))
        }
        _ => None,
    };
    match refused {
        Some((code, message)) => Err(CommandError::location(code, message)),
        None => {
            (levels.coverer.finest, levels.coverer.coarsest) = (finest as u32, coarsest as u32);
            Ok(IndexKind::Sphere(levels))
        }
    }
}

impl KindRules for IndexLevels {
    fn generate(
        &self,
        definition: &IndexDefinition,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError> {
        keys::generate(definition, self, document, keys)
    }

    fn check(&self, versioned: Document<'_>, _is_unique: bool) -> Result<(), CommandError> {
        check_numbers(versioned, "2dsphere")
    }

    fn holds_every_document(&self) -> bool {
        self.version == 1
    }

    fn complete(&self, specification: Document<'_>, others: &mut DocumentBuilder) {
        if specification.get(VERSION).is_missing() {
            others.append(VERSION, self.version);
        }
    }
}
