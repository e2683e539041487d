// Users and roles: kept, changed and told, though nobody signs in.
//
// Manual: reference/command/nav-user-management, reference/command/nav-role-management
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
run({usersInfo: 1})
//> { users: [], ok: 1 }
run({createUser: "ada", pwd: "secret", roles: ["readWrite", {role: "read", db: "shop"}], customData: {desk: 4}})
//> { ok: 1 }
run({createUser: "ada", pwd: "secret", roles: []})
//> 51003 Location51003 User "ada@test" already exists
run({createUser: "bob", roles: []})
//> 2 BadValue Must provide a 'pwd' field for all user documents, except those with '$external' as the user's source db
run({createUser: "bob", pwd: "", roles: []})
//> 2 BadValue Password cannot be empty
run({createUser: "", pwd: "x", roles: []})
//> 2 BadValue User document needs 'user' field to be non-empty
run({createUser: 5, pwd: "x", roles: []})
//> 14 TypeMismatch BSON field 'createUser.createUser' is the wrong type 'int', expected type 'string'
run({createUser: "bob", pwd: "x"})
//> 40414 IDLFailedToParse BSON field 'createUser.roles' is missing but a required field
run({createUser: "bob", pwd: "x", roles: ["nobody"]})
//> 31 RoleNotFound Could not find role: nobody@test
run({createUser: "bob", pwd: "x", roles: [7]})
//> 2 BadValue Role names must be either strings or objects with 'role' and 'db'
run({createUser: "bob", pwd: "x", roles: [], nope: 1})
//> 40415 IDLUnknownField BSON field 'createUser.nope' is an unknown field.
try { db.getSiblingDB("local").runCommand({createUser: "bob", pwd: "x", roles: []}) } catch (e) { e.code + " " + e.message }
//> 2 Cannot create users in the local database
const users = (c = {usersInfo: 1}) => run(c).users.map(({userId, ...user}) => user)
users()
//> [
//>   {
//>     _id: 'test.ada',
//>     user: 'ada',
//>     db: 'test',
//>     customData: { desk: 4 },
//>     roles: [ { role: 'readWrite', db: 'test' }, { role: 'read', db: 'shop' } ],
//>     mechanisms: []
//>   }
//> ]
db.getSiblingDB("admin").system.users.find({}, {userId: 0}).toArray()
//> [
//>   {
//>     _id: 'test.ada',
//>     user: 'ada',
//>     db: 'test',
//>     credentials: {},
//>     customData: { desk: 4 },
//>     roles: [ { role: 'readWrite', db: 'test' }, { role: 'read', db: 'shop' } ]
//>   }
//> ]
run({usersInfo: "ada", showCustomData: false, showCredentials: true}).users.map(({userId, ...user}) => user)
//> [
//>   {
//>     _id: 'test.ada',
//>     user: 'ada',
//>     db: 'test',
//>     credentials: {},
//>     roles: [ { role: 'readWrite', db: 'test' }, { role: 'read', db: 'shop' } ],
//>     mechanisms: []
//>   }
//> ]
run({usersInfo: "ada", showPrivileges: true})
//> 238 NotImplemented 'usersInfo.showPrivileges' is not supported: nothing here asks for privileges
run({usersInfo: true})
//> 2 BadValue User and role names must be either strings or objects
run({grantRolesToUser: "ada", roles: ["dbAdmin", "readWrite"]})
//> { ok: 1 }
run({revokeRolesFromUser: "ada", roles: [{role: "read", db: "shop"}]})
//> { ok: 1 }
users()[0].roles
//> [ { role: 'readWrite', db: 'test' }, { role: 'dbAdmin', db: 'test' } ]
run({grantRolesToUser: "eve", roles: ["read"]})
//> 11 UserNotFound User 'eve@test' not found
run({updateUser: "ada", customData: {desk: 5}, roles: ["read"]})
//> { ok: 1 }
users()
//> [
//>   {
//>     _id: 'test.ada',
//>     user: 'ada',
//>     db: 'test',
//>     customData: { desk: 5 },
//>     roles: [ { role: 'read', db: 'test' } ],
//>     mechanisms: []
//>   }
//> ]
run({updateUser: "ada"})
//> 2 BadValue Must specify at least one field to update in updateUser
run({updateUser: "eve", roles: []})
//> 11 UserNotFound User 'eve@test' not found
run({createRole: "keeper", privileges: [{resource: {db: "test", collection: "teas"}, actions: ["find", "update"]}], roles: ["read"]})
//> { ok: 1 }
run({createRole: "keeper", privileges: [], roles: []})
//> 51002 Location51002 Role "keeper@test" already exists
run({createRole: "read", privileges: [], roles: []})
//> 2 BadValue Cannot create roles with the same name as a built-in role
run({createRole: "odd", privileges: [5], roles: []})
//> 9 FailedToParse a privilege must have a 'resource', which is an object, and 'actions', which is an array
run({createRole: "odd", privileges: []})
//> 40414 IDLFailedToParse BSON field 'createRole.roles' is missing but a required field
run({rolesInfo: 1})
//> {
//>   roles: [
//>     {
//>       _id: 'test.keeper',
//>       role: 'keeper',
//>       db: 'test',
//>       roles: [ { role: 'read', db: 'test' } ],
//>       isBuiltin: false,
//>       inheritedRoles: [ { role: 'read', db: 'test' } ]
//>     }
//>   ],
//>   ok: 1
//> }
run({rolesInfo: "keeper", showPrivileges: true})
//> 238 NotImplemented 'rolesInfo.showPrivileges' is not supported for built-in roles, whose privileges nothing here asks for
run({revokeRolesFromRole: "keeper", roles: ["read"]})
//> { ok: 1 }
run({rolesInfo: "keeper", showPrivileges: true}).roles
//> [
//>   {
//>     _id: 'test.keeper',
//>     role: 'keeper',
//>     db: 'test',
//>     privileges: [
//>       {
//>         resource: { db: 'test', collection: 'teas' },
//>         actions: [ 'find', 'update' ]
//>       }
//>     ],
//>     roles: [],
//>     isBuiltin: false,
//>     inheritedRoles: []
//>   }
//> ]
run({grantPrivilegesToRole: "keeper", privileges: [{resource: {db: "test", collection: "teas"}, actions: ["insert", "find"]}, {resource: {db: "test", collection: ""}, actions: ["collStats"]}]})
//> { ok: 1 }
run({revokePrivilegesFromRole: "keeper", privileges: [{resource: {db: "test", collection: "teas"}, actions: ["update"]}, {resource: {db: "test", collection: ""}, actions: ["collStats"]}]})
//> { ok: 1 }
run({rolesInfo: "keeper", showPrivileges: true}).roles[0].privileges
//> [
//>   {
//>     resource: { db: 'test', collection: 'teas' },
//>     actions: [ 'find', 'insert' ]
//>   }
//> ]
run({createRole: "chief", privileges: [], roles: ["keeper"]})
//> { ok: 1 }
run({rolesInfo: "chief"}).roles[0].inheritedRoles
//> [ { role: 'keeper', db: 'test' } ]
run({grantRolesToRole: "keeper", roles: ["chief"]})
//> 49 InvalidRoleModification Granting roles to keeper@test would introduce a cycle in the role graph
run({updateRole: "keeper", roles: ["chief"]})
//> 49 InvalidRoleModification Granting roles to keeper@test would introduce a cycle in the role graph
run({updateRole: "keeper"})
//> 2 BadValue Must specify at least one field to update in updateRole
run({updateRole: "chief", roles: ["keeper", "read"]})
//> { ok: 1 }
run({grantRolesToUser: "ada", roles: ["keeper"]})
//> { ok: 1 }
run({rolesInfo: "read"})
//> {
//>   roles: [
//>     {
//>       role: 'read',
//>       db: 'test',
//>       isBuiltin: true,
//>       roles: [],
//>       inheritedRoles: []
//>     }
//>   ],
//>   ok: 1
//> }
run({rolesInfo: 1, showBuiltinRoles: true}).roles.map((role) => role.role)
//> [
//>   'keeper',
//>   'chief',
//>   'dbAdmin',
//>   'dbOwner',
//>   'enableSharding',
//>   'read',
//>   'readWrite',
//>   'userAdmin'
//> ]
run({dropRole: "keeper"})
//> { ok: 1 }
[users()[0].roles, run({rolesInfo: 1}).roles.map((role) => [role.role, role.roles])]
//> [
//>   [ { role: 'read', db: 'test' } ],
//>   [
//>     [ 'chief', [ { role: 'read', db: 'test' } ] ]
//>   ]
//> ]
run({dropRole: "keeper"})
//> 31 RoleNotFound Role 'keeper@test' not found
run({dropRole: "read"})
//> 49 InvalidRoleModification Role 'read@test' is a built-in role and cannot be modified
run({dropAllRolesFromDatabase: 1})
//> { n: 1, ok: 1 }
run({dropUser: "ada"})
//> { ok: 1 }
run({dropUser: "ada"})
//> 11 UserNotFound User 'ada@test' not found
run({createUser: "x", pwd: "x", roles: []}).ok + run({createUser: "y", pwd: "y", roles: []}).ok
//> 2
db.getSiblingDB("shop").runCommand({createUser: "x", pwd: "x", roles: []}).ok
//> 1
run({usersInfo: {forAllDBs: true}}).users.map((user) => user._id)
//> [ 'test.x', 'test.y', 'shop.x' ]
run({usersInfo: ["y", {user: "x", db: "shop"}], filter: {db: "shop"}}).users.map((user) => user._id)
//> [ 'shop.x' ]
run({dropAllUsersFromDatabase: 1})
//> { n: 2, ok: 1 }
run({usersInfo: {forAllDBs: true}}).users.map((user) => user._id)
//> [ 'shop.x' ]
// How a user signs in is checked, also where nobody does.
const carl = (more) => run({createUser: "carl", pwd: "x", roles: [], ...more})
carl({mechanisms: []})
//> 2 BadValue mechanisms field must not be empty
carl({mechanisms: ["SCRAM-SHA-1", "PLAIN"]})
//> 2 BadValue Unknown auth mechanism 'PLAIN'
carl({mechanisms: "SCRAM-SHA-1"})
//> 14 TypeMismatch BSON field 'createUser.mechanisms' is the wrong type 'string', expected type 'array'
carl({digestPassword: false})
//> 2 BadValue Use of SCRAM-SHA-256 requires undigested passwords
carl({digestPassword: false, mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1"]})
//> { ok: 1 }
run({updateUser: "carl", pwd: ""})
//> 2 BadValue Password cannot be empty
run({updateUser: "carl", mechanisms: ["SCRAM-SHA-1"]})
//> 2 BadValue mechanisms field must be a subset of previously set mechanisms
run({updateUser: "carl", pwd: "y", digestPassword: false})
//> 2 BadValue Use of SCRAM-SHA-256 requires undigested passwords
