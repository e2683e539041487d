//! Users and roles, as they are kept: documents of `admin.system.users` and `admin.system.roles`.
//!
//! Manual: reference/system-users-collection, reference/system-roles-collection. The engine is
//! never asked who may do what: a server that signs users in asks it for them (`usersInfo`).

use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::stored::uuid_value;
use crate::catalog::{RecordId, WriteScratch, uuid};
use crate::command::context::CommandContext;
use crate::command::maintenance::cluster_parameters::all_stored;
use crate::command::request::Params;
use crate::error::{Code, CommandError};
use crate::state;

type Result<T> = std::result::Result<T, CommandError>;

/// Users or roles.
pub struct Kind {
    /// The collection that they are kept in.
    namespace: &'static str,
    /// The field with the name.
    pub field: &'static str,
    noun: &'static str,
    not_found: Code,
    exists: i32,
}

pub static USERS: Kind = Kind {
    namespace: "admin.system.users",
    field: "user",
    noun: "User",
    not_found: Code::UserNotFound,
    exists: 51_003,
};

pub static ROLES: Kind = Kind {
    namespace: "admin.system.roles",
    field: "role",
    noun: "Role",
    not_found: Code::RoleNotFound,
    exists: 51_002,
};

/// A role by its name and its database.
pub type RoleName = (String, String);

/// The roles that every database has.
const OF_DATABASES: [&str; 6] = [
    "dbAdmin",
    "dbOwner",
    "enableSharding",
    "read",
    "readWrite",
    "userAdmin",
];

/// The roles that the `admin` database has beside them.
const OF_ADMIN: [&str; 13] = [
    "__system",
    "backup",
    "clusterAdmin",
    "clusterManager",
    "clusterMonitor",
    "dbAdminAnyDatabase",
    "directShardOperations",
    "hostManager",
    "readAnyDatabase",
    "readWriteAnyDatabase",
    "restore",
    "root",
    "userAdminAnyDatabase",
];

/// The names of the roles that a database has by itself.
pub fn built_in(database: &str) -> impl Iterator<Item = &'static str> {
    let of_admin = OF_ADMIN.iter().filter(move |_| database == "admin");
    OF_DATABASES.iter().chain(of_admin).copied()
}

pub fn is_built_in(role: &str, database: &str) -> bool {
    built_in(database).any(|name| name == role)
}

impl Kind {
    fn key(database: &str, name: &str) -> String {
        format!("{database}.{name}")
    }

    fn error(&self, code: Code, database: &str, name: &str, what: &str) -> CommandError {
        let noun = self.noun;
        CommandError::new(code, format!("{noun} '{name}@{database}' {what}"))
    }

    fn find(&self, context: &CommandContext<'_>, key: &str) -> Result<Option<RecordId>> {
        match context.view().catalog.collection(self.namespace) {
            Some(collection) => Ok(collection.find_by_id(context.view().pages, key.into())?),
            None => Ok(None),
        }
    }

    /// All of them, in the order in which they came.
    ///
    /// # Errors
    /// Storage errors and errors of the checkpoint.
    pub fn all(&self, context: &CommandContext<'_>) -> Result<Vec<DocumentBuf>> {
        all_stored(context, self.namespace)
    }

    /// The document of a name.
    ///
    /// # Errors
    /// Storage errors.
    pub fn get(
        &self,
        context: &CommandContext<'_>,
        database: &str,
        name: &str,
    ) -> Result<Option<DocumentBuf>> {
        let Some(id) = self.find(context, &Self::key(database, name))? else {
            return Ok(None);
        };
        let view = context.view();
        let collection = view.catalog.collection(self.namespace);
        let bytes = collection.map(|collection| collection.read(view.pages, id));
        let bytes = bytes.transpose()?.flatten();
        Ok(bytes.map(|bytes| DocumentBuf::from_valid_bytes(bytes.into_owned())))
    }

    /// The document of a name that must be there.
    ///
    /// # Errors
    /// 11 `UserNotFound`, 31 `RoleNotFound`, 47 for a role that cannot be changed.
    pub fn required(
        &self,
        context: &CommandContext<'_>,
        database: &str,
        name: &str,
    ) -> Result<DocumentBuf> {
        if self.field == ROLES.field && is_built_in(name, database) {
            let what = "is a built-in role and cannot be modified";
            return Err(self.error(Code::InvalidRoleModification, database, name, what));
        }
        self.get(context, database, name)?
            .ok_or_else(|| self.error(self.not_found, database, name, "not found"))
    }

    /// The name that a command gives in its first field.
    ///
    /// # Errors
    /// 14 for another type, 2 for an empty name and for the database `local`.
    pub fn name<'a>(&self, params: &Params<'a>, given: ValueRef<'a>, of: &str) -> Result<&'a str> {
        match given.as_str() {
            Some("") => Err(CommandError::new(
                Code::BadValue,
                format!(
                    "{} document needs '{}' field to be non-empty",
                    self.noun, self.field
                ),
            )),
            Some(name) => Ok(name),
            None => Err(params.wrong_type(of, given, "string")),
        }
    }

    /// Begins the document of a new name: `_id`, the name, and its database.
    ///
    /// # Errors
    /// Where there is one of that name.
    pub fn begin(
        &self,
        context: &CommandContext<'_>,
        database: &str,
        name: &str,
    ) -> Result<DocumentBuilder> {
        if database == "local" {
            return Err(CommandError::new(
                Code::BadValue,
                format!("Cannot create {}s in the local database", self.field),
            ));
        }
        let key = Self::key(database, name);
        if self.find(context, &key)?.is_some() {
            return Err(CommandError::location(
                self.exists,
                format!("{} \"{name}@{database}\" already exists", self.noun),
            ));
        }
        let mut document = DocumentBuilder::new();
        document.append("_id", key.as_str());
        if self.field == USERS.field {
            let bytes = uuid::random(context.env);
            document.append("userId", uuid_value(&bytes));
        }
        document.append(self.field, name).append("db", database);
        Ok(document)
    }

    /// Stores a document, in the place of the one with its `_id`, if there is one.
    ///
    /// # Errors
    /// Errors of the catalog and the storage: roll back.
    pub fn put(&self, context: &mut CommandContext<'_>, document: Document<'_>) -> Result<()> {
        let known = self.find(context, document.get("_id").as_str().unwrap_or_default())?;
        let env = context.env;
        let writer = context.writer();
        let mut collection = writer.into_created(self.namespace, &mut || uuid::random(env))?;
        state::put(&mut collection, known, document)
    }

    /// Removes a document.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn remove(&self, context: &mut CommandContext<'_>, document: Document<'_>) -> Result<()> {
        let key = document.get("_id").as_str().unwrap_or_default();
        if let Some(id) = self.find(context, key)?
            && let Some(mut collection) = context.writer().into_collection(self.namespace)
        {
            collection.delete(id, &mut WriteScratch::default())?;
        }
        Ok(())
    }

    /// Removes those of a database, and says how many there were.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn remove_all(&self, context: &mut CommandContext<'_>, database: &str) -> Result<i32> {
        let mut count = 0;
        for document in self.all(context)? {
            let document = document.as_document();
            if document.get("db").as_str() == Some(database) {
                self.remove(context, document)?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// A document with other values for some of its fields; a null takes one away.
pub fn with_fields(old: Document<'_>, fields: Document<'_>) -> DocumentBuf {
    let mut document = DocumentBuilder::new();
    for field in old.iter() {
        match fields.get(field.name) {
            ValueRef::Missing => drop(document.append_raw(field.raw)),
            ValueRef::Null => {}
            value => drop(document.append(field.name, value)),
        }
    }
    for field in fields.iter() {
        if old.get(field.name).is_missing() && !field.value.is_nullish() {
            document.append_raw(field.raw);
        }
    }
    document.finish()
}

/// The roles that an array names: each by its name alone, of this database, or with a database.
///
/// # Errors
/// 2 `BadValue` for an item of another form.
pub fn roles_in(array: Array<'_>, database: &str) -> Result<Vec<RoleName>> {
    let mut roles = Vec::new();
    for item in array.iter() {
        let named = match (item.as_str(), item.as_document()) {
            (Some(name), _) => Some((name, database)),
            (_, Some(role)) => role.get("role").as_str().zip(role.get("db").as_str()),
            _ => None,
        };
        let Some((name, database)) = named else {
            return Err(CommandError::new(
                Code::BadValue,
                "Role names must be either strings or objects with 'role' and 'db'",
            ));
        };
        let role = (name.to_owned(), database.to_owned());
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    Ok(roles)
}

/// The roles that a stored document holds.
pub fn roles_of(document: Document<'_>) -> Vec<RoleName> {
    let array = document.get("roles").as_array();
    array.map_or_else(Vec::new, |array| roles_in(array, "").unwrap_or_default())
}

/// Checks that roles are there.
///
/// # Errors
/// 31 `RoleNotFound`.
pub fn check_roles(context: &CommandContext<'_>, roles: &[RoleName]) -> Result<()> {
    for (role, database) in roles {
        if !is_built_in(role, database) && ROLES.get(context, database, role)?.is_none() {
            return Err(CommandError::new(
                Code::RoleNotFound,
                format!("Could not find role: {role}@{database}"),
            ));
        }
    }
    Ok(())
}

pub fn append_roles(name: &str, roles: &[RoleName], builder: &mut DocumentBuilder) {
    builder.begin_array(name);
    for (position, (role, database)) in roles.iter().enumerate() {
        builder.begin_document(&position.to_string());
        builder.append("role", role.as_str());
        builder.append("db", database.as_str()).end();
    }
    builder.end();
}

/// These roles and all that they hold.
///
/// # Errors
/// Storage errors.
pub fn inherited(context: &CommandContext<'_>, roles: &[RoleName]) -> Result<Vec<RoleName>> {
    let mut all = roles.to_vec();
    let mut next = 0;
    while let Some((role, database)) = all.get(next).cloned() {
        context.env.checkpoint()?;
        if let Some(found) = ROLES.get(context, &database, &role)? {
            for held in roles_of(found.as_document()) {
                if !all.contains(&held) {
                    all.push(held);
                }
            }
        }
        next += 1;
    }
    Ok(all)
}
