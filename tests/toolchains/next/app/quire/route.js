import { tryOnServer } from "../../../shared/server.js";

export const dynamic = "force-dynamic";
export const GET = async () => Response.json(await tryOnServer());
