// Places near you: the nearest first, what lies in a part of town, and a map of both.
use town

// GeoJSON has the longitude first. A place may be a point, a line or an area.
const point = (longitude, latitude) => ({ type: "Point", coordinates: [longitude, latitude] })
db.places.drop()
db.places.insertMany([
  { _id: "station", name: "Central station", kind: "transport", at: point(12.5645, 55.6727) },
  { _id: "library", name: "Library by the water", kind: "books", at: point(12.5831, 55.6735) },
  { _id: "bakery", name: "Bakery at the square", kind: "food", at: point(12.5763, 55.6795) },
  { _id: "market", name: "Market halls", kind: "food", at: point(12.5699, 55.6839) },
  { _id: "tower", name: "Round tower", kind: "sight", at: point(12.5758, 55.6814) },
  { _id: "theatre", name: "Theatre", kind: "sight", at: point(12.5865, 55.6797) },
  { _id: "harbour", name: "Coffee at the harbour", kind: "food", at: point(12.5905, 55.6799) },
  { _id: "bindery", name: "Book bindery", kind: "books", at: point(12.5684, 55.6778) },
  { _id: "pool", name: "Swimming pool", kind: "sport", at: point(12.5995, 55.6910) },
  { _id: "noodles", name: "Noodle bar", kind: "food", at: point(12.5546, 55.6671) },
  { _id: "bridge", name: "Cycle bridge", kind: "transport",
    at: { type: "LineString", coordinates: [[12.5880, 55.6786], [12.5935, 55.6778]] } },
  { _id: "garden", name: "King's garden", kind: "park",
    at: { type: "Polygon", coordinates: [[[12.5752, 55.6858], [12.5809, 55.6873], [12.5844, 55.6845], [12.5789, 55.6829], [12.5752, 55.6858]]] } },
])
db.places.createIndex({ at: "2dsphere" })

// Which places lie in this part of town, or reach into it?
const quarter = { type: "Polygon", coordinates: [[[12.5720, 55.6775], [12.5860, 55.6775], [12.5860, 55.6865], [12.5720, 55.6865], [12.5720, 55.6775]]] }
print("in the quarter:", db.places.find({ at: { $geoIntersects: { $geometry: quarter } } }).map(place => place.name).toArray().sort().join(", "))

// How far is it? $geoNear gives metres from here.
const here = point(12.5800, 55.6800)
for (const { name, metres } of db.places.aggregate([
  { $geoNear: { near: here, distanceField: "metres", key: "at", query: { kind: "food" } } },
  { $project: { name: 1, metres: { $round: "$metres" } } },
])) print(name.padEnd(22), metres, "m")

// Everything within 900 metres, the nearest first: look at it as a map.
db.places.find({ at: { $near: { $geometry: here, $maxDistance: 900 } } }, { kind: 0 })
//> in the quarter: Bakery at the square, King's garden, Round tower
//> Bakery at the square   239 m
//> Coffee at the harbour  659 m
//> Market halls           768 m
//> Noodle bar             2146 m
//> [
//>   {
//>     _id: 'bakery',
//>     name: 'Bakery at the square',
//>     at: { type: 'Point', coordinates: [ 12.5763, 55.6795 ] }
//>   },
//>   {
//>     _id: 'tower',
//>     name: 'Round tower',
//>     at: { type: 'Point', coordinates: [ 12.5758, 55.6814 ] }
//>   },
//>   {
//>     _id: 'garden',
//>     name: "King's garden",
//>     at: {
//>       type: 'Polygon',
//>       coordinates: [
//>         [
//>           [ 12.5752, 55.6858 ],
//>           [ 12.5809, 55.6873 ],
//>           [ 12.5844, 55.6845 ],
//>           [ 12.5789, 55.6829 ],
//>           [ 12.5752, 55.6858 ]
//>         ]
//>       ]
//>     }
//>   },
//>   {
//>     _id: 'theatre',
//>     name: 'Theatre',
//>     at: { type: 'Point', coordinates: [ 12.5865, 55.6797 ] }
//>   },
//>   {
//>     _id: 'bridge',
//>     name: 'Cycle bridge',
//>     at: {
//>       type: 'LineString',
//>       coordinates: [ [ 12.588, 55.6786 ], [ 12.5935, 55.6778 ] ]
//>     }
//>   },
//>   {
//>     _id: 'harbour',
//>     name: 'Coffee at the harbour',
//>     at: { type: 'Point', coordinates: [ 12.5905, 55.6799 ] }
//>   },
//>   {
//>     _id: 'library',
//>     name: 'Library by the water',
//>     at: { type: 'Point', coordinates: [ 12.5831, 55.6735 ] }
//>   },
//>   {
//>     _id: 'bindery',
//>     name: 'Book bindery',
//>     at: { type: 'Point', coordinates: [ 12.5684, 55.6778 ] }
//>   },
//>   {
//>     _id: 'market',
//>     name: 'Market halls',
//>     at: { type: 'Point', coordinates: [ 12.5699, 55.6839 ] }
//>   }
//> ]
