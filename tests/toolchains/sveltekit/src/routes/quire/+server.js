import { tryOnServer } from "../../../../shared/server.js";

export const GET = async () => Response.json(await tryOnServer());
