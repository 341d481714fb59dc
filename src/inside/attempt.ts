/** Runs work whose failure must not stop the client. */

import { cleanLine } from "../inject/clean.ts";
import type { Client } from "./client.ts";

export function reasonOf(error: unknown): string {
  return cleanLine(error instanceof Error ? error.message : String(error));
}

export async function attempt<T>(
  client: Client,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    logFailure(client, error);
    return undefined;
  }
}

export function logFailure(client: Client, error: unknown): void {
  client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
}
