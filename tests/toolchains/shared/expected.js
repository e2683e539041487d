/** What the package does everywhere. */
export const expected = { found: [{ _id: 2, tines: 14 }], ping: 1, shell: "[ { _id: 3 } ]" };
