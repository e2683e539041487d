/** The trial for Node without modules: `server.cjs` is made of `server.js`. */
require("../shared/server.cjs")
  .tryOnServer()
  .then((outcome) => console.log(JSON.stringify(outcome)));
