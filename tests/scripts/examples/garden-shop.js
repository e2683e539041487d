// Garden shop: the data of one small store, and the questions its pages ask.
use garden

db.products.drop(); db.categories.drop(); db.users.drop()
db.orders.drop(); db.reviews.drop()

// Categories carry their ancestors, so a path needs no recursion.
const home = new ObjectId(), outdoors = new ObjectId(), tools = new ObjectId()
db.categories.insertMany([
  { _id: home, slug: "home", name: "Home", ancestors: [] },
  { _id: outdoors, slug: "outdoors", name: "Outdoors", parent_id: home,
    ancestors: [{ _id: home, slug: "home", name: "Home" }] },
  { _id: tools, slug: "gardening-tools", name: "Gardening Tools", parent_id: outdoors,
    ancestors: [{ _id: home, slug: "home", name: "Home" },
                { _id: outdoors, slug: "outdoors", name: "Outdoors" }] },
])

// No two products share a slug: it is their address.
db.products.createIndex({ slug: 1 }, { unique: true })
db.products.createIndex({ category_ids: 1 })

const wheelbarrow = new ObjectId(), gloves = new ObjectId()
db.products.insertMany([
  {
    _id: wheelbarrow, slug: "wheelbarrow-9092", sku: "9092",
    name: "Extra Large Wheelbarrow", description: "Heavy duty wheelbarrow",
    details: { weight: 47, weight_units: "lbs", model_num: 4039283402, color: "Green" },
    total_reviews: 4, average_review: 4.5,
    pricing: { retail: 589700, sale: 489700 }, // in cents
    price_history: [
      { retail: 529700, sale: 429700, start: ISODate("2010-05-01"), end: ISODate("2010-05-08") },
      { retail: 529700, sale: 529700, start: ISODate("2010-05-09"), end: ISODate("2010-05-16") },
    ],
    primary_category: tools, category_ids: [tools, outdoors], tags: ["tools", "gardening", "soil"],
  },
  {
    _id: gloves, slug: "rubber-gloves-5", sku: "9005", name: "Rubberised Work Gloves",
    details: { weight: 0.4, weight_units: "lbs", color: "Black" }, total_reviews: 0, average_review: 0,
    pricing: { retail: 2900, sale: 1900 }, price_history: [],
    primary_category: outdoors, category_ids: [outdoors], tags: ["gardening", "clothing"],
  },
])

// The same slug again is refused, and nothing is stored.
try {
  db.products.insertOne({ slug: "wheelbarrow-9092", name: "Another wheelbarrow" })
} catch (error) {
  print("refused:", error.code, error.message)
}

// The products of a category, and the categories of a product.
const category = db.categories.findOne({ slug: "gardening-tools" })
print("in Gardening Tools:")
db.products.find({ category_ids: category._id }).forEach((p) => print("  " + p.name))
const product = db.products.findOne({ slug: "wheelbarrow-9092" })
print("filed under:")
db.categories.find({ _id: { $in: product.category_ids } }).forEach((c) => print("  " + c.name))

// A user, and an order which keeps what was true when it was placed.
const kate = new ObjectId()
db.users.insertOne({
  _id: kate, username: "kbanker", email: "kate@example.com", first_name: "Kate", last_name: "Banker",
  addresses: [
    { name: "home", street: "588 5th Street", city: "Brooklyn", state: "NY", zip: 11215 },
    { name: "work", street: "1 E. 23rd Street", city: "New York", state: "NY", zip: 10010 },
  ],
  payment_methods: [{ name: "VISA", last_four: 2127, expiration_date: ISODate("2030-05-01") }],
})
db.orders.insertOne({
  user_id: kate, state: "CART", purchase_date: ISODate("2024-05-07"),
  line_items: [
    { _id: wheelbarrow, sku: "9092", name: "Extra Large Wheelbarrow", quantity: 1, pricing: { retail: 589700, sale: 489700 } },
    { _id: gloves, sku: "9005", name: "Rubberised Work Gloves", quantity: 2, pricing: { retail: 2900, sale: 1900 } },
  ],
  shipping_address: { street: "588 5th Street", city: "Brooklyn", state: "NY", zip: 11215 },
  sub_total: 493500,
})
db.orders.createIndex({ user_id: 1 })
print("orders of kbanker:", db.orders.countDocuments({ user_id: kate }))

// One vote each: the filter refuses whoever has voted already.
const review = new ObjectId()
db.reviews.insertOne({ _id: review, product_id: wheelbarrow, user_id: kate, rating: 4, title: "Amazing",
  text: "Has a squeaky wheel, but still a darn good wheelbarrow.", helpful_votes: 3, voter_ids: [] })
const vote = () => db.reviews.updateOne(
  { _id: review, voter_ids: { $ne: kate } },
  { $inc: { helpful_votes: 1 }, $push: { voter_ids: kate } })
print("first vote changes", vote().modifiedCount)
print("second vote changes", vote().modifiedCount)

// The last line's value is shown. Try the table, or another tag.
db.products.find({ category_ids: outdoors })
//> refused: 11000 E11000 duplicate key error collection: garden.products index: slug_1 dup key: { slug: "wheelbarrow-9092" }
//> in Gardening Tools:
//>   Extra Large Wheelbarrow
//> filed under:
//>   Outdoors
//>   Gardening Tools
//> orders of kbanker: 1
//> first vote changes 1
//> second vote changes 0
//> [
//>   {
//>     _id: ObjectId('6955b90015c4af99f200017d'),
//>     slug: 'wheelbarrow-9092',
//>     sku: '9092',
//>     name: 'Extra Large Wheelbarrow',
//>     description: 'Heavy duty wheelbarrow',
//>     details: {
//>       weight: 47,
//>       weight_units: 'lbs',
//>       model_num: 4039283402,
//>       color: 'Green'
//>     },
//>     total_reviews: 4,
//>     average_review: 4.5,
//>     pricing: { retail: 589700, sale: 489700 },
//>     price_history: [
//>       {
//>         retail: 529700,
//>         sale: 429700,
//>         start: ISODate('2010-05-01T00:00:00.000Z'),
//>         end: ISODate('2010-05-08T00:00:00.000Z')
//>       },
//>       {
//>         retail: 529700,
//>         sale: 529700,
//>         start: ISODate('2010-05-09T00:00:00.000Z'),
//>         end: ISODate('2010-05-16T00:00:00.000Z')
//>       }
//>     ],
//>     primary_category: ObjectId('6955b90015c4af99f200017c'),
//>     category_ids: [
//>       ObjectId('6955b90015c4af99f200017c'),
//>       ObjectId('6955b90015c4af99f200017b')
//>     ],
//>     tags: [ 'tools', 'gardening', 'soil' ]
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200017e'),
//>     slug: 'rubber-gloves-5',
//>     sku: '9005',
//>     name: 'Rubberised Work Gloves',
//>     details: { weight: 0.4, weight_units: 'lbs', color: 'Black' },
//>     total_reviews: 0,
//>     average_review: 0,
//>     pricing: { retail: 2900, sale: 1900 },
//>     price_history: [],
//>     primary_category: ObjectId('6955b90015c4af99f200017b'),
//>     category_ids: [ ObjectId('6955b90015c4af99f200017b') ],
//>     tags: [ 'gardening', 'clothing' ]
//>   }
//> ]
