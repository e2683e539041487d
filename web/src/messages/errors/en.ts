/**
 * What went wrong in a run, in English: refused writes, names that are not known, SQL.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys. Names and values come marked as code
 * (`view/results/coded.ts`).
 */
export const en = {
  duplicate: (namespace: string, values: string) => `${namespace} already has a document with ${values}.`,
  "duplicate.unique": (index: string) => `Its index ${index} holds each value once.`,
  "duplicate.building": (namespace: string, values: string) =>
    `Several documents of ${namespace} have ${values}, and a unique index holds each value once.`,
  invalid: (namespace: string, faults: string) => `The document breaks the rules of ${namespace}: ${faults}.`,
  "invalid.here": (faults: string) => `The document breaks the rules of its collection: ${faults}.`,
  "fault.missing": (path: string) => `${path} is missing`,
  "fault.extra": (path: string) => `${path} is not allowed`,
  "fault.type": (path: string, found: string, wanted: string) => `${path} is of type ${found} and must be ${wanted}`,
  "fault.rule": (path: string, rule: string) => `${path} breaks ${rule}`,
  "fault.value": (path: string, found: string, rule: string) => `${path} is ${found} and breaks ${rule}`,
  "fault.whole": (rule: string) => `as a whole it breaks ${rule}`,
  "fault.more": (count: string) => `and ${count} more`,
  list: "; ",
  or: " or ",
  place: (place: string) => `Number ${place} of the list was refused.`,
  others: (count: string, one: boolean) => (one ? "One more of the list failed." : `${count} more of the list failed.`),
  document: "The document",
  update: "The update",
  leftOut: "The document is too long to be shown here.",
  rest: "All that the server said",
  "hint.similar": (right: string) => `Did you mean ${right}?`,
  "hint.ofCollection": (right: string) => `A collection has that, not db: ${right}`,
  "hint.unsupported": (name: string) => `${name} is not supported here.`,
  "hint.geoIndex": (sphere: string, plane: string) =>
    `Distances need an index on the field, for GeoJSON ${sphere}, for a pair of numbers ${plane}.`,
  "hint.text": (right: string) => `Words are searched for at the top of a filter: ${right}`,
  "hint.textStage": (name: string, right: string) =>
    `${name} is not supported here. Words are found through a text index: ${right}`,
  "hint.seriesOption": (name: string, right: string) => `${name} belongs inside timeseries: ${right}`,
  "hint.atTop": (name: string) => `${name} stands at the top of a filter, not under a field.`,
  "hint.underField": (right: string) => `That operator stands under a field: ${right}`,
  "hint.degrees": "The longitude comes first, from -180 to 180 degrees, and then the latitude, from -90 to 90 degrees.",
  "hint.longitude": (right: string) => `The longitude comes first, and then the latitude: ${right}`,
  "hint.collection": (wrong: string, right: string) => `There is no collection ${wrong}. Did you mean ${right}?`,
  "hint.elsewhere": (wrong: string, right: string) => `There is no ${wrong}, but there is ${right}.`,
  "mend.set": (right: string) => `An update says what it does to the fields it names, as in ${right}.`,
  "mend.dollar": (right: string) => `The operator of an update is ${right}.`,
  "mend.list": (right: string) => `Several values stand in a list: ${right}`,
  "mend.stage-path": (right: string) => `The path of a field is written with a $: ${right}`,
  "mend.many": (right: string) => `A list of documents is the argument of ${right}.`,
  "mend.one": (right: string) => `A single document is the argument of ${right}.`,
  "mend.collection": (right: string) => `A collection is named behind db: ${right}`,
  "mend.filter": (right: string) => `A filter is a document: ${right}`,
  "mend.id": (right: string) => `Each group has an _id; ${right} makes one group of all documents.`,
  "mend.replace": (right: string) => `Operators as $set change a document in ${right}.`,
  "mend.geo-index": (right: string) => `Distances need an index on the field: ${right}`,
  "mend.geo-json": (right: string) => `The field has an index for GeoJSON, and so the point is written as ${right}.`,
  "mend.longitude": (right: string) => `The longitude comes first, and then the latitude: ${right}`,
  "mend.text-index": (right: string) =>
    `Words are found through a text index, of the fields it names or of all texts: ${right}`,
  "fix.add": (text: string) => `Add ${text}`,
  "fix.replace": (right: string) => `Write ${right}`,
  "fix.gone": "The script is no longer as it was run, so that nothing was replaced.",
  "sql.replace": "Put it into the script",
};
