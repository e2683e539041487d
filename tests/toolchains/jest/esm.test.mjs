/** The same for modules, which Jest takes when Node is told to. */
import { expected } from "../shared/expected.js";
import { tryOnServer } from "../shared/server.js";

test("modules", async () => expect(await tryOnServer()).toEqual(expected));
