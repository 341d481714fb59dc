// Empty, to measure the time that Deno itself takes to start.
export {};
