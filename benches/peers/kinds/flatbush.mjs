/** flatbush and geoflatbush over plain objects; candidates of a polygon are those in its box. */
import Flatbush from "flatbush";
import { around } from "geoflatbush";
import inPolygon from "point-in-polygon-hao";
import { boxOf } from "../src/box.mjs";

let index;
let all;

export default {
  workload: "places",
  planar: true,
  build(places) {
    all = places;
    index = new Flatbush(places.length);
    for (const { where } of places) index.add(...where.coordinates);
    index.finish();
  },
  nearest: ([longitude, latitude], limit) => around(index, longitude, latitude, limit).map((at) => all[at]),
  within: (ring) =>
    index
      .search(...boxOf(ring))
      .map((at) => all[at])
      .filter(({ where }) => inPolygon(where.coordinates, [ring])),
  sizes: () => ({ index: index.data.byteLength }),
};
