/** A worker that says what it is told: what messages cost by themselves. */
self.onmessage = ({ data }) => postMessage(data);
