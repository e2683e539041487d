// Validators: what create and collMod take, what error 121 tells, levels, actions, and how to pass them by.
//
// Manual: core/schema-validation
const run = (c, d = db) => { try { return d.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
const why = (f) => { try { return f() } catch (e) { return e.code + " " + e.message + " " + EJSON.stringify(e.errInfo?.details ?? e.errInfo ?? null) } }
const options = (name) => db.getCollectionInfos({name})[0].options
db.createCollection("students", {validator: {$jsonSchema: {bsonType: "object", title: "Student", required: ["name", "year", "address"], properties: {name: {bsonType: "string", description: "must be a string"}, year: {bsonType: "int", minimum: 2017, maximum: 3017}, gpa: {bsonType: ["double"]}, address: {bsonType: "object", required: ["city"], properties: {city: {bsonType: "string"}}}}}}})
//> { ok: 1 }
options("students")
//> {
//>   validator: {
//>     '$jsonSchema': {
//>       bsonType: 'object',
//>       title: 'Student',
//>       required: [ 'name', 'year', 'address' ],
//>       properties: {
//>         name: { bsonType: 'string', description: 'must be a string' },
//>         year: { bsonType: 'int', minimum: 2017, maximum: 3017 },
//>         gpa: { bsonType: [ 'double' ] },
//>         address: {
//>           bsonType: 'object',
//>           required: [ 'city' ],
//>           properties: { city: { bsonType: 'string' } }
//>         }
//>       }
//>     }
//>   }
//> }
db.students.insertOne({_id: 1, name: "Ada", year: 2019, gpa: 3, address: {street: 5}})
//> MongoServerError: Document failed validation
//> Additional information: {
//>   failingDocumentId: 1,
//>   details: {
//>     operatorName: '$jsonSchema',
//>     title: 'Student',
//>     schemaRulesNotSatisfied: [
//>       {
//>         operatorName: 'properties',
//>         propertiesNotSatisfied: [
//>           { propertyName: 'gpa', details: [ [Object] ] },
//>           { propertyName: 'address', details: [ [Object] ] }
//>         ]
//>       }
//>     ]
//>   }
//> }
db.students.insertOne({_id: 2, name: 7, year: 1900})
//> MongoServerError: Document failed validation
//> Additional information: {
//>   failingDocumentId: 2,
//>   details: {
//>     operatorName: '$jsonSchema',
//>     title: 'Student',
//>     schemaRulesNotSatisfied: [
//>       {
//>         operatorName: 'properties',
//>         propertiesNotSatisfied: [
//>           {
//>             propertyName: 'name',
//>             description: 'must be a string',
//>             details: [ [Object] ]
//>           },
//>           { propertyName: 'year', details: [ [Object] ] }
//>         ]
//>       },
//>       {
//>         operatorName: 'required',
//>         specifiedAs: { required: [ 'name', 'year', 'address' ] },
//>         missingProperties: [ 'address' ]
//>       }
//>     ]
//>   }
//> }
db.students.insertOne({_id: 3, name: "Ada", year: 2019, gpa: 3.5, address: {city: "X"}})
//> { acknowledged: true, insertedId: 3 }
db.students.updateOne({_id: 3}, {$set: {year: 3018}})
//> MongoServerError: Plan executor error during update :: caused by :: Document failed validation
//> Additional information: {
//>   failingDocumentId: 3,
//>   details: {
//>     operatorName: '$jsonSchema',
//>     title: 'Student',
//>     schemaRulesNotSatisfied: [
//>       {
//>         operatorName: 'properties',
//>         propertiesNotSatisfied: [ { propertyName: 'year', details: [ [Object] ] } ]
//>       }
//>     ]
//>   }
//> }
db.students.findAndModify({query: {_id: 3}, update: {$unset: {name: 1}}})
//> MongoServerError[DocumentValidationFailure]: Plan executor error during findAndModify :: caused by :: Document failed validation
//> Additional information: {
//>   failingDocumentId: 3,
//>   details: {
//>     operatorName: '$jsonSchema',
//>     title: 'Student',
//>     schemaRulesNotSatisfied: [
//>       {
//>         operatorName: 'required',
//>         specifiedAs: { required: [ 'name', 'year', 'address' ] },
//>         missingProperties: [ 'name' ]
//>       }
//>     ]
//>   }
//> }
why(() => db.students.updateOne({_id: 9}, {$set: {name: "Eve"}}, {upsert: true}))
//> 121 Plan executor error during update :: caused by :: Document failed validation {"operatorName":"$jsonSchema","title":"Student","schemaRulesNotSatisfied":[{"operatorName":"required","specifiedAs":{"required":["name","year","address"]},"missingProperties":["address","year"]}]}
db.students.insertMany([{_id: 4}, {_id: 5, name: "Bo", year: 2020, address: {city: "Y"}}], {ordered: false})
//> MongoBulkWriteError: Document failed validation
//> Result: BulkWriteResult {
//>   insertedCount: 1,
//>   matchedCount: 0,
//>   modifiedCount: 0,
//>   deletedCount: 0,
//>   upsertedCount: 0,
//>   upsertedIds: {},
//>   insertedIds: { '1': 5 }
//> }
//> Write Errors: [
//>   WriteError {
//>     err: {
//>       index: 0,
//>       code: 121,
//>       errmsg: 'Document failed validation',
//>       errInfo: {
//>         failingDocumentId: 4,
//>         details: {
//>           operatorName: '$jsonSchema',
//>           title: 'Student',
//>           schemaRulesNotSatisfied: [
//>             {
//>               operatorName: 'required',
//>               specifiedAs: [Object],
//>               missingProperties: [Array]
//>             }
//>           ]
//>         }
//>       },
//>       op: { _id: 4 }
//>     }
//>   }
//> ]
db.students.find({}, {_id: 1})
//> [ { _id: 3 }, { _id: 5 } ]
// The reply of the commands themselves.
run({insert: "students", documents: [{_id: 6}]}).writeErrors[0].errInfo.failingDocumentId
//> 6
run({findAndModify: "students", query: {_id: 3}, update: {$set: {year: 1}}})
//> 121 DocumentValidationFailure Plan executor error during findAndModify :: caused by :: Document failed validation
db.adminCommand({bulkWrite: 1, ops: [{insert: 0, document: {_id: 6}}], nsInfo: [{ns: "test.students"}]}).cursor.firstBatch[0].code
//> 121
// Passing it by.
run({insert: "students", documents: [{_id: 6}], bypassDocumentValidation: true}).n
//> 1
run({update: "students", updates: [{q: {_id: 6}, u: {$set: {a: 1}}}]}).writeErrors.length
//> 1
run({update: "students", updates: [{q: {_id: 6}, u: {$set: {a: 1}}}], bypassDocumentValidation: true}).nModified
//> 1
run({findAndModify: "students", query: {_id: 6}, update: {$set: {a: 2}}, bypassDocumentValidation: true}).lastErrorObject
//> { n: 1, updatedExisting: true }
db.adminCommand({bulkWrite: 1, ops: [{insert: 0, document: {_id: 7}}], nsInfo: [{ns: "test.students"}], bypassDocumentValidation: true}).nInserted
//> 1
// Pipelines that write are held to the validator of their target.
db.createCollection("target", {validator: {ok: true}})
//> { ok: 1 }
db.source.insertMany([{_id: 1, ok: true}, {_id: 2}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
const pipe = (stage, fields) => { const reply = run({aggregate: "source", pipeline: [stage], cursor: {}, ...fields}); return (reply.cursor ? "done" : reply) + " " + db.target.countDocuments() }
pipe({$out: "target"})
//> 121 DocumentValidationFailure <*>Document failed validation 0
pipe({$merge: "target"})
//> 121 DocumentValidationFailure <*>Document failed validation 1
pipe({$merge: {into: "target", whenMatched: "replace"}}, {bypassDocumentValidation: true})
//> done 2
pipe({$out: "target"}, {bypassDocumentValidation: true})
//> done 2
options("target").validator
//> { ok: true }
run({validate: "students"}).nNonCompliantDocuments
//> 2
run({validate: "students"}).warnings
//> [
//>   "Detected one or more documents not compliant with the collection's schema. Check logs for log id 5363500."
//> ]
// Levels: a document that fails already may be changed when the level is moderate; off tests nothing.
run({collMod: "students", validationLevel: "moderate"})
//> { ok: 1 }
options("students").validationLevel
//> moderate
run({update: "students", updates: [{q: {_id: 6}, u: {$set: {a: 3}}}]}).nModified
//> 1
why(() => db.students.updateOne({_id: 3}, {$set: {year: 1}}))
//> 121 Plan executor error during update :: caused by :: Document failed validation {"operatorName":"$jsonSchema","title":"Student","schemaRulesNotSatisfied":[{"operatorName":"properties","propertiesNotSatisfied":[{"propertyName":"year","details":[{"operatorName":"minimum","specifiedAs":{"minimum":2017},"reason":"comparison failed","consideredValue":1}]}]}]}
why(() => db.students.insertOne({_id: 8}))
//> 121 Document failed validation {"operatorName":"$jsonSchema","title":"Student","schemaRulesNotSatisfied":[{"operatorName":"required","specifiedAs":{"required":["name","year","address"]},"missingProperties":["address","name","year"]}]}
run({collMod: "students", validationLevel: "off"}).ok
//> 1
db.students.insertOne({_id: 8})
//> { acknowledged: true, insertedId: 8 }
// A warning lets the document in.
run({collMod: "students", validationLevel: "strict", validationAction: "warn"}).ok
//> 1
db.students.insertOne({_id: 10})
//> { acknowledged: true, insertedId: 10 }
// A new validator settles level and action too; an empty one takes it away.
run({collMod: "students", validator: {name: {$exists: true}}})
//> { ok: 1 }
options("students")
//> {
//>   validator: { name: { '$exists': true } },
//>   validationLevel: 'strict',
//>   validationAction: 'warn'
//> }
run({collMod: "students", validationAction: "error"}).ok
//> 1
why(() => db.students.insertOne({_id: 11}))
//> 121 Document failed validation {"operatorName":"$exists","specifiedAs":{"name":{"$exists":true}},"reason":"path does not exist"}
run({collMod: "students", validator: {}})
//> { ok: 1 }
options("students")
//> { validationLevel: 'strict', validationAction: 'error' }
db.students.insertOne({_id: 11})
//> { acknowledged: true, insertedId: 11 }
db.createCollection("plain")
//> { ok: 1 }
run({collMod: "plain", validator: {a: 1}})
//> { ok: 1 }
options("plain")
//> {
//>   validator: { a: 1 },
//>   validationLevel: 'strict',
//>   validationAction: 'error'
//> }
// What a query operator tells.
const fails = (validator, document) => { db.v.drop(); db.createCollection("v", {validator}); return why(() => db.v.insertOne({_id: 1, ...document})) }
fails({a: 1, b: {$gt: 5}}, {a: 1, b: 3})
//> 121 Document failed validation {"operatorName":"$and","clausesNotSatisfied":[{"index":1,"details":{"operatorName":"$gt","specifiedAs":{"b":{"$gt":5}},"reason":"comparison failed","consideredValue":3}}]}
fails({$or: [{a: {$in: [1, 2]}}, {b: {$type: "string"}}]}, {a: [3, 4], b: 5})
//> 121 Document failed validation {"operatorName":"$or","clausesNotSatisfied":[{"index":0,"details":{"operatorName":"$in","specifiedAs":{"a":{"$in":[1,2]}},"reason":"no matching value found in array","consideredValues":[3,4]}},{"index":1,"details":{"operatorName":"$type","specifiedAs":{"b":{"$type":"string"}},"reason":"type did not match","consideredValue":5,"consideredType":"int"}}]}
fails({a: {$not: {$lt: 5}}}, {a: 1})
//> 121 Document failed validation {"operatorName":"$not","details":{"operatorName":"$lt","specifiedAs":{"a":{"$lt":5}},"reason":"comparison succeeded","consideredValue":1}}
fails({a: /^x/i}, {a: "y"})
//> 121 Document failed validation {"operatorName":"$regex","specifiedAs":{"a":{"$regularExpression":{"pattern":"^x","options":"i"}}},"reason":"regular expression did not match","consideredValue":"y"}
fails({a: {$regex: "^x"}}, {a: 5})
//> 121 Document failed validation {"operatorName":"$regex","specifiedAs":{"a":{"$regex":"^x"}},"reason":"type did not match","consideredType":"int","expectedTypes":["regex","string","symbol"],"consideredValue":5}
fails({a: {$all: [1, 2]}}, {a: [1]})
//> 121 Document failed validation {"operatorName":"$all","specifiedAs":{"a":{"$all":[1,2]}},"reason":"array did not contain all specified values","consideredValue":[1]}
fails({a: {$elemMatch: {b: 1}}}, {a: [{b: 2}]})
//> 121 Document failed validation {"operatorName":"$elemMatch","specifiedAs":{"a":{"$elemMatch":{"b":1}}},"reason":"array did not satisfy the child predicate","consideredValue":[{"b":2}]}
fails({a: {$bitsAllSet: 1}}, {a: 2})
//> 121 Document failed validation {"operatorName":"$bitsAllSet","specifiedAs":{"a":{"$bitsAllSet":1}},"reason":"bitwise operator failed to match","consideredValue":2}
fails({a: {$nin: [1]}}, {a: [0, 1]})
//> 121 Document failed validation {"operatorName":"$nin","specifiedAs":{"a":{"$nin":[1]}},"reason":"matching value found in array","consideredValues":[0,1]}
fails({"a.b": {$gte: 3}}, {a: [{b: 1}, {b: [2, 1]}]})
//> 121 Document failed validation {"operatorName":"$gte","specifiedAs":{"a.b":{"$gte":3}},"reason":"comparison failed","consideredValues":[1,2,1]}
fails({a: 1}, {a: [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]})
//> 121 Document failed validation {"operatorName":"$eq","specifiedAs":{"a":1},"reason":"comparison failed","consideredValues":[2,2,2,2,2,2,2,2,2,2],"consideredValuesTruncated":true}
fails({$expr: {$lt: ["$a", "$b"]}}, {a: 2, b: 1})
//> 121 Document failed validation {"operatorName":"$expr","specifiedAs":{"$expr":{"$lt":["$a","$b"]}},"reason":"expression did not match","expressionResult":false}
fails({$expr: {$divide: ["$a", 0]}}, {a: 2})
//> 121 Document failed validation {"operatorName":"$expr","specifiedAs":{"$expr":{"$divide":["$a",0]}},"reason":"failed to evaluate aggregation expression","details":{"code":2,"codeName":"BadValue","errmsg":"can't $divide by zero"}}
fails({$alwaysFalse: 1}, {})
//> 121 Document failed validation {"operatorName":"$alwaysFalse","specifiedAs":{"$alwaysFalse":1},"reason":"expression always evaluates to false"}
fails({$expr: {$gt: ["$until", "$$NOW"]}}, {until: new Date(0)})
//> 121 Document failed validation {"operatorName":"$expr","specifiedAs":{"$expr":{"$gt":["$until","$$NOW"]}},"reason":"expression did not match","expressionResult":false}
// What a schema tells.
const schema = (rules, document) => fails({$jsonSchema: rules}, document)
schema({properties: {a: {items: {bsonType: "int"}}}}, {a: [1, "x", 2]})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"properties","propertiesNotSatisfied":[{"propertyName":"a","details":[{"operatorName":"items","reason":"At least one item did not match the sub-schema","itemIndex":1,"details":[{"operatorName":"bsonType","specifiedAs":{"bsonType":"int"},"reason":"type did not match","consideredValue":"x","consideredType":"string"}]}]}]}]}
schema({properties: {a: {items: [{bsonType: "int"}, {bsonType: "string"}], additionalItems: false}}}, {a: [1, 2, 3]})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"properties","propertiesNotSatisfied":[{"propertyName":"a","details":[{"operatorName":"items","details":[{"itemIndex":1,"details":[{"operatorName":"bsonType","specifiedAs":{"bsonType":"string"},"reason":"type did not match","consideredValue":2,"consideredType":"int"}]}]},{"operatorName":"additionalItems","specifiedAs":{"additionalItems":false},"reason":"found additional items","additionalItems":[3]}]}]}]}
schema({properties: {a: {uniqueItems: true, minItems: 5}}}, {a: [1, 1]})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"properties","propertiesNotSatisfied":[{"propertyName":"a","details":[{"operatorName":"minItems","specifiedAs":{"minItems":5},"reason":"array did not match specified length","consideredValue":[1,1],"numberOfItems":2},{"operatorName":"uniqueItems","specifiedAs":{"uniqueItems":true},"reason":"found a duplicate item","consideredValue":[1,1],"duplicatedValue":1}]}]}]}
schema({additionalProperties: false, properties: {_id: {}, a: {}}}, {a: 1, b: 2, c: 3})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"additionalProperties","specifiedAs":{"additionalProperties":false},"additionalProperties":["b","c"]}]}
schema({additionalProperties: {bsonType: "int"}, patternProperties: {"^s": {bsonType: "string", title: "text"}}}, {s: 1, t: "x"})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"additionalProperties","reason":"at least one additional property did not match the subschema","failingProperty":"t","details":[{"operatorName":"bsonType","specifiedAs":{"bsonType":"int"},"reason":"type did not match","consideredValue":"x","consideredType":"string"}]},{"operatorName":"patternProperties","details":[{"propertyName":"s","title":"text","regexMatched":"^s","details":[{"operatorName":"bsonType","specifiedAs":{"bsonType":"string"},"reason":"type did not match","consideredValue":1,"consideredType":"int"}]}]}]}
schema({dependencies: {a: ["b", "c"], d: {required: ["e"]}}}, {a: 1, d: 1})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"dependencies","failingDependencies":[{"conditionalProperty":"a","missingProperties":["b","c"]},{"conditionalProperty":"d","details":[{"operatorName":"required","specifiedAs":{"required":["e"]},"missingProperties":["e"]}]}]}]}
schema({anyOf: [{required: ["x"]}, {description: "has y", required: ["y"]}]}, {})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"anyOf","schemasNotSatisfied":[{"index":0,"details":[{"operatorName":"required","specifiedAs":{"required":["x"]},"missingProperties":["x"]}]},{"index":1,"description":"has y","details":[{"operatorName":"required","specifiedAs":{"required":["y"]},"missingProperties":["y"]}]}]}]}
schema({oneOf: [{required: ["x"]}, {required: ["y"]}]}, {x: 1, y: 1})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"oneOf","reason":"more than one subschema matched","matchingSchemaIndexes":[0,1]}]}
schema({not: {required: ["x"]}}, {x: 1})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"not","reason":"child expression matched"}]}
schema({properties: {a: {enum: [1, 2]}, b: {pattern: "^x"}, c: {multipleOf: 3}, d: {minLength: 3}}, maxProperties: 2}, {a: 3, b: "y", c: 4, d: "z"})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"properties","propertiesNotSatisfied":[{"propertyName":"a","details":[{"operatorName":"enum","specifiedAs":{"enum":[1,2]},"reason":"value was not found in enum","consideredValue":3}]},{"propertyName":"b","details":[{"operatorName":"pattern","specifiedAs":{"pattern":"^x"},"reason":"regular expression did not match","consideredValue":"y"}]},{"propertyName":"c","details":[{"operatorName":"multipleOf","specifiedAs":{"multipleOf":3},"reason":"considered value is not a multiple of the specified value","consideredValue":4}]},{"propertyName":"d","details":[{"operatorName":"minLength","specifiedAs":{"minLength":3},"reason":"specified string length was not satisfied","consideredValue":"z"}]}]},{"operatorName":"maxProperties","specifiedAs":{"maxProperties":2},"reason":"specified number of properties was not satisfied","numberOfProperties":5}]}
schema({properties: {a: {maximum: 3, exclusiveMaximum: true}}}, {a: 3})
//> 121 Document failed validation {"operatorName":"$jsonSchema","schemaRulesNotSatisfied":[{"operatorName":"properties","propertiesNotSatisfied":[{"propertyName":"a","details":[{"operatorName":"maximum","specifiedAs":{"maximum":3,"exclusiveMaximum":true},"reason":"comparison failed","consideredValue":3}]}]}]}
fails({$nor: [{$jsonSchema: {required: ["a"]}}]}, {a: 1})
//> 121 Document failed validation {"operatorName":"$nor","clausesSatisfied":[{"index":0,"details":{"operatorName":"$jsonSchema","reason":"schema matched"}}]}
// What is refused.
run({create: "w", validator: {$where: "1"}})
//> 2 BadValue $where is not allowed in this context
run({create: "w", validator: {$near: {}}})
//> 2 BadValue unknown top level operator: $near. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
run({create: "w", validator: {$text: {$search: "x"}}})
//> 2 BadValue $text is not allowed in this context
run({create: "w", validator: {a: {$foo: 1}}})
//> 2 BadValue unknown operator: $foo
run({create: "w", validator: {$jsonSchema: {invalid: 1}}})
//> 9 FailedToParse Unknown $jsonSchema keyword: invalid
run({create: "w", validator: 7})
//> 14 TypeMismatch BSON field 'create.validator' is the wrong type 'int', expected type 'object'
run({create: "w", validationLevel: "hard"})
//> 2 BadValue Enumeration value 'hard' for field 'create.validationLevel' is not a valid value.
run({create: "w", validationAction: "stop"})
//> 2 BadValue Enumeration value 'stop' for field 'create.validationAction' is not a valid value.
run({create: "w", validationLevel: 1})
//> 14 TypeMismatch BSON field 'create.validationLevel' is the wrong type 'int', expected type 'string'
run({collMod: "plain", validator: {$where: "1"}})
//> 2 BadValue Parsing of collection validator failed :: caused by :: $where is not allowed in this context
run({create: "w", validator: {a: 1}}, db.getSiblingDB("admin"))
//> 72 InvalidOptions Document validators are not allowed on collection admin.w with UUID <*> in the admin internal database
run({insert: "plain", documents: [{}], bypassDocumentValidation: "yes"})
//> 14 TypeMismatch BSON field 'insert.bypassDocumentValidation' is the wrong type 'string', expected types '[bool, long, int, decimal, double']
// A capped copy keeps the validator.
run({convertToCapped: "plain", size: 4096}).ok
//> 1
options("plain")
//> {
//>   capped: true,
//>   size: 4096,
//>   validator: { a: 1 },
//>   validationLevel: 'strict',
//>   validationAction: 'error'
//> }
// A validator calls no function, wherever the call stands.
const called = {$function: {body: "function() { return true }", args: [], lang: "js"}}
;[{$expr: called}, {$expr: {$let: {vars: {a: called}, in: "$$a"}}}, {$where: "true"}].map(validator => run({create: "calling", validator}))
//> [
//>   '4660800 Location4660800 $function cannot be used inside a validator.',
//>   '4660800 Location4660800 $function cannot be used inside a validator.',
//>   '2 BadValue $where is not allowed in this context'
//> ]
run({collMod: "students", validator: {$expr: called}})
//> 4660800 Location4660800 Parsing of collection validator failed :: caused by :: $function cannot be used inside a validator.
