// A cart that holds its products, or one that points at them?
use carts

db.products.drop(); db.carts_embedded.drop(); db.carts_referenced.drop()
for (let n = 0; n < 200; n++) db.products.insertOne({ _id: n, name: "Product " + n, price: 100 + n, stock: 40 })

const items = [3, 57, 120, 199]
db.carts_embedded.insertOne({
  _id: "kate",
  items: items.map((id) => {
    const product = db.products.findOne({ _id: id })
    return { product_id: id, name: product.name, price: product.price, quantity: 1 }
  }),
})
db.carts_referenced.insertOne({ _id: "kate", items: items.map((id) => ({ product_id: id, quantity: 1 })) })

const read = (what, cursor) => {
  const stats = cursor.explain("executionStats").executionStats
  print(what + ":", stats.totalDocsExamined, "documents,", stats.totalKeysExamined, "keys")
}

// Embedded: one document is the whole cart, at the price of the day it was filled.
read("embedded cart", db.carts_embedded.find({ _id: "kate" }))

// Referenced: the cart, then its products; each is as it is now.
const cart = db.carts_referenced.findOne({ _id: "kate" })
read("referenced cart", db.carts_referenced.find({ _id: "kate" }))
read("and its products", db.products.find({ _id: { $in: cart.items.map((item) => item.product_id) } }))

// A new price reaches the referenced cart at once, and the embedded one never.
db.products.updateOne({ _id: 57 }, { $set: { price: 99 } })
print("embedded price:", db.carts_embedded.findOne().items[1].price)
print("referenced price:", db.products.findOne({ _id: cart.items[1].product_id }).price)

// Both at once: the reference resolved in the database.
db.carts_referenced.aggregate([
  { $unwind: "$items" },
  { $lookup: { from: "products", localField: "items.product_id", foreignField: "_id", as: "product" } },
  { $unwind: "$product" },
  { $project: { _id: 0, name: "$product.name", price: "$product.price", quantity: "$items.quantity" } },
])
//> embedded cart: 1 documents, 1 keys
//> referenced cart: 1 documents, 1 keys
//> and its products: 4 documents, 7 keys
//> embedded price: 157
//> referenced price: 99
//> [
//>   { name: 'Product 3', price: 103, quantity: 1 },
//>   { name: 'Product 57', price: 99, quantity: 1 },
//>   { name: 'Product 120', price: 220, quantity: 1 },
//>   { name: 'Product 199', price: 299, quantity: 1 }
//> ]
