// `$jsonSchema`: what each keyword takes, and decimal multiples.
//
// Manual: reference/operator/query/jsonSchema
const said = (schema) => { try { db.c.find({$jsonSchema: schema}).toArray(); return "fine" } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
said({type: []})
//> 9 FailedToParse $jsonSchema keyword 'type' must name at least one type
said({type: [1]})
//> 14 TypeMismatch $jsonSchema keyword 'type' array elements must be strings
said({type: ["string", "string"]})
//> 9 FailedToParse $jsonSchema keyword 'type' has duplicate value: string
said({bsonType: "integer"})
//> 9 FailedToParse $jsonSchema type 'integer' is not currently supported.
said({required: "a"})
//> 14 TypeMismatch $jsonSchema keyword 'required' must be an array, but found an element of type string
said({required: [1]})
//> 14 TypeMismatch $jsonSchema keyword 'required' must be an array of strings, but found an element of type: int
said({properties: {a: 1}})
//> 14 TypeMismatch Nested schema for $jsonSchema property 'a' must be an object
said({patternProperties: {"^a": 1}})
//> 14 TypeMismatch $jsonSchema keyword 'patternProperties' has property '^a' which is not an object
said({additionalProperties: 1})
//> 14 TypeMismatch $jsonSchema keyword 'additionalProperties' must be an object or a boolean
said({additionalItems: 1})
//> 14 TypeMismatch $jsonSchema keyword 'additionalItems' must be either an object or a boolean, but got a int
said({items: 1})
//> 14 TypeMismatch $jsonSchema keyword 'items' must be an array or an object, not int
said({items: [1]})
//> 14 TypeMismatch $jsonSchema keyword 'items' requires that each element of the array is an object, but found a int
said({enum: 1})
//> 14 TypeMismatch $jsonSchema keyword 'enum' must be an array, but found an element of type int
said({enum: []})
//> 9 FailedToParse $jsonSchema keyword 'enum' cannot be an empty array
said({enum: [{x: 1, y: 2}, {y: 2, x: 1}]})
//> 9 FailedToParse $jsonSchema keyword 'enum' array cannot contain duplicate values.
said({enum: [1, 1.0]})
//> 9 FailedToParse $jsonSchema keyword 'enum' array cannot contain duplicate values.
said({allOf: []})
//> 2 BadValue $jsonSchema keyword 'allOf' must be a non-empty array
said({oneOf: 1})
//> 14 TypeMismatch $jsonSchema keyword 'oneOf' must be an array
said({anyOf: [1]})
//> 14 TypeMismatch $jsonSchema keyword 'anyOf' must be an array of objects, but found an element of type int
said({not: 1})
//> 14 TypeMismatch $jsonSchema keyword 'not' must be an object, but found an element of type int
said({dependencies: {a: 1}})
//> 14 TypeMismatch property 'a' in $jsonSchema keyword 'dependencies' must be either an object or an array
said({dependencies: {a: []}})
//> 9 FailedToParse property 'a' in $jsonSchema keyword 'dependencies' cannot be an empty array
said({dependencies: {a: [1]}})
//> 14 TypeMismatch array 'a' in $jsonSchema keyword 'dependencies' can only contain strings, but found element of type: int
said({dependencies: {a: ["b", "b"]}})
//> 9 FailedToParse array 'a' in $jsonSchema keyword 'dependencies' contains duplicate element: b
said({dependencies: {title: "what hangs together", a: ["b"]}})
//> fine
said({minLength: "x"})
//> 9 FailedToParse Expected a number in: minLength: "x"
said({minLength: -1})
//> 9 FailedToParse Expected a non-negative number in: minLength: -1
said({minLength: 1.5})
//> 9 FailedToParse Expected an integer: minLength: 1.5
said({exclusiveMinimum: 1})
//> 9 FailedToParse $jsonSchema keyword 'minimum' must be a present if exclusiveMinimum is present
said({minimum: 1, exclusiveMinimum: 1})
//> 14 TypeMismatch $jsonSchema keyword 'exclusiveMinimum' must be a boolean
said({multipleOf: 0})
//> 9 FailedToParse $jsonSchema keyword 'multipleOf' must have a positive value
// A double is a multiple as it is written, by its fifteen digits.
db.m.insertMany([{_id: 1, a: 0.3}, {_id: 2, a: 0.35}, {_id: 3, a: NumberDecimal("0.3")}, {_id: 4, a: 3}, {_id: 5, a: "x"}, {_id: 6, a: NaN}, {_id: 7, a: Infinity}]).acknowledged
//> true
db.m.find({$jsonSchema: {properties: {a: {multipleOf: 0.1}}}}, {_id: 1}).toArray()
//> [ { _id: 1 }, { _id: 3 }, { _id: 4 }, { _id: 5 } ]
db.m.find({$jsonSchema: {properties: {a: {multipleOf: NumberDecimal("0.05")}}}}, {_id: 1}).toArray()
//> [ { _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 4 }, { _id: 5 } ]
