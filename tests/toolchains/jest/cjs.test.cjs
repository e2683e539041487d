/** The trial of `shared/server.js` under Jest; its CommonJS is made of it. */
const { expected } = require("../shared/expected.cjs");
const { tryOnServer } = require("../shared/server.cjs");

test("CommonJS", async () => expect(await tryOnServer()).toEqual(expected));
