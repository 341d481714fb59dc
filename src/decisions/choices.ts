/** Finds which of the assistant's options the user chose. */

import type { ProseLine } from "../inject/prose.ts";

const MAX_OPTIONS = 12;
const MAX_ANSWER_LINES = 100;
const MAX_ANSWER_CHARS = 400;
/** In longer answers, words such as "option 2" rarely state a choice. */
const MAX_MENTION_CHARS = 160;

/** Shorter remarks about a rejected option are omitted, because they state no reason. */
const MIN_WORDS = 4;

export interface Option {
  readonly key: string;
  readonly text: string;
  /** The paragraph below the option; missing if there is none. */
  readonly body?: string;
}

export interface OptionList {
  /** The line before the list; may be empty. */
  readonly question: string;
  readonly options: readonly Option[];
}

export interface Choice {
  readonly taken: readonly Option[];
  readonly others: readonly Option[];
  readonly words: string;
}

const TITLE_WORD = /\b(?:option|approach|choice|alternative)\b/i;

/** Matches a title that starts with an option's key, such as `Option 2: ...` and `B) ...`. */
const TITLED_OPTION =
  /^(?:(?:option|approach|choice|alternative)\s+(\d{1,2}|[a-h])\b|\(?([a-h])(?:[):]|\.\s|\s[—–-]\s))[\s:.)–—-]*(.*)$/i;

/**
 * Reads the last list of options. If the answer contains a word such as "option" or "approach", prefers
 * titled options to numbered lists.
 */
export function readOptions(lines: readonly ProseLine[], answer = ""): OptionList | undefined {
  const unnumbered = TITLE_WORD.test(answer) ? lines.filter(({ key }) => key === "") : [];
  return optionsIn(unnumbered) ?? optionsIn(lines);
}

function optionsIn(lines: readonly ProseLine[]): OptionList | undefined {
  let open: { question: string; options: Option[]; indent: number } | undefined;
  let last: typeof open;
  let before = "";
  /** The option on the previous line. */
  let above: Option | undefined;
  for (const line of lines) {
    const option = optionOf(line);
    if (option === undefined) {
      const isBody = line.kind === "text" && !/\?|:$/.test(line.text);
      if (isBody && above !== undefined) {
        open?.options.splice(-1, 1, { ...above, body: line.text });
      }
      above = undefined;
      if (line.kind !== "item" && line.kind !== "rule") before = line.text;
      continue;
    }
    if (option.key === "1" || option.key === "a") {
      open = { question: before, options: [option], indent: line.indent };
    } else if (
      open !== undefined && line.indent === open.indent && isNext(open.options, option) &&
      open.options.length < MAX_OPTIONS
    ) {
      open.options.push(option);
    }
    above = open?.options.at(-1) === option ? option : undefined;
    if (open !== undefined && open.options.length > 1) last = open;
  }
  return last;
}

/** Returns the texts of the chosen options. If only one was chosen, adds the paragraph below it. */
export function textsOf(taken: readonly Option[]): string[] {
  return taken.map(({ text, body }) =>
    body === undefined || taken.length > 1 ? text : `${text} ${body}`
  );
}

function optionOf(line: ProseLine): Option | undefined {
  if (line.key !== "") return { key: line.key, text: line.text };
  const [, number, letter, text = ""] = TITLED_OPTION.exec(line.text) ?? [];
  const key = number ?? letter;
  return key === undefined || text === "" ? undefined : { key: key.toLowerCase(), text };
}

function isNext(options: readonly Option[], option: Option): boolean {
  const last = options.at(-1)?.key ?? "";
  if (/^\d/.test(last)) return Number(option.key) === Number(last) + 1;
  return option.key.length === 1 && option.key.charCodeAt(0) === last.charCodeAt(0) + 1;
}

/** Matches words that may precede the key in an answer, such as "let's go with". */
const KEY_PREFIX =
  /^(?:(?:ok(?:ay)?|yes|yeah|hmm|um+|definitely|probably|agreed?)[,.!]?\s+)*(?:(?:let'?s|i(?:'d| would|'ll)?|we)\s+)?(?:(?:go|do|try|use|pick|choose|take|prefer|say|like|think|want|going|vote|agree|fix|tackle|address|implement|start)\s+)?(?:(?:with|for|both|the fix(?:es)?)\s+)*(?:(?:the\s+)?(?:option|choice|approach|number|no\.|(?:item|point|finding|issue|comment)s?)\s*)?[#(]?/i;

const REFUSAL =
  /\b(?:skip|no|not|nah|don'?t|drop|leave it|later|weak(?:est)?|separately|separate (?:feature|issue|task|ticket|pr|pull request))\b/i;

/** Reads an answer that picks options, such as "2" and "I think option 2 is better". */
export function readChoice(answer: string, list: OptionList): Choice | undefined {
  const text = answer.trim();
  const answered = answersByKey(text, list);
  const isAnsweredByKey = answered.length > 1;
  const quoted = isAnsweredByKey || keysOfStart(text) !== undefined ? [] : keysOfQuotes(text, list);
  const keys = isAnsweredByKey
    ? answered.filter(({ words }) => !REFUSAL.test(words)).map(({ option }) => option.key)
    : keysOfStart(text) ?? (quoted.length > 0 ? quoted : keysOfWords(text));
  const taken = list.options.filter(({ key }) => keys.includes(key));
  if (taken.length === 0) return undefined;
  const own = answered.filter(({ option }) => taken.includes(option));
  const said = isAnsweredByKey ? own.map(({ words }) => words).join(" ") : text;
  const words = quoted.length > 0 ? "" : said;
  const others = list.options.filter((option) => !taken.includes(option)).map((option) => {
    const said = isAnsweredByKey ? answered.find((one) => one.option === option)?.words : undefined;
    // The user's words come first, because the end of a long option is cut.
    return said === undefined || said.split(" ").length < MIN_WORDS
      ? option
      : { ...option, text: `"${said}" - ${option.text}` };
  });
  return { taken, others, words };
}

const QUOTED_CHARS = 50;

/** Returns the keys of options that the user quotes, as in "Build this: 2. A lock for each file". */
function keysOfQuotes(text: string, list: OptionList): string[] {
  const words = plainWords(text);
  const quoted = list.options.filter((option) => {
    const start = plainWords(option.text).slice(0, QUOTED_CHARS);
    return start.length === QUOTED_CHARS && words.includes(start);
  });
  return quoted.length < list.options.length ? quoted.map(({ key }) => key) : [];
}

export function plainWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

export function answersByKey(
  answer: string,
  list: OptionList,
): { readonly option: Option; words: string }[] {
  const answers: { readonly option: Option; words: string }[] = [];
  for (const line of answer.split("\n", MAX_ANSWER_LINES)) {
    const part = line.slice(0, MAX_ANSWER_CHARS).trim();
    const [, key, words] = /^(\d{1,2}|[a-h])[.):]\s*(\S.*)$/i.exec(part) ?? [];
    const option = list.options.find((option) => option.key === key?.toLowerCase());
    const last = answers.at(-1);
    if (option !== undefined && words !== undefined) answers.push({ option, words });
    // An answer can continue below its key.
    else if (last !== undefined && part !== "" && last.words.length < MAX_ANSWER_CHARS) {
      last.words += ` ${part}`;
    }
  }
  return answers;
}

export function startsWithKey(answer: string): boolean {
  return keysOfStart(answer.trim()) !== undefined;
}

function keysOfStart(text: string): string[] | undefined {
  const lead = KEY_PREFIX.exec(text)?.[0] ?? "";
  const rest = text.slice(lead.length, lead.length + 40);
  // A lone letter may be a word ("a test fails"), so another word may not follow it directly.
  const run =
    /^(?:(?:\d{1,2}|[a-h](?![\w'’]))(?!\s+(?!is|it is|sounds|looks|seems|please|works|makes|for|with|and|but|then|now|too|also|as well|only|would|was|as|because|since|if|first)[a-z]{2})(?:\s*(?:,|and|&|\+)\s*#?(?=\d|[a-h]\b))?)+(?![\w%'’])/i
      .exec(rest)?.[0];
  return run === undefined ? undefined : (run.toLowerCase().match(/\d+|\b[a-h]\b/g) ?? []);
}

/** Matches the start of a question about an option, such as "can you summarize option 5". */
const OPTION_QUESTION =
  /^(?:(?:ok(?:ay)?|and|but|so|hmm+|please)[,.!]?\s+)*(?:(?:can|could|would|will) you|what|why|how|does|do|did|is|are|explain|describe|show|summari[sz]e|tell|elaborate)\b/i;

function keysOfWords(text: string): string[] {
  const key = text.length < MAX_MENTION_CHARS && !OPTION_QUESTION.test(text)
    ? /\b(?:option|approach|choice)\s+#?(\d|[a-h])\b/i.exec(text)?.[1]
    : undefined;
  return key === undefined ? [] : [key.toLowerCase()];
}
