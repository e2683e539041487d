//! Predicates about where a stored geometry lies: what `$geoWithin` and `$geoIntersects` have in common.

use crate::bson::document::RawElement;
use crate::bson::{BsonType, DocumentBuf, DocumentBuilder};
use crate::env::NoEnv;
use crate::error::CommandError;
use crate::geo::{Crs, Geometry};
use crate::query::compile::{Compiler, Operand, bad_value};
use crate::query::evaluate::MatchContext;
use crate::query::path::QueryPath;
use std::rc::Rc;

/// `path $geoWithin shape` or `path $geoIntersects shape`.
#[derive(Clone)]
pub struct GeoTest {
    pub path: QueryPath,
    /// Whether a stored geometry must be inside, rather than meet the shape.
    pub is_within: bool,
    pub shape: Rc<Geometry>,
    /// The operator with its operand, as it was given.
    given: Rc<DocumentBuf>,
}

impl GeoTest {
    /// Whether one value satisfies the predicate. What is no geometry does not.
    pub fn matches(&self, element: &RawElement<'_>, context: &MatchContext<'_>) -> bool {
        matches!(element.kind, BsonType::Document | BsonType::Array)
            && context.stop(self.holds(element, context))
    }

    fn holds(
        &self,
        element: &RawElement<'_>,
        context: &MatchContext<'_>,
    ) -> Result<bool, CommandError> {
        let mut stored = match Geometry::stored(element.value(), true, context.env) {
            Ok(stored) => stored,
            Err(refusal) => return refusal.pass_over().map(|()| false),
        };
        // A stored polygon with a strict winding order matches nothing.
        if stored.crs() == Crs::StrictSphere || !stored.project(self.shape.crs()) {
            return Ok(false);
        }
        match self.is_within {
            true => self.shape.contains(&stored, context.env),
            false => self.shape.intersects(&stored, context.env),
        }
    }

    /// Whether all that satisfies it satisfies a wider one too: the same, or one whose polygons hold its own.
    pub fn implies(&self, wider: &Self) -> bool {
        let is_same = self.given.as_document().as_bytes() == wider.given.as_document().as_bytes();
        // A circle may hold the corners of a polygon and not its inside.
        let holds = || wider.shape.as_cap().is_none() && self.shape.crs() == wider.shape.crs();
        is_same
            || self.is_within
                && wider.is_within
                && holds()
                && wider.shape.contains(&self.shape, &NoEnv) == Ok(true)
    }

    /// Writes the operator as it was given into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        builder.append_all(self.given.as_document());
    }
}

/// Reads the shape of an operator, which stands alone beside its field.
///
/// # Errors
/// `BadValue`.
pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
    is_within: bool,
) -> Result<GeoTest, CommandError> {
    let given = operand.siblings;
    if let Some(extra) = given.iter().nth(1) {
        return Err(bad_value(format!(
            "can't parse extra field: {}: {}",
            extra.name, extra.value
        )));
    }
    let Some(shapes) = operand.value.as_document() else {
        return Err(bad_value("geometry must be an object"));
    };
    let mut found: Option<Geometry> = None;
    for element in shapes.iter() {
        if found.is_some() && operand.name == "$geoWithin" {
            return Err(bad_value(format!(
                "$geoWithin doesn't accept multiple shapes {}: {}",
                operand.name, operand.value
            )));
        }
        // An option of old that changes nothing any more.
        if element.name == "$uniqueDocs" {
            continue;
        }
        let shape = Geometry::query(element.name, element.value, compiler.context.env);
        let shape = shape.ok_or_else(|| {
            bad_value(format!(
                "unknown geo specifier: {}: {}",
                element.name, element.value
            ))
        })?;
        found = Some(shape.map_err(|refusal| refusal.into_error())?);
    }
    let mut shape = found.ok_or_else(|| bad_value("geo query doesn't have any geometry"))?;
    if is_within && !shape.has_inside() {
        return Err(bad_value(format!(
            "$within not supported with provided geometry: {given}"
        )));
    }
    if shape.crs() == Crs::StrictSphere && !shape.project(Crs::Sphere) {
        return Err(bad_value(
            "only polygon supported with strict winding order",
        ));
    }
    if !is_within && !shape.project(Crs::Sphere) {
        return Err(bad_value(format!(
            "$geoIntersect not supported with provided geometry: {given}"
        )));
    }
    Ok(GeoTest {
        path: operand.path.clone(),
        is_within,
        shape: Rc::new(shape),
        given: Rc::new(given.to_buf()),
    })
}
