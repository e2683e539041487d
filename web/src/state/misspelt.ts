/**
 * Names that a server refuses without saying which it knows: options, kinds and arguments of its commands.
 *
 * Invariant: pure; the names are those that the engine takes in that place.
 */

const words = (text: string): readonly string[] => text.split(" ");

const seriesOptions = words("timeField metaField granularity bucketMaxSpanSeconds bucketRoundingSeconds");
const createOptions = words(
  "capped size max validator validationLevel validationAction viewOn pipeline collation timeseries " +
    "expireAfterSeconds clusteredIndex changeStreamPreAndPostImages storageEngine indexOptionDefaults",
);
const metaNames = words("textScore indexKey geoNearDistance geoNearPoint randVal recordId sortKey");

/** Each pattern finds the wrong name in an error's words; the list has the right ones. */
const places: readonly (readonly [RegExp, readonly string[]])[] = [
  [/BSON field 'create\.timeseries\.(\w+)' is an unknown field/, seriesOptions],
  [/BSON field 'create\.(\w+)' is an unknown field/, createOptions],
  [/Enumeration value '(\w+)' for field 'create\.timeseries\.granularity'/, words("seconds minutes hours")],
  [/Enumeration value '(\w+)' for field 'create\.validationLevel'/, words("off strict moderate")],
  [/Enumeration value '(\w+)' for field 'create\.validationAction'/, words("error warn errorAndLog")],
  [/Unknown index plugin '(\w+)'/, words("2dsphere 2d text hashed")],
  [/invalid argument in geo near query: (\$\w+)/, words("$maxDistance $minDistance $geometry")],
  [/unknown geo specifier: (\$\w+)/, words("$centerSphere $geometry $center $polygon $box")],
  [
    /unknown GeoJSON type: \{\s*"?type"?:\s*"(\w+)"/,
    words("Point LineString Polygon MultiPoint MultiLineString MultiPolygon GeometryCollection"),
  ],
  [
    /Unknown argument to \$geoNear: (\w+)/,
    words("near distanceField key maxDistance minDistance query spherical distanceMultiplier includeLocs"),
  ],
  [/(?:Illegal \$meta sort: \$meta: "|Unsupported argument to \$meta: )(\w+)/, metaNames],
];

/** The name that an error refuses, with those that may stand in its place; null for any other error. */
export function misspeltIn(message: string): { readonly wrong: string; readonly names: readonly string[] } | null {
  for (const [pattern, names] of places) {
    const wrong = pattern.exec(message)?.[1];
    if (wrong !== undefined) return { wrong, names };
  }
  return null;
}

/** The option of a time series that was given to the command itself. */
export function strayedOption(message: string): string | null {
  const name = /BSON field 'create\.(\w+)' is an unknown field/.exec(message)?.[1];
  return name !== undefined && seriesOptions.includes(name) ? name : null;
}

/** A point whose latitude is none, as an error tells it. */
export interface Outlying {
  readonly longitude: number;
  readonly latitude: number;
  /** With its numbers changed over it would be a point. */
  readonly isSwapped: boolean;
}

export function outlyingIn(message: string): Outlying | null {
  const found = /Longitude\/latitude is out of bounds, lng: (\S+) lat: (\S+)/.exec(message);
  if (found === null) return null;
  const [longitude, latitude] = [Number(found[1]), Number(found[2])];
  const isSwapped = Math.abs(longitude) <= 90 && Math.abs(latitude) > 90 && Math.abs(latitude) <= 180;
  return { longitude, latitude, isSwapped };
}
