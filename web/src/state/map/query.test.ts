/** Which shape a filter or a pipeline means, and which values are places. */
import { describe, expect, test } from "vitest";
import { readGeometry } from "./geometry.ts";
import { labelOf } from "./label.ts";
import { distancesFrom, fieldsOnMap, geoJsonFields, placesIn } from "./places.ts";
import { askedBy, askedIn } from "./query.ts";
import { EARTH } from "./sphere.ts";

const point = (x: number, y: number) => ({ type: "Point", coordinates: [x, y] });
const circle = (filter: object) => {
  const [asked] = askedIn(filter);
  if (asked?.figure.kind !== "circle") throw new Error("no circle");
  const { kind: _, ...figure } = asked.figure;
  return { field: asked.field, operator: asked.operator, isPlane: asked.isPlane, ...figure };
};

describe("a filter's shape", () => {
  test("is a circle around $near, its distances in metres, radians or units", () => {
    expect(circle({ at: { $near: { $geometry: point(1, 2), $maxDistance: EARTH, $minDistance: EARTH / 2 } } })).toEqual(
      {
        field: "at",
        operator: "$near",
        isPlane: false,
        center: [1, 2],
        least: 0.5,
        most: 1,
        isNear: true,
      },
    );
    expect(circle({ at: { $nearSphere: [1, 2], $maxDistance: 0.1 } })).toMatchObject({ isPlane: false, most: 0.1 });
    expect(circle({ at: { $near: [1, 2], $maxDistance: 5 } })).toMatchObject({ isPlane: true, most: 5, least: null });
    expect(circle({ at: { $near: { $geometry: point(1, 2) } } })).toMatchObject({ most: null });
    expect(circle({ at: { $geoWithin: { $center: [[1, 2], 3] } } })).toMatchObject({
      isPlane: true,
      most: 3,
      isNear: false,
    });
    expect(circle({ at: { $within: { $centerSphere: [[1, 2], 0.3] } } })).toMatchObject({
      isPlane: false,
      operator: "$within $centerSphere",
    });
  });

  test("is found below $and, $or, $nor, $not and $elemMatch", () => {
    const near = { $geoIntersects: { $geometry: point(1, 2) } };
    const filter = { a: 1, $or: [{ x: near }, { $and: [{ y: { $not: near } }] }], stops: { $elemMatch: { at: near } } };
    expect(askedIn(filter).map(({ field }) => field)).toEqual(["x", "y", "stops.at"]);
  });

  test("is a polygon for $box, $polygon and $geometry", () => {
    const rings = (filter: object) =>
      askedIn(filter).map(({ figure }) => (figure.kind === "shapes" ? figure.shapes : null));
    expect(
      rings({
        at: {
          $geoWithin: {
            $box: [
              [0, 1],
              [2, 3],
            ],
          },
        },
      }),
    ).toEqual([
      [
        {
          kind: "polygon",
          isStrict: false,
          rings: [
            [
              [0, 1],
              [2, 1],
              [2, 3],
              [0, 3],
              [0, 1],
            ],
          ],
        },
      ],
    ]);
    expect(
      rings({
        at: {
          $geoWithin: {
            $polygon: [
              [0, 0],
              [3, 6],
              [6, 0],
            ],
          },
        },
      })[0],
    ).toHaveLength(1);
    const strict = { type: "name", properties: { name: "urn:x-mongodb:crs:strictwinding:EPSG:4326" } };
    const ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const $geometry = { type: "Polygon", coordinates: [ring], crs: strict };
    expect(rings({ at: { $geoWithin: { $geometry } } })).toEqual([
      [{ kind: "polygon", isStrict: true, rings: [ring] }],
    ]);
  });

  test("is none where a name is misspelt or a value is no place", () => {
    for (const condition of [
      {
        $geoWithn: {
          $box: [
            [0, 1],
            [2, 3],
          ],
        },
      },
      { $geoWithin: { $centre: [[0, 1], 2] } },
      { $geoWithin: { $geometry: { type: "Pont", coordinates: [1, 2] } } },
      {
        $geoIntersects: {
          $box: [
            [0, 1],
            [2, 3],
          ],
        },
      },
      { $near: "here" },
      { $near: { $geometry: { type: "Point", coordinates: [1] } } },
      { $geoWithin: { constructor: [[0, 0], 1] } },
      { $geoWithin: null },
    ])
      expect(askedIn({ at: condition })).toEqual([]);
    expect(askedIn(null)).toEqual([]);
  });

  test("of a pipeline is that of $geoNear and of $match", () => {
    const [near, match] = askedBy({
      aggregate: "places",
      pipeline: [
        { $geoNear: { near: point(1, 2), key: "at", distanceField: "d", maxDistance: EARTH } },
        { $match: { area: { $geoIntersects: { $geometry: point(3, 4) } } } },
      ],
    });
    expect(near).toMatchObject({ field: "at", operator: "$geoNear", isPlane: false, figure: { most: 1 } });
    expect(match).toMatchObject({ field: "area", operator: "$geoIntersects" });
    expect(askedBy({ delete: "p", deletes: [{ q: { at: { $near: [1, 2] } }, limit: 1 }] })).toHaveLength(1);
    const legacy = (spherical: boolean) =>
      askedBy({ aggregate: "p", pipeline: [{ $geoNear: { near: [1, 2], spherical, maxDistance: 0.5 } }] })[0];
    expect(legacy(true)).toMatchObject({ field: "", isPlane: false, figure: { most: 0.5 } });
    expect(legacy(false)).toMatchObject({ isPlane: true, figure: { most: 0.5 } });
  });
});

describe("a value", () => {
  test("is a place of any of GeoJSON's types, or a pair", () => {
    const line = [
      [0, 0],
      [1, 1],
    ];
    const ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const kinds = (value: unknown): unknown => {
      const read = readGeometry(value);
      return typeof read === "string" ? read : read.shapes.map(({ kind }) => kind).join(" ");
    };
    expect(kinds(point(1, 2))).toBe("point");
    expect(kinds({ type: "LineString", coordinates: line })).toBe("line");
    expect(kinds({ type: "Polygon", coordinates: [ring] })).toBe("polygon");
    expect(kinds({ type: "MultiPoint", coordinates: line })).toBe("point point");
    expect(kinds({ type: "MultiLineString", coordinates: [line] })).toBe("line");
    expect(kinds({ type: "MultiPolygon", coordinates: [[ring], [ring]] })).toBe("polygon polygon");
    const geometries = [point(1, 2), { type: "LineString", coordinates: line }];
    expect(kinds({ type: "GeometryCollection", geometries })).toBe("point line");
    expect(kinds([1, 2])).toBe("point");
    expect(kinds({ lng: 1, lat: 2 })).toBe("point");
  });

  test("is none for a reason", () => {
    expect(readGeometry(null)).toBe("missing");
    expect(readGeometry("here")).toBe("other");
    expect(readGeometry({ type: "Pont", coordinates: [1, 2] })).toBe("type");
    expect(readGeometry(point(200, 2))).toBe("coordinates");
    expect(readGeometry({ type: "Point", coordinates: ["1", 2] })).toBe("coordinates");
    expect(
      readGeometry({
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      }),
    ).toBe("ring");
    expect(readGeometry({ type: "Polygon", coordinates: [] })).toBe("coordinates");
  });
});

describe("the places of a result", () => {
  const documents = [
    { _id: 1, name: "A", at: point(0, 0), stops: [{ at: point(1, 1) }, { at: point(2, 2) }] },
    { _id: 2, name: "B", at: point(0, 1) },
    { _id: 3, at: "nowhere" },
    { _id: 4 },
  ];

  test("are found in fields, in arrays too, and those without are counted by reason", () => {
    expect(geoJsonFields(documents)).toEqual(["at", "stops.at"]);
    expect(fieldsOnMap(documents, ["stops.at", ""])).toEqual(["stops.at", "at"]);
    const { places, leftOut, arePairs } = placesIn(documents, "at");
    expect(places.map(({ index, type }) => [index, type])).toEqual([
      [0, "Point"],
      [1, "Point"],
    ]);
    expect([...leftOut]).toEqual([
      ["other", 1],
      ["missing", 1],
    ]);
    expect(arePairs).toBe(false);
    expect(placesIn(documents, "stops.at").places[0]).toMatchObject({ type: "several", shapes: [{}, {}] });
    expect(
      placesIn(
        [
          {
            at: [
              [1, 2],
              [3, 4],
            ],
          },
        ],
        "at",
      ).places[0]?.shapes,
    ).toHaveLength(2);
    expect(placesIn([{ at: [1, 2] }], "at").arePairs).toBe(true);
  });

  test("are measured as the engine measures", () => {
    const { places } = placesIn(documents, "at");
    const far = distancesFrom([0, 0], places, false);
    expect(far?.nearest).toBe(0);
    expect(far?.farthest).toBeCloseTo((EARTH * Math.PI) / 180, 3);
  });

  test("are called by their names, else by their _id", () => {
    expect(labelOf({ _id: 1, kind: "shop", name: "Rue & Sons" }, "at")).toBe("Rue & Sons");
    expect(labelOf({ _id: 7, kind: "shop" }, "at")).toBe("7");
    expect(labelOf({ kind: "shop" }, "at")).toBe("shop");
  });
});
