/** Prints the output of commands. Imports nothing, because compiled hooks load this file. */

export function printContent(text: string): boolean {
  return writeAll(Deno.stdout, Deno.stdout.isTerminal() ? forTerminal(text) : text);
}

export function print(text: string, drawing?: string): boolean {
  const below = drawing === undefined ? "" : `\n\n${forTerminal(drawing, true)}`;
  return writeAll(Deno.stdout, forTerminal(text) + below);
}

export function printError(text: string): boolean {
  return writeAll(Deno.stderr, forTerminal(text));
}

interface Output {
  writeSync(bytes: Uint8Array): number;
}

function writeAll(stream: Output, text: string): boolean {
  const bytes = new TextEncoder().encode(text.endsWith("\n") ? text : text + "\n");
  for (let written = 0; written < bytes.length;) {
    try {
      written += stream.writeSync(bytes.subarray(written));
    } catch (error) {
      // The reader closed the pipe, as in `trimtab show ... | head`.
      if (error instanceof Deno.errors.BrokenPipe) return false;
      throw error;
    }
  }
  return true;
}

/** Escapes control and invisible characters, which text from a transcript can contain. */
export function forTerminal(text: string, hasColors = false): string {
  const controls =
    // deno-lint-ignore no-control-regex
    /\x1b\[\d{1,2}m|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
  return text.replaceAll(controls, (found) => {
    if (hasColors && found.length > 1) return found;
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}${found.slice(1)}`;
  });
}
