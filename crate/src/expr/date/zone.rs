//! Time zones: offsets natively, names through the host.

use super::super::arguments::error;
use super::super::node::Result;
use crate::bson::ValueRef;
use crate::env::Env;

/// A time zone.
pub enum Zone {
    /// Seconds east of UTC, always.
    Fixed(i64),
    /// An IANA name the host knows.
    Named(String),
}

impl Zone {
    /// Reads a `timezone` argument: UTC when none was given, `None` when it is null.
    pub fn of(value: ValueRef<'_>, given: bool, env: &dyn Env) -> Result<Option<Self>> {
        match value {
            _ if !given => Ok(Some(Self::Fixed(0))),
            value if value.is_nullish() => Ok(None),
            ValueRef::String(name) => Self::parse(&name.lossy(), env).map(Some),
            other => Err(error(
                40517,
                format!(
                    "timezone must evaluate to a string, found {}",
                    other.type_name()
                ),
            )),
        }
    }

    /// Reads an offset or a name.
    pub fn parse(name: &str, env: &dyn Env) -> Result<Self> {
        if matches!(name, "UTC" | "GMT") {
            return Ok(Self::Fixed(0));
        }
        let is_offset = match name.len() {
            3 | 5 => !name.contains(':'),
            6 => name.find(':') == Some(3),
            _ => false,
        };
        if let Some(seconds) = offset(name).filter(|_| is_offset) {
            return Ok(Self::Fixed(seconds));
        }
        // The host may take a name in any case.
        let found = match is_cased(name) {
            true => env.zone_offset_seconds(name, 0),
            false => None,
        };
        match found {
            Some(_) => Ok(Self::Named(name.to_owned())),
            None => Err(error(
                40485,
                format!("unrecognized time zone identifier: \"{name}\""),
            )),
        }
    }

    pub fn is_utc(&self) -> bool {
        matches!(self, Self::Fixed(0))
    }

    /// Seconds east of UTC at an instant.
    pub fn offset_seconds(&self, utc_millis: i64, env: &dyn Env) -> i64 {
        match self {
            Self::Fixed(seconds) => *seconds,
            Self::Named(name) => i64::from(env.zone_offset_seconds(name, utc_millis).unwrap_or(0)),
        }
    }

    /// The wall clock at an instant.
    pub fn to_local(&self, utc_millis: i64, env: &dyn Env) -> i64 {
        utc_millis.saturating_add(self.offset_seconds(utc_millis, env) * 1000)
    }

    /// The instant at which the wall clock shows a local time; within a gap, as if it had not been.
    pub fn to_utc(&self, local_millis: i64, env: &dyn Env) -> i64 {
        let first = local_millis.saturating_sub(self.offset_seconds(local_millis, env) * 1000);
        local_millis.saturating_sub(self.offset_seconds(first, env) * 1000)
    }
}

/// The words of zones that are written otherwise than with one capital in front, as the zone database has them.
const OTHER_WORDS: &str = "of es au ACT LHI NSW IN DumontDUrville McMurdo ComodRivadavia BajaNorte BajaSur EasterIsland \
                           GB NZ CHAT US UTC UCT GMT EST EDT CST CDT MST MDT PST PDT HST MET WET CET EET PRC ROC ROK W SU";

/// Whether every word of a zone's name has its capitals where the zone database has them.
fn is_cased(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_ascii_alphabetic());
    words.all(|word| {
        let mut others = OTHER_WORDS.split(' ');
        match others.find(|other| other.eq_ignore_ascii_case(word)) {
            Some(other) => other == word,
            None => word
                .char_indices()
                .all(|(at, c)| c.is_ascii_uppercase() == (at == 0)),
        }
    })
}

/// Seconds of `±hh`, `±hhmm` or `±hh:mm`. Minutes may be more than an hour's.
pub fn offset(text: &str) -> Option<i64> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let digits: String = digits.chars().filter(|c| *c != ':').collect();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = match digits.len() {
        1 | 2 => (digits.as_str(), "0"),
        4 => digits.split_at(2),
        _ => return None,
    };
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    Some(sign * (hours * 3600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::TestEnv;
    use super::*;

    #[test]
    fn reads_offsets() {
        assert_eq!(offset("+02"), Some(7200));
        assert_eq!(offset("-0330"), Some(-12_600));
        assert_eq!(offset("+05:45"), Some(20_700));
        assert_eq!(offset("05:45"), None);
        assert_eq!(offset("+05:70"), Some(22_200));
        assert_eq!(offset("-99:99"), Some(-362_340));
        assert_eq!(offset("+5:99"), None);
    }

    #[test]
    fn names_are_written_as_listed() {
        for name in [
            "Europe/Berlin",
            "America/Port_of_Spain",
            "America/Port-au-Prince",
            "Etc/GMT+5",
            "PST8PDT",
            "W-SU",
            "Antarctica/DumontDUrville",
            "Australia/ACT",
            "America/Knox_IN",
        ] {
            assert!(is_cased(name), "{name}");
            assert!(!is_cased(&name.to_ascii_lowercase()), "{name}");
            let other = name.to_ascii_uppercase();
            assert!(other == name || !is_cased(&other), "{name}");
        }
        for name in [
            "Us/Pacific",
            "Gb",
            "America/Port_Of_Spain",
            "America/new_York",
        ] {
            assert!(!is_cased(name), "{name}");
        }
    }

    #[test]
    fn identifiers_are_of_few_forms() {
        let parse = |name| Zone::parse(name, &TestEnv).map(|zone| zone.offset_seconds(0, &TestEnv));
        assert_eq!(parse("+05:70").ok(), Some(22_200));
        assert_eq!(parse("Europe/Test").ok(), Some(3600));
        for name in ["Z", "+5", "+053", "+05:3", "+0:530", "05:30", "europe/test"] {
            assert_eq!(
                parse(name).map_err(|error| error.code),
                Err(40485),
                "{name}"
            );
        }
    }
}
