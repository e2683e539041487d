//! `$listSessions` and `$listLocalSessions`: sessions that were used lately.
//!
//! Follows the manual's pages of those names. Which sessions there are comes from the executor.

use super::super::stage::StagePlan;
use super::describe::{self, wrong_type};
use super::foreign::unknown_field;
use crate::bson::{Document, Text, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

type Result<T> = std::result::Result<T, CommandError>;

/// Compiles one of the two stages.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "{name} options must be specified in an object, but found: {}",
                specification.type_name()
            ),
        ));
    };
    let mut names_users = false;
    for field in fields.iter() {
        match (field.name, field.value) {
            ("allUsers", ValueRef::Boolean(_)) | ("users", ValueRef::Null) => {}
            ("allUsers", other) => {
                return Err(wrong_type(&format!("{name}.allUsers"), other, "bool"));
            }
            ("users", ValueRef::Array(users)) => {
                for (position, user) in users.iter().enumerate() {
                    check_user(&format!("{name}.users.{position}"), user)?;
                    names_users = true;
                }
            }
            ("users", other) => return Err(wrong_type(&format!("{name}.users"), other, "array")),
            (other, _) => return Err(unknown_field(name, other)),
        }
    }
    if names_users && matches!(fields.get("allUsers"), ValueRef::Boolean(true)) {
        return Err(CommandError::new(
            Code::UnsupportedFormat,
            format!(
                "{name} may not specify {{allUsers:true}} and {{users:[...]}} at the same time"
            ),
        ));
    }
    Ok(describe::plan(name, fields))
}

fn check_user(path: &str, user: ValueRef<'_>) -> Result<()> {
    let ValueRef::Document(fields) = user else {
        return Err(wrong_type(path, user, "object"));
    };
    for field in fields.iter() {
        if !matches!(field.name, "user" | "db") {
            return Err(unknown_field(path, field.name));
        }
    }
    for name in ["user", "db"] {
        match fields.get(name) {
            ValueRef::String(_) => {}
            ValueRef::Missing => {
                return Err(CommandError::new(
                    Code::IDLFailedToParse,
                    format!("BSON field '{path}.{name}' is missing but a required field"),
                ));
            }
            other => return Err(wrong_type(&format!("{path}.{name}"), other, "string")),
        }
    }
    Ok(())
}

/// Whether a valid specification asks for the sessions of the user without a name: nobody signs in here, so all
/// sessions are that user's.
pub fn asks_for_unnamed_user(specification: Document<'_>) -> bool {
    if matches!(specification.get("allUsers"), ValueRef::Boolean(true)) {
        return true;
    }
    match specification.get("users") {
        ValueRef::Array(users) if !users.is_empty() => users.iter().any(|user| {
            user.as_document().is_some_and(|user| {
                matches!(user.get("user"), ValueRef::String(Text(b"")))
                    && matches!(user.get("db"), ValueRef::String(Text(b"")))
            })
        }),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_its_specification() {
        fails("[{$listSessions: 1}]", 14);
        fails("[{$listLocalSessions: {allUsers: 1}}]", 14);
        fails("[{$listLocalSessions: {x: 1}}]", 40415);
        fails("[{$listLocalSessions: {users: [{user: 'a'}]}}]", 40414);
        fails(
            "[{$listSessions: {allUsers: true, users: [{user: 'a', db: 'b'}]}}]",
            12,
        );
    }
}
