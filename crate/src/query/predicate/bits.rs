//! `$bitsAllClear`, `$bitsAllSet`, `$bitsAnyClear` and `$bitsAnySet`: bits of integers and binary data.
//!
//! Follows the manual's "Bitwise Query Operators". Integers are sign-extended without end, binary data is
//! little-endian and zero-extended; doubles and decimals count when they are 64-bit integers.

use crate::bson::document::RawElement;
use crate::bson::{ArrayBuilder, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand, bad_value, failed_to_parse};
use crate::query::integer::exact_integer;
use crate::query::node::MatchNode;
use crate::query::path::QueryPath;

/// Which test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitsKind {
    AllSet,
    AllClear,
    AnySet,
    AnyClear,
}

impl BitsKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::AllSet => "$bitsAllSet",
            Self::AllClear => "$bitsAllClear",
            Self::AnySet => "$bitsAnySet",
            Self::AnyClear => "$bitsAnyClear",
        }
    }
}

/// `path $bits… positions`.
#[derive(Debug, Clone)]
pub struct BitTest {
    pub path: QueryPath,
    pub kind: BitsKind,
    /// Positions from the least significant bit, as given.
    pub positions: Vec<u32>,
}

impl BitTest {
    /// Whether one value (or `MISSING`) satisfies the predicate.
    pub fn matches(&self, element: &RawElement<'_>) -> bool {
        match element.value() {
            ValueRef::Binary { bytes, .. } => self.holds(|position| {
                let byte = bytes.get(position as usize / 8).copied().unwrap_or(0);
                byte >> (position % 8) & 1 == 1
            }),
            value => value
                .as_exact_i64()
                .is_some_and(|number| self.holds(|position| number >> position.min(63) & 1 == 1)),
        }
    }

    fn holds(&self, is_set: impl Fn(u32) -> bool) -> bool {
        let mut positions = self.positions.iter();
        match self.kind {
            BitsKind::AllSet => positions.all(|position| is_set(*position)),
            BitsKind::AllClear => positions.all(|position| !is_set(*position)),
            BitsKind::AnySet => positions.any(|position| is_set(*position)),
            BitsKind::AnyClear => positions.any(|position| !is_set(*position)),
        }
    }

    /// Writes `{$bitsAllSet: [0, 3]}` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        let mut items = ArrayBuilder::new();
        for position in &self.positions {
            items.push(*position as i32);
        }
        builder.append(self.kind.name(), &items.finish());
    }
}

pub(super) fn parse(
    _: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let kind = match operand.name {
        "$bitsAllSet" => BitsKind::AllSet,
        "$bitsAllClear" => BitsKind::AllClear,
        "$bitsAnySet" => BitsKind::AnySet,
        _ => BitsKind::AnyClear,
    };
    let positions = match operand.value {
        ValueRef::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, item)| position_of(index, item))
            .collect::<Result<_, _>>()?,
        ValueRef::Binary { bytes, .. } => (0..bytes.len() as u32 * 8)
            .filter(|position| {
                let byte = bytes.get(*position as usize / 8).copied().unwrap_or(0);
                byte >> (position % 8) & 1 == 1
            })
            .collect(),
        value if value.as_number().is_some() => {
            let mask = exact_integer(operand.name, value)?;
            if mask < 0 {
                return Err(failed_to_parse(format!(
                    "Expected a non-negative number in: {}: {value}",
                    operand.name
                )));
            }
            (0..64)
                .filter(|position| mask >> position & 1 == 1)
                .collect()
        }
        value => {
            return Err(bad_value(format!(
                "{} takes an Array, a number, or a BinData but received: {}: {value}",
                operand.path.dotted(),
                operand.name
            )));
        }
    };
    Ok(Some(MatchNode::Bits(BitTest {
        path: operand.path.clone(),
        kind,
        positions,
    })))
}

fn position_of(index: usize, item: ValueRef<'_>) -> Result<u32, CommandError> {
    let refuse = |reason: &str| {
        Err(bad_value(format!(
            "bit positions {reason}: {index}: {item}"
        )))
    };
    let Some(number) = item.as_number() else {
        return refuse("must be an integer but got");
    };
    if number.is_nan() {
        return refuse("cannot take a NaN");
    }
    let Some(position) = number.to_exact_i64() else {
        return refuse("must be an integer but got");
    };
    match i32::try_from(position) {
        Err(_) => refuse("cannot be represented as a 32-bit signed integer"),
        Ok(negative) if negative < 0 => refuse("must be >= 0 but got"),
        Ok(position) => Ok(position as u32),
    }
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn tests_integers_and_binary() {
        assert!(matches("{a: {$bitsAllSet: [1, 5]}}", "{a: 34}"));
        assert!(matches("{a: {$bitsAllSet: 34}}", "{a: 54.0}"));
        assert!(!matches("{a: {$bitsAllSet: 35}}", "{a: 54}"));
        assert!(matches("{a: {$bitsAllClear: [0, 3]}}", "{a: 54}"));
        assert!(matches("{a: {$bitsAnySet: [0, 1]}}", "{a: 54}"));
        assert!(matches("{a: {$bitsAnyClear: [0, 1]}}", "{a: 54}"));
        assert!(matches("{a: {$bitsAllSet: [200]}}", "{a: -1}"));
        assert!(matches("{a: {$bitsAllSet: bin(36)}}", "{a: bin(3600)}"));
        assert!(!matches("{a: {$bitsAnySet: [90]}}", "{a: bin(ff)}"));
        assert!(!matches("{a: {$bitsAllSet: 1}}", "{a: 1.5}"));
        assert!(!matches("{a: {$bitsAllClear: 1}}", "{a: \"x\"}"));
        assert!(matches("{a: {$bitsAllSet: 4}}", "{a: [1, 4]}"));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(
            refusal("{a: {$bitsAllSet: -1}}"),
            "9: Expected a non-negative number in: $bitsAllSet: -1"
        );
        assert_eq!(
            refusal("{a: {$bitsAllSet: \"x\"}}"),
            "2: a takes an Array, a number, or a BinData but received: $bitsAllSet: \"x\""
        );
        assert_eq!(
            refusal("{a: {$bitsAllSet: [-1]}}"),
            "2: bit positions must be >= 0 but got: 0: -1"
        );
        assert!(refusal("{a: {$bitsAllSet: [1.5]}}").contains("must be an integer"));
    }
}
