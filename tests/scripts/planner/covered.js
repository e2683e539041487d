// A covered plan reads the key and not the document: fields in the key's order, and null where the document has none.
//
// Manual: core/query-optimization
db.herbs.insertMany([
  { _id: 1, shelf: 2, name: "sage" },
  { _id: 2, name: "basil", shelf: 1 },
  { _id: 3, shelf: 3 },
  { _id: 4, shelf: 4, name: null },
]).acknowledged
//> true
db.herbs.createIndex({ name: 1, shelf: 1 })
//> name_1_shelf_1
const herbs = () => db.herbs.find({ name: { $ne: "basil" } }, { _id: 0, shelf: 1, name: 1 });
herbs().explain().queryPlanner.winningPlan.stage
//> PROJECTION_COVERED
herbs()
//> [
//>   { name: null, shelf: 3 },
//>   { name: null, shelf: 4 },
//>   { name: 'sage', shelf: 2 }
//> ]
// The same of the documents themselves.
herbs().hint({ $natural: 1 })
//> [ { shelf: 2, name: 'sage' }, { shelf: 3 }, { shelf: 4, name: null } ]
