/**
 * How commands write. It imports nothing: the dispatcher is on the way of every hook once compiled.
 */

export function print(text: string): boolean {
  return writeAll(Deno.stdout, text);
}

export function printError(text: string): boolean {
  return writeAll(Deno.stderr, text);
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): boolean {
  const safe = forTerminal(text);
  const bytes = new TextEncoder().encode(safe.endsWith("\n") ? safe : safe + "\n");
  for (let written = 0; written < bytes.length;) {
    try {
      written += stream.writeSync(bytes.subarray(written));
    } catch (error) {
      // Who reads has seen enough, as in `trimtab show ... | head`.
      if (error instanceof Deno.errors.BrokenPipe) return false;
      throw error;
    }
  }
  return true;
}

/**
 * Takes out what could steer a terminal: a command prints what is in transcripts, names of files
 * and of tools included.
 */
function forTerminal(text: string): string {
  // deno-lint-ignore no-control-regex
  const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
  return text.replaceAll(steering, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
