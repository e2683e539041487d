//! Names of databases and collections, and which are allowed.
//!
//! Follows the manual's "Naming Restrictions" page. A namespace is `database.collection`; the
//! database ends at the first dot.

use crate::bson::Text;
use crate::error::{Code, CommandError};

/// Bytes a database name may have.
const MAX_DATABASE_BYTES: usize = 63;
/// Bytes a whole namespace may have.
pub const MAX_NAMESPACE_BYTES: usize = 255;

/// The namespace of the oplog, which no command writes to and no restore takes back.
pub const OPLOG: &str = "local.oplog.rs";

fn invalid(message: String) -> CommandError {
    CommandError::new(Code::InvalidNamespace, message)
}

/// The name that a text is.
///
/// # Errors
/// 73 `InvalidNamespace` where it is no UTF-8: the catalog's names are texts.
#[inline(never)]
pub fn of(text: Text<'_>) -> Result<&str, CommandError> {
    text.to_str()
        .ok_or_else(|| text.refused(Code::InvalidNamespace))
}

/// What the names of collections of buckets of time series begin with.
pub const BUCKETS: &str = "system.buckets.";

/// The collection of a database that the profiler writes to.
pub const PROFILE: &str = "system.profile";

/// Whether a namespace is the profiler's collection of its database.
pub fn is_profile(namespace: &str) -> bool {
    split(namespace).1 == PROFILE
}

/// Splits a namespace at its first dot; the collection is empty when there is none.
pub fn split(namespace: &str) -> (&str, &str) {
    namespace.split_once('.').unwrap_or((namespace, ""))
}

/// Checks a database name.
///
/// # Errors
/// 73 `InvalidNamespace`.
pub fn check_database(name: &str) -> Result<(), CommandError> {
    if name.is_empty()
        || name.len() > MAX_DATABASE_BYTES
        || name.bytes().any(|byte| {
            matches!(
                byte,
                b'/' | b'\\'
                    | b'.'
                    | b' '
                    | b'"'
                    | b'$'
                    | b'*'
                    | b'<'
                    | b'>'
                    | b':'
                    | b'|'
                    | b'?'
                    | 0
            )
        })
    {
        return Err(invalid(format!("Invalid database name: '{name}'")));
    }
    Ok(())
}

/// Whether a collection's name is one that a pipeline may name: it has a beginning, and no NUL.
pub fn is_sound(collection: &str) -> bool {
    !collection.is_empty() && !collection.starts_with('.') && !collection.contains('\0')
}

/// Checks a namespace that a command reads or writes (it need not exist).
///
/// # Errors
/// 73 `InvalidNamespace`.
pub fn check_namespace(namespace: &str) -> Result<(), CommandError> {
    let (database, collection) = split(namespace);
    check_database(database)?;
    let sound =
        is_sound(collection) && (!collection.contains('$') || collection.starts_with("$cmd"));
    if sound {
        Ok(())
    } else {
        Err(invalid(format!(
            "Invalid namespace specified '{namespace}'"
        )))
    }
}

/// Checks a namespace that is about to be created by name.
///
/// # Errors
/// 73 `InvalidNamespace`; 20 `IllegalOperation` for buckets, which come with their time series alone.
pub fn check_creatable(namespace: &str) -> Result<(), CommandError> {
    let (database, collection) = split(namespace);
    check_database(database)?;
    if collection.starts_with('.') {
        return Err(invalid(format!(
            "Collection names cannot start with '.': {collection}"
        )));
    }
    if collection.contains('$') {
        return Err(invalid(format!("Invalid collection name: {collection}")));
    }
    check_namespace(namespace)?;
    if namespace.len() > MAX_NAMESPACE_BYTES {
        return Err(invalid(format!(
            "Fully qualified namespace is too long. Namespace: {namespace} Max: {MAX_NAMESPACE_BYTES}"
        )));
    }
    if collection.starts_with(BUCKETS) {
        return Err(CommandError::new(
            Code::IllegalOperation,
            format!("Cannot create collection {namespace} without timeseries options"),
        ));
    }
    let allowed = match collection.strip_prefix("system.") {
        None | Some("js" | "profile" | "users" | "views") => true,
        Some("roles" | "version") => database == "admin",
        Some(_) => false,
    };
    if allowed {
        Ok(())
    } else {
        Err(invalid(format!("Invalid system namespace: {namespace}")))
    }
}

/// Checks a namespace that documents are about to be written to.
///
/// # Errors
/// 73 `InvalidNamespace`.
pub fn check_writable(namespace: &str) -> Result<(), CommandError> {
    check_creatable(namespace)?;
    match split(namespace).1 {
        PROFILE | "system.views" => Err(invalid(format!("cannot write to {namespace}"))),
        _ => Ok(()),
    }
}

/// Refuses a collection that only the profiler, or a time series, writes to.
///
/// # Errors
/// 73 `InvalidNamespace`.
pub fn refuse_internal(namespace: &str) -> Result<(), CommandError> {
    match is_profile(namespace) || split(namespace).1.starts_with(BUCKETS) {
        true => Err(invalid(format!("cannot write to {namespace}"))),
        false => Ok(()),
    }
}

/// Whether a collection is one of the server's own (`system.…`).
pub fn is_system(collection: &str) -> bool {
    collection.starts_with("system.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_the_manual_forbids() {
        for name in [
            "",
            "a.b",
            "a b",
            "a/b",
            "a$b",
            "a\\b",
            "a\"b",
            "a*b",
            "a\0b",
            &"x".repeat(64),
        ] {
            assert!(check_database(name).is_err(), "{name}");
        }
        assert!(check_database(&"x".repeat(63)).is_ok());
        for name in ["d.", "d", "d..x", "d.a$b", "d.a\0b", "a b.c"] {
            assert_eq!(
                check_namespace(name).map_err(|error| error.code),
                Err(73),
                "{name}"
            );
        }
        for name in ["d.x", "d.a.b", "d.system.users2x", "d.ünï"] {
            assert!(check_namespace(name).is_ok(), "{name}");
        }
        assert!(check_creatable("d.system.anything").is_err());
        assert!(check_creatable("d.system.indexes").is_err());
        let buckets = check_creatable("d.system.buckets.x");
        assert_eq!(buckets.map_err(|error| error.code), Err(20));
        assert!(check_creatable("d.system.js").is_ok());
        assert!(check_creatable("d.system.views").is_ok());
        assert!(check_writable("d.system.views").is_err());
        assert!(check_writable("d.system.js").is_ok());
        assert!(check_creatable("d.system.roles").is_err());
        assert!(check_creatable(&format!("d.{}", "c".repeat(254))).is_err());
        assert!(check_creatable(&format!("d.{}", "c".repeat(253))).is_ok());
    }
}
