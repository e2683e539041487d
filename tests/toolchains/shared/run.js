/** For what runs a file: says on one line what came of it. */
import { tryOnServer } from "./server.js";

tryOnServer().then((outcome) => console.log(JSON.stringify(outcome)));
