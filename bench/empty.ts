// Empty, to measure the start time of Deno itself.
export {};
