//! `$sampleRate`: each document matches with a given probability.
//!
//! Follows the manual's "$sampleRate" page.

use crate::bson::ValueRef;
use crate::env::Env;
use crate::error::CommandError;
use crate::query::compile::{Compiler, bad_value};
use crate::query::node::MatchNode;

/// A random number in `[0, 1)`.
pub(crate) fn random(env: &dyn Env) -> f64 {
    let mut bytes = [0; 8];
    env.fill_random(&mut bytes);
    // 53 bits: as many as a double has.
    (u64::from_le_bytes(bytes) >> 11) as f64 / (1_u64 << 53) as f64
}

pub(super) fn parse(
    _: &Compiler<'_>,
    _: &str,
    value: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let Some(rate) = value.as_number() else {
        return Err(bad_value("argument to $sampleRate must be a numeric type"));
    };
    let rate = rate.to_f64();
    if !(0.0..=1.0).contains(&rate) {
        return Err(bad_value(
            "numeric argument to $sampleRate must be in [0, 1]",
        ));
    }
    Ok(Some(if rate == 0.0 {
        MatchNode::AlwaysFalse
    } else if rate == 1.0 {
        MatchNode::AlwaysTrue
    } else {
        MatchNode::SampleRate(rate)
    }))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn compares_with_a_random_number() {
        // The test host's random number is a little above a quarter.
        assert!(matches("{$sampleRate: 0.3}", "{}"));
        assert!(!matches("{$sampleRate: 0.2}", "{}"));
        assert!(matches("{$sampleRate: 1}", "{}"));
        assert!(!matches("{$sampleRate: 0}", "{}"));
        assert!(refusal("{$sampleRate: 1.5}").starts_with("2: "));
        assert!(refusal("{$sampleRate: \"x\"}").starts_with("2: "));
    }
}
