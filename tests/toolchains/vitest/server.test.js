import { expect, test } from "vitest";
import { expected } from "../shared/expected.js";
import { tryOnServer } from "../shared/server.js";

test("the package does its work", async () => expect(await tryOnServer()).toEqual(expected));
