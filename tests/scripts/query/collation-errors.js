// Collation documents that are refused. Manual: reference/collation
const find = collation => { const reply = db.runCommand({ find: "c", collation }); return reply.ok ? "ok" : `${reply.code} ${reply.codeName}: ${reply.errmsg}` }
find({ strength: 2 })
//> MongoServerError[IDLFailedToParse]: BSON field 'collation.locale' is missing but a required field
find({ locale: 5 })
//> MongoServerError[TypeMismatch]: BSON field 'collation.locale' is the wrong type 'int', expected type 'string'
find({ locale: "" })
//> MongoServerError[BadValue]: Field 'locale' cannot be the empty string in: { locale: "" }
find({ locale: "xx" })
//> MongoServerError[BadValue]: Field 'locale' is invalid in: { locale: "xx" }
find({ locale: "en-US" })
//> MongoServerError[BadValue]: Field 'locale' is invalid in: { locale: "en-US" }. Did you mean 'en_US'?
find({ locale: "en_GB" })
//> MongoServerError[BadValue]: Field 'locale' is invalid in: { locale: "en_GB" }. Did you mean 'en'?
find({ locale: "de@collation=phonebook" })
//> ok
find({ locale: "en@collation=phonebook" })
//> MongoServerError[BadValue]: Field 'locale' is invalid in: { locale: "en@collation=phonebook" }. Did you mean 'en'?
find({ locale: "simple", strength: 1 })
//> ok
find({ locale: "en", strength: 6 })
//> MongoServerError[BadValue]: Enumeration value '6' for field 'collation.strength' is not a valid value.
find({ locale: "en", strength: "2" })
//> MongoServerError[TypeMismatch]: BSON field 'collation.strength' is the wrong type 'string', expected type 'int'
find({ locale: "en", caseLevel: 1 })
//> MongoServerError[TypeMismatch]: BSON field 'collation.caseLevel' is the wrong type 'int', expected type 'bool'
find({ locale: "en", caseFirst: "first" })
//> MongoServerError[BadValue]: Enumeration value 'first' for field 'collation.caseFirst' is not a valid value.
find({ locale: "en", alternate: "blanked" })
//> MongoServerError[BadValue]: Enumeration value 'blanked' for field 'collation.alternate' is not a valid value.
find({ locale: "en", maxVariable: "symbol" })
//> MongoServerError[BadValue]: Enumeration value 'symbol' for field 'collation.maxVariable' is not a valid value.
find({ locale: "en", level: 1 })
//> MongoServerError[IDLUnknownField]: BSON field 'collation.level' is an unknown field.
find({ locale: "en", strength: 2, caseFirst: "upper" })
//> MongoServerError[BadValue]: 'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2 in: { locale: "en", caseLevel: false, caseFirst: "upper", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }
find({ locale: "fr", strength: 1, backwards: true })
//> MongoServerError[BadValue]: 'backwards' is invalid with 'strength' of 1 in: { locale: "fr", caseLevel: false, caseFirst: "off", strength: 1, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: true, version: "57.1" }
find({ locale: "en", version: "60" })
//> MongoServerError[IncompatibleCollationVersion]: Requested collation version 60 but the only available collator version was 57.1. Requested collation spec: { locale: "en", version: "60" }
find({ locale: "en", version: "57.1", normalization: true, maxVariable: "space" })
//> ok
find("en")
//> MongoServerError[TypeMismatch]: BSON field 'FindCommandRequest.collation' is the wrong type 'string', expected type 'object'
// What a host's collator cannot do.
find({ locale: "en", strength: 4 })
//> MongoServerError[NotImplemented]: a 'strength' of 4 or 5 is not supported in a collation
find({ locale: "en", strength: 5 })
//> MongoServerError[NotImplemented]: a 'strength' of 4 or 5 is not supported in a collation
find({ locale: "en", alternate: "shifted", maxVariable: "space" })
//> MongoServerError[NotImplemented]: 'maxVariable: "space"' with 'alternate: "shifted"' is not supported in a collation
find({ locale: "fr", backwards: true })
//> MongoServerError[NotImplemented]: 'backwards' other than the locale's own is not supported in a collation
find({ locale: "fr_CA", backwards: false })
//> MongoServerError[NotImplemented]: 'backwards' other than the locale's own is not supported in a collation
db.c.insertOne({ a: 1 }).acknowledged
//> true
db.c.updateOne({ a: 1 }, { $set: { b: 1 } }, { collation: { locale: "xx" } })
//> MongoServerError: Field 'locale' is invalid in: { locale: "xx" }
db.c.deleteOne({ a: 1 }, { collation: { locale: "en", strength: 9 } })
//> MongoServerError: Enumeration value '9' for field 'collation.strength' is not a valid value.
db.c.createIndex({ a: 1 }, { collation: {} })
//> MongoServerError[BadValue]: Error in specification { key: { a: 1 }, name: "a_1", collation: {} } :: caused by :: The field 'collation' cannot be an empty object.
db.c.createIndex({ a: 1 }, { collation: "en" })
//> MongoServerError[TypeMismatch]: Error in specification { key: { a: 1 }, name: "a_1", collation: "en" } :: caused by :: The field 'collation' must be an object, but got string
db.c.createIndex({ _id: 1 }, { collation: { locale: "en" } })
//> MongoServerError[BadValue]: The _id index must have the same collation as the collection. Index collation: { locale: "en", caseLevel: false, caseFirst: "off", strength: 3, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }, collection collation: { locale: "simple" }
db.createCollection("d", { collation: { locale: "zz" } })
//> MongoServerError[BadValue]: Field 'locale' is invalid in: { locale: "zz" }
