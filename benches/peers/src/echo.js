/** A worker that says what it is told: what messages cost by themselves. */
onmessage = ({ data }) => postMessage(data);
