// Help of commands: `help: true` has any command answer with its line, whatever else it is given.
//
// Manual: reference/method/db.commandHelp
db.commandHelp("ping")
//> help for: ping answers
db.runCommand({ find: 1, help: true })
//> { help: 'help for: find the documents that match', ok: 1 }
// Of a command of `admin`, too; the spelling that was asked for is the one that is told of.
[db.commandHelp("listDatabases"), db.commandHelp("findandmodify"), db.commandHelp("findAndModify")]
//> [
//>   'help for: listDatabases the databases of the deployment',
//>   'help for: findandmodify changes one document and gives it',
//>   'help for: findAndModify changes one document and gives it'
//> ]
db.commandHelp("nothing")
//> MongoServerError[CommandNotFound]: no such command: 'nothing'
db.commandHelp()
//> MongoshInvalidInputError: [COMMON-10001] Missing required argument at position 0 (Database.commandHelp)
// Nothing is done.
db.runCommand({ create: "c", help: true }).help
//> help for: create makes a collection
db.getCollectionNames()
//> []
// One that is false asks for nothing.
db.runCommand({ ping: 1, help: false })
//> { ok: 1 }
db.runCommand({ quireObserve: 1, command: { drop: "c", help: true } }).reply
//> { help: 'help for: drop removes a collection', ok: 1 }
