// Names of the shell that tutorials use around their work: users, the log, rs, sh, connect, quit, load, console.table.
//
// Manual: reference/mongodb-shell, reference/method
const attempt = (work) => { try { return work() } catch (error) { return error.name + ": " + error.message } }
db.createUser({user: "ada", pwd: passwordPrompt(), roles: ["readWrite"], customData: {desk: 1}})
//> passwordPrompt(): nothing is asked, since no password is kept here.
//> { ok: 1 }
attempt(() => db.createUser({pwd: "x", roles: []}))
//> MongoshInvalidInputError: [COMMON-10001] Missing required argument at position 0 (Database.createUser)
db.getUser("ada").roles
//> [ { role: 'readWrite', db: 'test' } ]
db.getUser("eve")
//> null
Object.keys(db.getUsers())
//> [ 'users', 'ok' ]
db.getUsers({filter: {user: "eve"}}).users
//> []
db.updateUser("ada", {customData: {desk: 2}})
//> { ok: 1 }
db.changeUserPassword("ada", "new")
//> { ok: 1 }
db.grantRolesToUser("ada", ["dbAdmin"])
//> { ok: 1 }
db.revokeRolesFromUser("ada", ["readWrite"])
//> { ok: 1 }
db.getUser("ada").roles
//> [ { role: 'dbAdmin', db: 'test' } ]
db.createRole({role: "keeper", privileges: [], roles: ["read"]})
//> { ok: 1 }
db.grantPrivilegesToRole("keeper", [{resource: {db: "test", collection: ""}, actions: ["find"]}])
//> { ok: 1 }
db.revokePrivilegesFromRole("keeper", [{resource: {db: "test", collection: ""}, actions: ["find"]}])
//> { ok: 1 }
db.grantRolesToRole("keeper", ["dbAdmin"])
//> { ok: 1 }
db.revokeRolesFromRole("keeper", ["read"])
//> { ok: 1 }
db.updateRole("keeper", {roles: []})
//> { ok: 1 }
db.getRole("keeper")
//> {
//>   _id: 'test.keeper',
//>   role: 'keeper',
//>   db: 'test',
//>   roles: [],
//>   isBuiltin: false,
//>   inheritedRoles: []
//> }
db.getRoles().roles.length
//> 1
show roles
//> [
//>   {
//>     _id: 'test.keeper',
//>     role: 'keeper',
//>     db: 'test',
//>     roles: [],
//>     isBuiltin: false,
//>     inheritedRoles: []
//>   },
//>   {
//>     role: 'dbAdmin',
//>     db: 'test',
//>     isBuiltin: true,
//>     roles: [],
//>     inheritedRoles: []
//>   },
//>   {
//>     role: 'dbOwner',
//>     db: 'test',
//>     isBuiltin: true,
//>     roles: [],
//>     inheritedRoles: []
//>   },
//>   {
//>     role: 'enableSharding',
//>     db: 'test',
//>     isBuiltin: true,
//>     roles: [],
//>     inheritedRoles: []
//>   },
//>   {
//>     role: 'read',
//>     db: 'test',
//>     isBuiltin: true,
//>     roles: [],
//>     inheritedRoles: []
//>   },
//>   {
//>     role: 'readWrite',
//>     db: 'test',
//>     isBuiltin: true,
//>     roles: [],
//>     inheritedRoles: []
//>   },
//>   {
//>     role: 'userAdmin',
//>     db: 'test',
//>     isBuiltin: true,
//>     roles: [],
//>     inheritedRoles: []
//>   }
//> ]
db.dropRole("keeper")
//> { ok: 1 }
db.dropAllRoles()
//> { n: 0, ok: 1 }
db.dropUser("ada")
//> { ok: 1 }
db.dropAllUsers()
//> { n: 0, ok: 1 }
show users
//> []
db.setLogLevel(1, "storage.journal").ok
//> 1
db.getLogComponents().storage
//> {
//>   verbosity: -1,
//>   journal: { verbosity: 1 },
//>   recovery: { verbosity: -1 },
//>   wt: { verbosity: -1 }
//> }
attempt(() => db.setLogLevel("loud"))
//> MongoshInvalidInputError: [COMMON-10001] db.setLogLevel only accepts a number
db.setLogLevel(0).was.verbosity
//> 0
show logs
//> [ 'global', 'startupWarnings' ]
show profile
//> db.system.profile is empty.
//> Use db.setProfilingLevel(2) will enable profiling.
//> Use db.getCollection('system.profile').find() to show raw profile entries.
db.setProfilingLevel(2).was
//> 0
db.getProfilingLevel()
//> 2
db.setProfilingLevel(0).was
//> 2
db.hostInfo().system.hostname
//> quire
db.serverCmdLineOpts().argv
//> [ 'quire' ]
db.killOp(7).info
//> attempting to kill op
attempt(() => db.fsyncLock())
//> MongoServerError: fsync cannot lock: the next write would wait for ever, since one connection serves all
attempt(() => db.fsyncUnlock())
//> MongoServerError: fsyncUnlock called when not locked
// Addresses of this machine are the one deployment that there is.
connect().getName()
//> test
connect("localhost:27017/shop").getName()
//> shop
connect("mongodb://127.0.0.1:27017/shop?retryWrites=true").getName()
//> shop
new Mongo("localhost").getDB("shop").getName()
//> shop
attempt(() => connect("mongodb://db.example.net/shop"))
//> MongoshUnimplementedError: [COMMON-90002] connect("mongodb://db.example.net/shop") is not available: the shell has one deployment, the page's own. connect("localhost") and connect() reach it
attempt(() => new Mongo("db.example.net:27017"))
//> MongoshUnimplementedError: [COMMON-90002] Mongo("db.example.net:27017") is not available: the shell has one deployment, the page's own. Mongo("localhost") and Mongo() reach it
attempt(() => connect(5))
//> MongoshInvalidInputError: [COMMON-10001] connect takes an address, which is a text
load("data.js")
//> load("data.js") is left out: a script here cannot read files. Paste its text instead.
//> false
attempt(() => require("fs"))
//> MongoshUnimplementedError: [COMMON-90002] require() is not available: a script here cannot load modules
hex_md5("tea")
//> 7239ea2b5dc943f61f3c0a0276c20974
console.table([{name: "Sencha", price: 12}, {name: "Bancha", tags: ["a"]}, 5])
//> ┌─────────┬──────────┬───────┬─────────┬────────┐
//> │ (index) │ name     │ price │ tags    │ Values │
//> ├─────────┼──────────┼───────┼─────────┼────────┤
//> │ 0       │ 'Sencha' │ 12    │         │        │
//> │ 1       │ 'Bancha' │       │ [ 'a' ] │        │
//> │ 2       │          │       │         │ 5      │
//> └─────────┴──────────┴───────┴─────────┴────────┘
console.table({one: {n: 1}, two: {n: 2}})
//> ┌─────────┬───┐
//> │ (index) │ n │
//> ├─────────┼───┤
//> │ one     │ 1 │
//> │ two     │ 2 │
//> └─────────┴───┘
console.table([{a: 1, b: 2}], ["b"])
//> ┌─────────┬───┐
//> │ (index) │ b │
//> ├─────────┼───┤
//> │ 0       │ 2 │
//> └─────────┴───┘
console.table("text")
//> text
for (let n = 0; n < 5; n++) db.teas.insertOne({_id: n})
//> { acknowledged: true, insertedId: 4 }
DBQuery.shellBatchSize = 2
//> 2
db.teas.find()
//> [ { _id: 0 }, { _id: 1 } ]
//> Type "it" for more
it
//> [ { _id: 2 }, { _id: 3 } ]
//> Type "it" for more
config.get("displayBatchSize")
//> 2
config.set("displayBatchSize", 3)
//> Setting "displayBatchSize" has been changed
db.teas.find()
//> [ { _id: 0 }, { _id: 1 }, { _id: 2 } ]
//> Type "it" for more
attempt(() => config.set("displayBatchSize", 0))
//> MongoshInvalidInputError: [COMMON-10001] displayBatchSize must be a positive integer
config.set("editor", "vi")
//> Option "editor" is not available in this environment
config.get("editor")
config.reset("displayBatchSize")
//> Setting "displayBatchSize" has been reset to its default value
DBQuery.shellBatchSize
//> 20
attempt(() => sh.status())
//> MongoshInvalidInputError: [COMMON-10001] This db does not have sharding enabled. Be sure you are connecting to a mongos from the shell and not to a mongod.
attempt(() => sh.enableSharding("shop"))
//> MongoshInvalidInputError: [COMMON-10001] This db does not have sharding enabled. Be sure you are connecting to a mongos from the shell and not to a mongod.
// quit() ends the script where it stands.
print("before"); quit(); print("after")
//> before
//> The script ends here; the page stays open.
print("a new script")
//> a new script
