//! Names of databases and collections, and which are allowed.
//!
//! Follows the manual's "Naming Restrictions" page. A namespace is `database.collection`; the
//! database ends at the first dot.

use crate::error::{Code, CommandError};

/// Bytes a database name may have.
const MAX_DATABASE_BYTES: usize = 63;
/// Bytes a whole namespace may have.
pub const MAX_NAMESPACE_BYTES: usize = 255;

/// `system.` collections that a client may create or write.
const WRITABLE_SYSTEM: &[&str] = &[
    "system.buckets",
    "system.js",
    "system.profile",
    "system.roles",
    "system.users",
    "system.version",
    "system.views",
];

fn invalid(message: String) -> CommandError {
    CommandError::new(Code::InvalidNamespace, message)
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
        || name.contains([
            '/', '\\', '.', ' ', '"', '$', '*', '<', '>', ':', '|', '?', '\0',
        ])
    {
        return Err(invalid(format!("Invalid database name: '{name}'")));
    }
    Ok(())
}

/// Checks a namespace that a command reads or writes (it need not exist).
///
/// # Errors
/// 73 `InvalidNamespace`.
pub fn check_namespace(namespace: &str) -> Result<(), CommandError> {
    let (database, collection) = split(namespace);
    check_database(database)?;
    let sound = !collection.is_empty()
        && !collection.starts_with('.')
        && !collection.contains('\0')
        && (!collection.contains('$') || collection.starts_with("$cmd"));
    if sound {
        Ok(())
    } else {
        Err(invalid(format!(
            "Invalid namespace specified '{namespace}'"
        )))
    }
}

/// Checks a namespace that is about to be created, or written to implicitly.
///
/// # Errors
/// 73 `InvalidNamespace`.
pub fn check_creatable(namespace: &str) -> Result<(), CommandError> {
    check_namespace(namespace)?;
    let (database, collection) = split(namespace);
    if collection.contains('$')
        || collection.ends_with('.')
        || collection.contains("..") && collection.starts_with("system.")
    {
        return Err(invalid(format!("Invalid collection name: {collection}")));
    }
    if namespace.len() > MAX_NAMESPACE_BYTES {
        return Err(invalid(format!(
            "Fully qualified namespace is too long. Namespace: {namespace} Max: {MAX_NAMESPACE_BYTES}"
        )));
    }
    if collection.starts_with("system.") && !is_allowed_system(database, collection) {
        return Err(invalid(format!("Invalid system namespace: {namespace}")));
    }
    Ok(())
}

fn is_allowed_system(database: &str, collection: &str) -> bool {
    let administrative = matches!(
        collection,
        "system.users" | "system.roles" | "system.version"
    );
    WRITABLE_SYSTEM.contains(&collection) && (!administrative || database == "admin")
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
        assert!(check_creatable("d.system.js").is_ok());
        assert!(check_creatable(&format!("d.{}", "c".repeat(254))).is_err());
        assert!(check_creatable(&format!("d.{}", "c".repeat(253))).is_ok());
    }
}
