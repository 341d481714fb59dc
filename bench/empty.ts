// Deliberately empty, to measure the start time of Deno itself.
export {};
