/** Records which tool calls of a file have a result, and which results have a call. */

import type { CallIds } from "./entry.ts";
import { IdTable } from "./ids.ts";
import { NumberList } from "./numbers.ts";

const IS_MADE = 1;
const IS_ANSWERED = 2;

export class CallTable {
  readonly #ids = new IdTable();
  readonly #flags = new NumberList();

  add({ calls, results }: CallIds): void {
    for (const id of calls) this.#note(id, IS_MADE);
    for (const id of results) this.#note(id, IS_ANSWERED);
  }

  isMade(id: string): boolean {
    return (this.#flagsOf(id) & IS_MADE) !== 0;
  }

  isAnswered(id: string): boolean {
    return (this.#flagsOf(id) & IS_ANSWERED) !== 0;
  }

  #flagsOf(id: string): number {
    const number = this.#ids.find(id);
    return number < 0 ? 0 : this.#flags.at(number);
  }

  #note(id: string, flag: number): void {
    const number = this.#ids.find(id);
    if (number >= 0) {
      this.#flags.set(number, this.#flags.at(number) | flag);
    } else {
      this.#ids.add(id);
      this.#flags.push(flag);
    }
  }
}
