/**
 * `quiredb/server`: MongoDB's wire protocol over a port of this machine, for any client of MongoDB's.
 *
 * ```js
 * const server = await createServer({ port: 0 });
 * const client = await new MongoClient(server.uri).connect(); // of the package mongodb
 * ```
 */
export { createServer, type QuireServer, type ServerOptions } from "./server/server.ts";
