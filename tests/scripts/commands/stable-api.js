// The Stable API: `apiVersion`, and `apiStrict`, which lets in nothing that is outside of it.
//
// Manual: reference/stable-api
const run = (c) => { try { return db.runCommand(c).ok } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
run({ping: 1, apiVersion: "1"})
//> 1
run({ping: 1, apiVersion: "2"})
//> 322 APIVersionError API version must be "1"
run({ping: 1, apiVersion: 1})
//> 14 TypeMismatch BSON field 'APIParametersFromClient.apiVersion' is the wrong type 'int', expected type 'string'
run({ping: 1, apiStrict: true})
//> 4886600 Location4886600 Provided apiStrict and/or apiDeprecationErrors without passing apiVersion
run({ping: 1, apiDeprecationErrors: false})
//> 4886600 Location4886600 Provided apiStrict and/or apiDeprecationErrors without passing apiVersion
run({ping: 1, apiVersion: "1", apiStrict: "true"})
//> 14 TypeMismatch BSON field 'APIParametersFromClient.apiStrict' is the wrong type 'string', expected type 'bool'
run({ping: 1, apiVersion: "1", apiStrict: true, apiDeprecationErrors: true})
//> 1
run({distinct: "c", key: "a", apiVersion: "1", apiStrict: true})
//> 323 APIStrictError Provided apiStrict:true, but the command distinct is not in API Version 1. Information on supported commands and migrations in API Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api.
run({distinct: "c", key: "a", apiVersion: "1", apiStrict: false})
//> 1
run({count: "c", apiVersion: "1", apiStrict: true})
//> 1
run({find: "c", showRecordId: true, apiVersion: "1", apiStrict: true})
//> 323 APIStrictError BSON field 'FindCommandRequest.showRecordId' is not allowed with apiStrict:true.
run({find: "c", showRecordId: true, apiVersion: "1"})
//> 1
run({create: "k", capped: true, size: 100, apiVersion: "1", apiStrict: true})
//> 323 APIStrictError BSON field 'create.capped' is not allowed with apiStrict:true.
run({findandmodify: "c", remove: true, apiVersion: "1", apiStrict: true})
//> 1
