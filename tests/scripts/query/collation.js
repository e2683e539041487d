// Comparing strings by the rules of a language. Manual: reference/collation
db.cafes.insertMany([{ _id: 1, name: "cafe" }, { _id: 2, name: "Cafe" }, { _id: 3, name: "café" }, { _id: 4, name: "CAFÉ" }, { _id: 5, name: "cake" }, { _id: 6, name: ["CAFE", 7] }, { _id: 7, name: { en: "Cafe" } }]).insertedCount
const ids = (strength, more) => db.cafes.find({ name: "cafe" }).collation({ locale: "en", strength, ...more }).map(c => c._id)
db.cafes.find({ name: "cafe" }).map(c => c._id)
//> [ 1 ]
ids(3)
//> [ 1 ]
ids(2)
//> [ 1, 2, 6 ]
ids(1)
//> [ 1, 2, 3, 4, 6 ]
ids(1, { caseLevel: true })
//> [ 1, 3 ]
ids(2, { caseLevel: true })
//> [ 1 ]
db.cafes.find({ name: { en: "cafe" } }).collation({ locale: "en", strength: 2 }).map(c => c._id)
//> [ 7 ]
db.cafes.find({ name: { $in: ["CAKE", "x"] } }).collation({ locale: "en", strength: 2 }).map(c => c._id)
//> [ 5 ]
db.cafes.find({ name: { $ne: "CAFÉ" } }).collation({ locale: "en", strength: 1 }).map(c => c._id)
//> [ 5, 7 ]
db.cafes.find({ name: { $gt: "cafe", $lte: "CAKE" } }).collation({ locale: "en" }).map(c => c._id)
//> [ 2, 3, 4, 5, 6 ]
db.cafes.find({ name: /^cafe$/ }).collation({ locale: "en", strength: 1 }).map(c => c._id)
//> [ 1 ]
db.cafes.find({ $expr: { $eq: ["$name", "CAFE"] } }).collation({ locale: "en", strength: 2 }).map(c => c._id)
//> [ 1, 2 ]
db.cafes.find({ _id: { $lt: 6 } }).sort({ name: 1 }).collation({ locale: "en" }).map(c => c.name)
//> [ 'cafe', 'Cafe', 'café', 'CAFÉ', 'cake' ]
db.cafes.find({ _id: { $lt: 6 } }).sort({ name: 1 }).collation({ locale: "en", caseFirst: "upper" }).map(c => c.name)
//> [ 'Cafe', 'cafe', 'CAFÉ', 'café', 'cake' ]
db.cafes.find({ _id: { $lt: 6 } }).sort({ name: -1 }).map(c => c.name)
//> [ 'cake', 'café', 'cafe', 'Cafe', 'CAFÉ' ]
db.cafes.countDocuments({ name: "CAFE" }, { collation: { locale: "en", strength: 2 } })
//> 3
db.runCommand({ count: "cafes", query: { name: "CAFE" }, collation: { locale: "en", strength: 1 } }).n
//> 5
db.cafes.distinct("name", { _id: { $lt: 6 } }, { collation: { locale: "en", strength: 2 } })
//> [ 'cafe', 'café', 'cake' ]
db.rooms.insertMany(["room 10", "Room 9", "room 1", "ROOM 2"].map((name, _id) => ({ _id, name }))).insertedCount
db.rooms.find().sort({ name: 1 }).collation({ locale: "en", numericOrdering: true }).map(r => r.name)
//> [ 'room 1', 'ROOM 2', 'Room 9', 'room 10' ]
db.rooms.find().sort({ name: 1 }).collation({ locale: "en" }).map(r => r.name)
//> [ 'room 1', 'room 10', 'ROOM 2', 'Room 9' ]
db.rooms.find({ name: { $gt: "room 2" } }).collation({ locale: "en", numericOrdering: true, strength: 1 }).map(r => r.name)
//> [ 'room 10', 'Room 9' ]
db.words.insertMany(["zebra", "ähre", "apfel", "öl", "ofen", "Straße", "strasse"].map((w, _id) => ({ _id, w }))).insertedCount
db.words.find().sort({ w: 1 }).collation({ locale: "de" }).map(d => d.w)
//> [
//>   'ähre',    'apfel',
//>   'ofen',    'öl',
//>   'strasse', 'Straße',
//>   'zebra'
//> ]
db.words.find().sort({ w: 1 }).collation({ locale: "sv" }).map(d => d.w)
//> [
//>   'apfel',   'ofen',
//>   'strasse', 'Straße',
//>   'zebra',   'ähre',
//>   'öl'
//> ]
db.words.find().sort({ w: 1 }).map(d => d.w)
//> [
//>   'Straße', 'apfel',
//>   'ofen',   'strasse',
//>   'zebra',  'ähre',
//>   'öl'
//> ]
db.words.find({ w: "STRASSE" }).collation({ locale: "de", strength: 1 }).map(d => d.w)
//> [ 'Straße', 'strasse' ]
db.phones.insertMany([{ _id: 1, n: "black-bird" }, { _id: 2, n: "blackbird" }]).insertedCount
db.phones.find({ n: "black bird" }).collation({ locale: "en", alternate: "shifted" }).map(d => d._id)
//> [ 1, 2 ]
db.phones.find({ n: "black-bird" }).collation({ locale: "en" }).map(d => d._id)
//> [ 1 ]
// An empty document is none; the simple collation compares bytes.
db.runCommand({ find: "cafes", filter: { name: "CAFE" }, collation: {} }).cursor.firstBatch.map(c => c._id)
//> [ 6 ]
db.cafes.find({ name: "CAFE" }).collation({ locale: "simple" }).map(c => c._id)
//> [ 6 ]
