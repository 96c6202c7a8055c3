// A worker whose timer goes on while its page is hidden: it is sent the interval in milliseconds.

onmessage = ({ data }) => setInterval(() => postMessage(null), data);
