//! Server parameters: those that mean something here, with their values.
//!
//! Manual: reference/parameters. Invariant: a parameter that is set takes effect; all others are unknown. The values
//! last as long as the engine.

use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};

/// A parameter's value, of its own type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    Flag(bool),
    Int(i64),
    Long(i64),
    /// The version whose features may be used.
    Compatibility,
    /// The ways to sign in: there are none.
    NoMechanisms,
    /// How much is logged of each component.
    Verbosity,
}

/// One parameter.
pub struct Parameter {
    pub name: &'static str,
    pub default: Setting,
    /// The smallest and the largest number.
    pub range: (i64, i64),
    /// Whether it can be set while the engine runs.
    pub at_runtime: bool,
}

const fn parameter(name: &'static str, default: Setting) -> Parameter {
    Parameter {
        name,
        default,
        range: (1, i32::MAX as i64),
        at_runtime: true,
    }
}

const fn fixed(name: &'static str, default: Setting) -> Parameter {
    Parameter {
        at_runtime: false,
        ..parameter(name, default)
    }
}

pub const LOG_LEVEL: &str = "logLevel";
pub const VERSION: &str = "featureCompatibilityVersion";

/// All parameters, sorted by name.
pub static PARAMETERS: [Parameter; 11] = [
    fixed("authenticationMechanisms", Setting::NoMechanisms),
    Parameter {
        range: (1, i64::MAX),
        ..parameter("cursorTimeoutMillis", Setting::Long(600_000))
    },
    fixed("enableTestCommands", Setting::Flag(false)),
    fixed(VERSION, Setting::Compatibility),
    fixed("localLogicalSessionTimeoutMinutes", Setting::Int(30)),
    parameter("logComponentVerbosity", Setting::Verbosity),
    Parameter {
        range: (0, 5),
        ..parameter(LOG_LEVEL, Setting::Int(0))
    },
    parameter("notablescan", Setting::Flag(false)),
    parameter("transactionLifetimeLimitSeconds", Setting::Int(60)),
    parameter("ttlMonitorEnabled", Setting::Flag(true)),
    parameter("ttlMonitorSleepSecs", Setting::Int(60)),
];

/// The components whose messages can be asked for, those of another behind it.
const COMPONENTS: [(&str, &str); 24] = [
    ("accessControl", ""),
    ("assert", ""),
    ("command", ""),
    ("control", ""),
    ("executor", ""),
    ("ftdc", ""),
    ("geo", ""),
    ("index", ""),
    ("network", ""),
    ("query", ""),
    ("replication", ""),
    ("replication", "election"),
    ("replication", "heartbeats"),
    ("replication", "initialSync"),
    ("replication", "rollback"),
    ("resharding", ""),
    ("sharding", ""),
    ("storage", ""),
    ("storage", "journal"),
    ("storage", "recovery"),
    ("storage", "wt"),
    ("tenantMigration", ""),
    ("transaction", ""),
    ("write", ""),
];

/// The values that parameters have.
#[derive(Clone)]
pub struct Parameters {
    values: [Setting; PARAMETERS.len()],
    /// The verbosity of each component; -1 is that of the component which it is part of.
    verbosity: [i8; COMPONENTS.len()],
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            values: PARAMETERS.each_ref().map(|one| one.default),
            verbosity: [-1; COMPONENTS.len()],
        }
    }
}

fn invalid(code: Code, message: String) -> CommandError {
    CommandError::new(code, message)
}

impl Parameters {
    /// The place of a parameter in the table.
    pub fn find(name: &str) -> Option<usize> {
        PARAMETERS.iter().position(|one| one.name == name)
    }

    fn setting(&self, name: &str) -> Option<Setting> {
        self.values.get(Self::find(name)?).copied()
    }

    /// The number of a parameter that is one.
    pub fn number(&self, name: &str) -> i64 {
        match self.setting(name) {
            Some(Setting::Int(number) | Setting::Long(number)) => number,
            _ => 0,
        }
    }

    /// Whether a parameter that is a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.setting(name) == Some(Setting::Flag(true))
    }

    /// How much is logged of commands.
    pub fn command_verbosity(&self) -> i64 {
        let own = { COMPONENTS.iter().zip(self.verbosity) }
            .find(|(component, _)| component.0 == "command")
            .map_or(-1, |(_, verbosity)| verbosity);
        match own {
            -1 => self.number(LOG_LEVEL),
            own => i64::from(own),
        }
    }

    /// Appends the value of the parameter at a place of the table.
    pub fn append(&self, at: usize, name: &str, reply: &mut DocumentBuilder) {
        match self.values.get(at).copied() {
            Some(Setting::Flag(flag)) => drop(reply.append(name, flag)),
            Some(Setting::Int(number)) => drop(reply.append(name, number as i32)),
            Some(Setting::Long(number)) => drop(reply.append(name, number)),
            Some(Setting::Compatibility) => {
                reply.begin_document(name).append("version", "8.2").end();
            }
            Some(Setting::NoMechanisms) => drop(reply.begin_array(name).end()),
            Some(Setting::Verbosity) => {
                reply.begin_document(name);
                reply.append("verbosity", self.number(LOG_LEVEL) as i32);
                let mut parts = COMPONENTS.iter().zip(self.verbosity).peekable();
                while let Some(((component, _), verbosity)) = parts.next() {
                    reply.begin_document(component);
                    reply.append("verbosity", i32::from(verbosity));
                    while let Some(((_, part), verbosity)) =
                        parts.next_if(|((of, part), _)| of == component && !part.is_empty())
                    {
                        reply.begin_document(part);
                        reply.append("verbosity", i32::from(verbosity)).end();
                    }
                    reply.end();
                }
                reply.end();
            }
            None => {}
        }
    }

    /// Sets the parameter at a place of the table.
    ///
    /// # Errors
    /// 20 `IllegalOperation` for one that is set at the start alone, 2 `BadValue` and 14 `TypeMismatch` for a value
    /// that it cannot have.
    pub fn set(&mut self, at: usize, value: ValueRef<'_>) -> Result<(), CommandError> {
        let (Some(parameter), Some(held)) = (PARAMETERS.get(at), self.values.get_mut(at)) else {
            return Ok(());
        };
        let name = parameter.name;
        if !parameter.at_runtime {
            return Err(invalid(
                Code::IllegalOperation,
                format!("not allowed to change [{name}] at runtime"),
            ));
        }
        let number = || {
            let number = value.as_number().map(|number| number.to_i64_saturating());
            number.ok_or_else(|| {
                let message = format!("Failed to coerce '{value}' to the type of parameter {name}");
                invalid(Code::BadValue, message)
            })
        };
        match held {
            Setting::Flag(flag) => {
                *flag = match value {
                    ValueRef::Boolean(flag) => flag,
                    _ => number()? != 0,
                }
            }
            Setting::Int(held) | Setting::Long(held) => {
                let number = number()?;
                let (least, most) = parameter.range;
                if !(least..=most).contains(&number) {
                    let (bound, word) = match number < least {
                        true => (least, "greater"),
                        false => (most, "less"),
                    };
                    return Err(invalid(
                        Code::BadValue,
                        format!(
                            "Invalid value for parameter {name}: {number} is not {word} than or equal to {bound}"
                        ),
                    ));
                }
                *held = number;
            }
            _ => {
                let Some(wanted) = value.as_document() else {
                    let message = format!("log component verbosity is not a BSON object: {value}");
                    return Err(invalid(Code::TypeMismatch, message));
                };
                self.set_verbosity(wanted, "")?;
            }
        }
        Ok(())
    }

    /// Sets how much is logged of the components that a document names, inside another component or of all.
    fn set_verbosity(&mut self, wanted: Document<'_>, of: &str) -> Result<(), CommandError> {
        for field in wanted.iter() {
            let bad = |what: &str| {
                let message = format!("Invalid {what} in log component verbosity: {}", field.name);
                Err(invalid(Code::BadValue, message))
            };
            if field.name == "verbosity" {
                let Some(level @ -1..=5) = field.value.as_exact_i64() else {
                    return bad("level");
                };
                match (of, Self::find(LOG_LEVEL)) {
                    ("", Some(at)) => self.values[at] = Setting::Int(level.max(0)),
                    _ => self.set_component(of, "", level as i8),
                }
                continue;
            }
            let mut known = COMPONENTS.iter();
            let is_known = match of {
                "" => known.any(|(component, _)| *component == field.name),
                _ => known.any(|(component, part)| *component == of && *part == field.name),
            };
            match (is_known, field.value.as_document()) {
                (true, Some(inner)) if of.is_empty() => self.set_verbosity(inner, field.name)?,
                (true, Some(inner)) => {
                    let Some(level @ -1..=5) = inner.get("verbosity").as_exact_i64() else {
                        return bad("level");
                    };
                    self.set_component(of, field.name, level as i8);
                }
                (true, None) => match field.value.as_exact_i64() {
                    Some(level @ -1..=5) if of.is_empty() => {
                        self.set_component(field.name, "", level as i8);
                    }
                    Some(level @ -1..=5) => self.set_component(of, field.name, level as i8),
                    _ => return bad("level"),
                },
                (false, _) => return bad("component name"),
            }
        }
        Ok(())
    }

    fn set_component(&mut self, component: &str, part: &str, level: i8) {
        for (known, held) in COMPONENTS.iter().zip(&mut self.verbosity) {
            if known.0 == component && known.1 == part {
                *held = level;
            }
        }
    }
}
