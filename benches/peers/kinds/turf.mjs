/** turf over an array of features: it has no index, so a question looks at all. */
import { distance } from "@turf/distance";
import { pointsWithinPolygon } from "@turf/points-within-polygon";

let collection;

export default {
  workload: "places",
  planar: true,
  build(places) {
    const features = places.map((properties) => ({ type: "Feature", geometry: properties.where, properties }));
    collection = { type: "FeatureCollection", features };
  },
  nearest: (centre, limit) =>
    collection.features
      .map((feature) => [distance(centre, feature.geometry.coordinates), feature.properties])
      .sort(([one], [other]) => one - other)
      .slice(0, limit)
      .map(([, place]) => place),
  within: (ring) =>
    pointsWithinPolygon(collection, { type: "Polygon", coordinates: [ring] }).features.map(
      ({ properties }) => properties,
    ),
};
