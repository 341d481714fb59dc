// Nothing: what it takes to run this is what Deno itself takes to start.
export {};
