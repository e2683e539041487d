//! Commands about users and roles, which are kept. The engine itself signs nobody in, so that roles give and refuse
//! nothing here; the server before it does (`web/src/pkg/server/`).

pub(in crate::command) mod create_role;
pub(in crate::command) mod create_user;
mod credentials;
pub(in crate::command) mod drop_all_roles_from_database;
pub(in crate::command) mod drop_all_users_from_database;
pub(in crate::command) mod drop_role;
pub(in crate::command) mod drop_user;
pub(in crate::command) mod grant_privileges_to_role;
pub(in crate::command) mod grant_roles_to_role;
pub(in crate::command) mod grant_roles_to_user;
mod granting;
mod privileges;
pub(in crate::command) mod revoke_privileges_from_role;
pub(in crate::command) mod revoke_roles_from_role;
pub(in crate::command) mod revoke_roles_from_user;
pub(in crate::command) mod roles_info;
mod store;
pub(in crate::command) mod update_role;
pub(in crate::command) mod update_user;
pub(in crate::command) mod users_info;
