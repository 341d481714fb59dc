// Generated from hooks/_inside.ts by `deno task inside`: do not edit.
// src/core/record.ts
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
function stringsIn(value) {
  const found = [
    value
  ];
  for (const item of found) {
    if (typeof item !== "object") continue;
    for (const inner of Object.values(item ?? {})) found.push(inner);
  }
  return found.filter((item) => typeof item === "string");
}
function isCount(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
function isText(value) {
  return typeof value === "string";
}
function isTime(value) {
  return isText(value) && !Number.isNaN(Date.parse(value));
}
function isPaidBack(value) {
  return isObject(value) && [
    value["light"],
    value["deep"]
  ].every((requests) => requests === null || isCount(requests));
}
function isInUse(value) {
  return isObject(value) && isCount(value["newest"]) && isCount(value["passages"]) && (value["unused"] === undefined || isCount(value["unused"]));
}
function hasAnswerAfter({ newest_at: newestAt }, ms) {
  return newestAt !== null && Date.parse(newestAt) > ms;
}
function isFreedRecord(value) {
  return isObject(value) && [
    "at_tokens",
    "light",
    "deep",
    "rollover",
    "bytes"
  ].every((key) => isCount(value[key])) && (value["in_use"] === undefined || isInUse(value["in_use"])) && (value["paid_back_after"] === undefined || isPaidBack(value["paid_back_after"])) && (value["cache_ttl_seconds"] === null || isCount(value["cache_ttl_seconds"])) && (value["newest_at"] === null || isTime(value["newest_at"]));
}

// src/core/ignore_file.ts
var IGNORE_FILES = {
  git: ".gitignore",
  search: ".ignore"
};
var IGNORE_EVERYTHING = "*\n";
function ignoresEverything(text) {
  const lines = text.split(/\r?\n/);
  return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
}

// src/inside/files.ts
var CHUNK_BYTES = 4 * 1024 * 1024;
async function readBytes(client, path, { from, to }) {
  const length = Math.min(CHUNK_BYTES, to - from);
  const { base64 } = await client.fs.read(path, {
    as: "bytes",
    offset: from,
    length
  });
  return Uint8Array.fromBase64(base64);
}
async function readWhole(client, path, size) {
  return await client.fs.read(path, {
    as: "text",
    offset: 0,
    length: size
  });
}
async function readText(client, path, maxBytes) {
  const found = await client.fs.stat(path).catch(() => undefined);
  if (found?.kind !== "file" || found.size > maxBytes) return undefined;
  return new TextDecoder().decode(await readBytes(client, path, {
    from: 0,
    to: found.size
  }));
}
var MAX_IGNORE_BYTES = 64 * 1024;
async function writeOwn(client, { root, path }, text) {
  const folder = `${root}/.claude/trimtab`;
  const ignore = `${folder}/${IGNORE_FILES.git}`;
  await Promise.all([
    refuseLinks(client, root, ignore),
    refuseLinks(client, root, path)
  ]);
  if (await client.fs.exists(ignore)) {
    const text2 = await readText(client, ignore, MAX_IGNORE_BYTES);
    if (!ignoresEverything(text2 ?? "")) throw new TypeError(`${ignore} does not ignore everything`);
  } else {
    await client.fs.write(ignore, IGNORE_EVERYTHING);
    const searchIgnore = `${folder}/${IGNORE_FILES.search}`;
    await refuseLinks(client, root, searchIgnore);
    if (await statOf(client, searchIgnore) === undefined) {
      await client.fs.write(searchIgnore, IGNORE_EVERYTHING);
    }
  }
  await client.fs.write(path, text);
}
async function refuseLinks(client, root, path) {
  let folder = `${root}/.claude`;
  const below = path.slice(folder.length + 1).split("/");
  const settings = await statOf(client, folder);
  if (settings?.isLink === true) {
    const [linked, project] = [
      settings.realPath,
      (await statOf(client, root))?.realPath
    ];
    const isInside = project !== undefined && linked?.startsWith(project) === true && /^[\\/]/.test(linked.slice(project.length));
    if (!isInside) throw new TypeError(`${folder} points outside the project`);
  }
  for (const name of below) {
    folder = `${folder}/${name}`;
    if ((await statOf(client, folder))?.isLink === true) throw new TypeError(`${folder} is a link`);
  }
}
async function statOf(client, path) {
  return await client.fs.stat(path, {
    resolve: true
  }).catch(() => undefined);
}

// src/inside/after_boundary.ts
var CHECK_MS = 50;
var MAX_WAIT_MS = 6e4;
var BOUNDARY = '"subtype":"compact_boundary"';
var pending;
function isBoundaryPending() {
  return pending !== undefined;
}
function logAfterBoundary(client, message) {
  pending = message;
  check(client, message, {
    size: message.from,
    checksLeft: MAX_WAIT_MS / CHECK_MS
  });
}
async function settlePending(client) {
  if (pending !== undefined) await finish(client, pending, await hasBoundary(client, pending));
}
async function finish(client, message, isWritten) {
  if (pending !== message) return;
  pending = undefined;
  if (isWritten) client.ui.log(message.text);
  else await message.onDropped?.();
}
function check(client, message, last) {
  client.clock.after(CHECK_MS, async () => {
    if (pending !== message) return;
    const { size } = await client.fs.stat(message.path).catch(() => last);
    const isWritten = size > last.size && await hasBoundary(client, message);
    if (isWritten || last.checksLeft <= 0) return await finish(client, message, isWritten);
    check(client, message, {
      size,
      checksLeft: last.checksLeft - 1
    });
  });
}
async function hasBoundary(client, { path, from }) {
  try {
    const { size: to } = await client.fs.stat(path);
    const bytes = await readBytes(client, path, {
      from,
      to
    });
    return new TextDecoder().decode(bytes).includes(BOUNDARY);
  } catch {
    return false;
  }
}

// src/core/tools.ts
var REPLACED_ARGUMENT = "old_string";
var EDIT_TEXTS = [
  REPLACED_ARGUMENT,
  "new_string"
];
var WRITERS = /* @__PURE__ */ new Map([
  [
    "Write",
    [
      "content"
    ]
  ],
  [
    "Edit",
    EDIT_TEXTS
  ],
  [
    "MultiEdit",
    EDIT_TEXTS
  ],
  [
    "NotebookEdit",
    [
      "new_source"
    ]
  ]
]);
var AGENT_TOOLS = /* @__PURE__ */ new Set([
  "Agent",
  "Task"
]);
var AGENT_HANDLE = /^(?:agentId|worktreePath|worktreeBranch|output_file): /;

// src/core/chars.ts
var PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;
function countChars(text) {
  return text.length - (text.match(PAIRS)?.length ?? 0);
}
function indexOfChar(text, chars) {
  let index = 0;
  for (let i = 0; i < chars && index < text.length; i++) index += isPairAt(text, index + 1) ? 2 : 1;
  return index;
}
function indexBefore(text, end, chars) {
  if (chars > end) return -1;
  let index = end;
  for (let i = 0; i < chars && index >= 0; i++) index -= isPairAt(text, index - 1) ? 2 : 1;
  return index;
}
function countLines(text) {
  return text.split("\n").length - Number(text === "" || text.endsWith("\n"));
}
function isPairAt(text, i) {
  return (text.charCodeAt(i) & 64512) === 56320 && (text.charCodeAt(i - 1) & 64512) === 55296;
}

// src/transcript/entry.ts
var decoder = new TextDecoder();
function asString(value) {
  return typeof value === "string" ? value : undefined;
}
function viewEntry(raw) {
  return {
    raw,
    type: asString(raw.type),
    subtype: asString(raw.subtype),
    uuid: asString(raw.uuid),
    parentUuid: raw.parentUuid === null ? null : asString(raw.parentUuid),
    sessionId: asString(raw.sessionId),
    isSidechain: raw.isSidechain === true,
    timestamp: asString(raw.timestamp),
    message: isObject(raw.message) ? raw.message : undefined
  };
}
function jsonText(value, indent = 0) {
  for (const space of /* @__PURE__ */ new Set([
    indent,
    0
  ])) {
    try {
      return (space === 0 ? JSON.stringify(value) : JSON.stringify(value, null, space)) ?? "";
    } catch {
    }
  }
  return "";
}

// src/transcript/content.ts
var SENT_ATTACHMENTS = new Set("agent_listing_delta auto_mode date_change deferred_tools_delta diagnostics edited_text_file file hook_additional_context hook_blocking_error hook_stopped_continuation mcp_instructions_delta nested_memory queued_command skill_listing task_reminder total_tokens_reminder".split(" "));
var HOOKS_WITH_CONTEXT = /* @__PURE__ */ new Set([
  "SessionStart",
  "UserPromptSubmit"
]);
var UNSENT_FIELDS = new Set("type toolUseID hookEvent command durationMs stdout source_uuid delivery_id commandMode timestamp".split(" "));
var MAX_ATTACHMENT_DEPTH = 8;
var CLEARED = "tool_results_cut";
var NO_ANSWER = "No response requested.";
function contentParts(entry) {
  if (entry.type === "attachment") {
    const { attachment, rendered } = entry.raw;
    const isRendered = Array.isArray(rendered) && rendered.length > 0;
    return isRendered ? joinedPart(renderedTextsIn(rendered)) : attachmentParts(attachment);
  }
  if (entry.type === "system") {
    const text = entry.subtype === "local_command" ? asString(entry.raw.content) : undefined;
    return text === undefined ? [] : [
      {
        kind: "text",
        text
      }
    ];
  }
  if (entry.type !== "user" && entry.type !== "assistant") return [];
  if (entry.raw.isApiErrorMessage === true && entry.message?.model === "<synthetic>") return [];
  const content = entry.message?.content;
  if (typeof content === "string") return content === "" ? [] : [
    {
      kind: "text",
      text: content
    }
  ];
  return Array.isArray(content) ? content.flatMap(blockParts) : [];
}
function resultTexts(content) {
  if (typeof content === "string") return [
    content
  ];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => isObject(block) && block.type === "text" ? asString(block.text) ?? [] : []);
}
function blockParts(block) {
  if (!isObject(block)) return [];
  switch (block.type) {
    case "text": {
      const text = asString(block.text) ?? "";
      return text === "" ? [] : [
        {
          kind: "text",
          text
        }
      ];
    }
    case "thinking": {
      const signatureChars = asString(block.signature)?.length ?? 0;
      return [
        {
          kind: "thinking",
          text: asString(block.thinking) ?? "",
          signatureChars
        }
      ];
    }
    case "redacted_thinking":
      return [
        {
          kind: "thinking",
          text: asString(block.data) ?? ""
        }
      ];
    case "tool_use": {
      const text = jsonText(block.input ?? {}) || "{}";
      return [
        {
          kind: "tool_use",
          text,
          id: asString(block.id),
          name: asString(block.name)
        }
      ];
    }
    case "tool_result":
      return resultParts(block);
    case "image":
    case "document":
      return [
        imagePart(block)
      ];
    default:
      return [];
  }
}
function resultParts({ content, tool_use_id }) {
  const text = resultTexts(content).join("");
  const images = Array.isArray(content) ? content.filter(isMedia).map(imagePart) : [];
  return [
    {
      kind: "tool_result",
      text,
      id: asString(tool_use_id)
    },
    ...images
  ];
}
function isMedia(block) {
  return isObject(block) && (block.type === "image" || block.type === "document");
}
function mediaData({ source }) {
  return isObject(source) ? asString(source.data) ?? "" : "";
}
function imagePart(block) {
  return {
    kind: "image",
    text: mediaData(block),
    media: block
  };
}
function joinedPart(texts) {
  const text = texts.join("");
  return text === "" ? [] : [
    {
      kind: "attachment",
      text
    }
  ];
}
function attachmentParts(attachment) {
  if (!isObject(attachment)) return [];
  const type = asString(attachment.type) ?? "";
  const isSent = SENT_ATTACHMENTS.has(type) || type === "hook_success" && HOOKS_WITH_CONTEXT.has(asString(attachment.hookEvent) ?? "");
  if (!isSent) return [];
  const images = attachedBlocks(attachment).filter(isMedia).map(imagePart);
  return [
    ...joinedPart(attachmentTexts(attachment)),
    ...images
  ];
}
function attachedBlocks(attachment) {
  const { prompt, content } = isObject(attachment) ? attachment : {};
  if (Array.isArray(prompt)) return prompt.map((block) => isObject(block) ? block : {});
  const file = fileMedia(content);
  return file === undefined ? notebookBlocks(content) : [
    file
  ];
}
function notebookCells(content) {
  const isNotebook = isObject(content) && content.type === "notebook" && isObject(content.file);
  return isNotebook ? objectsOf(Object(content.file).cells) : [];
}
function notebookBlocks(content) {
  const blocks = [];
  let texts = [];
  const flushText = () => {
    const text = `<system-reminder>
${texts.join("\n")}
</system-reminder>`;
    if (texts.length > 0) blocks.push({
      type: "text",
      text
    });
    texts = [];
  };
  for (const { cellType, source, cell_id: id, outputs } of notebookCells(content)) {
    const typeTag = cellType === "code" ? "" : `<cell_type>${cellType}</cell_type>`;
    texts.push(`<cell id="${id}">${typeTag}${source}</cell id="${id}">`);
    for (const { text, image } of objectsOf(outputs)) {
      if (typeof text === "string") texts.push(`
${text}`);
      const { image_data: data, media_type } = Object(image);
      if (typeof data !== "string") continue;
      flushText();
      blocks.push({
        type: "image",
        source: {
          type: "base64",
          media_type,
          data
        }
      });
    }
  }
  flushText();
  return blocks;
}
function fileMedia(content) {
  if (!isObject(content) || !isObject(content.file)) return undefined;
  const type = content.type === "pdf" ? "document" : content.type;
  const { base64: data, type: mediaType } = content.file;
  if (type !== "image" && type !== "document" || typeof data !== "string" || data === "") {
    return undefined;
  }
  const media_type = asString(mediaType) ?? (type === "document" ? "application/pdf" : "image/png");
  return {
    type,
    source: {
      type: "base64",
      media_type,
      data
    }
  };
}
function renderedTextsIn(rendered) {
  return objectsOf(rendered).flatMap(({ content }) => resultTexts(content));
}
function queuedPrompt({ raw: { attachment } }) {
  if (!isObject(attachment) || attachment.type !== "queued_command") return undefined;
  const text = resultTexts(attachment.prompt).join("\n");
  return attachment.commandMode === "prompt" && text !== "" ? text : undefined;
}
function attachmentTexts(attachment) {
  if (!isObject(attachment)) return [];
  return Object.entries(attachment).filter(([key]) => !UNSENT_FIELDS.has(key)).flatMap(([, value]) => leafTexts(value, 0));
}
function leafTexts(value, depth) {
  if (typeof value === "string") return value === "" ? [] : [
    value
  ];
  if (depth > MAX_ATTACHMENT_DEPTH || typeof value !== "object" || value === null) return [];
  if (isMedia(value) && isObject(value.source)) return [];
  if (fileMedia(value) !== undefined || Object.hasOwn(value, "image_data")) return [];
  if (isObject(value) && value.type === "text") {
    return leafTexts(isObject(value.file) ? value.file.content : value.text, depth + 1);
  }
  return Object.values(value).flatMap((inner) => leafTexts(inner, depth + 1));
}
function clearedBy({ raw: { attachment } }) {
  const { type, callIds } = Object(attachment);
  return type === CLEARED && Array.isArray(callIds) ? callIds : [];
}
function attachedMedia(entry) {
  return attachedBlocks(entry.raw.attachment).filter(isMedia);
}
function blocksOf({ message }) {
  return objectsOf(message?.content);
}
function objectsOf(value) {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
function markedTexts(entry, { id, kind }) {
  for (const block of blocksOf(entry)) {
    if (kind === "result" && block.type === "tool_result" && block.tool_use_id === id) {
      const texts = resultTexts(block.content);
      return texts.length > 1 ? [
        ...texts,
        texts.join("\n")
      ] : texts;
    }
    if (kind === "call" && block.type === "tool_use" && block.id === id) {
      return stringsIn(block.input);
    }
  }
  return undefined;
}

// src/core/marks.ts
var NOTICE = /\n\n\[\.\.\.truncated - original was ([\d,]{1,20}) chars, showing (?:first ([\d,]{1,20})|([\d,]{1,20}) in parts)\. See line (\d{1,15}) of ([^\n]{1,4096}?) for full content\](?=\n|$)/g;
var NOTICE_END = " for full content]";
var PERSISTED = /^(?:<persisted-output>\n[^\n]{0,120}?\bsaved to: [^\n]{1,1024}(?=\n\n(?:Preview \(|\[\.\.\.truncated ))|Error: result \([\d,]{1,20} characters[^\n]{0,80}\) exceeds maximum allowed tokens\. Output has been saved to [^\n]{1,1024}(?=\n))/i;
var SHAPED = /^(?:Found \d[^\n]{0,80}\n| {0,6}\d{1,9}(?:→|\t))?\[trimtab: shaped from ([\d,]{1,20}) characters in [\d,]{1,20} lines?; the whole output is in [^\n]{1,1024}[\\/]([A-Za-z0-9_-]{1,130})\.txt: (?:Read|search) it [^\n\]]{1,80}\](?=\n|$)/;
var MAX_HEAD_UNITS = 1500;
var SHORT_ID_CHARS = 8;
function shortId(id) {
  return id.slice(0, SHORT_ID_CHARS);
}
function isFileOfSession(session, transcript) {
  if (!transcript.endsWith(".jsonl")) return false;
  const id = transcript.slice(0, -".jsonl".length);
  return id === session || shortId(id) === session;
}
function readNotice(text) {
  if (!text.endsWith(NOTICE_END)) return undefined;
  const { value } = cutPartsIn(text).next();
  return value?.start === 0 && value.end === text.length ? value.notice : undefined;
}
function withoutCutParts(text) {
  let [others, limit] = [
    "",
    text.length
  ];
  for (const { start, end } of cutPartsIn(text)) {
    others = text.slice(end, limit) + others;
    limit = start;
  }
  return text.slice(0, limit) + others;
}
function* cutPartsIn(text) {
  if (!text.includes(NOTICE_END)) return;
  let limit = text.length;
  for (const match of [
    ...text.matchAll(NOTICE)
  ].slice(-MAX_PLACES).reverse()) {
    const [whole, original = "", first, inParts = "", line = "", session = ""] = match;
    const [shownChars, wholeChars] = [
      countOf(first ?? inParts),
      countOf(original)
    ];
    const start = indexBefore(text, match.index, shownChars);
    const end = match.index + whole.length;
    const isValid = end <= limit && (start === 0 || text[start - 1] === "\n") && wholeChars > shownChars + countChars(whole);
    if (!isValid) continue;
    yield {
      notice: {
        line: Number(line),
        session,
        shownChars,
        wholeChars
      },
      start,
      end
    };
    limit = start;
  }
}
var MASKED_PLACE = /^\[[^\n]{1,200} result masked -- [^\n]{1,3000}\. See line (\d{1,15}) of ([^\n]{1,300}) for full content\]$/;
function placeOfWhole(text) {
  const notice = readNotice(text);
  if (notice !== undefined) return notice;
  const [, line, session = ""] = MASKED_PLACE.exec(text) ?? [];
  return line === undefined ? undefined : {
    line: Number(line),
    session
  };
}
var PLACE = /See line (\d{1,15}) of ((?:(?!See line )[^\n]){1,4096}?) for full content\]$/gm;
var MAX_PLACES = 64;
function placesIn(text) {
  const places = /* @__PURE__ */ new Map();
  for (const [key, line, session = ""] of text.matchAll(PLACE)) {
    places.set(key, {
      line: Number(line),
      session
    });
  }
  return [
    ...places.values()
  ].slice(-MAX_PLACES);
}
function isCutText(text) {
  return placesIn(text).length > 0;
}
function fileHeadUnits(text, id) {
  const start = text.slice(0, MAX_HEAD_UNITS);
  const persisted = PERSISTED.exec(start);
  if (persisted !== null) return persisted[0].length;
  const [head = "", chars = "", name = ""] = SHAPED.exec(start) ?? [];
  const isOwn = id === undefined ? countOf(chars) > text.length : name === id || name.replace(/-\d{1,2}$/, "") === id;
  return isOwn ? head.length : 0;
}
function countOf(digits) {
  return Number(digits.replaceAll(",", ""));
}

// src/transcript/tokens/pictures.ts
var FIRST_FRAME = 192;
var LAST_FRAME = 207;
var NON_FRAME_MARKERS = [
  196,
  200,
  204
];
function readImageSize(bytes) {
  try {
    const size = sizeIn(bytes);
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    return undefined;
  }
}
function sizeIn(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith("\x89PNG\r\n\n")) {
    return {
      width: view.getUint32(16),
      height: view.getUint32(20)
    };
  }
  if (head.startsWith("GIF8")) {
    return {
      width: view.getUint16(6, true),
      height: view.getUint16(8, true)
    };
  }
  if (head.startsWith("\xFF\xD8\xFF")) return readJpeg(view);
  return /^RIFF[^]{4}WEBP/.test(head) ? readWebp(view, head.slice(12)) : undefined;
}
function readJpeg(view) {
  let position = 2;
  while (view.getUint8(position) === 255) {
    const marker = view.getUint8(position + 1);
    if (marker >= FIRST_FRAME && marker <= LAST_FRAME && !NON_FRAME_MARKERS.includes(marker)) {
      return {
        width: view.getUint16(position + 7),
        height: view.getUint16(position + 5)
      };
    }
    position += marker === 255 ? 1 : 2 + view.getUint16(position + 2);
  }
  return undefined;
}
function readWebp(view, chunk) {
  if (chunk === "VP8 ") {
    return {
      width: view.getUint16(26, true) & 16383,
      height: view.getUint16(28, true) & 16383
    };
  }
  if (chunk === "VP8L") {
    const packed = view.getUint32(21, true);
    return {
      width: (packed & 16383) + 1,
      height: (packed >> 14 & 16383) + 1
    };
  }
  if (chunk !== "VP8X") return undefined;
  const width = view.getUint16(24, true) + view.getUint8(26) * 65536 + 1;
  return {
    width,
    height: view.getUint16(27, true) + view.getUint8(29) * 65536 + 1
  };
}
var STANDARD_IMAGE = {
  edgePixels: 1568,
  tokens: 1568
};
var HIGH_RESOLUTION_IMAGE = {
  edgePixels: 2576,
  tokens: 4784
};
var PATCH_PIXELS = 28;
function imageTokens(width, height, limits = STANDARD_IMAGE) {
  const scale = Math.min(1, limits.edgePixels / Math.max(width, height));
  const across = Math.ceil(Math.fround(width * scale) / PATCH_PIXELS);
  const down = Math.ceil(Math.fround(height * scale) / PATCH_PIXELS);
  return Math.min(limits.tokens, across * down);
}

// src/core/newest.ts
function pushNewest(list2, item, max) {
  list2.push(item);
  if (list2.length > max) list2.shift();
}

// src/transcript/tokens/window.ts
var MODEL_NAME = /(?:^|[./])claude-(?:([a-z]+)-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)(?:-([a-z]{2,}))?/i;
function versionOfModel(name = "") {
  const [, , major, minor = 0] = MODEL_NAME.exec(name) ?? [];
  return Number(major) * 100 + Number(minor);
}

// src/transcript/tokens/tokens.ts
var CHARACTERS_PER_TOKEN = 2.8;
var TOOL_USE_TOKENS = 80;
var TOOL_RESULT_TOKENS = 12;
function estimateTextTokens(text) {
  if (text.length < MIN_CACHED_CHARS) return priceOf(text);
  if (text !== lastEstimate.text) lastEstimate = {
    text,
    tokens: priceOf(text)
  };
  return lastEstimate.tokens;
}
var MIN_CACHED_CHARS = 1e3;
var lastEstimate = {
  text: "",
  tokens: 0
};
function estimateThinkingTokens(text, signatureLength) {
  if (signatureLength <= 0) return estimateTextTokens(text);
  if (text === "") return 0.27 * signatureLength;
  return Math.max(0, 0.19 * signatureLength - 33);
}
var MIN_SPAN_TOKENS = 200;
var MAX_SPANS = 32;
var PRIOR_WEIGHT_TOKENS = 1e3;
var NEWER_TOKENIZER_SCALE = 1.2;
var SCALE_BOUNDS = {
  min: 0.25,
  max: 4
};
var TokenCalibration = class {
  #samples = [];
  /** Expects the samples in session order. Returns false for a sample that does not count. */
  add(sample) {
    const { priorTokens, actualTokens } = sample;
    if (!(priorTokens >= MIN_SPAN_TOKENS) || !(actualTokens > 0)) return false;
    if (priorTokens === Infinity || actualTokens === Infinity) return false;
    pushNewest(this.#samples, sample, MAX_SPANS);
    return true;
  }
  result(model = this.#samples.at(-1)?.model) {
    const sameModel = this.#samples.filter((sample) => sample.model === model);
    const used = totalPriorTokens(sameModel) >= PRIOR_WEIGHT_TOKENS ? sameModel : this.#samples;
    const expected = scaleOfModel(model);
    if (totalPriorTokens(used) < PRIOR_WEIGHT_TOKENS) {
      return {
        scale: expected,
        source: "prior",
        spans: used.length
      };
    }
    const { min, max } = SCALE_BOUNDS;
    const scale = Math.min(max, Math.max(min, medianRatio(used, expected)));
    return {
      scale,
      source: "session",
      spans: used.length
    };
  }
};
function scaleOfModel(model) {
  return versionOfModel(model) >= 407 ? NEWER_TOKENIZER_SCALE : 1;
}
function totalPriorTokens(samples) {
  return samples.reduce((sum, sample) => sum + sample.priorTokens, 0);
}
function medianRatio(samples, expected) {
  const weighted = samples.map(({ priorTokens, actualTokens }) => ({
    ratio: actualTokens / priorTokens,
    weight: priorTokens
  }));
  weighted.push({
    ratio: expected,
    weight: PRIOR_WEIGHT_TOKENS
  });
  weighted.sort((a, b) => a.ratio - b.ratio);
  let remaining = weighted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  return weighted.find(({ weight }) => (remaining -= weight) <= 0)?.ratio ?? expected;
}
var TOKEN_WEIGHTS = {
  /** Letters (A to Z) that do not follow another letter. */
  word: 0.91,
  /** Uppercase letters that follow a lowercase letter, such as the V in `keyValue`. */
  hump: 1.16,
  capital: 0.58,
  /** Lowercase letters of a word or hump, except for the first four letters. */
  letter: 0.17,
  /** First digit of a number, and every third digit after it. */
  digits: 1.39,
  mark: 1.16,
  newline: 0.84,
  /** Second space of a run, once for each indentation. A single space costs nothing. */
  indent: 0.68,
  tab: 0.97,
  /** Further characters in a run of digits, punctuation, line breaks, spaces or tabs. */
  more: 0.05,
  /** Control characters, and UTF-16 code units from U+0080 on that are in no class below. */
  symbol: 0.64,
  cjk: 1.56,
  /** Terminal escape sequences such as `ESC [ 0 m`, each counted as one unit. */
  escape: 3.08
};
var UNIT_NAMES = Object.keys(TOKEN_WEIGHTS);
var WEIGHTS = Object.values(TOKEN_WEIGHTS);
var NO_UNIT = UNIT_NAMES.length;
var SYMBOL = UNIT_NAMES.indexOf("symbol");
var CJK = UNIT_NAMES.indexOf("cjk");
var ESCAPE = UNIT_NAMES.indexOf("escape");
var ESCAPE_CODE = 27;
var BRACKET_CODE = 91;
var MAX_ESCAPE_PARAMETERS = 16;
var KIND_TABLE = `
77777777745775777777777777777777
36666666666666662222222222666666
61111111111111111111111111166666
60000000000000000000000000066667`;
var STEP_TABLE = `
start   10 60 74 ad c8 d6 e5 fa
small1  2d 61 74 ad c8 d6 e5 fa
small2  3d 61 74 ad c8 d6 e5 fa
small3  4d 61 74 ad c8 d6 e5 fa
small4  53 61 74 ad c8 d6 e5 fa
small5  53 61 74 ad c8 d6 e5 fa
capital 2d 62 74 ad c8 d6 e5 fa
digit1  10 60 89 ad c8 d6 e5 fa
digit2  10 60 99 ad c8 d6 e5 fa
digit3  10 60 74 ad c8 d6 e5 fa
space1  10 60 74 b7 c8 d6 e5 fa
space2  10 60 74 b9 c8 d6 e5 fa
tab     10 60 74 ad c9 d6 e5 fa
newline 10 60 74 ad c8 d9 e5 fa
mark    10 60 74 ad c8 d6 e9 fa
other   10 60 74 ad c8 d6 e5 fa`;
var CONTROL = 7;
var OTHER = 15;
var KIND_OF_CODE = Uint8Array.from(KIND_TABLE.match(/\d/g) ?? [], Number);
var STEPS = Uint8Array.from(STEP_TABLE.match(/\b\w\w\b/g) ?? [], (step) => parseInt(step, 16));
function countTextUnits(text) {
  const counts = new Uint32Array(NO_UNIT + 1);
  const { length } = text;
  let state = 0;
  for (let position = 0; position < length; position++) {
    const code = text.charCodeAt(position);
    let step = OTHER << 4 | SYMBOL;
    if (code < 128) {
      if (code === ESCAPE_CODE && text.charCodeAt(position + 1) === BRACKET_CODE) {
        step = OTHER << 4 | ESCAPE;
        position = endOfEscape(text, position);
      } else step = STEPS[state << 3 | (KIND_OF_CODE[code] ?? CONTROL)] ?? 0;
    } else if (isCjk(code)) step = OTHER << 4 | CJK;
    state = step >> 4;
    const unit = step & 15;
    counts[unit] = (counts[unit] ?? 0) + 1;
  }
  return counts.subarray(0, NO_UNIT);
}
function priceOf(text) {
  const counts = countTextUnits(text);
  return WEIGHTS.reduce((sum, weight, unit) => sum + (counts[unit] ?? 0) * weight, 0);
}
function endOfEscape(text, start) {
  let position = start + 2;
  const stop = Math.min(text.length, position + MAX_ESCAPE_PARAMETERS);
  while (position < stop) {
    const code = text.charCodeAt(position);
    if (code < 48 || code > 63) break;
    position++;
  }
  return Math.min(position, text.length - 1);
}
function isCjk(code) {
  return code >= 11904 && code <= 55295 || code >= 63744 && code <= 64255 || code >= 65280 && code <= 65519;
}

// src/trim/placeholder.ts
var MASKED_MARKER = "[masked]";
var MAX_FIRST_LINE = 60;
var MAX_VALUE = 300;
var MAX_UNKNOWN_FIELDS = 3;
var MAX_NAME = 128;
var MAX_QUOTED = 400;
var MAX_PARENT = 300;
var MAX_PLACEHOLDER = 2e3;
var UNSAFE = "\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}";
var NAME = `[\\p{L}\\p{M}\\p{N}_.:/$@-]{1,${MAX_NAME}}`;
var LABEL = "[A-Za-z_][A-Za-z0-9_-]{0,39}";
var STRING = `"(?:[^"\\\\${UNSAFE}]|\\\\["\\\\bfnrt]|\\\\u[0-9a-f]{4})*"`;
var NUMBER = "-?\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?";
var FIELDS = `(?:, ${LABEL}: (?:${STRING}|${NUMBER}|true|false)){0,4}`;
var FIRST_LINE = `(?:, starts with: (?<text>[^${UNSAFE}]{0,${MAX_FIRST_LINE}}?))?`;
var PLACE2 = `(?:\\. See line \\d+ of [^${UNSAFE}]{1,${MAX_PARENT}} for full content)?`;
var DESCRIPTION = `(?:\\d+ lines${FIELDS}${FIRST_LINE}|\\d+ bytes(?: of output)?${FIELDS}|exit_code=-?\\d+, stdout=\\d+ bytes)`;
var placeholderPattern;
var NOT_IN_NAME = /[^\p{L}\p{M}\p{N}_.:/$@-]/gu;
var WHOLE_LABEL = new RegExp(`^${LABEL}$`);
var UNSAFE_POINT = new RegExp(`[${UNSAFE}]`, "gu");
var AGENT = [
  "bytes of output",
  "task:description"
];
var WORDINGS = /* @__PURE__ */ new Map([
  [
    "Read",
    [
      "lines",
      "file:file_path",
      "offset",
      "limit"
    ]
  ],
  [
    "Bash",
    [
      "bytes of output",
      "command"
    ]
  ],
  [
    "Write",
    [
      "bytes",
      "file:file_path"
    ]
  ],
  [
    "Edit",
    [
      "bytes",
      "file:file_path"
    ]
  ],
  [
    "MultiEdit",
    [
      "bytes",
      "file:file_path"
    ]
  ],
  [
    "NotebookEdit",
    [
      "bytes",
      "file:notebook_path"
    ]
  ],
  [
    "Grep",
    [
      "lines",
      "pattern",
      "path",
      "glob"
    ]
  ],
  [
    "Glob",
    [
      "lines",
      "pattern",
      "path"
    ]
  ],
  [
    "WebFetch",
    [
      "bytes of output",
      "url"
    ]
  ],
  [
    "WebSearch",
    [
      "bytes of output",
      "query"
    ]
  ],
  [
    "Task",
    AGENT
  ],
  [
    "Agent",
    AGENT
  ],
  [
    "TodoWrite",
    [
      "bytes"
    ]
  ]
]);
function placeholderFor(content, call) {
  const { toolName, input } = call;
  const description = describeResult(toolName, content, input);
  return withPlace(`[${safeName(toolName)} result masked -- ${description}]`, call);
}
function withPlace(placeholder, place) {
  return `${placeholder.slice(0, -1)}${placeText(place)}]`;
}
function isAlreadyMasked(content) {
  if (content === MASKED_MARKER) return true;
  if (!content.startsWith("[") || !content.endsWith("]")) return false;
  if (content.length > 2 * MAX_PLACEHOLDER || countChars(content) > MAX_PLACEHOLDER) return false;
  placeholderPattern ??= new RegExp(`^\\[${NAME} result masked -- ${DESCRIPTION}${PLACE2}\\]$`, "u");
  const match = placeholderPattern.exec(content);
  return match !== null && unpairedBrackets(match.groups?.["text"] ?? "").size === 0;
}
function isMediaPlaceholder(placeholder) {
  return /^\[(?:image|document) result masked -- /.test(placeholder);
}
function mediaPlaceholder(kind, bytes, fields, place = {}) {
  const shown = fields.map(([label, value]) => renderField(label, value)).join("");
  return withPlace(`[${kind} result masked -- ${bytes} bytes${shown}]`, place);
}
function placeText({ lineNumber, parentFile = "" }) {
  if (lineNumber === undefined || parentFile === "" || parentFile.length > MAX_PARENT) return "";
  const parent = parentFile.toWellFormed().replace(UNSAFE_POINT, "?");
  return `. See line ${lineNumber} of ${parent} for full content`;
}
function describeResult(toolName, content, input) {
  const [amount = "bytes of output"] = WORDINGS.get(toolName) ?? [];
  const count = amount === "lines" ? countLines(content) : byteLength(content);
  const start = toolName === "Read" ? `, starts with: ${firstLine(content.replace(/^ *\d+(?:→|\t)/, ""))}` : "";
  return `${count} ${amount}${fieldsOf(toolName, input)}${start}`;
}
function fieldsOf(toolName, input) {
  const args = isObject(input) ? input : {};
  const fields = WORDINGS.get(toolName)?.slice(1);
  if (fields === undefined) return toolName.startsWith("mcp__") ? simpleFields(args) : "";
  return fields.map((field) => {
    const [label = "", argument = label] = field.split(":");
    return renderField(label, args[argument]);
  }).join("");
}
function simpleFields(args) {
  return Object.entries(args).filter(([name]) => WHOLE_LABEL.test(name)).map(([name, value]) => renderField(name, value)).filter((text) => text !== "").slice(0, MAX_UNKNOWN_FIELDS).join("");
}
function renderField(label, value) {
  if (typeof value === "string") return `, ${label}: ${quoteValue(value)}`;
  return typeof value === "boolean" || Number.isFinite(value) ? `, ${label}: ${value}` : "";
}
function quoteValue(text) {
  for (let maxPoints = MAX_VALUE; ; maxPoints = Math.floor(maxPoints / 2)) {
    const head = headOf(text, maxPoints);
    const shown = head.length < text.length ? `${head}\u2026` : head;
    const quoted = JSON.stringify(shown.toWellFormed()).replace(UNSAFE_POINT, escapeUnits);
    if (countChars(quoted) <= MAX_QUOTED) return quoted;
  }
}
function escapeUnits(point) {
  return point.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}
function firstLine(content) {
  const [line = ""] = content.split("\n", 1);
  const head = headOf(line.replace(/\r$/, ""), MAX_FIRST_LINE).toWellFormed().replace(UNSAFE_POINT, " ");
  const unpaired = unpairedBrackets(head);
  return head.replace(/[[\]]/g, (bracket, at) => !unpaired.has(at) ? bracket : bracket === "[" ? "(" : ")");
}
function unpairedBrackets(text) {
  const unpaired = /* @__PURE__ */ new Set();
  const open = [];
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    if (bracket === "[") open.push(index);
    else if (open.pop() === undefined) unpaired.add(index);
  }
  return unpaired.union(new Set(open));
}
function headOf(text, maxPoints) {
  return text.slice(0, indexOfChar(text, maxPoints));
}
function byteLength(text) {
  return new TextEncoder().encode(text).length;
}
function safeName(toolName) {
  const name = headOf(toolName.toWellFormed().replace(NOT_IN_NAME, "_"), MAX_NAME);
  return name === "" ? "unknown" : name;
}

// src/trim/media.ts
var PDF_PAGE_TOKENS = 2200;
var HEADER_CHARS = 256 * 1024;
var PDF_PAGE = /\/Type\s*\/Page(?![A-Za-z])/g;
function mediaLine(block, origin, place) {
  const source = isObject(block.source) ? block.source : {};
  const data = mediaData(block);
  const isPlain = source.type === "text";
  const input = isObject(origin.input) ? origin.input : {};
  return mediaPlaceholder(block.type === "document" ? "document" : "image", isPlain ? new TextEncoder().encode(data).length : decodedBytes(data), [
    [
      "type",
      asString(source.media_type)
    ],
    block.type === "document" ? [
      "title",
      asString(block.title)
    ] : [
      "size",
      sizeText(data)
    ],
    [
      "from",
      origin.toolName ?? "user"
    ],
    [
      "file",
      asString(input.file_path) ?? asString(input.path)
    ]
  ], place);
}
function mediaTokens(block, model) {
  const data = mediaData(block);
  if (isObject(block.source) && block.source.type === "text") {
    return Math.round(estimateTextTokens(data) * scaleOfModel(model));
  }
  if (block.type === "document") return pdfPages(data) * PDF_PAGE_TOKENS;
  const size = readImageSize(decodeHead(data, HEADER_CHARS));
  if (size === undefined) return 0;
  const limits = scaleOfModel(model) > 1 ? HIGH_RESOLUTION_IMAGE : STANDARD_IMAGE;
  return imageTokens(size.width, size.height, limits);
}
function sizeText(data) {
  const size = readImageSize(decodeHead(data, HEADER_CHARS));
  return size === undefined ? undefined : `${size.width}x${size.height}`;
}
function pdfPages(data) {
  const text = new TextDecoder().decode(decodeHead(data, data.length));
  return text.startsWith("%PDF") ? text.match(PDF_PAGE)?.length ?? 0 : 0;
}
function decodedBytes(data) {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor(data.length * 3 / 4) - padding;
}
function decodeHead(data, maxChars) {
  const head = data.slice(0, Math.min(maxChars, data.length) & ~3);
  try {
    return Uint8Array.fromBase64(head);
  } catch {
    return new Uint8Array(0);
  }
}

// src/transcript/tokens/usage.ts
function contextTokens(usage) {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  const counts = [
    input_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens
  ].filter((n) => typeof n === "number" && n >= 0 && n < Infinity);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
function usageOfEntry(entry) {
  const { message } = entry;
  if (entry.type !== "assistant" || message === undefined || !isObject(message.usage)) {
    return undefined;
  }
  const model = asString(message.model);
  if (model === "<synthetic>" || entry.raw.isApiErrorMessage === true) return undefined;
  const tokens = contextTokens(message.usage);
  if (tokens === undefined || tokens === 0) return undefined;
  const found = {
    tokens,
    source: "api"
  };
  const { output_tokens: output } = message.usage;
  if (typeof output === "number" && output > 0 && output < Infinity) found.output = output;
  if (model !== undefined) found.model = model;
  const messageId = asString(message.id);
  if (messageId !== undefined) found.messageId = messageId;
  if (entry.timestamp !== undefined) found.timestamp = entry.timestamp;
  return found;
}

// src/trim/spans.ts
var FEW_SPANS = 5;
var EMPTY_SPAN = {
  own: 0,
  entered: 0,
  media: 0,
  firstOutput: 0,
  lastOutput: 0,
  hasStopped: false,
  isUsable: true
};
var SpanReader = class {
  calibration = new TokenCalibration();
  priorTokens = 0;
  mediaTokens = 0;
  /** Tokens of all text up to the newest usage that the API reported, before calibration. */
  #priorBilled = 0;
  #messageId;
  #model;
  #context = 0;
  #span = {
    ...EMPTY_SPAN
  };
  add(entry, parts) {
    if (entry.subtype === "compact_boundary") this.#span.isUsable = false;
    const usage = usageOfEntry(entry);
    const prior = parts.reduce((tokens2, part) => tokens2 + partTokens(part), 0);
    this.priorTokens += prior;
    if (usage?.messageId !== undefined && usage.messageId !== this.#messageId) {
      this.#beginSpan(usage.messageId, usage.tokens, usage.model);
    }
    this.#addMedia(parts);
    if (parts.some(isCut)) this.#span.isUsable = false;
    this.#span[entry.type === "assistant" ? "own" : "entered"] += prior;
    if (usage?.messageId === undefined) return;
    const { tokens, output = 0 } = usage;
    this.#span.firstOutput ||= output;
    this.#span.lastOutput = output;
    this.#span.hasStopped = typeof entry.message?.stop_reason === "string";
    [this.#context, this.#priorBilled] = [
      tokens,
      this.priorTokens
    ];
  }
  /** Returns the scale of estimates; with few spans, at most what was billed. */
  scale(model, nonMessageTokens2 = 0) {
    const found = this.calibration.result(model);
    const billed = this.#context - this.mediaTokens - nonMessageTokens2;
    return found.spans < FEW_SPANS && billed > 0 && this.#priorBilled > 0 ? {
      ...found,
      scale: Math.min(found.scale, billed / this.#priorBilled)
    } : found;
  }
  #addMedia(parts) {
    for (const { media } of parts) {
      if (media === undefined) continue;
      const tokens = mediaTokens(media, this.#model);
      if (tokens === 0) this.#span.isUsable = false;
      this.#span.media += tokens;
      this.mediaTokens += tokens;
    }
  }
  #beginSpan(messageId, tokens, model) {
    const { own, entered, media, firstOutput, lastOutput, hasStopped, isUsable } = this.#span;
    if (this.#messageId !== undefined && isUsable) {
      const grown = tokens - this.#context - media;
      const isFinal = hasStopped || lastOutput > firstOutput;
      this.calibration.add(isFinal ? {
        priorTokens: entered,
        actualTokens: grown - lastOutput,
        model
      } : {
        priorTokens: entered + own,
        actualTokens: grown,
        model
      });
    }
    this.#messageId = messageId;
    this.#model = model;
    this.#span = {
      ...EMPTY_SPAN
    };
  }
};
function isCut(part) {
  if (part.kind !== "tool_result" && part.kind !== "tool_use") return false;
  return part.text.includes(NOTICE_END) || isAlreadyMasked(part.text);
}
function partTokens(part) {
  switch (part.kind) {
    case "image":
      return 0;
    case "thinking":
      return estimateThinkingTokens(part.text, part.signatureChars ?? 0);
    case "tool_use":
      return estimateTextTokens(part.text) + TOOL_USE_TOKENS;
    case "tool_result":
      return estimateTextTokens(part.text) + TOOL_RESULT_TOKENS;
    default:
      return estimateTextTokens(part.text);
  }
}

// src/inject/bound.ts
var MAX_CONTEXT_CHARS = 9500;
var RESUMING = "## Resuming from ";
function boundText(text, maxChars) {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const isHighSurrogate = last >= 55296 && last <= 56319;
  return text.slice(0, Math.max(0, isHighSurrogate ? maxChars - 1 : maxChars));
}
function thousands(count) {
  if (count < 1e3) return String(count);
  const inThousands = Math.round(count / 1e3);
  return inThousands < 1e3 ? `${inThousands}k` : `${Math.round(count / 1e5) / 10}M`;
}
function grouped(count) {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
function counted(count, noun) {
  return `${grouped(count)} ${count === 1 ? noun : noun.replace(/(?= or |$)/g, "s")}`;
}
function durationText(ms) {
  const minutes = Math.floor(ms / 6e4);
  if (minutes < 60) return minutes < 1 ? "" : `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
function ageText(ms) {
  const duration = durationText(ms);
  return duration === "" ? "just now" : `${duration} ago`;
}

// src/transcript/in_place.ts
var COMMAND = /^<command-name>\/compact<\/command-name>[^]*<command-args>([^<]*)</;
var TRIM_ARGUMENTS = /^\s*trimtab(?:\s+(-[^]*|[\w-]+))?\s*$/;
var USER_MESSAGE = /^trimtab: ((trimmed in place|trim undone|compaction undone): [^]*)$/;
function trimOptions(instructions) {
  const match = TRIM_ARGUMENTS.exec(instructions);
  return match === null ? undefined : (match[1] ?? "").trim();
}
function isUndo(options) {
  return /(?:^|\s)--undo(?:\s|$)/.test(options);
}
function inPlaceNote(entry) {
  if (isTrimNote(entry)) return {
    kind: "trim"
  };
  if (entry.type === "system") {
    const [, words, outcome] = USER_MESSAGE.exec(asString(entry.raw.content) ?? "") ?? [];
    if (words === undefined) return undefined;
    return {
      kind: outcome === "trimmed in place" ? "trim" : "undo",
      words
    };
  }
  if (entry.type !== "user") return undefined;
  const args = trimOptions(COMMAND.exec(asString(entry.message?.content) ?? "")?.[1] ?? "");
  if (args === undefined) return undefined;
  return {
    kind: isUndo(args) ? "undo" : "trim"
  };
}
function isTrimNote({ raw: { attachment } }) {
  return isObject(attachment) && attachment.type === "plugin_note" && attachment.plugin === "trimtab";
}
var NOT_COMPACTED = /^<local-command-std(?:out|err)>[^A-Z]*(?:Not compacted|Error during compaction|Compaction (?:canceled|failed)|Could not compact)/;
var BoundaryWatch = class {
  #isSummary = false;
  notes = [];
  get kind() {
    return (this.notes.find(({ kind }) => kind === "undo") ?? this.notes[0])?.kind;
  }
  add(entry) {
    const { raw, message } = entry;
    this.#isSummary ||= raw.isCompactSummary === true;
    if (this.#isSummary) return;
    const note = inPlaceNote(entry);
    if (note !== undefined) this.notes.push(note);
    else if (NOT_COMPACTED.test(asString(message?.content ?? raw.content) ?? "")) this.notes.pop();
  }
};
function boundaryKind(entries) {
  const watch = new BoundaryWatch();
  for (const entry of entries) watch.add(entry);
  return watch.kind;
}
var ORIGINAL_FIELDS = [
  "requestRef",
  "origin",
  "promptSource",
  "sourceToolAssistantUUID",
  "isMeta"
];
function isRebuilt({ type, raw }) {
  const mayBeRepeat = type === "assistant" ? raw.madeBy === "other" : type === "user" && raw.promptId !== undefined;
  return mayBeRepeat && ORIGINAL_FIELDS.every((name) => raw[name] === undefined);
}
var DROP_NOTE = /^(?:<local-command-caveat>)?<system-reminder>\n\[The user took [\d,]+ turns? with [\d,]+ calls? out of the conversation: lines (\d+) to (\d+) of ([0-9a-f-]+)\]\n<\/system-reminder>(?:<\/local-command-caveat>)?$/;
function droppedRange(note) {
  const [, from, to, session = ""] = DROP_NOTE.exec(note) ?? [];
  return from === undefined ? undefined : {
    from: Number(from),
    to: Number(to),
    session
  };
}

// src/inside/session_lines.ts
var NEWLINE = 10;
var MAX_TRANSCRIPT_BYTES = 192 * 1024 * 1024;
var ENTRY_KEY = '"parentUuid":';
async function readSessionLines(client, path, rows = []) {
  const reader = new SessionReader();
  for await (const lines of readLines(client, path)) {
    for (const line of lines) reader.add(line);
  }
  return reader.finish(rows);
}
async function readLinesAt(client, path, wanted) {
  const found = /* @__PURE__ */ new Map();
  let number = 0;
  for await (const lines of readLines(client, path)) {
    for (const line of lines) if (wanted.has(++number)) found.set(number, line);
    if (found.size === wanted.size) break;
  }
  return found;
}
async function* readLines(client, path) {
  const { size } = await client.fs.stat(path);
  if (size > MAX_TRANSCRIPT_BYTES) {
    throw new RangeError(`Cannot read the transcript: it has ${size} bytes, more than ${MAX_TRANSCRIPT_BYTES}. For a copy: /trim --copy`);
  }
  if (size <= CHUNK_BYTES) return yield linesOf(await readWhole(client, path, size));
  let rest = [];
  for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
    const bytes = await readBytes(client, path, {
      from: offset,
      to: size
    });
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield linesIn([
        ...rest,
        bytes.subarray(0, end)
      ]);
      rest = [];
    }
    rest.push(bytes.subarray(end));
  }
  yield linesIn(rest);
}
function linesIn(pieces) {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return linesOf(new TextDecoder().decode(bytes));
}
function linesOf(text) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
var SessionReader = class {
  #number = 0;
  #before = [];
  #boundary;
  #active = [];
  #boundaries = [];
  #parents = /* @__PURE__ */ new Map();
  /** Uuids of boundaries, and of entries without a parent. */
  #roots = /* @__PURE__ */ new Set();
  #rootById = /* @__PURE__ */ new Map();
  /** Without rows, every boundary counts, and every line is live. */
  finish(rows = []) {
    this.#recordBoundary();
    const kept = new Set(this.#boundaries.map(({ line }) => keptLinesOf(line, this.#parents)).flatMap(({ uuids = [], allUuids = [] }) => [
      ...uuids,
      ...allUuids
    ]));
    const known = rows.map(({ handle, uuid = "" }) => handle ?? uuid).filter((id) => this.#parents.has(id));
    const boundaries = this.#boundariesOf(known.findLast((id) => !kept.has(id)));
    const from = boundaries.at(-1)?.line.number ?? 0;
    const rewound = new Set(this.#boundaries.flatMap((one) => boundaries.includes(one) ? [] : uuidOf(one.line)));
    const lines = [
      ...this.#before,
      ...this.#active
    ].filter((line) => rewound.size === 0 || !rewound.has(this.#rootOf(uuidOf(line))));
    const path = pathFrom(known.at(-1), this.#parents);
    const ids = new Set(path);
    const active = lines.filter(({ number }) => number > from);
    const reachesRoot = this.#roots.has(path.at(-1) ?? "");
    const newestPrompt = this.#active.findLast(isPrompt);
    return {
      before: lines.filter(({ number }) => number < from),
      active,
      live: reachesRoot ? this.#withoutRewound(active, ids) : active,
      boundaries,
      parents: this.#parents,
      endsWithRewoundTurns: newestPrompt !== undefined && ids.size > 0 && !ids.has(uuidOf(newestPrompt))
    };
  }
  /** Leaves out prompts that are not on the conversation's path, and the lines that descend from them. */
  #withoutRewound(lines, path) {
    const rewound = /* @__PURE__ */ new Set();
    return lines.filter((line) => {
      const id = uuidOf(line);
      const isOff = isPrompt(line) && !path.has(id);
      if (isOff || rewound.has(this.#parents.get(id))) rewound.add(id);
      return !rewound.has(id);
    });
  }
  #boundariesOf(tip = "") {
    const all = this.#boundaries;
    const hasUnresolvedSegment = all.some(({ line }) => Object(line.entry.raw.compactMetadata).preservedSegment && keptLinesOf(line, this.#parents).uuids === undefined);
    if (hasUnresolvedSegment) return all;
    const found = [];
    for (let id = tip; ; ) {
      const keepers = new Map(all.filter((one) => !found.includes(one)).flatMap((one) => (keptLinesOf(one.line, this.#parents).uuids ?? []).map((kept) => [
        kept,
        one
      ])));
      const keeping = keepers.get(pathFrom(id, this.#parents).find((one) => keepers.has(one)) ?? "");
      const root = this.#rootOf(id);
      const boundary = keeping ?? all.find(({ line }) => uuidOf(line) === root);
      if (boundary === undefined && this.#roots.has(root)) return found;
      if (boundary === undefined || found.includes(boundary)) return all;
      found.unshift(boundary);
      id = asString(boundary.line.entry.raw.logicalParentUuid) ?? "";
    }
  }
  /** Returns the oldest known ancestor. Caches it for each line of the path, as lines share ancestors. */
  #rootOf(start) {
    const path = /* @__PURE__ */ new Set();
    let id = start;
    while (!path.has(id) && !this.#rootById.has(id)) {
      const parent = this.#parents.get(id);
      if (parent === undefined) break;
      path.add(id);
      id = parent;
    }
    const root = this.#rootById.get(id) ?? id;
    for (const one of path) this.#rootById.set(one, root);
    return root;
  }
  add(line) {
    this.#number++;
    if (!line.includes(ENTRY_KEY)) return;
    const raw = parseObject(line);
    if (raw === undefined) return;
    const entry = viewEntry(raw);
    const { uuid, parentUuid } = entry;
    if (entry.isSidechain) return;
    const found = {
      number: this.#number,
      entry
    };
    const isBoundary = entry.subtype === "compact_boundary";
    if (uuid !== undefined) {
      if (parentUuid === null || isBoundary) this.#roots.add(uuid);
      else if (parentUuid !== undefined) this.#parents.set(uuid, parentUuid);
    }
    if (isBoundary) {
      this.#recordBoundary();
      this.#before = this.#before.concat(this.#active.filter(({ entry: entry2 }) => entry2.message !== undefined || renderedBlocks(entry2).length > 0 || clearedBy(entry2).length > 0));
      this.#active = [];
      this.#boundary = found;
    } else {
      this.#active.push(found);
    }
  }
  #recordBoundary() {
    if (this.#boundary === undefined) return;
    const kind = boundaryKind(this.#active.map(({ entry }) => entry)) ?? "compaction";
    this.#boundaries.push({
      line: this.#boundary,
      kind
    });
  }
};
function renderedTexts(entry) {
  const { rendered, attachment } = entry.raw;
  if (Array.isArray(rendered)) return renderedTextsIn(rendered);
  const prompt = queuedPrompt(entry);
  if (prompt !== undefined) return [
    prompt
  ];
  const { type, filename } = Object(attachment);
  const blocks = type === "file" ? attachedBlocks(attachment) : [];
  if (blocks.length === 0) return [];
  const input = JSON.stringify({
    file_path: filename
  });
  return [
    `<system-reminder>
Called the Read tool with the following input: ${input}
</system-reminder>`,
    ...resultTexts(blocks)
  ];
}
function renderedBlocks(entry) {
  return [
    ...renderedTexts(entry).map((text) => ({
      type: "text",
      text
    })),
    ...attachedMedia(entry)
  ];
}
function uuidOf({ entry }) {
  return entry.uuid ?? "";
}
function keptLinesOf({ entry }, parents) {
  const { preservedMessages, preservedSegment } = Object(entry.raw.compactMetadata);
  if (preservedMessages || !preservedSegment) return Object(preservedMessages);
  const { headUuid, tailUuid, anchorUuid } = preservedSegment;
  const path = pathFrom(tailUuid, parents);
  const end = path.indexOf(headUuid) + 1;
  return end === 0 ? {
    anchorUuid
  } : {
    anchorUuid,
    uuids: path.slice(0, end).reverse()
  };
}
function pathFrom(start, parents) {
  const path = /* @__PURE__ */ new Set();
  for (let id = start; id !== undefined && !path.has(id); id = parents.get(id)) path.add(id);
  return [
    ...path
  ];
}
var NOT_A_PROMPT = /^(?:<(?:command-|local-command|bash-|task-notification|system-reminder|user-prompt-submit-hook|(?:agent|teammate)-message)|\[Request interrupted|Operation stopped by hook:|This session is being continued from a previous conversation)/;
function isPrompt(line) {
  const { type, raw } = line.entry;
  if (type !== "user" || raw.isMeta === true || raw.isCompactSummary === true) return false;
  const blocks = contentBlocks(line);
  return blocks.length > 0 && blocks.every((block) => block.type !== "tool_result" && !NOT_A_PROMPT.test(asString(block.text) ?? ""));
}
function contentBlocks({ entry }) {
  const text = asString(entry.message?.content);
  return text === undefined ? blocksOf(entry) : [
    {
      type: "text",
      text
    }
  ];
}

// src/inside/reminders.ts
var RENEWED = new Set("date date_change deferred_tools_record instructions prompt_snapshot remote_session_change session_context task_reminder todo_reminder total_tokens_reminder".split(" "));
var RENEWED_LATE = new Set("agent_listing_delta deferred_tools_delta environment mcp_instructions_delta model output_style output_style_instructions skill_listing".split(" "));
var RENEWED_TEXT = startsWith(`Attribution for git commits
As you answer the user's questions, you can use the following context
Codebase and user instructions are shown below
The TodoWrite tool hasn't been used
The date has changed
The task tools haven't been used
Today's date is
<total_tokens>`);
var RENEWED_LATE_TEXT = startsWith(`# Environment\\n
# MCP Server Instructions
# Output Style: .
[^\\n]{1,80} output style is active\\. Remember to follow
Available agent types for the Agent tool
New agent types are now available
The following MCP servers have
The following deferred tools are
The following skills are available
You are powered by the model`);
var STATE = new RegExp(`${RENEWED_LATE_TEXT.source}|^Contents of [^\\n]+\\.md:\\n`);
function startsWith(patterns) {
  return new RegExp(`^(?:${patterns.replaceAll("\n", "|")})`);
}
var OUTDATED = /^(?:\w+ hook additional context: Context at \d+%\. |Note from the trimtab plugin, not from the user:)/;
var START_HOOK = /^SessionStart(?::(\w+))? hook ([^]*)/;
var RESUMED = new RegExp(`^SessionStart(?::compact)? hook [^]*${RESUMING}[^]*besides what the summ`);
function isRestoredContext(text) {
  return RESUMED.test(withoutTag(text));
}
var TOOL_LOADED = "Tool loaded.";
var HIDDEN_OPEN = "<local-command-caveat>";
var HIDDEN_CLOSE = "</local-command-caveat>";
var REMINDER = /\n*(<system-reminder>\n?[^]*?<\/system-reminder>)/g;
function remindersIn(text) {
  return [
    ...text.matchAll(REMINDER)
  ].map(([, reminder = ""]) => reminder);
}
function withoutReminders(text) {
  return text.replace(REMINDER, "");
}
function readReminders(lines, { isMidTurn = false, boundaries: [first] = [] }) {
  const attachments = /* @__PURE__ */ new Map();
  const notes = /* @__PURE__ */ new Set();
  const messages = /* @__PURE__ */ new Set();
  const repeated = /* @__PURE__ */ new Set();
  const cleared = /* @__PURE__ */ new Map();
  for (const { number, entry } of lines) {
    const defaultSource = number > (first?.line.number ?? Infinity) ? "compact" : "";
    for (const { text } of entry.type === "user" ? contentParts(entry) : []) {
      messages.add(text.trim());
    }
    const { attachment } = entry.raw;
    if (!isObject(attachment)) continue;
    for (const id of clearedBy(entry)) cleared.set(id, attachment.standIn);
    const texts = renderedTexts(entry).map((text) => text.trim());
    const prompt = queuedPrompt(entry);
    for (const text of texts) {
      attachments.set(text, {
        type: attachment.type,
        prompt
      });
      if (isTrimNote(entry)) notes.add(text);
      const [, source = defaultSource, output] = START_HOOK.exec(withoutTag(text)) ?? [];
      if (source === "compact" && output !== undefined) repeated.add(output);
    }
  }
  return {
    cleared,
    keep: (sent) => {
      const text = textBeforeHiding(sent);
      const { type, prompt } = attachments.get(text) ?? {};
      if (prompt !== undefined) return [
        prompt
      ];
      const untagged = withoutTag(text);
      if (notes.has(text) || OUTDATED.test(untagged) || text === TOOL_LOADED) return [];
      if (untagged === text && messages.has(text)) return [
        text
      ];
      if (RENEWED.has(type) || RENEWED_TEXT.test(untagged)) return [];
      const [, source, output = ""] = START_HOOK.exec(untagged) ?? [];
      if ((source === "compact" || repeated.has(output)) && !output.includes(RESUMING)) return [];
      const isLate = RENEWED_LATE.has(type) || RENEWED_LATE_TEXT.test(untagged);
      return isLate && !isMidTurn ? [] : [
        hide(text)
      ];
    },
    isState: (text) => {
      const reminder = unhide(text);
      return reminder !== text && STATE.test(withoutTag(reminder));
    }
  };
}
function withoutTag(text) {
  return text.replace(/^<system-reminder>\n?/, "");
}
function hide(text) {
  return text.startsWith("<system-reminder>") ? `${HIDDEN_OPEN}${text}${HIDDEN_CLOSE}` : text;
}
function hiddenReminder(words) {
  return hide(`<system-reminder>
${words}
</system-reminder>`);
}
var HIDDEN = new RegExp(`${HIDDEN_OPEN}<system-reminder>[^]*?</system-reminder>${HIDDEN_CLOSE}`, "g");
function withoutHidden(text) {
  return text.replace(HIDDEN, "");
}
function textBeforeHiding(text) {
  return unhide(text.trim()).trim();
}
function isReminder(text) {
  return textBeforeHiding(text).startsWith("<system-reminder>");
}
function unhide(text) {
  const isHidden = text.startsWith(`${HIDDEN_OPEN}<system-reminder>`) && text.endsWith(HIDDEN_CLOSE);
  return isHidden ? text.slice(HIDDEN_OPEN.length, -HIDDEN_CLOSE.length) : text;
}

// src/inside/media.ts
var KEY_CHARS = 200;
function readMedia(messages, { before, live }, { id, model }) {
  const blocks = messages.flatMap(({ content }) => content);
  const parentFile = shortId(id);
  const places = placesOf([
    ...before,
    ...live
  ]);
  const newestPromptLine = live.findLast(isPrompt)?.number ?? 0;
  const calls = new Map(blocks.filter(({ type }) => type === "tool_use").map((call) => [
    asString(call.id),
    call
  ]));
  const lineOf = (media, id2) => places.get(id2 ?? keyOf(media));
  const found = blocks.flatMap((block) => mediaIn(block).map((media) => ({
    tokens: mediaTokens(media, model),
    line: lineOf(media, asString(block.tool_use_id))
  })));
  return {
    count: found.length,
    inUse: found.filter(({ line = Infinity }) => line >= newestPromptLine).length,
    tokens: found.reduce((sum, { tokens }) => sum + tokens, 0),
    textsOf: (block) => {
      const id2 = asString(block.tool_use_id);
      const { name, input } = calls.get(id2) ?? {};
      return mediaIn(block).map((media) => {
        const lineNumber = lineOf(media, id2);
        const place = lineNumber === undefined ? undefined : {
          parentFile,
          lineNumber
        };
        return hiddenReminder(mediaLine(media, {
          toolName: asString(name),
          input
        }, place));
      });
    }
  };
}
function mediaIn(block) {
  const { type, content } = block;
  return type === "tool_result" && Array.isArray(content) ? content.filter(isMedia) : [
    block
  ].filter(isMedia);
}
function blocksAndAttachedMedia(entry) {
  return [
    ...blocksOf(entry),
    ...attachedMedia(entry)
  ];
}
function placesOf(lines) {
  const places = /* @__PURE__ */ new Map();
  for (const { number, entry } of lines) {
    for (const block of blocksAndAttachedMedia(entry)) {
      const id = asString(block.tool_use_id);
      for (const key of mediaIn(block).map((media) => id ?? keyOf(media))) {
        places.set(key, number);
      }
    }
  }
  return places;
}
function keyOf(media) {
  const data = mediaData(media);
  return `${data.length} ${data.slice(0, KEY_CHARS)}`;
}
var REFERENCE = "tool_reference";
var THINKING = /^(?:redacted_)?thinking$/;
var KNOWN = /^(?:(?:redacted_)?thinking|tool_reference|text|tool_use|tool_result|image|document)$/;
function referenceText({ content }) {
  const names = objectsOf(content).filter(({ type }) => type === REFERENCE).map(({ tool_name: name }) => asString(name) ?? "");
  return names.length === 0 ? undefined : `Found ${names.join(", ")}: search again to load`;
}
function countLosses(messages) {
  const blocks = messages.flatMap(({ content }) => content).flatMap(withInnerBlocks);
  const thinking = blocks.filter(({ type }) => THINKING.test(`${type}`)).flatMap(blockParts);
  return {
    thinking: thinking.length,
    thinkingTokens: thinking.reduce((sum, part) => sum + partTokens(part), 0),
    loadedTools: blocks.filter(({ type }) => type === REFERENCE).length,
    lostTypes: [
      ...new Set(blocks.map(({ type }) => `${type}`).filter((type) => !KNOWN.test(type)))
    ]
  };
}
function withInnerBlocks(block) {
  return [
    block,
    ...block.type === "tool_result" ? objectsOf(block.content) : []
  ];
}

// src/inside/rows.ts
var MAX_ROWS = 4096;
function currentRows(client) {
  return client.session.messages({
    last: MAX_ROWS
  });
}
function callsIn(rows) {
  return rows.flatMap(({ toolUses }) => toolUses);
}
function callsById(rows) {
  return new Map(callsIn(rows).map((call) => [
    call.tool_use_id,
    call
  ]));
}
function resultsIn(rows) {
  return rows.flatMap(({ toolResults = [] }) => toolResults);
}
var TRIM_COMMAND = /^<command-name>\/(?:trimtab:trim<|compact<\/command-name>\s*<command-message>compact<\/command-message>\s*<command-args>trimtab\b[^<]*<\/command-args>\s*$)/;
var TRIM_OUTPUT = /^<local-command-stdout>[^A-Z]*(?:Compacted|Not compacted)/;
var COMMAND_OR_OUTPUT = /^<(?:command-name|local-command-stdout|bash-input|bash-stdout)>/;
var TYPED_COMMAND = /^\/compact trimtab(?:\s|$)/;
function layOutRows(conversation, reminders, media) {
  const known = knownRows(conversation.rows);
  const built = mergeMessages(conversation.messages).flatMap(({ role, content }) => role === "assistant" ? answerRows(content, known) : userRows(content, known, reminders, media));
  return withoutOldStates(withoutTrimCommands(built), reminders);
}
function isSameConversation(rows, others) {
  return rows.length === others.length && rows.every(({ text, toolUses, toolResults }, row) => {
    const other = others[row];
    return text === other?.text && toolUses.length === other.toolUses.length && toolResults?.length === other.toolResults?.length && toolResults?.every((result, index) => result.text === other.toolResults?.[index]?.text) !== false;
  });
}
function changeRows(rows, changes = {
  results: /* @__PURE__ */ new Map(),
  inputs: /* @__PURE__ */ new Map()
}) {
  const changed = rows.map((row) => {
    const toolUses = row.toolUses.map((call) => ({
      ...call,
      input: changes.inputs.get(call.tool_use_id) ?? call.input
    }));
    if (row.toolResults === undefined) return {
      ...row,
      toolUses
    };
    const toolResults = row.toolResults.map((result) => ({
      ...result,
      text: changes.results.get(result.tool_use_id) ?? result.text
    }));
    return {
      ...row,
      toolUses,
      toolResults
    };
  });
  let called = /* @__PURE__ */ new Set();
  for (const { toolUses, toolResults = [] } of [
    ...changed,
    userRow("")
  ]) {
    const answered = new Set(toolResults.map(({ tool_use_id: id }) => id));
    const [unpaired] = called.symmetricDifference(answered);
    if (unpaired !== undefined) throw new Error(`call ${unpaired} or its result would be lost`);
    called = new Set(toolUses.map(({ tool_use_id: id }) => id));
  }
  return changed;
}
function mergeMessages(messages) {
  const merged = [];
  for (const { role, content } of messages) {
    const last = merged.at(-1);
    if (last?.role === role) last.content = last.content.concat(content);
    else merged.push({
      role,
      content: [
        ...content
      ]
    });
  }
  return merged;
}
function withoutBreak(text) {
  return text.replace(/\n$/, "");
}
function knownRows(rows) {
  const texts = rows.filter(({ role }) => role === "user").map(({ text }) => withoutHidden(text));
  let next = 0;
  return {
    calls: callsById(rows),
    results: new Map(resultsIn(rows).map((result) => [
      result.tool_use_id,
      result
    ])),
    takeText: (sent) => {
      const text = withoutBreak(sent);
      const found = texts.findIndex((rowText, index) => index >= next && rowText.includes(text));
      if (found < 0) return undefined;
      next = found;
      return texts[found]?.endsWith(sent) ? sent : text;
    }
  };
}
function answerRows(content, known) {
  const toolUses = content.filter(({ type }) => type === "tool_use").flatMap((block) => {
    const id = asString(block.id);
    if (id === undefined) return [];
    const { tool, input } = known.calls.get(id) ?? {
      tool: `${block.name}`,
      input: block.input
    };
    return [
      {
        tool_use_id: id,
        tool,
        input
      }
    ];
  });
  return [
    ...resultTexts(content).filter((text) => text.trim() !== "").map((text) => ({
      role: "assistant",
      text,
      toolUses: []
    })),
    ...toolUses.length === 0 ? [] : [
      {
        role: "assistant",
        text: "",
        toolUses
      }
    ]
  ];
}
function userRows(content, known, reminders, media) {
  const blocks = content.filter(({ type }) => type === "tool_result");
  const split = blocks.map((block) => splitResult(block, known));
  const toolResults = blocks.flatMap((block, index) => {
    const { tool_use_id: id, is_error: isError } = block;
    if (typeof id !== "string") return [];
    const text = asString(reminders.cleared.get(id)) ?? referenceText(block) ?? split[index]?.text;
    return [
      {
        tool_use_id: id,
        text: text ?? "",
        isError: isError === true
      }
    ];
  });
  const loaded = blocks.some(referenceText) ? content.find(({ text }) => withoutBreak(`${text}`) === TOOL_LOADED) : undefined;
  return [
    ...toolResults.length === 0 ? [] : [
      {
        ...userRow(""),
        toolResults
      }
    ],
    ...split.flatMap(({ added }) => added.flatMap(reminders.keep)).map(userRow),
    // A result in a row contains only text, so each image is replaced by a line in a separate row.
    ...blocks.flatMap(media.textsOf).map(userRow),
    ...content.flatMap((block) => {
      const { type, text } = block;
      if (isMedia(block)) return media.textsOf(block);
      const sent = type === "text" ? asString(text) ?? "" : "";
      const bodyText = withoutBreak(sent);
      if (bodyText.trim() === "") return [];
      const own = block === loaded ? undefined : known.takeText(sent);
      return own ?? (COMMAND_OR_OUTPUT.test(bodyText) ? bodyText : reminders.keep(bodyText));
    }).map(userRow)
  ];
}
function userRow(text) {
  return {
    role: "user",
    text,
    toolUses: []
  };
}
function splitResult({ tool_use_id: id, content }, { results }) {
  const sent = resultTexts(content).join("\n");
  const own = results.get(`${id}`)?.text;
  if (own === undefined) return {
    text: sent,
    added: []
  };
  const prefix = sent.startsWith(own.trimEnd()) ? own.trimEnd() : "";
  const rest = sent.slice(prefix.length);
  const others = withoutReminders(rest);
  return {
    text: others.trim() === "" ? own : prefix + others,
    added: remindersIn(rest)
  };
}
function withoutOldStates(rows, reminders) {
  const last = new Map(rows.map(({ text }, index) => [
    text,
    index
  ]));
  return rows.filter(({ role, text }, index) => last.get(text) === index || role === "assistant" || !reminders.isState(text));
}
function withoutTrimCommands(rows) {
  const isTrim2 = rows.map(({ role, text }) => role === "user" && TRIM_COMMAND.test(text));
  return rows.filter(({ role, text }, index) => {
    if (role === "assistant") return true;
    if (isTrim2[index] || TYPED_COMMAND.test(text)) return false;
    if (isTrim2[index - 1] && TRIM_OUTPUT.test(text)) return false;
    return !(isTrim2[index + 1] && text.startsWith(HIDDEN_OPEN));
  });
}

// src/inside/file_state.ts
var forgotten;
function knownFiles(lines, rows) {
  const present = callsById(rows);
  const calls = /* @__PURE__ */ new Map();
  const seen = /* @__PURE__ */ new Set();
  const known = /* @__PURE__ */ new Map();
  for (const { entry } of lines) {
    for (const block of blocksOf(entry)) {
      const id = asString(block.tool_use_id) ?? asString(block.id);
      if (id === undefined) continue;
      if (block.type === "tool_use") calls.set(id, block);
      if (block.type !== "tool_result" || block.is_error === true || seen.has(id)) continue;
      seen.add(id);
      if (!present.has(id)) continue;
      const { name, input } = calls.get(id) ?? {};
      const isRead = name === "Read";
      if (!isObject(input) || !(isRead || WRITERS.has(name))) continue;
      const path = pathIn(input);
      if (path === undefined) continue;
      const atMs = Date.parse(entry.timestamp ?? "");
      known.set(path, {
        input: isRead ? input : {
          file_path: path
        },
        atMs
      });
    }
  }
  return known;
}
function pathIn({ file_path: file, notebook_path: notebook }) {
  return asString(file) ?? asString(notebook);
}
function setForgottenFiles(id, lines, rows) {
  forgotten = {
    id,
    files: knownFiles(lines, rows)
  };
}
function clearForgottenFiles() {
  forgotten = undefined;
}
async function rereadFile(client, edit) {
  const path = pathIn(edit);
  if (forgotten === undefined || path === undefined) return;
  const known = forgotten.files.get(path);
  if (known === undefined || forgotten.id !== await client.session.id()) return;
  forgotten.files.delete(path);
  const { mtimeMs } = await client.fs.stat(path);
  if (!(mtimeMs <= known.atMs)) return;
  await client.tool.call({
    tool: "Read",
    ...known.input
  });
}

// src/core/unseen.ts
var TERMINAL_SEQUENCES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x9d\n]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
var CONTROLS = /[^\P{Cc}\t\n]/gu;
var UNSEEN = /(?![\u{200c}\u{200d}\u{fe0e}\u{fe0f}])\p{DI}|[\u{fff9}-\u{fffb}]/gu;

// src/inject/clean.ts
function cleanText(text) {
  return text.toWellFormed().replaceAll(/\r\n?|[\u{2028}\u{2029}]/gu, "\n").replaceAll(TERMINAL_SEQUENCES, "").replaceAll(CONTROLS, "").replaceAll(UNSEEN, "");
}
function cleanLine(text) {
  return cleanText(text).replaceAll(/\s+/g, " ").trim();
}

// src/store/paths.ts
var MAX_FOLDERS_UP = 40;
function* foldersUp(folder) {
  for (let count = 0; count < MAX_FOLDERS_UP && folder !== ""; count++) {
    yield folder;
    folder = folder.slice(0, Math.max(0, folder.search(/[\\/][^\\/]*$/)));
  }
}

// src/config/files.ts
var MAX_CONFIG_FILE_BYTES = 1e6;
function configFiles({ projectDir, configDir }) {
  const work = {
    layer: "work",
    path: `${projectDir}/.work.toml`
  };
  const project = {
    layer: "project",
    path: `${projectDir}/.claude/trimtab.toml`
  };
  if (configDir === undefined) return [
    work,
    project
  ];
  const user = {
    layer: "user",
    path: `${configDir}/trimtab.toml`
  };
  return user.path === project.path ? [
    user,
    work
  ] : [
    user,
    work,
    project
  ];
}

// src/config/schema.ts
var MAX_LIST_ITEMS = 200;
var MAX_ITEM_CHARS = 500;
var CONFIG_SPECS = {
  context: {
    warn_threshold: percent(60),
    recommend_threshold: percent(75),
    urgent_threshold: percent(85),
    auto_compact_threshold: percent(80),
    check_interval_seconds: integer([
      0,
      86400
    ], 60),
    trim_threshold_chars: integer([
      0,
      1e7
    ], 500),
    trim_target_tools: listOf([
      "Read",
      "Bash",
      "Grep",
      "Glob"
    ]),
    trim_keep_recent: integer([
      0,
      1e6
    ], 5),
    // A number below 1,000 is rejected, because it probably means thousands.
    window_tokens: integer([
      1e3,
      1e8
    ], null),
    retention_days: integer([
      1,
      36500
    ], 7, isLower),
    kept_days: integer([
      1,
      36500
    ], 365),
    // A hook prints at most 9,500 characters.
    restore_max_chars: integer([
      500,
      9500
    ], 9e3, isLower),
    restore_on: someOf([
      "startup",
      "resume",
      "clear",
      "compact",
      "fork"
    ], [
      "compact",
      "clear"
    ])
  },
  live: {
    enabled: onOff(false),
    max_chars: integer([
      500,
      1e7
    ], 2e4),
    tools: listOf([
      "Bash",
      "Grep",
      "Glob",
      "WebFetch",
      "mcp__*"
    ]),
    protect: listOf([], (value, userValue) => isSubset(userValue, value))
  },
  inside: {
    before_compaction: oneOf([
      "auto",
      "trim",
      "save"
    ], "auto"),
    compact_after_trim_percent: percent(50, isLower),
    trim_at_percent: integer([
      1,
      100
    ], null),
    trim_when_cold: onOff(false),
    model_may_trim: onOff(true)
  }
};
var RETIRED_KEYS = new Map([
  ...[
    "warn",
    "recommend",
    "urgent"
  ].map((level) => [
    `context.${level}_tokens`,
    "set window_tokens to the number of tokens that you want to use"
  ]),
  [
    "context.checkpoint_threshold",
    "warn_threshold also controls when checkpoints are saved"
  ],
  [
    "context.restore_max_age_hours",
    "a new session restores only work saved in the last 24 hours"
  ],
  [
    "live.stderr_max_chars",
    "error output is limited to half of max_chars"
  ],
  [
    "live.subagents",
    "outputs of subagents are never shortened"
  ]
]);
var ASCENDING_THRESHOLDS = [
  [
    "warn_threshold",
    "recommend_threshold"
  ],
  [
    "recommend_threshold",
    "urgent_threshold"
  ]
];
var CONFIG_TABLES = [
  "context",
  "live",
  "inside"
];
var DEFAULT_CONFIG = configOf({});
function specOf(table, key) {
  const specs = CONFIG_SPECS[table];
  return Object.hasOwn(specs, key) ? specs[key] : undefined;
}
function isHigher(value, userValue) {
  return typeof userValue === "number" && Number(value) >= userValue;
}
function isLower(value, userValue) {
  return typeof userValue === "number" && Number(value) <= userValue;
}
function isSubset(items, all) {
  return Array.isArray(items) && Array.isArray(all) && items.every((item) => all.includes(item));
}
function configOf(values) {
  const tables = CONFIG_TABLES.map((table) => {
    const defaults = Object.entries(CONFIG_SPECS[table]).map(([key, { value }]) => [
      key,
      value
    ]);
    return [
      table,
      {
        ...Object.fromEntries(defaults),
        ...values[table]
      }
    ];
  });
  const config = Object.fromEntries(tables);
  if (firstDescent(config.context) !== undefined) {
    for (const key of ASCENDING_THRESHOLDS.flat()) {
      config.context[key] = CONFIG_SPECS.context[key].value;
    }
  }
  return config;
}
function firstDescent(context) {
  return ASCENDING_THRESHOLDS.find(([lower, upper]) => Number(context[upper]) < Number(context[lower]));
}
function isListItem(value) {
  return typeof value === "string" && value !== "" && value.length <= MAX_ITEM_CHARS && !/[\p{Cc}\p{Cs}]/u.test(value);
}
function integer(range, value, needsNoTrust = isHigher) {
  const fits = (given) => Number.isSafeInteger(given) && Number(given) >= range[0] && Number(given) <= range[1];
  return {
    value,
    fits,
    range,
    needsNoTrust
  };
}
function percent(value, needsNoTrust) {
  return integer([
    0,
    100
  ], value, needsNoTrust);
}
function onOff(value) {
  const fits = (given) => typeof given === "boolean";
  const needsNoTrust = (given, userValue) => given === false || given === userValue;
  return {
    value,
    fits,
    needsNoTrust
  };
}
function listOf(value, needsNoTrust = isSubset) {
  const fits = (given) => Array.isArray(given) && given.length <= MAX_LIST_ITEMS && given.every(isListItem);
  return {
    value,
    fits,
    needsNoTrust
  };
}
function oneOf(choices, value) {
  const fits = (given) => choices.some((item) => item === given);
  const needsNoTrust = (given, userValue) => given === "save" || given === userValue || given === "auto" && userValue === "trim";
  return {
    value,
    fits,
    choices,
    needsNoTrust
  };
}
function someOf(choices, value) {
  const fits = (given) => Array.isArray(given) && given.length <= choices.length && given.every((item) => choices.includes(item));
  return {
    value,
    fits,
    choices,
    needsNoTrust: isSubset
  };
}

// src/config/toml.ts
var NAME2 = /[ \t]*([\w-]+)[ \t]*/y;
var BLANKS = /[ \t]*/y;
var FILLER = /(?:[ \t\n]|#[^\n]*)*/y;
var LITERAL = /'([^'\n]*)'/y;
var BASIC = /"(?:\\(?:[btnfr"\\]|u(?![dD][89a-fA-F])[\da-fA-F]{4})|[^"\\\n])*"/y;
var NUMBER2 = /[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?(?![\w.:+-])/y;
var BOOLEAN = /(true|false)(?![\w.:+-])/y;
var LINE_END = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
var CONTROL2 = /[^\P{Cc}\n\t]|\uFEFF/u;
function parseToml(text) {
  return new Reader(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")).read();
}
var Reader = class {
  #text;
  #position = 0;
  constructor(text) {
    this.#text = text;
    this.#position = Math.max(0, text.search(CONTROL2));
    if (CONTROL2.test(text)) this.#refuse("text without control characters");
  }
  read() {
    const root = {};
    let table = root;
    while (this.#position < this.#text.length) {
      this.#take(BLANKS);
      if (this.#take(LINE_END) !== null) continue;
      if (this.#takeMark("[")) table = this.#header(root);
      else this.#pair(table);
      if (this.#take(LINE_END) === null) this.#refuse("the end of the line");
    }
    return root;
  }
  #header(root) {
    if (this.#text[this.#position] === "[") this.#refuse("a table, in single brackets");
    const name = this.#name();
    if (Object.hasOwn(root, name)) this.#refuse("a new table");
    if (!this.#takeMark("]")) this.#refuse("the end of a table's name, ]");
    return root[name] = {};
  }
  #pair(above) {
    let [table, name] = [
      above,
      this.#name()
    ];
    while (this.#takeMark(".")) {
      const inner = Object.hasOwn(table, name) ? table[name] : table[name] = {};
      if (typeof inner !== "object" || Array.isArray(inner)) this.#refuse("a new key");
      [table, name] = [
        inner,
        this.#name()
      ];
    }
    if (Object.hasOwn(table, name)) this.#refuse("a new key");
    if (!this.#takeMark("=")) this.#refuse("a key and =");
    this.#take(BLANKS);
    table[name] = this.#takeMark("[") ? this.#list() : this.#scalar();
  }
  #name() {
    const name = this.#take(NAME2)?.[1];
    return name === undefined || name === "__proto__" ? this.#refuse("a name") : name;
  }
  #scalar() {
    const literal = this.#take(LITERAL)?.[1];
    if (literal !== undefined) return literal;
    const basic = this.#take(BASIC)?.[0];
    if (basic !== undefined) return JSON.parse(basic.replaceAll("	", "\\t"));
    const word = this.#take(BOOLEAN);
    if (word !== null) return word[1] === "true";
    const number = Number(this.#take(NUMBER2)?.[0].replaceAll("_", ""));
    return Number.isFinite(number) && !Object.is(number, -0) ? number : this.#refuse("a string, a number, true, false or a list");
  }
  #list() {
    const items = [];
    while (true) {
      this.#take(FILLER);
      if (this.#takeMark("]")) return items;
      items.push(this.#scalar());
      this.#take(FILLER);
      if (this.#takeMark(",")) continue;
      if (this.#takeMark("]")) return items;
      this.#refuse("a comma or the end of the list, ]");
    }
  }
  #take(pattern) {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#position = pattern.lastIndex;
    return match;
  }
  #takeMark(mark) {
    if (this.#text[this.#position] !== mark) return false;
    this.#position++;
    return true;
  }
  #refuse(expected) {
    const line = this.#text.slice(0, this.#position).split("\n").length;
    throw new SyntaxError(`line ${line}: expected ${expected}`);
  }
};

// src/config/merge.ts
var USER_ONLY = "only trimtab.toml in Claude Code's folder can set this value";
function mergeTexts(texts) {
  const values = {
    context: {},
    live: {},
    inside: {}
  };
  const origins = /* @__PURE__ */ new Map();
  const wrong = [];
  const waiting = [];
  const retired = [];
  let userConfig = configOf(values);
  for (const text of texts) {
    const { layer, path: file, isTrusted } = text;
    for (const [name, keys] of Object.entries(parseText(text, wrong))) {
      const table = CONFIG_TABLES.find((known) => known === name);
      if (table === undefined || !isObject(keys)) {
        wrong.push({
          file,
          key: name,
          value: keys
        });
        continue;
      }
      const before = {
        ...userConfig[table]
      };
      for (const [keyName, value] of Object.entries(keys)) {
        const key = `${table}.${keyName}`;
        const spec = specOf(table, keyName);
        const instead = RETIRED_KEYS.get(key);
        if (instead !== undefined) retired.push({
          file,
          key,
          instead
        });
        else if (spec?.fits(value) !== true) wrong.push({
          file,
          key,
          value
        });
        else if (layer === "user" || isTrusted && table !== "inside" || spec.needsNoTrust(value, before[keyName])) {
          values[table][keyName] = value;
          origins.set(key, text);
        } else if (table === "inside") retired.push({
          file,
          key,
          instead: USER_ONLY
        });
        else waiting.push({
          file,
          key,
          value
        });
      }
    }
    if (layer === "user") userConfig = configOf(values);
  }
  if (wrong.length === 0) wrong.push(...outOfOrder(values.context, texts, origins));
  return {
    config: configOf(values),
    origins,
    wrong,
    waiting,
    retired
  };
}
function outOfOrder(values, texts, origins) {
  const context = {
    ...DEFAULT_CONFIG.context,
    ...values
  };
  const descent = firstDescent(context);
  if (descent === undefined) return [];
  const pathOf = (key2) => origins.get(`context.${key2}`)?.path ?? "default";
  const rankOf = (key2) => texts.findIndex(({ path }) => path === pathOf(key2));
  const [lower, upper] = descent;
  const isLowerToBlame = rankOf(lower) > rankOf(upper);
  const [key, other] = isLowerToBlame ? [
    lower,
    upper
  ] : [
    upper,
    lower
  ];
  return [
    {
      file: pathOf(key),
      key: `context.${key}`,
      value: context[key],
      expected: `${isLowerToBlame ? "at most" : "at least"} context.${other}, which is ${context[other]} (${pathOf(other)})`
    }
  ];
}
function parseText({ layer, path: file, text }, wrong) {
  try {
    return parseToml(layer === "work" ? onlyContextTable(text) : text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    wrong.push({
      file,
      key: "",
      expected: `TOML (${error.message})`
    });
    return {};
  }
}
var STATEMENT = /(?:"{3}(?:\\[^]|[^\\])*?(?:"{3}|$)|'{3}[^]*?(?:'{3}|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|\[(?:\[[^\]]*\]?|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|[^[\]"'#]+)*\]?|[^\n"'#[]+)*\n?/g;
function onlyContextTable(text) {
  let table;
  return text.replaceAll(STATEMENT, (statement) => {
    table = /^\s*\[\s*(context(?=\s*\])|)/.exec(statement)?.[1] ?? table;
    const isOwn = table === undefined ? /^\s*context\s*\./.test(statement) : table === "context";
    return isOwn ? statement : statement.replaceAll(/[^\n]/g, "");
  });
}

// src/inside/settings.ts
var DOCTOR_HINT = "Run trimtab doctor to see what is expected";
var LEVELS_BELOW_CONFIG = 3;
function configDirOf(transcriptPath) {
  return transcriptPath.split(/[\\/]/).slice(0, -LEVELS_BELOW_CONFIG).join("/");
}
async function settingsOf(client) {
  const [projectDir, { transcriptPath }] = await Promise.all([
    client.session.root(),
    client.session.info()
  ]);
  const unread = [];
  const files = configFiles({
    projectDir,
    configDir: configDirOf(transcriptPath)
  });
  const texts = await Promise.all(files.map(async ({ layer, path: own }) => {
    const shared = layer === "work" ? await findSharedFile(client, projectDir) : undefined;
    const path = shared ?? own;
    const text = await client.fs.exists(path) ? await readText(client, path, MAX_CONFIG_FILE_BYTES) : "";
    if (text === undefined) unread.push(path);
    return {
      layer,
      path,
      text: text ?? "",
      isTrusted: layer === "user"
    };
  }));
  if (unread.length > 0) return defaultsFor(`${unread[0]} cannot be read`);
  const { config, wrong, waiting } = mergeTexts(texts);
  if (wrong.length > 0) {
    const parts = wrong.map(({ file, key }) => key === "" ? file : `${key} in ${file}`);
    return defaultsFor(`the configuration is invalid: ${parts.join(", ")}. ${DOCTOR_HINT}`);
  }
  return {
    ...config,
    isPartial: waiting.length > 0,
    problem: undefined
  };
}
async function findSharedFile(client, projectDir) {
  let found;
  for (const folder of foldersUp(projectDir)) {
    const paths = [
      `${folder}/.work.toml`,
      `${folder}/.git`
    ];
    const [isShared, isRoot] = await Promise.all(paths.map((path) => client.fs.exists(path)));
    if (isShared) found ??= paths[0];
    if (isRoot) return found;
  }
  return undefined;
}
function defaultsFor(why) {
  return {
    ...DEFAULT_CONFIG,
    isPartial: true,
    problem: cleanLine(`using the defaults, because ${why}`)
  };
}

// src/inside/recall.ts
var RECALL = "mcp__trimtab__recall";
var MAX_CHARS = 4e4;
var SPEC = {
  name: "recall",
  description: 'Returns the full text of a truncated tool output, or a masked picture; its notice says "See line LINE of SESSION".',
  inputSchema: {
    type: "object",
    properties: {
      line: {
        type: "integer"
      },
      session: {
        type: "string"
      },
      from: {
        type: "integer",
        description: "character to continue at"
      }
    },
    required: [
      "line",
      "session"
    ]
  },
  // The client sends only the name of a deferred tool, and leaves the cached prefix unchanged.
  isDeferred: true
};
var RECALL_NOTE = `Where a truncated tool output or a masked picture of this conversation says "See line LINE of SESSION for full content", ${RECALL} returns the whole text; it may need ToolSearch first.`;
var registration;
function offerRecall(client, id) {
  if (registration?.id !== id) registration = {
    id,
    done: client.tool.register(SPEC)
  };
  return registration.done;
}
var isNotePending = false;
function setNotePending(isNeeded) {
  isNotePending = isNeeded;
}
var startCheck = Promise.resolve(undefined);
var promptedId;
async function appendNoteAtPrompt(client, id) {
  const startedId = await startCheck.catch(() => undefined);
  const isFirst = promptedId !== id;
  promptedId = id;
  if (isFirst && startedId !== id) await offerRecallIfCut(client);
  else if (isNotePending) setNotePending(hasCuts(await currentRows(client)));
  await appendPendingNote(client);
}
async function appendPendingNote(client) {
  if (!isNotePending) return;
  isNotePending = false;
  const verdict = await client.tool.check({
    tool: RECALL,
    input: {}
  }).catch(() => undefined);
  if (isDenied(verdict)) return;
  await client.session.append({
    message: {
      type: "user",
      content: [
        {
          type: "text",
          text: RECALL_NOTE
        }
      ]
    }
  });
}
function hasCuts(rows, { isTextOnly = false } = {}) {
  return rows.some((row) => droppedRange(row.text) !== undefined || partsOf(row).some(({ part, text }) => !(isTextOnly && part === undefined) && isCutText(text)));
}
function offerRecallIfCut(client) {
  startCheck = (async () => {
    setNotePending(false);
    if (!hasCuts(await currentRows(client))) return undefined;
    const id = await client.session.id();
    await offerRecall(client, id);
    setNotePending(!await hasRecallNote(client));
    return id;
  })();
  return startCheck;
}
async function hasRecallNote(client) {
  const messages = await client.session.messages({
    as: "api"
  });
  const isInMessages = messages.some(({ content }) => content.some(({ text }) => asString(text)?.includes(`, ${RECALL} returns`) === true));
  const { transcriptPath } = await client.session.info();
  if (isInMessages || !await client.fs.exists(transcriptPath)) return isInMessages;
  const { active } = await readSessionLines(client, transcriptPath);
  return active.some(({ entry }) => isTrimNote(entry));
}
async function readReferencedLines(client, rows) {
  const named = /* @__PURE__ */ new Map();
  for (const { text } of rows.flatMap(partsOf)) {
    for (const { session, line } of placesIn(text)) {
      named.set(session, (named.get(session) ?? /* @__PURE__ */ new Set()).add(line));
    }
  }
  const found = [];
  for (const [session, wanted] of named) {
    for (const path of await pathsOf(client, session, {
      isAnywhere: true
    })) {
      found.push(...await readLinesAt(client, path, wanted));
    }
  }
  return found.sort(([, a], [, b]) => a.length - b.length).flatMap(([number, text]) => {
    const raw = parseObject(text);
    return raw === undefined ? [] : [
      {
        number,
        entry: viewEntry(raw)
      }
    ];
  });
}
async function answerRecall(client, event) {
  const { line, session, from = 0 } = event;
  if (!isCount(line) || !isCount(from) || typeof session !== "string") {
    return {
      deny: "recall needs the line and the session from the notice"
    };
  }
  const rows = await currentRows(client);
  const cuts = /* @__PURE__ */ new Map();
  for (const named of rows.flatMap(partsOf)) {
    const place = placesIn(named.text).find((candidate) => candidate.line === line && session.startsWith(candidate.session));
    if (place !== undefined) cuts.set(JSON.stringify(named.part), {
      ...named,
      place
    });
  }
  if (cuts.size === 0) {
    const range = rows.map(({ text }) => droppedRange(text)).find((range2) => range2 !== undefined && session.startsWith(range2.session) && line >= range2.from && line <= range2.to);
    if (range !== undefined) return answerDropped(client, {
      session: range.session,
      line
    }, from);
    return {
      deny: `no notice in this conversation refers to line ${line} of ${session}`
    };
  }
  const calls = callsById(rows);
  const reason = await reasonToDeny(client, [
    ...cuts.values()
  ].flatMap(({ part }) => calls.get(part?.id ?? "") ?? []));
  if (reason !== undefined) return {
    deny: reason
  };
  const found = {
    texts: [],
    media: []
  };
  for (const cut of cuts.values()) {
    const { texts, media } = await readOriginal(client, cut);
    found.texts.push(...texts);
    found.media.push(...media);
  }
  return answerOf(found, from) ?? {
    deny: `line ${line} of ${session} does not contain the text that was cut`
  };
}
function answerOf({ texts, media }, from) {
  if (texts.length + media.length === 0) return undefined;
  const text = excerptFrom(texts.join("\n"), from);
  if (media.length === 0) return {
    result: text
  };
  return {
    result: [
      ...text === "" ? [] : [
        {
          type: "text",
          text
        }
      ],
      ...media
    ]
  };
}
async function answerDropped(client, { session, line }, from) {
  const [path] = await pathsOf(client, session, {
    isAnywhere: false
  });
  if (path === undefined) return {
    deny: `the transcript of ${session} no longer exists`
  };
  const { before, active } = await readSessionLines(client, path);
  const lines = [
    ...before,
    ...active
  ];
  const blocks = lines.filter(({ number }) => number === line).flatMap((one) => [
    ...contentBlocks(one),
    ...renderedBlocks(one.entry)
  ]);
  const ids = new Set(blocks.flatMap(({ tool_use_id: id }) => asString(id) ?? []));
  const calls = lines.flatMap(contentBlocks).filter(({ id }) => ids.has(asString(id) ?? ""));
  const reason = await reasonToDeny(client, calls.flatMap(({ name, input }) => isObject(input) ? {
    tool: `${name}`,
    input
  } : []));
  if (reason !== undefined) return {
    deny: reason
  };
  const found = {
    texts: blocks.flatMap(textsOfBlock),
    media: blocks.flatMap(mediaIn)
  };
  return answerOf(found, from) ?? {
    deny: `line ${line} contains no message`
  };
}
function textsOfBlock({ type, text, input, content }) {
  if (type === "tool_result") return resultTexts(content);
  return type === "tool_use" ? [
    JSON.stringify(input)
  ] : [
    asString(text) ?? []
  ].flat();
}
var MEDIA_LINE = /^\[(?:image|document) result masked -- /m;
function countMediaLines(rows) {
  const media = /<system-reminder>\\n\[(?:image|document) result masked -- /;
  return JSON.stringify(rows).split(media).length - 1;
}
function partsOf({ role, text, toolUses, toolResults = [] }) {
  return [
    ...role === "user" && MEDIA_LINE.test(text) ? [
      {
        part: undefined,
        text
      }
    ] : [],
    ...toolUses.flatMap(({ tool_use_id: id, input }) => stringsIn(input).map((text2) => ({
      part: {
        id,
        kind: "call"
      },
      text: text2
    }))),
    ...toolResults.map(({ tool_use_id: id, text: text2 }) => ({
      part: {
        id,
        kind: "result"
      },
      text: text2
    }))
  ];
}
async function reasonToDeny(client, calls) {
  const { transcriptPath } = await client.session.info();
  const paths = [
    transcriptPath,
    ...calls.map(({ input }) => input.file_path)
  ].filter((path) => typeof path === "string");
  const verdicts = await Promise.all([
    // The check fails if the tool's server is gone.
    ...calls.map(({ tool, input }) => client.tool.check({
      tool,
      input
    }).catch(() => undefined)),
    ...paths.map((file_path) => client.tool.check({
      tool: "Read",
      input: {
        file_path
      }
    }))
  ]);
  const denied = verdicts.find(isDenied);
  return denied && (denied.reason ?? "the permission rules deny reading it");
}
function isDenied(verdict) {
  return verdict?.decision === "deny" && (verdict.rule ?? verdict.plugin ?? verdict.ceiling) !== undefined;
}
async function canReadStored(client) {
  const file_path = `${await client.session.root()}/.claude/trimtab/spill/session/call.txt`;
  return !isDenied(await client.tool.check({
    tool: "Read",
    input: {
      file_path
    }
  }));
}
async function readOriginal(client, { part, place, text }) {
  const paths = await pathsOf(client, place.session, {
    isAnywhere: part !== undefined
  });
  for (const path of paths) {
    const [line = ""] = (await readLinesAt(client, path, /* @__PURE__ */ new Set([
      place.line
    ]))).values();
    const entry = viewEntry(parseObject(line) ?? {});
    if (entry.isSidechain) continue;
    const blocks = MEDIA_LINE.test(text) ? blocksAndAttachedMedia(entry) : [];
    const media = blocks.filter(({ tool_use_id: id }) => (part?.id ?? id) === id).flatMap(mediaIn);
    const longer = ((part && markedTexts(entry, part)) ?? []).filter((marked) => marked.length > text.length);
    const texts = part?.kind === "result" ? longer.slice(-1) : longer;
    if (texts.length + media.length > 0) return {
      texts,
      media
    };
  }
  return {
    texts: [],
    media: []
  };
}
async function pathsOf(client, session, { isAnywhere }) {
  const { transcriptPath } = await client.session.info();
  const configDir = configDirOf(transcriptPath);
  const find = async (folders2) => {
    const paths = await Promise.all(folders2.map((folder) => list(client, folder, "file")));
    return paths.flat().filter((path) => isFileOfSession(session, path.replace(/.*[\\/]/, "")));
  };
  const folders = [
    transcriptPath.replace(/[^\\/]*$/, ""),
    `${configDir}/trimtab/kept/`
  ];
  const found = await find(folders);
  if (found.length > 0 || !isAnywhere) return found;
  const projects = await list(client, `${configDir}/projects/`, "dir");
  return await find(projects.map((path) => `${path}/`));
}
async function list(client, folder, wanted) {
  const found = await client.fs.list(folder).catch(() => []);
  return found.filter(({ kind, isLink }) => kind === wanted && !isLink).map(({ name }) => folder + name);
}
function excerptFrom(text, from) {
  const isInPair = from > 0 && (text.charCodeAt(from) & 64512) === 56320;
  const rest = text.slice(isInPair ? from - 1 : from);
  const part = boundText(rest, MAX_CHARS);
  const left = rest.length - part.length;
  if (left > 0) {
    return `${part}

[characters left: ${left}; continue from ${text.length - left}]`;
  }
  return part || (from > 0 ? "[no more characters]" : "");
}

// src/transcript/tokens/prices.ts
var PRICE_RATIOS = {
  input: 1,
  cacheRead: 0.1,
  cacheWrite5m: 1.25,
  cacheWrite1h: 2,
  output: 5
};
var SHORT_TTL_SECONDS = 300;
var CHEAPER_READS = [
  [
    /claude-(?:fable|mythos)-5[-.]1(?!\d)/i,
    0.025
  ],
  [
    /claude-(?:opus|sonnet)-5[-.]5(?!\d)/i,
    0.05
  ]
];
function priceRatios(model) {
  const cheaper = CHEAPER_READS.find(([name]) => name.test(model ?? ""));
  return cheaper === undefined ? PRICE_RATIOS : {
    ...PRICE_RATIOS,
    cacheRead: cheaper[1]
  };
}

// src/gauge/advice.ts
var WORTHWHILE_PERCENT = 10;
var STALE_PERCENT = 10;
var REMEDY_COMMANDS = {
  light: "/trim",
  deep: "/trim --depth deep",
  rollover: "/rollover"
};
var LIKELY_REQUESTS = 50;
function isFresh(record, tokens) {
  if (record === undefined) return false;
  return Math.abs(tokens - record.at_tokens) * 100 <= STALE_PERCENT * record.at_tokens;
}
function recommend(record, moment = {}, enoughPercent = WORTHWHILE_PERCENT) {
  if (record === undefined) return {
    remedy: "light",
    command: "/trim",
    freed: null
  };
  const isEnough = (name) => record[name] * 100 >= enoughPercent * record.at_tokens;
  const ignoresPayback = (moment.level ?? "urgent") === "urgent" || isCacheCold(record, moment);
  const trims = [
    "light",
    "deep"
  ].filter(isEnough);
  const remedy = trims.find((trim) => ignoresPayback || isPaidBack2(record, trim)) ?? (trims.length === 0 ? "rollover" : "none");
  if (remedy === "none") return {
    remedy,
    command: "",
    freed: null
  };
  const freed2 = isEnough(remedy) ? record[remedy] : null;
  return {
    remedy,
    command: REMEDY_COMMANDS[remedy],
    freed: freed2
  };
}
function isPaidBack2({ paid_back_after: after }, trim) {
  return after === undefined || (after[trim] ?? Infinity) <= LIKELY_REQUESTS;
}
function isCacheCold(record, { tokens, nowMs = 0 }) {
  if (tokens !== record.at_tokens) return false;
  const ttl = record.cache_ttl_seconds ?? SHORT_TTL_SECONDS;
  return nowMs > Date.parse(record.newest_at ?? "") + ttl * 1e3;
}
function isTrimCertain(record, { limit, limitKind }, maxPercent) {
  return limitKind === "compaction" && record !== undefined && (record.at_tokens - record.deep) * 100 <= maxPercent * limit;
}
function warningText(percent2, level, record, { isTrimFirst: isTrimFirst2 = false, limitKind, ...moment } = {}) {
  const { remedy, command, freed: freed2 } = recommend(record, {
    ...moment,
    level
  });
  const opening = {
    warn: `Consider ${command} if response quality feels degraded`,
    recommend: `Recommend ${command} soon`,
    // A rollover is recommended only if a trim frees too little to prevent the compaction.
    urgent: isTrimFirst2 && remedy !== "rollover" ? `Use ${command} now, or trimtab trims before the client compacts` : limitKind === "answer" ? `Use ${command} now, before the window is full` : `Use ${command} now to avoid lossy auto-compaction`
  }[level];
  const lead = `Context at ${percent2}%. `;
  if (record === undefined) return `${lead}${opening}.`;
  const others = [
    "light",
    "deep",
    "rollover"
  ].filter((name) => name !== remedy).map((name) => `${REMEDY_COMMANDS[name]} ${grouped(record[name])}`).join(", ");
  if (remedy === "none") {
    const requests = grouped(record.paid_back_after?.deep ?? Infinity);
    return `${lead}A trim would not pay off yet: it pays back after ${requests} requests, and half of all sessions that are this full end within ${LIKELY_REQUESTS} more requests (${others}).`;
  }
  const worth = freed2 === null ? "a trim frees little" : `it frees about ${grouped(freed2)} tokens`;
  const price = isCacheCold(record, moment) && remedy !== "rollover" ? " at no extra cost, as the prompt cache has expired" : "";
  return `${lead}${opening}: ${worth}${price} (${others}).`;
}
var TRIM_AT_OFFER = " Set [inside] trim_at_percent to trim when a turn ends.";
function shortAdvice(record, moment = {}, sizeText2 = grouped) {
  const { remedy, command, freed: freed2 } = recommend(record, moment);
  if (remedy === "none") return "a trim would not pay off yet";
  if (record === undefined) return `${command} makes room`;
  return freed2 === null ? command : `${command} frees ${sizeText2(freed2)}`;
}
var TOO_SMALL_PERCENT = 2;
function isTooSmall({ before, after }) {
  return (before - after) * 100 < TOO_SMALL_PERCENT * before || before === 0;
}
function isWorthwhile({ before, after }) {
  return (before - after) * 100 >= WORTHWHILE_PERCENT * before;
}
var ROOMY_PERCENT = 30;
function alternativeText({ deep, newest, percent: percent2, otherwise = "This would help: /rollover" }) {
  const more = [
    ...deep === 0 ? [] : [
      `adding --depth deep frees ${grouped(deep)} tokens`
    ],
    ...newest === 0 ? [] : [
      `adding --keep-recent 0 frees ${grouped(newest)} tokens of the newest outputs`
    ]
  ];
  if (more.length > 0) return `This would help: ${more.join("; ")}`;
  return percent2 < ROOMY_PERCENT ? `There is room: the context is at ${percent2}%` : otherwise;
}
function pressureText(pressure, level, freed2, options) {
  const { tokens, limit, limitKind, percent: percent2 } = pressure;
  const warning = warningText(percent2 ?? 0, level, freed2, {
    ...options,
    limitKind,
    tokens
  });
  return `${warning} In use: ${grouped(tokens ?? 0)} of ${grouped(limit)} tokens.`;
}

// src/gauge/limit.ts
var ANSWER_TOKENS = 2e4;
var COMPACTION_TOKENS = 13e3;
var MIN_COMPACTION_WINDOW = 1e5;
function compactionLimit(window) {
  return window - reservedTokens(window, ANSWER_TOKENS + COMPACTION_TOKENS);
}
function answerLimit(window) {
  return window - reservedTokens(window, ANSWER_TOKENS);
}
function reservedTokens(window, tokens) {
  return Math.min(tokens, Math.floor(window * tokens / MIN_COMPACTION_WINDOW));
}
function overrideLimit(window, env) {
  const percent2 = Number(env("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"));
  const share = percent2 > 0 ? Math.min(1, percent2 / 100) : 1;
  return Math.floor(answerLimit(window) * share);
}

// src/store/inside_record.ts
var MAX_TRIMS = 20;
var MAX_RECORD_CHARS = 64 * 1024;
function insideRecordPath(projectDir, sessionId) {
  return `${projectDir}/.claude/trimtab/state/${sessionId}.inside.json`;
}
function parseInsideRecord(text) {
  const { version, trims, fill, watch } = parseObject(text) ?? {};
  if (version !== 1) return {
    version: 1,
    trims: []
  };
  return {
    version: 1,
    ...isFill(fill) ? {
      fill
    } : {},
    ...isObject(watch) && Object.values(watch).every(isText) ? {
      watch
    } : {},
    trims: Array.isArray(trims) ? trims.filter(isTrim) : []
  };
}
function nonMessageTokens(categories) {
  return Object.entries(categories).reduce((sum, [name, tokens]) => name === "Messages" ? sum : sum + tokens, 0);
}
function trimsInEffect(trims) {
  const remaining = [];
  for (const trim of trims) {
    if (trim.kind === "undo") remaining.pop();
    if (trim.kind === "trim") remaining.push(trim);
  }
  return remaining;
}
function withTrim(record, trim) {
  const { level: _level, warned_at: _warnedAt, ...watch } = record.watch ?? {};
  return {
    ...record,
    watch,
    trims: [
      ...record.trims,
      trim
    ].slice(-MAX_TRIMS)
  };
}
function isTrim(value) {
  return isObject(value) && [
    "trim",
    "undo",
    "restore"
  ].includes(`${value["kind"]}`) && typeof value["at_ms"] === "number" && isCount2(value["tokens_before"]) && isCount2(value["tokens_after"]);
}
function isFill(value) {
  return isObject(value) && typeof value["at_ms"] === "number" && isCount2(value["tokens"]) && typeof value["model"] === "string" && isSize(value["window"]) && isSize(value["limit"]) && (value["limit_kind"] === "compaction" || value["limit_kind"] === "answer") && isObject(value["categories"]) && Object.values(value["categories"]).every(isCount2);
}
function isSize(value) {
  return typeof value === "number" && value > 0;
}
function isCount2(value) {
  return value === null || typeof value === "number" && value >= 0;
}

// src/core/need.ts
var MIN_SAVED_CHARS = 200;
var MIN_SAVED_SHARE = 0.3;
function isWorthCutting(before, after) {
  return before - after >= Math.max(MIN_SAVED_CHARS, before * MIN_SAVED_SHARE);
}
var FOCUS_READS = 40;
var WRITTEN_DIGEST = {
  head: 60,
  definitions: 0,
  names: 200
};
var LIGHT_NEED = {
  focusItems: 6,
  fade: 5,
  passages: [
    {
      reads: 12,
      lines: 20
    },
    {
      reads: FOCUS_READS,
      lines: 6
    }
  ],
  unused: {
    blocks: 40,
    share: 0.4
  },
  minChars: 500,
  read: {
    head: 100,
    definitions: 900,
    names: 1100
  },
  other: {
    head: 100,
    definitions: 900,
    names: 700
  },
  report: {
    head: 1500,
    definitions: 0,
    names: 600
  },
  maxLastLineChars: 200,
  errorChars: 900,
  oldTextAge: 20,
  newTextAge: Infinity,
  wholeTextAge: Infinity
};
var DEEP_NEED = {
  focusItems: 4,
  fade: 10,
  passages: [
    {
      reads: 7,
      lines: 6
    }
  ],
  unused: {
    blocks: 15,
    share: 0.05
  },
  minChars: 250,
  read: {
    head: 60,
    definitions: 100,
    names: 700
  },
  other: {
    head: 60,
    definitions: 100,
    names: 300
  },
  report: {
    head: 300,
    definitions: 0,
    names: 200
  },
  maxLastLineChars: 120,
  errorChars: 400,
  oldTextAge: 10,
  newTextAge: 60,
  wholeTextAge: 300
};
var REGRETS = {
  "read again": 0,
  "written again": 0,
  "replaced text": 0,
  "confirmation": 0,
  "old": 1,
  "worked on": 2,
  "written text": 3,
  "not used yet": 4,
  "newest": 5
};
var UNKNOWN_REGRET = 4;
function regretOf(reason) {
  return reason === undefined ? UNKNOWN_REGRET : REGRETS[reason];
}

// src/core/last_part.ts
function lastPart(path) {
  return path.replace(/^.*[\\/]/, "");
}

// src/core/error_lines.ts
var ANSI = /\x1b\[[0-9;?]*[A-Za-z]/g;
var ERROR_PATTERNS = [
  /\b(?:errors?|ERR!|fail(?:s|ed|ing|ures?)?|fatal|panic(?:ked|s)?|exceptions?|traceback|abort(?:s|ed|ing)?|assertions?|segmentation fault|segfault|core dumped|killed|no such file|command not found|permission denied|undefined (?:reference|symbol|:)|out of memory|not ok)(?![A-Za-z])/i,
  // Class names: `TypeError: x`, `java.lang.IllegalStateException`, `expectedError:`.
  /[A-Za-z](?:Error|Exception|Failure|Panic)\b/,
  // Symbols and numbers at the start of a failure: `✗`, pytest's `E   `, Mocha's `1)`, a debugger's `#0 0x`.
  /^\s*(?:[✗✘✖✕×❌⨯●✱]|E {2,}|>{1,3} |\d+\) |#\d+ 0x)|[✗✘✖✕❌⨯]/u,
  // Locations of errors: `a.go:31:45: `, `a.ts(217,9): `, `a_test.go:453: `.
  /(?:^|\s)[^\s:()]+(?::\d+:\d+:? |\(\d+,\d+\): )|^\s+\S+_test\.\w+:\d+: /,
  // `make: *** [x] Error 1`, `CONFLICT (content)`, `undefined: x`.
  /\*\*\* |^CONFLICT \(|^\S* ?undefined: |[:\s]undefined: /
];
var PASSED_TEST = /^\s*(?:ok\b|PASS(?:ED)?\b|--- PASS|=== (?:RUN|PAUSE|CONT|NAME)\b|[✓✔√]|ok \d+ )|\.\.\. (?:.\[\d+m)?ok\b|\bPASSED\b(?!.*FAIL)/u;
var CERTAIN_ERROR = /\b(?:error|exception|fatal|panic|failure|failed)s?:\s|[a-z](?:Error|Exception):\s|\b[1-9]\d* (?:\w+ ){0,2}failed\b/i;
var MAX_CHECKED_CHARS = 4e3;
function plainLine(line) {
  return line.includes("\x1B") ? line.replace(ANSI, "") : line;
}
function isPassingLine(line) {
  return isPassing(plainLine(line.slice(0, MAX_CHECKED_CHARS)));
}
function isPassing(text) {
  return PASSED_TEST.test(text) && !CERTAIN_ERROR.test(text);
}
function isErrorLine(line) {
  const text = plainLine(line.slice(0, MAX_CHECKED_CHARS));
  return ERROR_PATTERNS.some((pattern) => pattern.test(text)) && !isPassing(text);
}
function errorMatcherFor(lines) {
  return lines.some((line) => line.startsWith("@@ -")) ? isErrorOutsideDiff : isErrorLine;
}
function isErrorOutsideDiff(line) {
  return !/^(?:[-+ \\]|@@ |diff |index )/.test(line) && isErrorLine(line);
}
var MAX_SCANNED_UNITS = 256 * 1024;
var MAX_LINE_UNITS = 400;
var MAX_LINES = 300;
var MAX_DETAILS = 2;
var POSSIBLE_ERROR = /\x1b|err|fail|fatal|panic|excep|traceback|abort|assert|segmentation|segfault|dumped|killed|no such|not found|denied|undefined|memory|not ok|[✗✘✖✕×❌⨯●✱]|\*\*\* |CONFLICT|:\d+: |:\d+:\d+|\(\d+,\d+\): |^[^\S\r\n\u2028\u2029]*(?:E {2}|>{1,3} |\d+\) |#\d+ 0x)/gim;
var FAILURE_NAME = /--- FAIL|^\s*FAIL\b|^\s*[✗✘✖✕×❌⨯●]|\bnot ok\b|^\s*E {2}|^\s*\d+\) |AssertionError|\bpanic|CONFLICT|\berror(?:\[\w+\])?:|_test\.\w+:\d+: |Error: /;
function errorLinesIn(text, lines) {
  const failures = [];
  const others = [];
  const seen = /* @__PURE__ */ new Set();
  const isError = errorMatcherFor(text.includes("\n@@ -") ? [
    "@@ -"
  ] : []);
  let index = 0;
  POSSIBLE_ERROR.lastIndex = Math.max(0, text.length - MAX_SCANNED_UNITS);
  while (failures.length + others.length < MAX_LINES) {
    const hint = POSSIBLE_ERROR.exec(text);
    if (hint === null) break;
    while (hint.index > (lines[index]?.end ?? Infinity)) index++;
    const line = lines[index];
    if (line === undefined) break;
    POSSIBLE_ERROR.lastIndex = line.end + 1;
    if (line.text.length > MAX_LINE_UNITS || seen.has(line.text) || !isError(line.text)) continue;
    seen.add(line.text);
    const next = lines.slice(index + 1, index + 1 + MAX_DETAILS);
    const end = next.findIndex((detail) => indentOf(detail) <= indentOf(line) || detail.text.length > MAX_LINE_UNITS);
    const found = [
      line,
      ...next.slice(0, end < 0 ? next.length : end)
    ];
    POSSIBLE_ERROR.lastIndex = (found.at(-1) ?? line).end + 1;
    (FAILURE_NAME.test(line.text) ? failures : others).push(...found);
  }
  return [
    ...failures,
    ...others
  ];
}
function indentOf({ text }) {
  return text.search(/[^ \t]|$/);
}

// src/core/names.ts
var MIN_NAME_CHARS = 8;
var UPPER = 1;
var LOWER = 2;
var DIGIT = 3;
var UNDERSCORE = 4;
var DOLLAR = 5;
var KINDS = new Uint8Array(128).fill(UPPER, 65, 91).fill(LOWER, 97, 123).fill(DIGIT, 48, 58).fill(UNDERSCORE, 95, 96).fill(DOLLAR, 36, 37);
function eachName(text, visit) {
  const { length } = text;
  let position = 0;
  while (position < length) {
    let kind = KINDS[text.charCodeAt(position)] ?? 0;
    if (kind === 0 || kind === DIGIT) {
      position++;
      continue;
    }
    const start = position;
    let previous = 0;
    let secondPrevious = 0;
    let isJoined = false;
    while (kind !== 0) {
      if (kind === UPPER) isJoined ||= previous === LOWER;
      else if (kind === LOWER) isJoined ||= previous === UNDERSCORE;
      else if (kind === UNDERSCORE) isJoined ||= previous === UPPER && secondPrevious === UPPER;
      secondPrevious = previous;
      previous = kind;
      position++;
      kind = KINDS[text.charCodeAt(position)] ?? 0;
    }
    if (isJoined && position - start >= MIN_NAME_CHARS) visit(text.slice(start, position), start);
  }
}
function namesIn(text) {
  const names = /* @__PURE__ */ new Set();
  eachName(text, (name) => names.add(name));
  return names;
}

// src/core/digest.ts
var DEFINITION = /^\s*(?:\d+(?:→|\t)\s*)?(?:(?:export|default|declare|public|private|protected|static|async|abstract|pub(?:\(\w+\))?|final|override|readonly|unsafe|inline)\s+)*(?:function\*?|class|interface|type|enum|const|let|var|def|fn|struct|trait|impl|func|module|namespace|macro_rules!)\s+[A-Za-z_$]/;
var MIN_DEFINITION_CHARS = 8;
var MAX_DEFINITION_CHARS = 200;
var MAX_NAME_CHARS = 64;
var GAP = "\u2026";
var NAMES_LEAD = "Names: ";
function digestOf(text, options) {
  const { sizes, always, maxLastLineChars = 0, errorChars = 0 } = options;
  const lines = linesOf2(text);
  const head = headOf2(lines[0]?.text ?? "", sizes.head);
  keepEnds(lines, sizes.head, maxLastLineChars);
  if (always !== undefined) {
    for (const line of lines) line.isKept ||= always.test(line.text);
  }
  const used = keepErrorLines(text, lines, errorChars);
  keepDefinitions(lines, sizes.definitions - used);
  const found = findNames(text, lines, head.length, options);
  const names = [
    ...found
  ].flatMap(([name, line]) => {
    const isListed = line === undefined || !(line.isKept || errorChars > 0 && isPassingLine(line.text));
    return isListed ? [
      name
    ] : [];
  });
  const body = joinKept(lines, head);
  const nameList = listNames(names, sizes.names, options.listed);
  return nameList === "" ? body : `${body}
${NAMES_LEAD}${nameList}`;
}
function linesOf2(text) {
  let start = 0;
  return text.split("\n").map((line) => {
    const end = start + line.length;
    const found = {
      start,
      end,
      text: line,
      isKept: false
    };
    start = end + 1;
    return found;
  });
}
function headOf2(line, maxChars) {
  if (line.length <= Math.max(maxChars, MAX_DEFINITION_CHARS)) return line;
  return line.slice(0, maxChars).replace(/[\w$]*[\ud800-\udbff]?$/, "");
}
function keepEnds(lines, headChars, maxLastLineChars) {
  for (const [index, line] of lines.entries()) {
    if (index > 0 && line.end > headChars) break;
    line.isKept = true;
  }
  const last = lines.findLast(({ text }) => text !== "") ?? lines[0];
  if (last !== undefined && last.text.length <= maxLastLineChars) last.isKept = true;
}
function keepErrorLines(text, lines, maxChars) {
  let remaining = maxChars;
  for (const line of maxChars === 0 ? [] : errorLinesIn(text, lines)) {
    if (line.isKept || line.text.length > remaining) continue;
    line.isKept = true;
    remaining -= line.text.length;
  }
  return maxChars - remaining;
}
function keepDefinitions(lines, maxChars) {
  let remaining = maxChars;
  for (const line of lines) {
    const { length } = line.text;
    if (line.isKept || length < MIN_DEFINITION_CHARS) continue;
    if (length > remaining || length > MAX_DEFINITION_CHARS) continue;
    if (!DEFINITION.test(line.text)) continue;
    line.isKept = true;
    remaining -= length;
  }
}
function findNames(text, lines, headChars, { wanted, nearLines = 0, listed, onWanted }) {
  const found = /* @__PURE__ */ new Map();
  let index = 0;
  eachName(text, (name, start) => {
    const factor = wanted?.get(name);
    const isNew = !found.has(name) && !listed.has(name);
    if (factor === undefined && !isNew) return;
    while (start > (lines[index]?.end ?? Infinity)) index++;
    if (factor !== undefined) {
      const radius = Math.round(factor * nearLines);
      const passage = lines.slice(Math.max(0, index - radius), index + radius + 1);
      for (const line of passage) line.isKept = true;
      onWanted?.();
    }
    if (!isNew) return;
    const isInCutPart = index === 0 && start + name.length > headChars;
    found.set(name, isInCutPart ? undefined : lines[index]);
  });
  return found;
}
function joinKept(lines, head) {
  const parts = [];
  let isGap = false;
  for (const [index, { isKept, text }] of lines.entries()) {
    if (isKept) {
      if (isGap) parts.push(GAP);
      parts.push(index === 0 ? head : text);
    }
    isGap = !isKept || index === 0 && head !== text;
  }
  if (isGap) parts.push(GAP);
  return parts.join("\n");
}
function listNames(names, maxChars, listed) {
  const parts = [];
  let remaining = maxChars;
  for (const name of names) {
    if (name.length > MAX_NAME_CHARS || name.length + 2 > remaining) continue;
    parts.push(name);
    listed.add(name);
    remaining -= name.length + 2;
  }
  return parts.join(", ");
}

// src/core/need_watch.ts
var MAX_READS = 1e3;
var LINE_NUMBERS = /^ *\d+(?=[→\t:])/gm;
var FIRST_LINE_DIGEST = {
  head: 60,
  definitions: 0,
  names: 0
};
var MIN_CONFIRMATION = 250;
var QUOTING_TOOLS = /* @__PURE__ */ new Set([
  "Read",
  "Grep",
  "Glob"
]);
var NeedWatch = class {
  #options;
  #calls = /* @__PURE__ */ new Map();
  #recent = [];
  #newest = [];
  #reads = [];
  #listed = /* @__PURE__ */ new Set();
  #readFiles = [];
  #writings = [];
  #blocks = 0;
  #resultChars = 0;
  constructor(options) {
    this.#options = options;
  }
  addContent(content, isRead = false) {
    const { focusItems, unused } = this.#options.rules;
    const added = {
      content,
      isRead,
      block: ++this.#blocks
    };
    pushNewest(this.#recent, added, Math.max(focusItems, unused.blocks));
  }
  addCall(call) {
    const { id, toolName, input } = call;
    this.addContent(input, toolName === "Read");
    const path = isObject(input) ? String(input["file_path"] ?? input["notebook_path"]) : "";
    const file = {
      path,
      block: this.#blocks,
      from: NaN,
      to: NaN
    };
    this.#calls.set(id, {
      ...call,
      file
    });
  }
  /** Ignores a result without a call, which the client does not send. */
  addResult(result) {
    this.#blocks++;
    const { id, texts } = result;
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    this.#newest.push({
      result,
      call
    });
    this.#resultChars += originalCharsOf(result);
    if (!result.isError) this.#addFileUse(call, texts);
    if (this.#newest.length > this.#options.keepRecent) {
      const held = this.#newest.shift();
      if (held?.call.toolName === "Read") this.#reads.push(held);
      else this.#digest(held);
    }
    if (this.#reads.length > FOCUS_READS) this.#digest(this.#reads.shift());
  }
  #addFileUse(call, texts) {
    const { toolName, file } = call;
    if (WRITERS.has(toolName)) this.#writings.push(call);
    if (toolName !== "Read") return;
    const numbers = texts.join("\n").match(LINE_NUMBERS) ?? [];
    file.from = Number(numbers[0]);
    file.to = file.from + numbers.length - 1;
    pushNewest(this.#readFiles, file, MAX_READS);
  }
  finish() {
    const wanted = this.#wantedNames();
    const unused = this.#unusedReads();
    const newestReads = this.#newest.filter(({ call }) => call.toolName === "Read").length;
    for (const [index, held] of this.#reads.entries()) {
      if (unused.has(held)) {
        this.#options.decide({
          result: held.result,
          kept: [],
          reason: "not used yet"
        });
        continue;
      }
      const age = newestReads + this.#reads.length - 1 - index;
      const nearLines = this.#options.rules.passages.find(({ reads }) => age < reads)?.lines;
      this.#digest(held, nearLines === undefined ? {} : {
        wanted,
        nearLines
      });
    }
    for (const { result } of this.#newest) {
      this.#options.decide({
        result,
        kept: [],
        reason: "newest"
      });
    }
    this.#finishInputs();
  }
  #unusedReads() {
    const unused = /* @__PURE__ */ new Set();
    let remaining = this.#options.rules.unused.share * this.#resultChars;
    for (const held of this.#reads.toReversed()) {
      const chars = originalCharsOf(held.result);
      if (chars > remaining || !this.#isUnused(held.call.file)) continue;
      unused.add(held);
      remaining -= chars;
    }
    return unused;
  }
  #isUnused(file) {
    if (this.#isReadAgain(file)) return false;
    if (this.#blocks - file.block > this.#options.rules.unused.blocks) return false;
    const name = lastPart(file.path);
    return !this.#recent.some(({ content, isRead, block }) => block > file.block && !isRead && stringsIn(content).some((text) => text.includes(name)));
  }
  #finishInputs() {
    const { decideInput, rules } = this.#options;
    const { oldTextAge, newTextAge, wholeTextAge } = rules;
    const rewritten = /* @__PURE__ */ new Set();
    for (const call of this.#writings.toReversed()) {
      const { toolName, file } = call;
      const age = this.#blocks - file.block;
      const argumentNames = WRITERS.get(toolName) ?? [];
      if (toolName === "Write") {
        if (rewritten.has(file.path)) decideInput(call, {
          argumentNames,
          reason: "written again"
        });
        else if (age > wholeTextAge) decideInput(call, {
          argumentNames,
          reason: "written text"
        });
        rewritten.add(file.path);
      } else if (age > newTextAge && this.#readsSince(file).length > 0) {
        decideInput(call, {
          argumentNames,
          reason: "written text"
        });
      } else if (age > oldTextAge) {
        decideInput(call, {
          argumentNames: [
            REPLACED_ARGUMENT
          ],
          reason: "replaced text"
        });
      }
    }
  }
  #digest(held, focus = {}) {
    if (held?.result.isCuttable !== true) return;
    const { result, call } = held;
    const { toolName, file } = call;
    const isRead = toolName === "Read";
    let reason = "old";
    let shortening = {
      sizes: FIRST_LINE_DIGEST
    };
    if (WRITERS.has(toolName)) {
      reason = "confirmation";
      shortening = {
        sizes: FIRST_LINE_DIGEST,
        minChars: MIN_CONFIRMATION
      };
    } else if (isRead && this.#isReadAgain(file)) {
      reason = "read again";
    } else {
      const { rules, scale } = this.#options;
      const kind = isRead ? "read" : AGENT_TOOLS.has(toolName) ? "report" : "other";
      shortening = {
        sizes: scaleSizes(rules[kind], scale),
        maxLastLineChars: isRead ? 0 : rules.maxLastLineChars * scale,
        errorChars: QUOTING_TOOLS.has(toolName) ? 0 : rules.errorChars * scale,
        ...focus,
        onWanted: () => reason = "worked on"
      };
    }
    const kept = result.texts.map((text) => this.#shorten(text, call, shortening));
    this.#options.decide({
      result,
      kept,
      reason
    });
  }
  #shorten(text, call, { minChars = 0, ...digest }) {
    const { threshold, noticeChars, unitsToKeep: unitsToKeep2, scale } = this.#options;
    const shortest = minChars === 0 || scale > 1 ? threshold : minChars;
    if (countChars(text) <= shortest) return undefined;
    const fixed = unitsToKeep2(text, call);
    const body = fixed > 0 ? text.slice(0, fixed) : digestOf(text, {
      ...digest,
      always: AGENT_TOOLS.has(call.toolName) ? AGENT_HANDLE : undefined,
      listed: this.#listed
    });
    return isWorthCutting(text.length, body.length + noticeChars) ? body : undefined;
  }
  /** The more reads contain a name of the current work, the smaller its factor for `nearLines`. */
  #wantedNames() {
    const wanted = /* @__PURE__ */ new Set();
    const focus = this.#recent.slice(-this.#options.rules.focusItems);
    for (const text of focus.flatMap(({ content }) => stringsIn(content))) {
      eachName(text, (name) => wanted.add(name));
    }
    const readCounts = /* @__PURE__ */ new Map();
    const newest = this.#newest.filter(({ call }) => call.toolName === "Read");
    for (const { result } of [
      ...this.#reads,
      ...newest
    ].slice(-FOCUS_READS)) {
      for (const name of namesIn(result.texts.join("\n"))) {
        if (wanted.has(name)) readCounts.set(name, (readCounts.get(name) ?? 0) + 1);
      }
    }
    const { fade } = this.#options.rules;
    return new Map([
      ...readCounts
    ].flatMap(([name, count]) => {
      const share = 1 - (count - 1) / fade;
      return share > 0 ? [
        [
          name,
          share
        ]
      ] : [];
    }));
  }
  #readsSince({ path, block }) {
    return this.#readFiles.filter((read) => read.path === path && read.block > block);
  }
  #isReadAgain(file) {
    return this.#readsSince(file).some(({ from, to }) => from <= file.from && to >= file.to);
  }
};
function originalCharsOf({ texts }) {
  return texts.reduce((sum, text) => sum + (readNotice(text)?.wholeChars ?? text.length), 0);
}
function scaleSizes(sizes, scale) {
  return {
    head: Math.floor(sizes.head * scale),
    definitions: Math.floor(sizes.definitions * scale),
    names: Math.floor(sizes.names * scale)
  };
}

// src/trim/remainder.ts
var SAMPLE_LINE = 1e4;
function remainderText(text, remainder, place) {
  if ("placeholder" in remainder) return withPlace(remainder.placeholder, place);
  if ("digest" in remainder) {
    return remainder.digest + digestNotice(countChars(text), countChars(remainder.digest), place);
  }
  const head = text.slice(0, remainder.headUnits);
  return head + truncationNotice(countChars(text), {
    ...place,
    threshold: countChars(head)
  });
}
function truncationNotice(chars, options) {
  return noticeText(chars, `first ${options.threshold}`, options);
}
function digestNotice(chars, keptChars, place) {
  return noticeText(chars, `${grouped(keptChars)} in parts`, place);
}
function noticeText(chars, shown, { lineNumber, parentFile }) {
  return `

[...truncated - original was ${grouped(chars)} chars, showing ${shown}. See line ${lineNumber} of ${parentFile} for full content]`;
}
function headRemainder(text, threshold, fixed) {
  return {
    headUnits: Math.max(fixed, indexOfChar(text, threshold))
  };
}
function resultRemainder(text, cut) {
  const { keep, toolName, input, threshold, parentFile } = cut;
  if (countChars(text) <= threshold) return undefined;
  const isLine = keep === "line";
  const fixed = unitsToKeep(text, cut);
  const remainder = isLine && fixed === 0 ? {
    placeholder: placeholderFor(text, {
      toolName,
      input
    })
  } : headRemainder(text, isLine ? 0 : threshold, fixed);
  const measured = remainderText(text, remainder, {
    lineNumber: SAMPLE_LINE,
    parentFile
  });
  return isWorthCutting(countChars(text), countChars(measured)) ? remainder : undefined;
}
var MAX_UNCUT_CHARS = 1e4;
function unitsToKeep(text, call) {
  return isCut2(text) ? text.length : fileHeadUnits(text, call?.id);
}
function isCut2(text) {
  if (isAlreadyMasked(text)) return true;
  let uncut = withoutCutParts(text);
  if (uncut.includes(" result masked -- ")) {
    const lines = uncut.split("\n");
    uncut = lines.filter((line) => isMediaPlaceholder(line) || !isAlreadyMasked(line)).join("\n");
  }
  return uncut !== text && uncut.length <= MAX_UNCUT_CHARS;
}

// src/trim/inputs.ts
var MIN_UNNEEDED_ARGUMENT_CHARS = 200;
function cutArguments(toolName, input, cut) {
  const names = WRITERS.get(toolName);
  if (names === undefined || !isObject(input)) return input;
  if (toolName !== "MultiEdit") return cutMembers(input, names, cut);
  const items = Array.isArray(input.edits) ? input.edits : [];
  const edits = items.map((item) => isObject(item) ? cutMembers(item, names, cut) : item);
  return edits.every((item, index) => item === items[index]) ? input : {
    ...input,
    edits
  };
}
function cutMembers(input, names, cut) {
  let result = input;
  for (const name of names) {
    const text = input[name];
    if (typeof text !== "string" || cut.argumentNames?.includes(name) === false) continue;
    const remainder = cutText(name, text, cut);
    if (remainder === text) continue;
    cut.onCut?.(text, remainder);
    result = {
      ...result,
      [name]: remainder
    };
  }
  return result;
}
function cutText(name, text, cut) {
  const isUnneeded = cut.argumentNames !== undefined;
  const threshold = isUnneeded ? Math.min(cut.threshold, MIN_UNNEEDED_ARGUMENT_CHARS) : cut.threshold;
  const chars = countChars(text);
  if (chars <= threshold) return text;
  const fixed = unitsToKeep(text);
  if (fixed >= text.length) return text;
  const isDigested = isUnneeded && name !== REPLACED_ARGUMENT;
  const kept = cut.keep === "head" && !isUnneeded ? threshold : 0;
  const remainder = isDigested ? {
    digest: digestOf(text, {
      sizes: WRITTEN_DIGEST,
      listed: /* @__PURE__ */ new Set()
    })
  } : {
    headUnits: Math.max(fixed, indexOfChar(text, kept))
  };
  const shortened = remainderText(text, remainder, cut);
  return isWorthCutting(chars, countChars(shortened)) ? shortened : text;
}
function inputSavings(toolName, input, cut) {
  let saved;
  const onCut = (before, after) => {
    saved = (saved ?? 0) + estimateTextTokens(before) - estimateTextTokens(after);
  };
  cutArguments(toolName, input, {
    ...cut,
    lineNumber: SAMPLE_LINE,
    onCut
  });
  return saved;
}

// src/trim/cut_planner.ts
var CLIENT_TEXT = /^(?:(?:<local-command-caveat>)?<system-reminder>|<local-command-std(?:out|err)>)/;
var BASE_THRESHOLD = 500;
var MAX_SCALE = 4;
var CutPlanner = class {
  #calls;
  #rules;
  #noticeTokens;
  #watch;
  #resultIds;
  #unreadIds = /* @__PURE__ */ new Set();
  #cuts = [];
  #unused = 0;
  constructor(rules, known) {
    this.#rules = rules;
    this.#calls = known === undefined ? /* @__PURE__ */ new Map() : known.#calls;
    this.#resultIds = new Set(known === undefined ? [] : known.#resultIds);
    const { keep, need, keepRecent, threshold, parentFile } = rules;
    const notice = digestNotice(SAMPLE_LINE, SAMPLE_LINE, {
      lineNumber: SAMPLE_LINE,
      parentFile
    });
    this.#noticeTokens = estimateTextTokens(notice);
    this.#watch = keep !== "need" ? undefined : new NeedWatch({
      rules: need,
      keepRecent,
      threshold: threshold > BASE_THRESHOLD ? threshold : Math.min(threshold, need.minChars),
      scale: Math.min(MAX_SCALE, threshold / BASE_THRESHOLD),
      noticeChars: notice.length,
      unitsToKeep,
      decide: (decision) => this.#decide(decision),
      decideInput: (call, decision) => this.#addInput(call, decision)
    });
  }
  /** Called for each part of an answer, before which the model has read all results. */
  addAnswer(text) {
    if (text !== NO_ANSWER) this.#unreadIds.clear();
  }
  /** Ignores text that the client or a trim wrote. */
  addText(text) {
    if (!CLIENT_TEXT.test(text) && !isMediaPlaceholder(text)) this.#watch?.addContent(text);
  }
  addCall(call) {
    const { id, toolName, input } = call;
    const { cutsInputs, isProtected } = this.#rules;
    this.#calls.set(id, {
      toolName,
      input,
      isProtected: isProtected?.(toolName, input) === true
    });
    this.#watch?.addCall(call);
    if (cutsInputs) this.#addInput(call);
  }
  addResult(result) {
    const { id, texts, media } = result;
    if (this.#resultIds.has(id)) return;
    this.#resultIds.add(id);
    this.#unreadIds.add(id);
    const { toolName = "", isProtected = false, input } = this.#calls.get(id) ?? {};
    const { isTarget, threshold } = this.#rules;
    const isCuttable = isTarget(toolName) && !isProtected;
    const isLong = texts.some((text) => text.length > threshold);
    const tokens = texts.map(estimateTextTokens);
    const weighed = {
      ...result,
      tokens,
      isCuttable,
      isCounted: isCuttable && isLong
    };
    if (this.#watch !== undefined) {
      const outputs = texts.map((text) => isMediaPlaceholder(text) ? "" : text);
      this.#watch.addResult({
        ...weighed,
        texts: outputs
      });
      if (!isProtected) return;
    }
    const cut = {
      ...this.#rules,
      id,
      toolName: toolName || "unknown",
      input
    };
    const remainders = texts.map((text) => resultRemainder(text, cut));
    const hasMedia = media !== undefined && this.#watch === undefined;
    if (hasMedia || remainders.some((rest) => rest !== undefined)) {
      this.#addResultCut(weighed, remainders);
    }
  }
  addBlockCut(cut) {
    this.#cuts.push(cut);
  }
  originOf(id) {
    return this.#calls.get(id ?? "") ?? {};
  }
  /**
   * Returns all cuts, except those of calls and results that are protected or among the newest, and those of
   * results that the model has not read yet. If the user selected calls or results, returns only their cuts.
   * If `excess` is given, returns only as many cuts as necessary: the least needed first, older cuts before
   * newer cuts, and unread results last.
   *
   * @param excess Tokens to free.
   * @param scale Factor for every token estimate.
   */
  finish(excess, scale) {
    this.#watch?.finish();
    const { keepRecent, isSelected, isTarget, namedTools } = this.#rules;
    const newestIds = new Set(keepRecent === 0 ? [] : [
      ...this.#resultIds
    ].slice(-keepRecent));
    const isProtected = (id) => this.#calls.get(id)?.isProtected === true;
    const isCuttable = ({ id, kind }) => {
      if (isSelected !== undefined) {
        return id !== undefined && (kind === "call" || kind === "result") && isSelected(id, kind);
      }
      return id === undefined || !newestIds.has(id) && !isProtected(id);
    };
    const isUnread = ({ id, kind }) => keepRecent > 0 && isSelected === undefined && kind !== "call" && this.#unreadIds.has(id ?? "");
    const all = this.#cuts.filter((cut) => this.#isTarget(cut)).map((cut) => ({
      ...cut,
      toolName: this.originOf(cut.id).toolName ?? ""
    })).sort((a, b) => a.index - b.index);
    const cuttable = all.filter(isCuttable);
    const read = cuttable.filter((cut) => !isUnread(cut));
    const cuts = excess === undefined ? read : leastNeeded(read, cuttable.filter(isUnread), {
      excess,
      scale
    });
    const kept = all.filter((cut) => cut.kind === "result" && (!isCuttable(cut) || isUnread(cut) && !cuts.includes(cut)));
    const protectedCount = kept.filter((cut) => !isCuttable(cut) && isProtected(cut.id ?? "")).length;
    const called = [
      ...new Set([
        ...this.#calls.values()
      ].map(({ toolName }) => toolName))
    ].sort();
    return {
      cuts,
      savedTokens: tokensFreed(cuts, scale),
      otherTools: called.some(isTarget) ? [] : called,
      namedTools,
      newest: kept.length - protectedCount,
      unused: this.#unused,
      passages: cuts.filter(({ remainders = [], reason }) => reason === "worked on" && remainders.some((rest) => rest !== undefined)).length,
      protectedCount
    };
  }
  /** Excludes tools that are not targets, and results without a call, which the client does not send. */
  #isTarget({ id }) {
    if (id === undefined) return true;
    const { toolName } = this.originOf(id);
    return toolName !== undefined && this.#rules.isTarget(toolName);
  }
  #addInput(call, decision = {}) {
    const { id, toolName, input, index, place, hasNoLine = false } = call;
    if (hasNoLine) return;
    const priorTokens = inputSavings(toolName, input, {
      ...this.#rules,
      argumentNames: decision.argumentNames
    });
    if (priorTokens === undefined) return;
    const cut = {
      kind: "call",
      id,
      index,
      place,
      priorTokens,
      mediaTokens: 0
    };
    this.#cuts.push({
      ...cut,
      ...decision
    });
  }
  #decide({ result, kept, reason }) {
    const { media, isCounted } = result;
    if (reason === "not used yet" && isCounted) this.#unused++;
    const remainders = kept.map((digest) => digest === undefined ? undefined : {
      digest
    });
    const isCut3 = media !== undefined || remainders.some((rest) => rest !== undefined);
    if (isCut3 || reason === "newest" && isCounted) this.#addResultCut(result, remainders, reason);
  }
  #addResultCut({ id, index, place, texts, tokens, media }, remainders, reason) {
    const saved = remainders.reduce((sum, rest, at) => rest === undefined ? sum : sum + (tokens[at] ?? 0) - this.#remainingTokens(texts[at] ?? "", rest), 0);
    this.#cuts.push({
      kind: "result",
      id,
      index,
      place,
      remainders,
      reason,
      priorTokens: saved + (media?.priorTokens ?? 0),
      mediaTokens: media?.mediaTokens ?? 0,
      media: media === undefined ? undefined : this.originOf(id)
    });
  }
  #remainingTokens(text, rest) {
    if ("digest" in rest) return estimateTextTokens(rest.digest) + this.#noticeTokens;
    const { parentFile } = this.#rules;
    return estimateTextTokens(remainderText(text, rest, {
      lineNumber: SAMPLE_LINE,
      parentFile
    }));
  }
};
function leastNeeded(read, unread, { excess, scale }) {
  const chosen = [];
  let saved = 0;
  const ranked = read.toSorted((a, b) => regretOf(a.reason) - regretOf(b.reason) || a.index - b.index);
  for (const cut of [
    ...ranked,
    ...unread
  ]) {
    if (Math.round(saved) >= excess) break;
    const tokens = tokensOf(cut, scale);
    if (tokens <= 0) continue;
    saved += tokens;
    chosen.push(cut);
  }
  return chosen;
}
function tokensFreed(cuts, scale) {
  return cuts.reduce((sum, cut) => sum + tokensOf(cut, scale), 0);
}
function tokensOf({ priorTokens, mediaTokens: mediaTokens2 }, scale) {
  return priorTokens * scale + mediaTokens2;
}

// src/inside/trim.ts
function limitOf({ window, breakdown, ownLimit }) {
  return ownLimit ?? compactionPoint(breakdown) ?? answerLimit(window);
}
function compactionPoint(breakdown) {
  const hasBuffer = breakdown?.categories.some(({ kind }) => kind === "buffer") === true;
  return hasBuffer ? breakdown?.autoCompactThreshold : undefined;
}
function isTooSmallTrim({ cuts, media, tokens: { before } }) {
  return isTooSmall({
    before,
    after: before - cuts.savedTokens - media.tokens
  });
}
function trimInside(session, options) {
  const { rows, lines, fill, model, media } = session;
  const { scale, tokens: before } = measure(lines, fill, model);
  const limit = limitOf(fill);
  const losses = countLosses(session.messages);
  const lost = losses.thinkingTokens * scale + media.tokens;
  const { targetPercent } = options;
  const target = targetPercent === undefined ? undefined : {
    percent: targetPercent,
    tokens: Math.floor(targetPercent * limit / 100)
  };
  const excess = target === undefined ? undefined : before - lost - target.tokens;
  const find = lineFinder([
    ...lines.before,
    ...lines.active
  ]);
  const lineOf = (id, kind) => find(id, kind)?.number;
  const { entries } = options;
  const cuts = chooseCuts(rows, {
    ...options,
    isSelected: entries && ((id, kind) => entries.has(lineOf(id, kind) ?? 0)),
    parentFile: shortId(session.id),
    lineOf,
    textsOf: (id) => {
      const line = find(id, "result");
      return line && markedTexts(line.entry, {
        id,
        kind: "result"
      });
    },
    excessTokens: excess,
    scale
  });
  const after = Math.max(0, Math.round(before - cuts.savedTokens - lost));
  return {
    rows: changeRows(rows, cuts),
    cuts,
    losses,
    media,
    mediaInUse: options.dropsImages ? 0 : media.inUse,
    tokens: {
      before,
      after
    },
    scale,
    lineOf,
    limit,
    target,
    isReached: target === undefined || after <= target.tokens
  };
}
function chooseCuts(rows, rules) {
  const planner = new CutPlanner(rules);
  const calls = /* @__PURE__ */ new Map();
  const texts = /* @__PURE__ */ new Map();
  for (const [index, row] of rows.entries()) {
    if (row.role === "assistant") planner.addAnswer(row.text);
    if (row.text !== "") planner.addText(row.text);
    for (const call of row.toolUses) {
      const { tool_use_id: id, tool: toolName, input } = call;
      calls.set(id, call);
      const hasNoLine = rules.lineOf(id, "call") === undefined;
      planner.addCall({
        id,
        toolName,
        input,
        index,
        hasNoLine
      });
    }
    for (const { tool_use_id: id, text, isError } of row.toolResults ?? []) {
      if (rules.lineOf(id, "result") === undefined) continue;
      const fromLine = rules.textsOf?.(id) ?? [];
      const blocks = fromLine.length > 1 && fromLine.at(-1) === text ? fromLine.slice(0, -1) : [
        text
      ];
      texts.set(id, blocks);
      planner.addResult({
        id,
        texts: blocks,
        isError,
        index
      });
    }
  }
  const { cuts, ...counts } = planner.finish(rules.excessTokens, rules.scale);
  const results = /* @__PURE__ */ new Map();
  const inputs = /* @__PURE__ */ new Map();
  const freed2 = /* @__PURE__ */ new Map();
  for (const cut of cuts) {
    const call = calls.get(cut.id ?? "");
    if (call === undefined) continue;
    const { tool_use_id: id, tool, input } = call;
    const kind = cut.kind === "call" ? "call" : "result";
    const place = {
      ...rules,
      lineNumber: rules.lineOf(id, kind) ?? 0
    };
    if (kind === "call") {
      inputs.set(id, cutArguments(tool, input, {
        ...place,
        argumentNames: cut.argumentNames
      }));
      continue;
    }
    const blocks = texts.get(id) ?? [];
    const text = blocks.map((block, index) => {
      const rest = cut.remainders?.[index];
      return rest === undefined ? block : remainderText(block, rest, place);
    }).join("\n");
    const { count, chars } = freed2.get(tool) ?? {
      count: 0,
      chars: 0
    };
    const saved = countChars(blocks.join("\n")) - countChars(text);
    if (saved === 0) continue;
    results.set(id, text);
    freed2.set(tool, {
      count: count + 1,
      chars: chars + saved
    });
  }
  return {
    ...counts,
    results,
    inputs,
    byTool: [
      ...freed2
    ].sort(([, a], [, b]) => b.chars - a.chars).map(([tool, { count }]) => [
      tool,
      count
    ])
  };
}
function lineFinder(lines) {
  const found = /* @__PURE__ */ new Map();
  for (const line of lines) {
    for (const { kind, id = "", text: { length } } of contentParts(line.entry)) {
      const key = kind + id;
      if (length > (found.get(key)?.length ?? -1)) found.set(key, {
        line,
        length
      });
    }
  }
  return (id, kind) => found.get((kind === "call" ? "tool_use" : "tool_result") + id)?.line;
}
function measure({ before, active, boundaries }, fill, model) {
  const spans = new SpanReader();
  let billed = fill.tokens;
  let [estimateSince, isAnswered] = [
    0,
    false
  ];
  for (const { entry } of active) {
    const parts = contentParts(entry);
    spans.add(entry, parts);
    const usage = usageOfEntry(entry)?.tokens;
    if (usage !== undefined) [billed, estimateSince, isAnswered] = [
      fill.tokens ?? usage,
      0,
      true
    ];
    const results = parts.filter(({ kind }) => kind === "tool_result");
    estimateSince += results.reduce((sum, { text }) => sum + estimateTextTokens(text), 0);
  }
  const nonMessage = nonMessageTokens(usedCategories(fill.breakdown));
  const sinceBoundary = spans.scale(model, nonMessage);
  const { scale } = sinceBoundary.source === "prior" ? scaleBefore([
    ...before,
    ...boundaries.map(({ line }) => line)
  ], model) ?? sinceBoundary : sinceBoundary;
  const since = isAnswered ? estimateSince * scale : 0;
  const tokens = billed === undefined ? spans.priorTokens * scale + spans.mediaTokens + nonMessage : billed + since;
  return {
    scale,
    tokens: Math.round(tokens)
  };
}
function usedCategories(breakdown) {
  const used = (breakdown?.categories ?? []).filter(({ kind }) => kind === "used");
  return Object.fromEntries(used.map(({ name, tokens }) => [
    name,
    tokens
  ]));
}
function scaleBefore(lines, model) {
  const spans = new SpanReader();
  for (const { entry } of lines.toSorted((a, b) => a.number - b.number)) {
    if (!isRebuilt(entry)) spans.add(entry, contentParts(entry));
  }
  const found = spans.calibration.result(model);
  return found.source === "prior" ? undefined : found;
}

// src/store/read_file.ts

// src/gauge/ladder.ts
var WARNING_LEVELS = [
  "ok",
  "warn",
  "recommend",
  "urgent"
];
function warningLadder(config) {
  return [
    [
      "ok",
      0
    ],
    [
      "warn",
      config.warn_threshold
    ],
    [
      "recommend",
      config.recommend_threshold
    ],
    [
      "urgent",
      config.urgent_threshold
    ]
  ];
}
function warningLevel(percent2, config) {
  return levelAt(percent2, warningLadder(config));
}
function levelAt(value, ladder) {
  const reached = ladder.findLast(([, from]) => value >= from);
  if (reached !== undefined) return reached[0];
  throw new RangeError(`Cannot determine the level: usage is ${value}, expected 0 or more`);
}

// src/gauge/judge.ts
function contextPercent(tokens, limit, round = Math.round) {
  return Math.min(100, Math.max(0, round(tokens / limit * 100)));
}

// src/trim/trim_words.ts
var MAX_LISTED_TOOLS = 8;
function byToolText(byTool) {
  const words = byTool.map(([name, count]) => `${name} ${count}`);
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}
function otherCutTexts({ inputs, images = 0, thinking = 0 }) {
  return countedTexts([
    [
      inputs,
      "input",
      " of Write and Edit calls"
    ],
    [
      images,
      "picture or document"
    ],
    [
      thinking,
      "block",
      " of old thinking"
    ]
  ]);
}
function countedTexts(counts) {
  return counts.flatMap(([count, noun, rest = ""]) => count === 0 ? [] : `${counted(count, noun)}${rest}`);
}
function sizeChangeText({ tokens, percent: percent2, limit }) {
  return `${grouped(tokens.before)} -> ${grouped(tokens.after)} tokens, ${percent2.before}% -> ${percent2.after}% of ${grouped(limit)}`;
}
function inUseText({ newest, passages, unused = 0 }) {
  const parts = [
    ...countedTexts([
      [
        newest,
        "long output",
        " among the newest"
      ],
      [
        unused,
        "file read",
        " not used yet"
      ]
    ]),
    ...passages === 0 ? [] : [
      `passages of ${counted(passages, "file read")}`
    ]
  ];
  return parts.length === 0 ? "" : `Kept because it may still be needed: ${parts.join(", ")}`;
}
function keptTexts(counts) {
  const { protectedCount, ...inUse } = counts;
  return [
    ...noTargetTexts(counts).map((words) => `No output is cut: ${words}`),
    ...countedTexts([
      [
        protectedCount,
        "output",
        " about protected paths"
      ]
    ]).map((words) => `Kept: ${words}`),
    // Both counts are 0 unless `keep` is `need`.
    ...inUse.passages === 0 && inUse.unused === 0 ? [] : [
      inUseText(inUse)
    ]
  ];
}
function whyNothingWasCut(counts) {
  const kept = countedTexts([
    [
      counts.newest,
      "long output",
      " among the newest"
    ],
    [
      counts.unused,
      "file read",
      " not used yet"
    ],
    [
      counts.protectedCount,
      "output",
      " about protected paths"
    ]
  ]);
  if (kept.length === 0) return noTargetTexts(counts)[0];
  return `all outputs that may be cut are short. Kept: ${kept.join(", ")}`;
}
function noTargetTexts({ otherTools, namedTools }) {
  if (otherTools.length === 0) return [];
  const called = otherTools.slice(0, MAX_LISTED_TOOLS).join(", ") + (otherTools.length > MAX_LISTED_TOOLS ? " and others" : "");
  return [
    namedTools.length > 0 ? `this session does not call ${namedTools.join(", ")}, only ${called}` : `this session calls none of the tools whose results are cut, only ${called}. To select others, use --tool`
  ];
}
function sinceTrimText({ requests, rereads, recalls, failedEdits }, savedTokens) {
  const unsent = savedTokens > 0 ? `, ${thousands(savedTokens * requests)} tokens not sent` : "";
  const missed = countedTexts([
    [
      rereads,
      "repeated read",
      " of cut files"
    ],
    [
      recalls,
      "output",
      " recalled"
    ],
    [
      failedEdits,
      "edit",
      " failed"
    ]
  ]);
  const needed = missed.length === 0 ? "no cut content was needed again" : missed.join(", ");
  return `${counted(requests, "request")}${unsent}; ${needed}`;
}
function freesLittleText(freed2, before) {
  return `the trim would free ${grouped(Math.max(0, freed2))} of ${grouped(before)} tokens`;
}
function unreachedText(percent2) {
  return `${percent2}% cannot be reached with these settings. If --depth deep --keep-recent 0 is not enough, use /rollover`;
}

// src/inside/words.ts
var TRIM_MARK = "trimmed in place:";
var UNDONE_MARK = "trim undone:";
var UNDO_HINT = "Undo: /trim --undo";
function describeInside(trim, why = "") {
  const cut = cutsNothing(trim) ? "" : `${cutText2(trim)} cut${why && ` ${why}`}, `;
  return [
    `${TRIM_MARK} ${cut}${contextText(trim)}`,
    // Without cuts, only pictures were replaced. An undo cannot restore those, and would undo an earlier trim.
    ...cut === "" ? [] : [
      UNDO_HINT
    ],
    ...unreachedLines(trim),
    ...lossTexts(trim),
    ...keptTexts(trim.cuts),
    cacheText(trim.tokens),
    "Every message is still there, and trimtab show ID:LINE prints a cut output in full"
  ].join(". ");
}
function cacheText({ after }) {
  return `One-time cost: the next request writes ${grouped(after)} tokens to the cache`;
}
function describePlan(trim) {
  return [
    `Would trim in place: ${cutText2(trim)}, ${contextText(trim)}`,
    ...unreachedLines(trim),
    ...keptTexts(trim.cuts),
    ...lossTexts(trim),
    "A trim in place writes no copy and makes no request. For a copy: /trim --copy"
  ].join("\n");
}
function describeNoTrim(trim, instead) {
  const { cuts, tokens: { before }, target, limit } = trim;
  if (target !== undefined && before <= target.tokens) {
    return `Nothing was cut: the context has ${grouped(before)} tokens, and the target is ${grouped(target.tokens)}`;
  }
  const why = (cutsNothing(trim) ? whyNothingWasCut(cuts) : undefined) ?? freesLittleText(cuts.savedTokens, before);
  const percent2 = contextPercent(before, limit);
  return `Nothing was cut: ${why}. ${alternativeText({
    ...instead,
    percent: percent2
  })}`;
}
function describeUndo({ results, inputs, media, isDropped, isFull }) {
  const parts = [
    ...isDropped ? [
      "the turns"
    ] : [],
    ...results === 0 ? [] : [
      counted(results, "tool output")
    ],
    ...otherCutTexts({
      inputs
    })
  ].join(" and ");
  const next = isFull ? "; that fills the window, so the next request will need another trim" : "";
  return `${UNDONE_MARK} ${parts} restored${mediaSuffix(media, "still replaced")}${next}`;
}
function describeDrop(turns, change) {
  const numbers = turns.map(({ number }) => number);
  const [first, last] = [
    numbers[0] ?? 0,
    numbers.at(-1) ?? 0
  ];
  const isRange = turns.length > 1 && last - first < turns.length;
  const which = isRange ? `#${first} to #${last}` : `#${numbers.join(", #")}`;
  return [
    `${counted(turns.length, "turn")} (${which}) removed, ${contextText(change)}`,
    ...lossTexts(change)
  ].join(". ");
}
function describeUndoneCompaction({ count, media }, plan) {
  const cut = plan && `, ${cutText2(plan)} cut so that it fits (${contextText(plan)})`;
  const restored = `${counted(count, "message")} restored${cut ?? ""}`;
  return `compaction undone: ${restored}${mediaSuffix(media)}`;
}
function mediaSuffix(count, outcome) {
  return count === 0 ? "" : `; ${mediaText(count, outcome)}`;
}
function mediaText(count, outcome = "replaced") {
  const what = counted(count, "picture or document");
  return `${what} ${outcome} with a line (recall returns the original)`;
}
function copyReason({ losses, mediaInUse }, hint = " (--drop-images allows that)") {
  if (mediaInUse > 0) {
    const what = `${counted(mediaInUse, "picture or document")} of the newest turn`;
    return `a change in place would replace ${what} with a line of text${hint}`;
  }
  return lossReason(losses);
}
function lossReason({ lostTypes: types }) {
  if (types.length === 0) return undefined;
  return `a change in place would lose blocks of type ${types.join(", ")}`;
}
function cutsNothing({ cuts }) {
  return cuts.results.size === 0 && cuts.inputs.size === 0;
}
function cutText2({ cuts }) {
  const outputs = counted(cuts.results.size, "tool output") + byToolText(cuts.byTool);
  return [
    outputs,
    ...otherCutTexts({
      inputs: cuts.inputs.size
    })
  ].join(" and ");
}
function contextText({ tokens, limit }) {
  const percent2 = {
    before: contextPercent(tokens.before, limit),
    after: contextPercent(tokens.after, limit)
  };
  return `${sizeChangeText({
    tokens,
    percent: percent2,
    limit
  })} (estimate)`;
}
function unreachedLines({ isReached, target }) {
  return isReached || target === undefined ? [] : [
    unreachedText(target.percent)
  ];
}
function lossTexts({ losses, media }) {
  const { thinking, loadedTools: tools } = losses;
  return [
    ...media.count === 0 ? [] : [
      mediaText(media.count)
    ],
    ...thinking === 0 ? [] : [
      `${counted(thinking, "block")} of old thinking lost, as after any edit of earlier messages`
    ],
    ...tools === 0 ? [] : [
      `${counted(tools, "tool")} must be searched for again`
    ]
  ];
}
var COMPACT_DISABLED = "no command named /compact";
function describeFailure(reason, isUndo2) {
  const why = reason.includes(COMPACT_DISABLED) ? "Claude Code's /compact, which trimtab needs for this, is switched off (DISABLE_COMPACT)" : reason.replace(/^trimtab: (?:\$\.[\w.]+: )?/, "");
  return isUndo2 ? `could not undo: ${why}. Nothing was changed` : `could not trim in place: ${why}. For a copy: /trim --copy`;
}

// src/config/nearest.ts
var MAX_DIFFERENCE = 0.4;
var MAX_NAME_CHARS2 = 100;
function nearestName(name, candidates) {
  if (name.length > MAX_NAME_CHARS2) return null;
  const wanted = normalizeName(name);
  let best = null;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const other = normalizeName(candidate);
    const distance = isLongPrefix(wanted, other) ? 1 : editDistance(wanted, other);
    const allowed = Math.max(wanted.length, other.length) * MAX_DIFFERENCE;
    if (distance > allowed || distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}
function normalizeName(name) {
  return name.replace(/[-_ ]/g, "").toLowerCase();
}
function isLongPrefix(name, whole) {
  return whole.startsWith(name) && name.length * 2 >= whole.length && name !== whole;
}
function editDistance(from, to) {
  let row = [
    ...to.split("").keys(),
    to.length
  ];
  for (let i = 1; i <= from.length; i++) {
    const next = [
      i
    ];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const deleted = (row[j] ?? 0) + 1;
      const inserted = (next[j - 1] ?? 0) + 1;
      next.push(Math.min(replaced, deleted, inserted));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

// cli/spec.ts
var UsageError = class extends Error {
  name = "UsageError";
};
function flag(name, help) {
  return {
    name,
    type: "flag",
    help
  };
}
function valued(name, type, value, help) {
  return {
    name,
    type,
    value,
    help
  };
}
function choice(name, choices, help) {
  return {
    name,
    type: "text",
    value: choices.join("|"),
    help,
    choices
  };
}
function inPlace(option) {
  return {
    ...option,
    isInPlace: true
  };
}
var COMMON_OPTIONS = [
  flag("json", "print JSON"),
  flag("skill", "for skills: print errors as text, and exit 0"),
  flag("help", "print this help")
];
var TRIM_SPEC = {
  name: "trim",
  positionals: "[SESSION]",
  options: [
    valued("threshold", "count", "N", "characters of a result to keep (500)"),
    valued("tool", "list", "NAME", "cut only the results of this tool"),
    valued("keep-recent", "count", "N", "newest results to keep whole (5)"),
    choice("depth", [
      "light",
      "deep"
    ], "cut what is not needed (light), or more (deep)"),
    choice("keep", [
      "need",
      "head",
      "line"
    ], "what to keep of a cut result (need)"),
    {
      ...valued("target-percent", "count", "P", "cut the least needed first, down to P percent"),
      max: 100
    },
    valued("protect", "list", "GLOB", "keep results about these paths whole"),
    flag("drop-images", "replace each image or document with a line"),
    flag("dry-run", "show what would be freed, write nothing"),
    flag("explain", "list each cut with its reason"),
    inPlace(flag("entries", "list turns and the largest entries")),
    inPlace(valued("entry", "list", "LINE", "cut the entry at this line")),
    inPlace(valued("drop", "list", "LINES", "remove turns, such as 12-30 or #2-#4")),
    inPlace(flag("status", "show how full the window is, and why")),
    inPlace(flag("copy", "write a copy")),
    inPlace(flag("undo", "undo the last trim in place or compaction"))
  ],
  notes: [
    "The session itself is not changed."
  ]
};
function optionsOf({ options = [] }) {
  return [
    ...options,
    ...COMMON_OPTIONS
  ];
}
function findOption(spec, word) {
  const options = optionsOf(spec);
  const [dashed = word] = word.split("=", 1);
  const option = options.find((known2) => dashed === `--${known2.name}` || dashed === shortOf(known2));
  if (option !== undefined) return option;
  const known = options.map(({ name }) => `--${name}`);
  const nearest = nearestName(dashed, known);
  const advice = nearest === null ? `. Options: ${known.join(", ")}` : `; did you mean ${nearest}?`;
  const hint = spec.positionals?.startsWith("PATTERN") === true ? `
Put a pattern that starts with - after --: trimtab ${spec.name} -- ${dashed}` : "";
  refuse(spec, `unknown option ${dashed}${advice}${hint}`);
}
function refuse(spec, problem) {
  throw new UsageError(`Cannot run ${spec.name}: ${problem}`);
}
function usageOf({ name, positionals = "" }) {
  return `trimtab ${name} ${positionals}`.trimEnd();
}
function shortOf(option) {
  return option.short === undefined ? undefined : `-${option.short}`;
}
function camelCase(name) {
  return name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
}
function refuseTogether(spec, names) {
  if (names.length > 1) refuse(spec, `--${names.join(" and --")} cannot be used together`);
}

// cli/trim.ts
var ACTIONS = /^(?:undo|status|entries|entry|drop)$/;
var EXCLUSIVE = /^(?:undo|status|entries|entry|drop|copy|json|explain)$/;
function isOnlyInPlace(options) {
  return Object.keys(options).some((name) => ACTIONS.test(name));
}
function refuseConflicts(options) {
  const mustBeAlone = (name) => options.undo !== undefined || options.drop !== undefined && name !== "dryRun";
  const mixed = Object.keys(options).filter((name) => mustBeAlone(name) || EXCLUSIVE.test(name));
  if (!mixed.some((name) => ACTIONS.test(name))) return;
  const names = mixed.map((name) => name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`));
  refuseTogether(TRIM_SPEC, names);
}
function trimChoices({ tool: tools, ...choices }) {
  return {
    ...choices,
    tools: tools?.flatMap((list2) => list2.match(/[^,\s]+/g) ?? [])
  };
}

// src/inside/attempt.ts
function reasonOf(error) {
  return cleanLine(error instanceof Error ? error.message : String(error));
}
async function attempt(client, work) {
  try {
    return await work();
  } catch (error) {
    logFailure(client, error);
    return undefined;
  }
}
function logFailure(client, error) {
  client.ui.log(`trimtab: ${reasonOf(error)}`, {
    to: "debug"
  });
}

// src/transcript/lines.ts

// src/gauge/running_usage.ts

// src/gauge/watch.ts
var REPEAT_INTERVALS = 10;
var MAX_AHEAD_MS = 6e4;
function canSkipMeasurement(last, pace) {
  return lastLevel(last) === "urgent" && isRecent(last, pace, 1);
}
function decideWarning(level, last, pace) {
  const step = WARNING_LEVELS.indexOf(level) - WARNING_LEVELS.indexOf(lastLevel(last));
  if (step < 0) {
    return isRecent(last, pace, 1) ? null : {
      warning: null,
      isRise: false,
      change: {
        level
      }
    };
  }
  if (level === "ok" || step === 0 && isRecent(last, pace, REPEAT_INTERVALS)) return null;
  const change = {
    level,
    warned_at: new Date(pace.nowMs).toISOString()
  };
  return {
    warning: level,
    isRise: step > 0,
    change
  };
}
function isRecent({ warned_at = "" }, pace, intervals) {
  const passedMs = pace.nowMs - Date.parse(warned_at);
  return passedMs >= -MAX_AHEAD_MS && Math.max(0, passedMs) < pace.intervalSeconds * 1e3 * intervals;
}
function lastLevel(last) {
  return WARNING_LEVELS.find((level) => level === last.level) ?? "ok";
}

// src/store/needs_checkpoint.ts
var MAX_PAUSE_MS = 10 * 6e4;
var RECORD_EVERY_MS = 6e4;
function recordActivity(state, nowMs) {
  const since = workingSince(state, nowMs);
  if (since !== null && nowMs - Date.parse(state.last_active_at ?? "") < RECORD_EVERY_MS) {
    return null;
  }
  return {
    active_since: new Date(since ?? nowMs).toISOString(),
    last_active_at: new Date(nowMs).toISOString()
  };
}
function workingSince(state, nowMs) {
  const last = Date.parse(state.last_active_at ?? "");
  const since = Date.parse(state.active_since ?? "");
  if (!(since <= last && last <= nowMs)) return null;
  return since + Math.max(0, nowMs - last - MAX_PAUSE_MS);
}

// src/trim/worth.ts
var LONG_TTL_SECONDS = 3600;
var KEPT_PREFIX_TOKENS = 16500;
var COMPACTED_TOKENS = 5e4;
var SUMMARY_TOKENS = 3e3;
var HANDOFF_TOKENS = 1500;
function costsOf({ before, after, model, ttl, isWarm, output }) {
  const ratios = priceRatios(model);
  const write = ttl > SHORT_TTL_SECONDS ? ratios.cacheWrite1h : ratios.cacheWrite5m;
  const untrimmed = before * (isWarm === false ? write : ratios.cacheRead);
  const request = output === undefined ? 0 : untrimmed + output * ratios.output;
  const kept = isWarm === false && output === undefined ? 0 : Math.min(KEPT_PREFIX_TOKENS, after);
  const first = (after - kept) * write + kept * ratios.cacheRead;
  const rebuild = request + first - untrimmed;
  const saved = Math.max(0, before - after) * ratios.cacheRead;
  const paidBackAfter = saved === 0 ? null : 1 + Math.max(0, Math.ceil(rebuild / saved));
  return {
    rebuild,
    saved,
    paidBackAfter
  };
}
function paybackOf(freed2, { tokens, model, ttl = SHORT_TTL_SECONDS, isWarm }) {
  const paybackAfter = (saved, output) => {
    const after = Math.max(0, tokens - saved);
    return costsOf({
      before: tokens,
      after,
      model,
      ttl,
      isWarm,
      output
    }).paidBackAfter;
  };
  return {
    light: paybackAfter(freed2.light),
    deep: paybackAfter(freed2.deep),
    rollover: paybackAfter(freed2.rollover, HANDOFF_TOKENS),
    compact: paybackAfter(tokens - COMPACTED_TOKENS, SUMMARY_TOKENS)
  };
}
function rolloverSavings(messageTokens) {
  return Math.max(0, Math.round(messageTokens - MAX_CONTEXT_CHARS / CHARACTERS_PER_TOKEN));
}
function cacheTtlSeconds(usage) {
  const { cache_creation: written } = usage;
  if (!isObject(written)) return undefined;
  if (isPositive(written.ephemeral_1h_input_tokens)) return LONG_TTL_SECONDS;
  return isPositive(written.ephemeral_5m_input_tokens) ? SHORT_TTL_SECONDS : undefined;
}
function isPositive(value) {
  return typeof value === "number" && value > 0;
}

// src/watch/board_path.ts
var BLACKBOARD_FILE = ".claude/trimtab/blackboard.jsonl";

// src/inside/record.ts
var IGNORE_FILE = ".claude/trimtab/.gitignore";
function ownerOf(client) {
  return Promise.all([
    client.session.root(),
    client.session.id()
  ]);
}
async function readRecord(client) {
  await changing.catch(() => {
  });
  return await readNow(client);
}
async function readNow(client) {
  const [root, id] = await ownerOf(client);
  return parseInsideRecord(await readText(client, insideRecordPath(root, id), MAX_RECORD_CHARS) ?? "");
}
async function recordTrim(client, trim, fill) {
  await changeRecord(client, (record) => ({
    ...withTrim(record, trim),
    ...fill && {
      fill
    }
  }));
}
async function isUsedProject(client) {
  return await client.fs.exists(`${await client.session.root()}/${IGNORE_FILE}`);
}
var changing = Promise.resolve();
function changeRecord(client, change) {
  changing = changing.catch(() => {
  }).then(async () => {
    const [root, id] = await ownerOf(client);
    const record = change(await readNow(client));
    await writeOwn(client, {
      root,
      path: insideRecordPath(root, id)
    }, JSON.stringify(record));
  });
  return changing;
}

// src/inside/fill.ts
var MAX_STATE_BYTES = 256 * 1024;
var fillAfterTrim;
function fillText({ tokens, limit, at_ms: nowMs }, config, freed2) {
  if (tokens === null) return undefined;
  const percent2 = contextPercent(tokens, limit);
  const level = warningLevel(percent2, config);
  if (level === "ok") return undefined;
  const fresh = isFresh(freed2, tokens) ? freed2 : undefined;
  const advice = shortAdvice(fresh, {
    level,
    tokens,
    nowMs
  });
  return `context ${percent2}% \xB7 ${advice} (${grouped(tokens)} of ${grouped(limit)} tokens)`;
}
async function contextFill(client, detail) {
  const { context } = await client.session.usage(detail);
  if (fillAfterTrim === undefined) return context;
  const isStale = context.tokens === undefined || context.tokens === fillAfterTrim.reported;
  if (isStale && fillAfterTrim.id === await client.session.id()) {
    const { tokens: _, ...others } = context;
    return fillAfterTrim.after === undefined ? others : {
      ...others,
      tokens: fillAfterTrim.after
    };
  }
  fillAfterTrim = undefined;
  return context;
}
function setFillAfterTrim(id, { reported, after }) {
  const earlier = fillAfterTrim;
  const isSecondTrim = earlier?.id === id && earlier.after === reported;
  fillAfterTrim = {
    id,
    reported: isSecondTrim ? earlier?.reported : reported,
    after
  };
  return () => void (fillAfterTrim = earlier);
}
async function detailedFill(client) {
  const [fill, { context: { window_tokens: ownWindow } }] = await Promise.all([
    contextFill(client, {
      breakdown: "summary"
    }),
    settingsOf(client)
  ]);
  const { breakdown, window } = fill;
  if (breakdown === undefined) return fill;
  const { autoCompactThreshold: threshold = Infinity } = breakdown;
  const limit = Math.min(threshold, await userLimit(client, window));
  const found = threshold === Infinity ? breakdown : {
    ...breakdown,
    autoCompactThreshold: limit
  };
  const limited = {
    ...fill,
    breakdown: found
  };
  if (ownWindow === null) return limited;
  const reserve = compactionPoint(found) === undefined ? answerLimit : compactionLimit;
  return {
    ...limited,
    ownLimit: Math.min(reserve(ownWindow), limitOf(limited))
  };
}
async function userLimit(client, window) {
  const override = await client.env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE");
  return overrideLimit(window, () => override);
}
var cached;
var LOWEST_LIMIT = 67e3;
async function percentInUse(client, id) {
  const { tokens = 0, window } = await contextFill(client);
  const limit = cached?.id === id && cached.fill.window === window ? limitOf(cached.fill) : Math.min(LOWEST_LIMIT, await userLimit(client, window));
  return contextPercent(tokens, limit);
}
async function fillForTrim(client, id) {
  const fill = await contextFill(client);
  const isSame = cached?.id === id && fill.tokens !== undefined && cached.fill.tokens === fill.tokens && cached.fill.window === fill.window;
  return isSame ? {
    ...cached?.fill,
    ...fill
  } : await detailedFill(client);
}
async function readFill(client) {
  const [fill, now, model, id] = await Promise.all([
    detailedFill(client),
    client.clock.now(),
    client.session.model(),
    client.session.id()
  ]);
  cached = {
    id,
    fill
  };
  return insideFill(fill, model, now);
}
function insideFill(fill, model, nowMs) {
  const { tokens, window, breakdown } = fill;
  return {
    at_ms: nowMs,
    model,
    tokens: tokens ?? null,
    window: breakdown?.rawMaxTokens ?? window,
    limit: limitOf(fill),
    limit_kind: compactionPoint(breakdown) === undefined ? "answer" : "compaction",
    categories: usedCategories(breakdown)
  };
}
function freedByRollover(categories, tokens) {
  return rolloverSavings(tokens - nonMessageTokens(categories));
}
async function recordedFreed(client) {
  const [root, id] = await ownerOf(client);
  const path = `${root}/.claude/trimtab/state/${id}.json`;
  const { freed: freed2 } = parseObject(await readText(client, path, MAX_STATE_BYTES) ?? "") ?? {};
  const trimMs = (await readRecord(client)).trims.at(-1)?.at_ms ?? 0;
  return isFreedRecord(freed2) && (trimMs === 0 || hasAnswerAfter(freed2, trimMs)) ? freed2 : undefined;
}
var watched;
async function hasMessages(client) {
  return await client.fs.exists(`${await client.session.root()}/${BLACKBOARD_FILE}`);
}
async function watchFill(client, config, options) {
  const [nowMs, watch, percentNow] = await Promise.all([
    client.clock.now(),
    readWatch(client),
    client.session.id().then((id) => percentInUse(client, id))
  ]);
  const activity = recordActivity(watch, nowMs);
  if (activity !== null && await isUsedProject(client)) await updateWatch(client, activity);
  const pace = {
    nowMs,
    intervalSeconds: config.check_interval_seconds
  };
  if (canSkipMeasurement(watch, pace)) return undefined;
  if (lastLevel(watch) === "ok" && percentNow < config.warn_threshold) return undefined;
  const fill = await readFill(client);
  const { tokens } = fill;
  if (tokens === null) return undefined;
  const percent2 = contextPercent(tokens, fill.limit);
  const level = warningLevel(percent2, config);
  const decision = decideWarning(level, watch, pace);
  if (decision === null) return undefined;
  const { warning, isRise, change } = decision;
  await updateWatch(client, change);
  if (warning === null) return undefined;
  const freed2 = await options.measureFreed(fill);
  const pressure = {
    tokens,
    limit: fill.limit,
    limitKind: fill.limit_kind,
    percent: percent2
  };
  const isTrimFirst2 = await options.isTrimFirst(freed2, fill);
  const text = pressureText(pressure, warning, freed2, {
    isTrimFirst: isTrimFirst2,
    nowMs
  });
  const { remedy } = recommend(freed2, {
    level: warning,
    tokens,
    nowMs
  });
  const isTrim2 = remedy === "light" || remedy === "deep";
  const isOffer = isRise && isTrim2 && watch.offered === undefined && await options.isOfferable();
  if (isOffer) await updateWatch(client, {
    offered: "trim_at_percent"
  });
  const offer = isOffer ? TRIM_AT_OFFER : "";
  return {
    text,
    isRise,
    suggestsTrim: isTrim2 && warning !== "warn",
    offer
  };
}
function forgetLevel() {
  watched = undefined;
}
async function recordFill(client, fill) {
  if (!await isUsedProject(client)) return;
  await changeRecord(client, (record) => ({
    ...record,
    fill
  }));
}
async function readWatch(client) {
  const id = await client.session.id();
  if (watched?.id !== id) watched = {
    id,
    watch: (await readRecord(client)).watch ?? {}
  };
  return watched.watch;
}
async function updateWatch(client, change) {
  const watch = {
    ...await readWatch(client),
    ...change
  };
  watched = {
    id: await client.session.id(),
    watch
  };
  await attempt(client, () => changeRecord(client, (record) => ({
    ...record,
    watch
  })));
}

// src/trim/protect.ts
var PATH_ARGUMENTS = [
  "file_path",
  "notebook_path",
  "path"
];
var MAX_PATH_CHARS = 4096;
var WORD_BREAK = /[\s"'`;|&<>()=,:]+/;
var DRIVE = /^[A-Za-z]:\//;
var GLOB_PARTS = /(?<=^|\/)\*\*\/|\*\*|[^]/gu;
function compileGlobs(globs) {
  const patterns = globs.flatMap((glob) => {
    const pattern = normalize(glob);
    if (pattern === "") throw new RangeError("Cannot protect files: a glob is empty");
    const isAbsolute = pattern.startsWith("/") || DRIVE.test(pattern);
    const whole = isAbsolute ? pattern : `**/${pattern}`;
    const isFolder2 = pattern.endsWith("/") || !/[*?]/.test(pattern);
    const folder = whole.endsWith("/") ? whole : `${whole}/`;
    const all = isFolder2 ? [
      whole,
      `${folder}**`
    ] : [
      whole
    ];
    return all.map((one) => one.match(GLOB_PARTS) ?? []);
  });
  return (path) => {
    if (path === "" || path.length > MAX_PATH_CHARS) return false;
    const chars = [
      ...normalize(path)
    ];
    return patterns.some((steps) => matchesGlob(steps, chars));
  };
}
function isAboutPath(toolName, input, matches) {
  if (!isObject(input)) return false;
  if (PATH_ARGUMENTS.some((name) => matches(asString(input[name]) ?? ""))) return true;
  if (toolName === "Glob") {
    const pattern = asString(input.pattern);
    if (pattern === undefined) return false;
    const folder = asString(input.path);
    return matches(pattern) || folder !== undefined && matches(`${folder}/${pattern}`);
  }
  const words = toolName === "Bash" ? asString(input.command)?.split(WORD_BREAK) ?? [] : [];
  return words.some((word) => !word.startsWith("-") && matches(word));
}
function normalize(path) {
  return path.replaceAll("\\", "/").replaceAll(/\/{2,}/g, "/").replace(/^(?:\.\/)+/, "");
}
function matchesGlob(steps, path) {
  let ends = /* @__PURE__ */ new Set([
    0
  ]);
  for (const step of steps) {
    const next = /* @__PURE__ */ new Set();
    for (const at of ends) {
      if (!step.startsWith("*")) {
        const char = path[at];
        const matchesOne = step === "?" && char !== undefined && char !== "/";
        if (matchesOne || char === step) next.add(at + 1);
        continue;
      }
      for (let end = at; end <= path.length && !next.has(end); end++) {
        if (step !== "**/" || end === at || path[end - 1] === "/") next.add(end);
        if (step === "*" && path[end] === "/") break;
      }
    }
    ends = next;
  }
  return ends.has(path.length);
}

// src/trim/trim_options.ts
var { trim_threshold_chars: DEFAULT_THRESHOLD_CHARS, trim_target_tools: DEFAULT_TOOLS } = DEFAULT_CONFIG.context;
var INSTRUCTION_TOOLS = /* @__PURE__ */ new Set([
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "Skill",
  "TodoWrite"
]);
function withConfig(choices, config) {
  return {
    ...choices,
    threshold: choices.threshold ?? config.trim_threshold_chars,
    tools: choices.tools ?? config.trim_target_tools,
    keepRecent: choices.keepRecent ?? config.trim_keep_recent
  };
}
function resolveTrim(choices) {
  const isDeep = choices.depth === "deep";
  const { targetPercent, keep = "need" } = choices;
  const first = settingsOf2(choices, {
    isDeep,
    keep
  });
  if (targetPercent === undefined || keep !== "need") return [
    first
  ];
  const lines = settingsOf2(choices, {
    isDeep: true,
    keep: "line"
  });
  return isDeep ? [
    first,
    lines
  ] : [
    first,
    settingsOf2(choices, {
      isDeep: true,
      keep
    }),
    lines
  ];
}
function planToTarget([first, ...others], planWith) {
  let last = planWith(first);
  let best = last;
  for (const settings of others) {
    if (last.isReached) break;
    last = planWith(settings);
    if (last.tokens.after < best.tokens.after) best = last;
  }
  return best;
}
function settingsOf2(choices, { isDeep, keep }) {
  const { threshold = DEFAULT_THRESHOLD_CHARS, keepRecent = 0, protect: globs = [] } = choices;
  const { tools = DEFAULT_TOOLS } = choices;
  const targets = new Set(tools);
  const isDefault = targets.size === DEFAULT_TOOLS.length && DEFAULT_TOOLS.every((name) => targets.has(name));
  const cutsOthers = isDefault && (isDeep || keep === "need");
  const matches = compileGlobs(globs);
  return {
    threshold,
    keepRecent,
    need: choices.need ?? (isDeep ? DEEP_NEED : LIGHT_NEED),
    keep,
    isTarget: (toolName) => cutsOthers ? isDeep || !INSTRUCTION_TOOLS.has(toolName) : targets.has(toolName),
    namedTools: isDefault ? [] : tools,
    // With `need`, only dead arguments are cut.
    cutsInputs: isDeep && keep !== "need",
    dropsImages: choices.dropImages ?? isDeep,
    dropsNewestImages: choices.dropImages === true,
    // Removes old thinking, because models that sign their thinking reject it if earlier text has changed.
    dropsThinking: isDeep || keep === "need",
    isProtected: globs.length === 0 ? undefined : (toolName, input) => isAboutPath(toolName, input, matches)
  };
}

// cli/parse.ts
var MAX_ARGUMENT_CHARS = 1e4;
function splitArguments(text) {
  if (text.length > MAX_ARGUMENT_CHARS) {
    throw new UsageError(`Cannot read the arguments: over ${MAX_ARGUMENT_CHARS} characters`);
  }
  const words = [];
  let word;
  let quote = "";
  for (const char of text) {
    if (quote !== "") {
      if (char === quote) quote = "";
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (quote !== "") throw new UsageError(`Cannot read the arguments: unterminated ${quote}`);
  if (word !== undefined) words.push(word);
  return words;
}
function parseArguments(spec, argv) {
  const positionals = [];
  const values = /* @__PURE__ */ new Map();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--") {
      positionals.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const option = findOption(spec, word);
    const equals = word.indexOf("=");
    let value = equals < 0 ? undefined : word.slice(equals + 1);
    if (option.type !== "flag" && equals < 0 && !/^-\D/.test(argv[index + 1] ?? "")) {
      value = argv[++index];
    }
    values.set(option.name, valueOf(spec, option, value, values.get(option.name)));
  }
  if (!values.has("help")) checkCount(spec, positionals);
  const options = Object.fromEntries([
    ...values
  ].map(([name, value]) => [
    camelCase(name),
    value
  ]));
  return {
    positionals,
    options
  };
}
function checkCount(spec, positionals) {
  const shown = spec.positionals?.split(" ") ?? [];
  const required = shown.filter((word) => !word.startsWith("[")).length;
  if (positionals.length < required || positionals.length > shown.length) {
    const got = positionals.length === 0 ? "nothing" : positionals.join(" ");
    refuse(spec, `usage is ${usageOf(spec)}, got ${got}`);
  }
}
function valueOf(spec, { name, type, value: valueName, min = 0, max = Infinity, choices }, value, earlier) {
  if (type === "flag") {
    if (value !== undefined) refuse(spec, `--${name} takes no value`);
    return true;
  }
  if (value === undefined || value === "") {
    refuse(spec, `--${name} needs a value: --${name} ${valueName}`);
  }
  if (type === "list") return Array.isArray(earlier) ? [
    ...earlier,
    value
  ] : [
    value
  ];
  if (earlier !== undefined) refuse(spec, `--${name} is given more than once`);
  const isOutside = Number(value) < min || Number(value) > max;
  if (type === "count" && (!/^\d{1,15}$/.test(value) || isOutside)) {
    const range = max < Infinity ? `from ${min} to ${max}` : `of ${min} or more`;
    refuse(spec, `--${name} must be a whole number ${range}, got ${JSON.stringify(value)}`);
  }
  if (choices !== undefined && !choices.includes(value)) {
    refuse(spec, `--${name} must be one of ${choices.join(", ")}, got ${JSON.stringify(value)}`);
  }
  return type === "count" ? Number(value) : value;
}

// hooks/_inside_plan.ts
function argumentsOf(typed) {
  const args = parseArguments(TRIM_SPEC, splitArguments(typed));
  refuseConflicts(args.options);
  return args;
}
async function isInTerminal(client) {
  return (await client.session.surfaces()).length > 0;
}
function planOf(session, options, config) {
  const request = withConfig(trimChoices(options), config);
  const { targetPercent } = request;
  const common = {
    targetPercent,
    ...namedEntries(options)
  };
  return planToTarget(resolveTrim(request), (settings) => trimInside(session, {
    ...settings,
    ...common
  }));
}
function uncutText(session, plan, options) {
  const { lineOf, cuts: { inputs, results } } = plan;
  const parts = [
    ...callsIn(session.rows).map(({ tool_use_id: id }) => [
      lineOf(id, "call"),
      inputs.has(id)
    ]),
    ...resultsIn(session.rows).map(({ tool_use_id: id }) => [
      lineOf(id, "result"),
      results.has(id)
    ])
  ];
  for (const named of namedEntries(options).entries ?? []) {
    const found = parts.filter(([line]) => line === named);
    if (found.some(([, isCut3]) => isCut3)) continue;
    const why = found.length > 0 ? "is too short to cut, or was cut already" : "contains no tool output or input of this conversation";
    return `Nothing was cut: line ${named} ${why}. /trim --entries lists the largest entries`;
  }
  return undefined;
}
var NO_SESSION = "Nothing to trim yet: this session has no messages";
var NO_TRANSCRIPT = "Nothing was trimmed: this session has no transcript yet, so send a message first. A session that the client does not save cannot be trimmed";
async function sessionOf(client, rows, { isMidTurn = false } = {}) {
  const [id, { transcriptPath }] = await Promise.all([
    client.session.id(),
    client.session.info()
  ]);
  if (!await client.fs.exists(transcriptPath)) {
    throw new UsageError(rows.length === 0 ? NO_SESSION : NO_TRANSCRIPT);
  }
  const [model, lines, messages, fill] = await Promise.all([
    client.session.model(),
    readSessionLines(client, transcriptPath, rows),
    client.session.messages({
      as: "api"
    }),
    fillForTrim(client, id)
  ]);
  if (messages.length >= MAX_ROWS) {
    throw new Error(`the conversation has too many messages: the client returns at most ${MAX_ROWS}`);
  }
  const reminders = readReminders(lines.active, {
    isMidTurn,
    boundaries: lines.boundaries
  });
  const media = readMedia(messages, lines, {
    id,
    model
  });
  const laidOut = layOutRows({
    rows,
    messages
  }, reminders, media);
  return {
    id,
    model,
    lines,
    messages,
    fill,
    media,
    rows: laidOut
  };
}
function refusalOf(messages, mediaInUse = 0) {
  const hint = ". It works after your next message";
  const why = copyReason({
    losses: countLosses(messages),
    mediaInUse
  }, hint);
  return why === undefined ? undefined : {
    skip: `trimtab: nothing was changed, because ${why}`
  };
}
function namedEntries({ entry: named }) {
  if (named === undefined) return {};
  const entries = new Set(named.flatMap((list2) => list2.split(",")).map(Number));
  if (![
    ...entries
  ].every((line) => Number.isSafeInteger(line) && line > 0)) {
    throw new UsageError("Cannot run trim: --entry takes a line number that /trim --entries lists");
  }
  return {
    entries,
    keep: "head",
    isTarget: () => true,
    cutsInputs: true
  };
}

// src/store/state.ts

// src/events/call.ts
var HEADLESS_ENTRYPOINT = /^sdk-/;

// hooks/_inside_scripts.ts
var TIMEOUT_MS = {
  "user-prompt-expansion": 12e4,
  "pre-compact": 3e4
};
var PRESS_ENTER = "/resume is in the prompt: press Enter to continue in the copy";
var REWOUND = "Nothing was copied: the transcript still ends with the turns that you rewound. Send a message first, then trim again";
async function runHookScript(client, name, fields) {
  const env = await client.process.hookEnv();
  const { CLAUDE_PLUGIN_ROOT: root = "" } = env;
  const shell = /^[A-Za-z]:/.test(root) ? "sh" : "/bin/sh";
  const payload = {
    session_id: await client.session.id(),
    cwd: await client.session.root(),
    transcript_path: (await client.session.info()).transcriptPath,
    ...fields
  };
  const { stdout } = await client.process.run([
    shell,
    `${root}/bin/trimtab`,
    "hook",
    name
  ], {
    // An empty value makes the launcher run the hook even if it is listed as idle.
    env: {
      ...env,
      TRIMTAB_INSIDE: ""
    },
    stdin: JSON.stringify(payload),
    timeoutMs: TIMEOUT_MS[name]
  });
  return stdout;
}
async function saveCheckpoint(client) {
  await attempt(client, () => runHookScript(client, "pre-compact", {
    hook_event_name: "PreCompact",
    trigger: "auto",
    custom_instructions: null
  }));
}
function displayOnly(text) {
  return {
    text,
    isTextDisplayOnly: true
  };
}
async function answerCopy(client, { command, args }) {
  const stdout = await runHookScript(client, "user-prompt-expansion", {
    hook_event_name: "UserPromptExpansion",
    command_name: command,
    command_args: args
  });
  const answer = stdout === "" ? undefined : JSON.parse(stdout);
  const text = isObject(answer) ? asString(answer.reason) : undefined;
  if (text === undefined) return undefined;
  const [resume] = /\/resume [0-9a-f-]{36}/.exec(text) ?? [];
  if (resume === undefined || !await isInTerminal(client)) return displayOnly(text);
  client.clock.after(1, () => attempt(client, () => fillPrompt(client, resume)));
  return displayOnly(await isPromptEmpty(client) ? `${text}
${PRESS_ENTER}` : text);
}
async function isPromptEmpty(client) {
  return (await client.prompt.read()).text === "";
}
async function fillPrompt(client, text) {
  if (await isPromptEmpty(client)) await client.prompt.fill({
    text
  });
}
async function refuseRewound(client) {
  try {
    const { transcriptPath } = await client.session.info();
    const lines = await readSessionLines(client, transcriptPath, await currentRows(client));
    return lines.endsWithRewoundTurns ? displayOnly(REWOUND) : undefined;
  } catch {
    return undefined;
  }
}
var replacedSession;
function setReplaced(session) {
  replacedSession = session;
}
async function sessionStartHook(client, event, next) {
  await attempt(client, async () => {
    const isTrim2 = event.source === "compact" && replacedSession === event.session_id;
    if (event.source === "compact") replacedSession = undefined;
    const isIdle = isTrim2 || await isIdleStart(client);
    await setIdle(client, event.session_id, isIdle ? [
      "session-start"
    ] : []);
  });
  return await next(event);
}
async function isIdleStart(client) {
  const entrypoint = await client.env.get("CLAUDE_CODE_ENTRYPOINT");
  return HEADLESS_ENTRYPOINT.test(entrypoint ?? "") && await lacksProjectFiles(client, await client.session.root());
}
var published;
async function setIdle(client, sessionId, hooks) {
  const value = [
    sessionId,
    ...hooks
  ].join(" ");
  if (value === published) return true;
  const { deny } = await client.env.set("TRIMTAB_INSIDE", value).catch(() => ({
    deny: "failed"
  }));
  published = deny === undefined ? value : undefined;
  return deny === undefined;
}
async function resetIdle(client) {
  published = undefined;
  await client.env.set("TRIMTAB_INSIDE", undefined);
}
var PROJECT_FILES = [
  ".claude/trimtab",
  ".claude/trimtab.toml",
  ".claude/checkpoints",
  ".claude/runtime/context-snapshots",
  ".work.toml"
];
async function lacksProjectFiles(client, projectDir) {
  const found = await Promise.all(PROJECT_FILES.map((path) => client.fs.exists(`${projectDir}/${path}`)));
  return !found.includes(true);
}

// src/core/questions.ts
var QUESTION_END = /\?[^\p{L}\p{N}?]*$/u;
function isQuestion(text) {
  return QUESTION_END.test(text);
}

// src/inside/turns.ts
var TITLE_CHARS = 44;
var BASH_INPUT = /^<bash-input>/;
function listTurns({ rows, lines }) {
  const { live } = lines;
  const lineOf = linesOfTexts(rows, live);
  const remainingPrompts = promptLines(lines);
  const starts = rows.flatMap((row, prompt) => {
    const line = lineOf.get(row) ?? 0;
    const from = remainingPrompts.get(line);
    remainingPrompts.delete(line);
    return from === undefined ? [] : [
      {
        prompt,
        from
      }
    ];
  });
  const turnRows = Map.groupBy(rows, (row, index) => {
    const line = isAttached(row.text) ? lineOf.get(row) : undefined;
    return starts.findLastIndex(({ prompt, from }) => line === undefined ? prompt <= index : from <= line);
  });
  const end = (live.at(-1)?.number ?? 0) + 1;
  return starts.map(({ prompt, from }, n) => {
    const own = turnRows.get(n) ?? [];
    return {
      number: n + 1,
      rows: own,
      lines: {
        from,
        to: (starts[n + 1]?.from ?? end) - 1
      },
      tokens: own.reduce((sum, row) => sum + tokensOf2(row), 0),
      title: firstWords(rows[prompt]?.text.replace(BASH_INPUT, "! ") ?? "", TITLE_CHARS)
    };
  });
}
function linesOfTexts(rows, lines) {
  const found = textsOf(lines);
  return new Map(rows.toReversed().flatMap((row) => {
    const line = row.text === "" ? undefined : found.get(textBeforeHiding(row.text))?.pop()?.line;
    return line === undefined ? [] : [
      [
        row,
        line.number
      ]
    ];
  }));
}
function textsOf(lines) {
  const places = lines.flatMap((line) => {
    const { entry } = line;
    const own = contentParts(entry).filter(({ kind }) => kind === "text");
    const texts = [
      ...own.map(({ text }) => text),
      ...renderedTexts(entry)
    ];
    const queued = queuedPrompt(entry);
    if (queued !== undefined && !texts.includes(queued)) texts.push(queued);
    return texts.map((text, index) => ({
      key: textBeforeHiding(text),
      line,
      index
    }));
  });
  return Map.groupBy(places, ({ key }) => key);
}
function addedLines({ before, live }) {
  const dropped = live.flatMap((line) => droppedRange(textOf(line)) ?? []);
  const originals = textsOf(before.filter(({ number, entry }) => entry.type !== "assistant" && !isRebuilt(entry) && !dropped.some(({ from, to }) => number >= from && number <= to)));
  return new Set(live.toReversed().filter((line) => {
    const place = isRebuilt(line.entry) ? originals.get(textBeforeHiding(textOf(line)))?.pop() : undefined;
    const { line: { entry: { type, raw } }, index } = place ?? {
      line,
      index: 0
    };
    return type !== "user" || raw.isMeta === true || index > 0;
  }));
}
function promptLines(session) {
  const lines = session.live;
  const added = addedLines(session);
  const found = /* @__PURE__ */ new Map();
  for (const [index, line] of lines.entries()) {
    const text = textOf(line);
    const next = lines[index + 1];
    const isCommand = /^<command-/.test(text) && (isSkillText(next) || added.has(next) && !/^(?:<|$)/.test(textOf(next)));
    const isTyped = isPrompt(line) && !isSkillText(line) && !added.has(line);
    if (!isCommand && !isTyped && !BASH_INPUT.test(text)) continue;
    let from = line.number;
    for (let at = index - 1; found.size > 0 && isAttached(textOf(lines[at])); at--) {
      from = lines[at]?.number ?? from;
    }
    found.set(line.number, from);
  }
  return found;
}
function textOf(line) {
  return line?.entry.type === "user" ? asString(contentBlocks(line)[0]?.text) ?? "" : "";
}
function isSkillText(line) {
  return /^Base directory for this skill:/.test(textOf(line));
}
function isAttached(text) {
  return isReminder(text) && droppedRange(text) === undefined;
}
var CLIENT_TAG = /<\/?(?:bash|command|local-command|system|task|user-prompt)-[\w-]*>/g;
function firstWords(text, maxChars) {
  const words = cleanLine(boundText(text, 400).replaceAll(CLIENT_TAG, " "));
  return words.length > maxChars ? `${boundText(words, maxChars - 1)}\u2026` : words;
}
function tokensOf2({ text, toolUses, toolResults = [] }) {
  const inputs = toolUses.map(({ input }) => JSON.stringify(input));
  const texts = [
    text,
    ...inputs,
    ...toolResults.map((result) => result.text)
  ];
  return texts.reduce((sum, text2) => sum + estimateTextTokens(text2), 0);
}
var RANGE = /^(#?)(\d{1,9})(?:-#?(\d{1,9}))?$/;
function dropTurns(session, ranges, sessionName) {
  const turns = listTurns(session);
  const named = new Set(ranges.flatMap((range) => turnsIn(range, turns, session.lines.before)));
  const newest = turns.at(-1);
  if (newest !== undefined && named.has(newest)) {
    throw new RangeError(`turn ${newest.number} is the newest: /rewind undoes it`);
  }
  const turnOf = new Map([
    ...named
  ].flatMap((turn2) => turn2.rows.map((row) => [
    row,
    turn2
  ])));
  const left = new Set(named);
  const rows = session.rows.flatMap((row) => {
    const turn2 = turnOf.get(row);
    if (turn2 === undefined) return [
      row
    ];
    const run = [];
    for (let n = turn2.number; left.delete(turns[n - 1] ?? turn2); n++) {
      run.push(turns[n - 1] ?? turn2);
    }
    return noteFor(run, sessionName);
  });
  return {
    rows,
    turns: turns.filter((turn2) => named.has(turn2))
  };
}
function turnsIn(range, turns, before) {
  const [, hash, from, to = from] = RANGE.exec(range) ?? [];
  if (from === undefined) {
    throw new RangeError(`"${range}" is not a range: --drop takes lines such as 12-30, or turns #2-#4`);
  }
  const [low, high] = [
    Number(from),
    Number(to)
  ];
  const ids = new Set(before.filter(({ number }) => low === high && number === low).flatMap(contentBlocks).map(({ id, tool_use_id }) => tool_use_id ?? id));
  const found = turns.filter(({ number, lines, rows }) => hash === "#" ? number >= low && number <= high : lines.from <= high && lines.to >= low || callsIn(rows).some(({ tool_use_id }) => ids.has(tool_use_id)));
  if (found.length === 0) {
    throw new RangeError(`"${range}" matches no turn: /trim --entries lists the turns`);
  }
  return found;
}
function noteFor(run, sessionName) {
  const [from, to] = [
    run[0]?.lines.from,
    run.at(-1)?.lines.to
  ];
  if (from === undefined || to === undefined) return [];
  const calls = callsIn(run.flatMap(({ rows }) => rows)).length;
  const note = `[The user took ${counted(run.length, "turn")} with ${counted(calls, "call")} out of the conversation: lines ${from} to ${to} of ${sessionName}]`;
  const question = run.at(-1)?.rows.findLast(({ role, text }) => role === "assistant" && text !== "");
  return [
    userRow(hiddenReminder(note)),
    ...question !== undefined && isQuestion(question.text) ? [
      question
    ] : []
  ];
}

// src/inside/view.ts
var MAX_LISTED = {
  tools: 6,
  files: 6,
  entries: 12,
  turns: 15
};
var MIN_ENTRY_TOKENS = 200;
var BAR_CHARS = 12;
var GROUP_NAME_CHARS = 44;
var ENTRY_NAME_CHARS = 38;
function drawEntries(view) {
  const { entries, factor } = scaledEntries(view);
  const largest = entries.filter((entry) => entry.tokens >= MIN_ENTRY_TOKENS).toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_LISTED.entries);
  const turns = listTurns(view.session);
  const shown = turns.slice(-MAX_LISTED.turns);
  const more = shown.length < turns.length ? `, the last ${shown.length} of ${turns.length}` : "";
  return [
    titleOf(view),
    ...shown.length === 0 ? [] : [
      `Turns${more}:`,
      ...shown.map(({ number, lines: { from, to }, tokens, title }) => [
        `#${number}`.padStart(5),
        `${from}-${to}`.padStart(12),
        grouped(tokens * view.plan.scale * factor).padStart(9),
        ` ${title}`
      ].join(" ")),
      "Drop turns: /trim --drop #2-#4, or by their lines: --drop 12-30"
    ],
    ...largest.length === 0 ? [] : [
      "Largest:",
      "    line    tokens  /trim frees",
      ...largest.map(({ line = "-", tokens, freed: freed2, name }) => [
        `${line}`.padStart(8),
        grouped(tokens).padStart(9),
        grouped(freed2).padStart(12),
        ` ${name}`
      ].join(" ")),
      "Cut an output or input to its head: /trim --entry LINE. Undo: /trim --undo"
    ]
  ].join("\n");
}
function drawStatus(view, facts) {
  const { fill } = view;
  const { entries, kinds } = scaledEntries(view);
  return [
    titleOf(view),
    ...barLines(kinds, fill.limit),
    ...freedLines(facts, fill),
    ...cacheLine(facts),
    ...trimLines(facts),
    ...groupLines("By tool", Map.groupBy(entries, ({ tool }) => tool), MAX_LISTED.tools),
    ...groupLines("By file", Map.groupBy(entries, ({ path }) => path), MAX_LISTED.files)
  ].join("\n");
}
function freedLines({ freed: freed2, level, cache, nowMs }, { tokens, model }) {
  if (freed2 === undefined) return [];
  const total = tokens ?? freed2.at_tokens;
  const pays = paybackOf(freed2, {
    tokens: total,
    model,
    ttl: cache && cache.keptMs / 1e3,
    isWarm: cache === undefined ? null : nowMs < cache.usedAtMs + cache.keptMs
  });
  const options = [
    [
      "/trim",
      freed2.light,
      pays.light
    ],
    [
      "/trim --depth deep",
      freed2.deep,
      pays.deep
    ],
    [
      "/rollover",
      freed2.rollover,
      pays.rollover
    ],
    [
      "/compact, typically",
      total - COMPACTED_TOKENS,
      pays.compact
    ]
  ];
  const shown = options.filter(([, tokens2]) => tokens2 > 0).map(([name, tokens2, after]) => `  ${name.padEnd(22)}${grouped(tokens2).padStart(10)}  ` + (after === null ? "never" : after === 1 ? "at once" : `after ${counted(after, "request")}`));
  if (shown.length === 0) return [];
  const advice = level === "ok" ? [] : [
    `Advice: ${shortAdvice(freed2, {
      level,
      tokens,
      nowMs
    })}`
  ];
  return [
    `${"Would free".padEnd(28)}tokens  pays off`,
    ...shown,
    ...advice
  ];
}
function trimLines({ trim, since, nowMs }) {
  if (trim === undefined) return [];
  const { tokens_before: before, tokens_after: after, at_ms: atMs } = trim;
  const sizes = before === null || after === null ? "" : `: ${grouped(before)} -> ${grouped(after)} tokens`;
  const last = `Last trim ${ageText(nowMs - atMs)}${sizes}`;
  if (!since?.requests) return [
    last
  ];
  return [
    last,
    `Since then: ${sinceTrimText(since, (before ?? 0) - (after ?? 0))}`
  ];
}
function cacheLine({ cache, nowMs }) {
  if (cache === undefined) return [];
  const leftMs = cache.usedAtMs + cache.keptMs - nowMs;
  const left = durationText(leftMs) || "less than a minute";
  return [
    leftMs > 0 ? `Prompt cache: used ${ageText(nowMs - cache.usedAtMs)}, kept for ${left} more` : "Prompt cache: expired. The next request writes it again anyway, so a trim costs nothing extra"
  ];
}
function titleOf({ fill: { tokens, limit }, plan }) {
  const size = tokens ?? plan.tokens.before;
  return `Context: ${grouped(size)} of ${grouped(limit)} tokens, ${contextPercent(size, limit)}%` + (tokens === null ? " (estimate)" : "");
}
function scaledEntries(view) {
  const { plan, fill: { categories, tokens: total } } = view;
  const listed = listEntries(view);
  const tokensOfKind = (kind) => tokensOf3(listed.filter((entry) => entry.kind === kind));
  const { Messages: _, ...others } = categories;
  const kinds = [
    [
      "Tool results",
      tokensOfKind("result")
    ],
    [
      "Tool inputs",
      tokensOfKind("call")
    ],
    [
      "Answers",
      tokensOfKind("answer")
    ],
    [
      "Prompts and reminders",
      tokensOfKind("prompt")
    ],
    [
      "Thinking",
      plan.losses.thinkingTokens * plan.scale
    ],
    ...Object.entries(others)
  ];
  const sum = kinds.reduce((all, [, count]) => all + count, 0);
  const factor = Math.min(1, (total ?? sum) / sum) || 1;
  return {
    entries: listed.map((entry) => ({
      ...entry,
      tokens: entry.tokens * factor,
      freed: entry.freed * factor
    })),
    kinds: [
      ...kinds.map(([name, count]) => [
        name,
        count * factor
      ]),
      [
        "Unexplained",
        Math.max(0, (total ?? sum) - sum)
      ]
    ],
    factor
  };
}
function tokensOf3(entries) {
  return entries.reduce((all, { tokens }) => all + tokens, 0);
}
function listEntries({ session: { rows, lines }, plan, root }) {
  const calls = callsById(rows);
  const lineOf = linesOfTexts(rows, lines.live);
  const sizeOf = (text) => estimateTextTokens(text) * plan.scale;
  const entryOf = (kind, { tool_use_id: id, tool, input }, text, cut) => {
    const tokens = sizeOf(text);
    const named = PATH_ARGUMENTS.map((name) => input[name]).find((value) => typeof value === "string");
    const path = named?.startsWith(`${root}/`) === true ? named.slice(root.length + 1) : named;
    const head = `${tool}${kind === "call" ? " (input)" : ""} `;
    const room = ENTRY_NAME_CHARS - head.length;
    const about = Object.values(input).find((value) => typeof value === "string") ?? "";
    return {
      line: plan.lineOf(id, kind),
      kind,
      tool,
      path,
      name: head + (path === undefined ? firstWords(`${about}`, room) : pathEnd(path, room)),
      tokens,
      freed: cut === undefined ? 0 : tokens - sizeOf(cut)
    };
  };
  return [
    ...[
      ...calls.values()
    ].map((call) => {
      const cut = plan.cuts.inputs.get(call.tool_use_id);
      return entryOf("call", call, JSON.stringify(call.input), cut && JSON.stringify(cut));
    }),
    ...resultsIn(rows).map(({ tool_use_id: id, text }) => {
      const call = calls.get(id) ?? {
        tool_use_id: id,
        tool: "?",
        input: {}
      };
      return entryOf("result", call, text, plan.cuts.results.get(id));
    }),
    // A trim never cuts prompts, answers or reminders, but they can be the largest entries.
    ...rows.filter(({ text }) => text !== "").map((row) => {
      const { role, text } = row;
      const [kind, lead] = role === "assistant" ? [
        "answer",
        "Answer"
      ] : [
        "prompt",
        isReminder(text) ? "Reminder" : "Prompt"
      ];
      const name = `${lead} ${firstWords(text, ENTRY_NAME_CHARS - lead.length - 1)}`;
      return {
        line: lineOf.get(row),
        kind,
        name,
        tokens: sizeOf(text),
        freed: 0
      };
    })
  ];
}
function pathEnd(path, maxChars) {
  const whole = cleanLine(path);
  if (whole.length <= maxChars) return whole;
  const end = whole.slice(-Math.max(1, maxChars - 1));
  return `\u2026${end.slice(Math.max(0, end.indexOf("/")))}`;
}
function barLines(kinds, limit) {
  const shown = kinds.filter(([, tokens]) => tokens >= 1);
  const largest = Math.max(...shown.map(([, tokens]) => tokens), 1);
  return shown.map(([name, tokens]) => {
    const bar = "\u2588".repeat(Math.round(tokens / largest * BAR_CHARS));
    const share = `${contextPercent(tokens, limit)}%`;
    return `  ${name.padEnd(24)}${grouped(tokens).padStart(9)} ${share.padStart(4)} ${bar}`.trimEnd();
  });
}
function groupLines(title, groups, max) {
  const named = [
    ...groups
  ].filter(([name]) => name !== undefined).map(([name, entries]) => ({
    name: `${name}`,
    tokens: tokensOf3(entries)
  })).sort((a, b) => b.tokens - a.tokens);
  const more = named.length > max ? `, the first ${max} of ${grouped(named.length)}` : "";
  const lines = named.slice(0, max).map(({ name, tokens }) => `  ${grouped(tokens).padStart(9)}  ${pathEnd(name, GROUP_NAME_CHARS)}`);
  return lines.length === 0 ? [] : [
    `${title}${more}:`,
    ...lines
  ];
}

// src/transcript/since_trim.ts
function countSinceTrim(entries, sinceMs) {
  const cutCalls = /* @__PURE__ */ new Set();
  const paths = /* @__PURE__ */ new Map();
  const answers = /* @__PURE__ */ new Set();
  const calls = [];
  const failedCalls = /* @__PURE__ */ new Set();
  for (const entry of entries) {
    if (entry.isSidechain) continue;
    const isLater = Date.parse(entry.timestamp ?? "") > sinceMs && !isRebuilt(entry);
    const id = usageOfEntry(entry)?.messageId;
    if (isLater && id !== undefined) answers.add(id);
    for (const block of blocksOf(entry)) {
      const call = asString(block.tool_use_id) ?? asString(block.id);
      if (call === undefined) continue;
      if (block.type === "tool_use") {
        const path = isObject(block.input) ? asString(block.input.file_path) : undefined;
        if (path !== undefined) paths.set(call, path);
        if (isLater) calls.push({
          id: call,
          tool: block.name
        });
      } else if (block.is_error === true) {
        failedCalls.add(call);
      } else if (resultTexts(block.content).some((text) => placeOfWhole(text) !== undefined)) {
        cutCalls.add(call);
      }
    }
  }
  const cutPaths = new Set([
    ...cutCalls
  ].flatMap((id) => paths.get(id) ?? []));
  const callsOnCutFiles = calls.filter(({ id }) => cutPaths.has(paths.get(id) ?? ""));
  return {
    cuts: cutCalls.size,
    requests: answers.size,
    rereads: callsOnCutFiles.filter(({ tool }) => tool === "Read").length,
    recalls: calls.filter(({ tool }) => tool === "mcp__trimtab__recall").length,
    failedEdits: callsOnCutFiles.filter(({ id, tool }) => WRITERS.has(tool) && failedCalls.has(id)).length
  };
}

// hooks/_inside_status.ts
async function statusText(client, session, { plan, config, isList }) {
  const [reported, root] = await Promise.all([
    readFill(client),
    client.session.root()
  ]);
  const fill = reported.tokens === null ? reported : {
    ...reported,
    tokens: plan.tokens.before
  };
  const view = {
    session,
    plan,
    fill,
    root
  };
  if (isList) return drawEntries(view);
  const [freed2, { trims }, nowMs] = await Promise.all([
    freedOf(client, config, fill, Infinity),
    readRecord(client),
    client.clock.now()
  ]);
  const trim = hasCuts(session.rows) ? trimsInEffect(trims).at(-1) : undefined;
  const cache = cacheOf(session);
  const { tokens, limit } = fill;
  const entries = session.lines.active.map(({ entry }) => entry);
  return drawStatus(view, {
    freed: freed2,
    level: tokens === null ? "ok" : warningLevel(contextPercent(tokens, limit), config),
    trim,
    since: trim && countSinceTrim(entries, trim.at_ms),
    cache: cache && {
      usedAtMs: Date.parse(cache.usedAt),
      keptMs: cache.ttl * 1e3
    },
    nowMs
  });
}
var freed;
var estimating;
var MAX_MEASURED_BYTES = 16 * 1024 * 1024;
function forgetFreed() {
  freed = undefined;
  estimating = undefined;
}
function freedOf(client, config, fill, maxBytes = MAX_MEASURED_BYTES) {
  return attempt(client, async () => {
    const tokens = fill.tokens ?? 0;
    const id = await client.session.id();
    const known = freed?.id === id && isFresh(freed, tokens) ? freed : await recordedFreed(client);
    if (isFresh(known, tokens)) return known;
    const running = estimating ??= estimateFreed(client, config, {
      fill,
      maxBytes
    });
    try {
      return await running;
    } finally {
      if (estimating === running) estimating = undefined;
    }
  });
}
async function estimateFreed(client, config, { fill: { tokens, categories, model }, maxBytes }) {
  if (isBoundaryPending()) return undefined;
  const { transcriptPath } = await client.session.info();
  if ((await client.fs.stat(transcriptPath)).size > maxBytes) return undefined;
  const session = await sessionOf(client, await currentRows(client));
  const { tokens: { before, after } } = planOf(session, {}, config);
  const { tokens: deep } = planOf(session, {
    depth: "deep"
  }, config);
  const atTokens = tokens ?? before;
  const amounts = {
    light: Math.max(0, before - after),
    deep: Math.max(0, before - deep.after),
    rollover: freedByRollover(categories, atTokens)
  };
  const cache = cacheOf(session);
  freed = {
    id: session.id,
    at_tokens: atTokens,
    ...amounts,
    paid_back_after: paybackOf(amounts, {
      tokens: atTokens,
      model,
      ttl: cache?.ttl,
      isWarm: true
    }),
    cache_ttl_seconds: cache?.ttl ?? null,
    newest_at: cache?.usedAt ?? null
  };
  return freed;
}
function cacheOf({ lines }) {
  const answers = [
    ...lines.before,
    ...lines.active
  ].filter(({ entry }) => usageOfEntry(entry) !== undefined);
  const usedAt = answers.at(-1)?.entry.timestamp;
  if (usedAt === undefined || Number.isNaN(Date.parse(usedAt))) return undefined;
  const ttl = answers.map(({ entry }) => cacheTtlSeconds(Object(entry.message?.usage))).findLast((ttl2) => ttl2 !== undefined);
  return {
    usedAt,
    ttl: ttl ?? SHORT_TTL_SECONDS
  };
}

// hooks/_inside_replace.ts
async function replaceConversation(client, session, { kind, rows, dropped = [], message, tokens, isMidTurn = false }) {
  const { id, lines, messages } = session;
  const known = callsById([
    ...rows,
    ...dropped
  ]);
  const lost = messages.flatMap(({ content }) => content).find((block) => block.type === "tool_use" && !known.has(`${block.id}`));
  if (lost !== undefined) throw new Error(`call ${lost.id} would be lost`);
  setForgottenFiles(id, [
    ...lines.before,
    ...lines.active
  ], rows);
  const [end, undoRecord] = await Promise.all([
    endOfTranscript(client),
    // If the project is read-only, the trim continues, but hooks mistake it for a compaction.
    attempt(client, () => recordReplacement(client, session, {
      kind,
      tokens
    })),
    // Fails in a client without plugin tools. The model then has only the notices.
    attempt(client, async () => {
      const isCut3 = hasCuts(rows);
      setNotePending(isCut3);
      if (isCut3) await offerRecall(client, id);
      if (isMidTurn) await appendPendingNote(client);
    })
  ]);
  setReplaced(id);
  const isFirst = lines.boundaries.every((boundary) => boundary.kind === "compaction");
  const notice = isFirst && kind === "trim" ? `. ${KEEP_HINT}` : "";
  logAfterBoundary(client, {
    ...end,
    text: message + notice,
    onDropped: () => {
      setReplaced(undefined);
      return undoRecord && attempt(client, undoRecord);
    }
  });
  forgetFreed();
  return {
    messages: rows
  };
}
var KEEP_HINT = "Claude Code deletes a transcript 30 days after its last use, unless cleanupPeriodDays sets another period; trimtab keep preserves it";
async function recordReplacement(client, { id, fill, model }, { kind, tokens }) {
  const { before = null, after = null } = tokens ?? {};
  const resetFill = after === null ? undefined : setFillAfterTrim(id, {
    reported: fill.tokens,
    after
  });
  const now = await client.clock.now();
  await recordTrim(client, {
    kind,
    at_ms: now,
    tokens_before: before,
    tokens_after: after
  }, after === null ? undefined : insideFill({
    ...fill,
    tokens: after
  }, model, now));
  forgetLevel();
  return () => {
    resetFill?.();
    return changeRecord(client, (record) => ({
      ...record,
      trims: record.trims.filter((trim) => trim.at_ms !== now)
    }));
  };
}
var undoHintedSession;
async function compactWithUndoHint(client, event, next) {
  const before = await endOfTranscript(client).catch(() => undefined);
  const fill = await contextFill(client).catch(() => undefined);
  const isHintDue = before?.id !== undoHintedSession && lossReason(countLosses(await client.session.messages({
    as: "api"
  }).catch(() => []))) === undefined;
  const answer = await next(event);
  if (answer.skip !== undefined) return answer;
  setNotePending(false);
  client.ui.status(undefined);
  if (before === undefined) return answer;
  setFillAfterTrim(before.id, {
    reported: fill?.tokens,
    after: undefined
  });
  if (isHintDue) logAfterBoundary(client, {
    ...before,
    text: CAN_UNDO
  });
  undoHintedSession = before.id;
  return answer;
}
async function endOfTranscript(client) {
  const { transcriptPath: path } = await client.session.info();
  return {
    id: await client.session.id(),
    path,
    from: (await client.fs.stat(path)).size
  };
}
var CAN_UNDO = "/trim --undo undoes this compaction";

// hooks/_inside_auto.ts
var MIN_GROWTH_OF_ROOM_PERCENT = 30;
var ATTEMPTS = [
  "--depth light",
  "--depth deep",
  "--depth deep --keep-recent 2",
  "--depth deep --keep-recent 2 --target-percent GOAL"
];
function isTrimFirst({ before_compaction: action }, isInTerminal2) {
  return action === "trim" || action === "auto" && isInTerminal2;
}
async function trimInsteadOfCompacting(client, { messages, trigger }) {
  const { context, inside } = await settingsOf(client);
  if (!isTrimFirst(inside, await isInTerminal(client))) return undefined;
  const session = await sessionOf(client, messages, {
    isMidTurn: true
  });
  const trim = findTrim({
    maxPercent: inside.compact_after_trim_percent,
    // After a compaction, growth starts at the summary, so the size after the last trim does not apply.
    lastSize: session.lines.boundaries.at(-1)?.kind === "compaction" ? undefined : trimsInEffect((await readRecord(client)).trims).at(-1)?.tokens_after ?? undefined,
    plan: (typed) => planOf(session, argumentsOf(typed).options, context)
  });
  if (trim === undefined) return undefined;
  if (trigger === "precompute") return {
    skip: "trimtab trims in place instead"
  };
  const message = describeInside(trim, "instead of compacting");
  const [answer] = await Promise.all([
    replaceConversation(client, session, {
      ...trim,
      kind: "trim",
      message,
      isMidTurn: true
    }),
    saveCheckpoint(client)
  ]);
  return answer;
}
function findTrim({ maxPercent, lastSize, plan }) {
  let goal = maxPercent;
  for (const typed of ATTEMPTS) {
    const trim = plan(typed.replace("GOAL", `${goal}`));
    if (lossReason(trim.losses) !== undefined) return undefined;
    const { before, after } = trim.tokens;
    const room = Math.min(before, trim.limit);
    const hasGrown = lastSize === undefined || (before - lastSize) * 100 >= MIN_GROWTH_OF_ROOM_PERCENT * room;
    if (!hasGrown) return undefined;
    goal = Math.floor(maxPercent * room / trim.limit);
    if (after * 100 <= maxPercent * room && isWorthwhile(trim.tokens)) return trim;
  }
  return undefined;
}
var MIN_GROWTH_PERCENT = 10;
var baseline;
function isTrimDue({ tokens, limit, from = -Infinity }, threshold) {
  return (tokens - from) * 100 >= MIN_GROWTH_PERCENT * limit && contextPercent(tokens, limit) >= threshold;
}
async function reasonToTrimNow(client, isCold, asked) {
  const { inside, context } = await settingsOf(client);
  const planNow = async () => planOf(await sessionOf(client, await currentRows(client)), {}, context);
  if (asked !== undefined) return copyReason(await planNow()) === undefined ? asked : undefined;
  const threshold = isCold ? inside.trim_when_cold ? 0 : null : inside.trim_at_percent;
  if (threshold === null || !await isInTerminal(client)) return undefined;
  const [id, fill, { trims }] = await Promise.all([
    client.session.id(),
    detailedFill(client),
    readRecord(client)
  ]);
  const last = trims.at(-1);
  if (baseline?.id !== id || baseline.trimMs !== last?.at_ms) {
    baseline = {
      id,
      trimMs: last?.at_ms,
      from: last?.tokens_after ?? undefined
    };
  }
  const current = baseline;
  const isDue = (tokens) => {
    if (current.from !== undefined) current.from = Math.min(current.from, tokens);
    return isTrimDue({
      tokens,
      limit: limitOf(fill),
      from: current.from
    }, threshold);
  };
  if (!isCold && !isDue(fill.tokens ?? 0)) return undefined;
  const plan = await planNow();
  if (!isDue(plan.tokens.before)) return undefined;
  current.from = plan.tokens.before;
  if (!isWorthwhile(plan.tokens) || copyReason(plan) !== undefined) return undefined;
  return isCold ? "since the prompt cache has expired (trim_when_cold)" : `because the window passed ${threshold}% (trim_at_percent)`;
}
var TRIM_TOOL = "mcp__trimtab__trim";
var TRIM_TOOL_HINT = `Your tool ${TRIM_TOOL} (it may need ToolSearch first) trims when your turn ends.`;
var SPEC2 = {
  name: "trim",
  description: "Shortens older tool outputs of this conversation when your turn ends.",
  inputSchema: {
    type: "object",
    properties: {
      why: {
        type: "string"
      }
    }
  },
  // The client sends only the name of a deferred tool, and leaves the cached prefix unchanged.
  isDeferred: true
};
var ANSWER = "Requested: the conversation is trimmed when your turn ends, if that frees enough. Every message is kept.";
var MAX_WHY_CHARS = 120;
var offered;
async function offerTrim(client, sessionId) {
  if (offered?.sessionId === sessionId) return;
  await client.tool.register(SPEC2);
  offered = {
    sessionId,
    why: undefined
  };
}
async function answerTrimTool(client, event) {
  if (event.agentId !== undefined) return {
    deny: "a subagent cannot trim the conversation"
  };
  const why = typeof event.why === "string" ? cleanLine(boundText(event.why, MAX_WHY_CHARS)) : "";
  offered = {
    sessionId: await client.session.id(),
    why
  };
  return {
    result: ANSWER
  };
}
function takeTrimRequest(sessionId) {
  if (offered?.sessionId !== sessionId || offered.why === undefined) return undefined;
  const { why } = offered;
  offered = {
    sessionId,
    why: undefined
  };
  return why === "" ? "because the model asked" : `because the model asked: "${why}"`;
}
function dropTrimRequest() {
  if (offered !== undefined) offered = {
    ...offered,
    why: undefined
  };
}
function forgetOffer() {
  offered = undefined;
}

// src/inside/undo.ts
function listUndoable({ boundaries }) {
  const undoable = [];
  for (const boundary of boundaries) {
    if (boundary.kind === "undo") undoable.pop();
    else undoable.push(boundary);
  }
  return undoable.reverse();
}
function undoCompaction({ rows, messages }, session, { line }) {
  const { number } = line;
  const { before, active } = session;
  const { lines, parents } = linesBefore(session, number);
  const summary = [
    ...before,
    ...active
  ].find((line2) => line2.number > number && line2.entry.raw.isCompactSummary === true);
  const text = resultTexts(summary?.entry.message?.content).join("\n").trim();
  const summaryIndex = messages.findIndex(({ role, content }) => role === "user" && content.some((block) => trimmedText(block) === text));
  const kept = new Set(keptLinesOf(line, parents).uuids);
  const old = conversationOf(lines, parents, {
    isWanted: (wanted) => !kept.has(uuidOf(wanted)),
    tip: tipBefore(line, parents)
  });
  if (old.length === 0) return undefined;
  const copied = summary === undefined ? countCopied(messages, old) : 0;
  let restored = [
    ...old,
    ...withoutLeading(messages, copied, true)
  ];
  if (copied === 0) {
    if (text === "" || summaryIndex < 0) return undefined;
    const renewed = lines.some(({ entry }) => renderedBlocks(entry).length > 0) ? attachmentsOf([
      ...before,
      ...active
    ].filter((line2) => line2.number > number)) : [];
    const later = messages.slice(summaryIndex).map(({ role, content }) => ({
      role,
      content: content.filter((block) => {
        const key = contentKey(block);
        const renewedAt = renewed.indexOf(key);
        if (renewedAt >= 0) renewed.splice(renewedAt, 1);
        return renewedAt < 0 && key !== text && !isRestoredContext(key);
      })
    })).filter(({ content }) => content.length > 0);
    const others = kept.size > 0 ? later : withoutKept(later, old);
    restored = [
      ...messages.slice(0, summaryIndex),
      ...old,
      ...others
    ];
  }
  return {
    rows: [
      ...promptRows(old),
      ...rows
    ],
    messages: restored,
    count: old.length,
    lines
  };
}
function tipBefore(boundary, parents) {
  const { uuids = [], anchorUuid } = keptLinesOf(boundary, parents);
  if (uuids.length > 0) return anchorUuid === uuidOf(boundary) ? undefined : uuids.at(-1);
  return asString(boundary.entry.raw.logicalParentUuid);
}
function linesBefore({ before, boundaries, parents }, end) {
  const previous = boundaries.findLast(({ line }) => line.number < end)?.line;
  const start = previous?.number ?? 0;
  const own = before.filter(({ number }) => number > start && number < end);
  const { uuids, anchorUuid = "" } = previous === undefined ? {} : keptLinesOf(previous, parents);
  const ids = new Set(uuids);
  const kept = before.filter((line) => line.number < start && ids.has(uuidOf(line)));
  const insertAt = own.findIndex((line) => uuidOf(line) === anchorUuid) + 1;
  const links = new Map(parents);
  if (previous !== undefined) links.set(uuidOf(previous), uuidOf(previous));
  let last = anchorUuid;
  for (const line of kept) {
    links.set(uuidOf(line), last);
    last = uuidOf(line);
  }
  for (const [id, parent] of parents) {
    if (parent === anchorUuid && !ids.has(id)) links.set(id, last);
  }
  return {
    lines: [
      ...own.slice(0, insertAt),
      ...kept,
      ...own.slice(insertAt)
    ],
    parents: links
  };
}
function attachmentsOf(after) {
  const end = after.findIndex((line) => line.entry.raw.isCompactSummary !== true && line.entry.type !== "attachment" && contentBlocks(line).some(({ text }) => !COMMAND_OR_OUTPUT2.test(asString(text) ?? "")));
  const between = end < 0 ? after : after.slice(0, end);
  return between.flatMap(({ entry }) => queuedPrompt(entry) ? [] : renderedBlocks(entry)).map(contentKey).filter((key) => key !== "");
}
function withoutKept(later, old) {
  const known = old.flatMap(keysOf);
  const kept = later.flatMap(keysOf);
  let count = Math.min(known.length, kept.length);
  while (count > 0 && !kept.slice(0, count).every((key, n) => key === known.at(n - count))) count--;
  return withoutLeading(later, count);
}
function countCopied(messages, old) {
  const known = old.flatMap(keysOf);
  const keys = messages.flatMap(keysOf);
  const end = keys.findIndex((key, n) => key !== known[n]);
  if (end < 0) return keys.length;
  return keys.slice(end).some((key) => key.includes(ID_MARK) && known.includes(key)) ? 0 : end;
}
function withoutLeading(messages, count, areCopies = false) {
  let left = count;
  return messages.map(({ role, content }) => ({
    role,
    content: content.filter((block) => keyOf2(role, block) === undefined ? left <= 0 || !areCopies : left-- <= 0)
  })).filter(({ content }) => content.length > 0);
}
function keysOf({ role, content }) {
  return content.flatMap((block) => keyOf2(role, block) ?? []);
}
var ID_MARK = "\0";
function keyOf2(role, block) {
  if (isReminder(trimmedText(block))) return undefined;
  const id = asString(block.tool_use_id) ?? asString(block.id);
  const key = id === undefined ? asString(block.text)?.trim() : ID_MARK + id;
  return key === undefined ? undefined : `${role} ${key}`;
}
function contentKey(block) {
  return mediaData(block) || trimmedText(block);
}
function trimmedText({ text }) {
  return textBeforeHiding(asString(text) ?? "");
}
var COMMAND_OR_OUTPUT2 = /^<(?:command-name|local-command-caveat|local-command-stdout)>/;
function conversationOf(lines, parents, { isWanted = () => true, tip } = {}) {
  const sent = sentLines(lines, parents, tip);
  const results = /* @__PURE__ */ new Map();
  for (const block of sent.flatMap(contentBlocks)) {
    if (isResult(block) && !results.has(block.tool_use_id)) results.set(block.tool_use_id, block);
  }
  const messages = [];
  const answers = /* @__PURE__ */ new Map();
  const callers = /* @__PURE__ */ new Map();
  for (const line of sent) {
    if (line.entry.type !== "assistant") {
      const content = line.entry.type === "attachment" ? renderedBlocks(line.entry) : contentBlocks(line).filter((block) => !isResult(block));
      if (isWanted(line)) messages.push({
        role: "user",
        content
      });
      continue;
    }
    const id = answerOf2(line);
    const answer = answers.get(id) ?? {
      blocks: [],
      results: []
    };
    if (!answers.has(id) && isWanted(line)) {
      messages.push({
        role: "assistant",
        content: answer.blocks
      });
      messages.push({
        role: "user",
        content: answer.results
      });
    }
    answers.set(id, answer);
    for (const block of contentBlocks(line)) {
      const { id: id2, type } = block;
      if (type === "tool_use") {
        if (!results.has(id2) || callers.has(id2)) continue;
        callers.set(id2, answer);
      }
      answer.blocks.push(block);
    }
  }
  for (const [id, result] of results) callers.get(id)?.results.push(result);
  return messages.filter(({ content }) => content.length > 0);
}
function isResult({ type }) {
  return type === "tool_result";
}
function sentLines(lines, parents, tip) {
  const seen = /* @__PURE__ */ new Set();
  const own = lines.filter(({ entry, number }) => {
    const { size } = seen;
    const isFailure = entry.raw.isApiErrorMessage === true && entry.message?.model === "<synthetic>";
    return !isFailure && seen.add(entry.uuid ?? number).size > size;
  });
  const chain = /* @__PURE__ */ new Set();
  const isOnChain = (line) => chain.has(uuidOf(line));
  const ids = new Set(own.map(uuidOf));
  const nearest = (start) => {
    let id = start;
    for (let steps = parents.size; steps > 0 && id !== undefined && !ids.has(id); steps--) {
      id = parents.get(id);
    }
    return id;
  };
  const tipId = nearest(tip);
  const end = own.find((line) => uuidOf(line) === tipId) ?? own.at(-1);
  for (let last = end; last !== undefined; ) {
    let id = uuidOf(last);
    while (id !== undefined && (ids.has(id) || parents.has(id)) && !chain.has(id)) {
      chain.add(id);
      id = parents.get(id);
    }
    last = id === undefined || chain.has(id) ? undefined : own[own.findIndex(isOnChain) - 1];
  }
  const answers = new Set(own.filter((line) => line.entry.type === "assistant" && isOnChain(line)).map(answerOf2));
  const belongsToAnswer = (line) => line.entry.type === "assistant" && answers.has(answerOf2(line));
  const calls = new Set(own.filter(belongsToAnswer).flatMap(contentBlocks).map(({ id }) => id));
  const followed = /* @__PURE__ */ new Set();
  return own.filter((line) => {
    const id = uuidOf(line);
    const { type, raw } = line.entry;
    const isAdded = type === "attachment" || raw.isMeta === true;
    const isAnswer = belongsToAnswer(line) || contentBlocks(line).some((block) => isResult(block) && calls.has(block.tool_use_id)) || isAdded && followed.has(nearest(parents.get(id)));
    if (isAnswer) followed.add(id);
    return isAnswer || isOnChain(line);
  });
}
function answerOf2(line) {
  return asString(line.entry.message?.id) ?? uuidOf(line);
}
function promptRows(messages) {
  return messages.filter(({ role }) => role === "user").flatMap(({ content }) => content.flatMap(({ type, text }) => type === "text" && !isReminder(`${text}`) ? [
    userRow(`${text}`)
  ] : []));
}
function findOriginals(rows, before) {
  const blocks = before.flatMap(contentBlocks);
  const texts = new Map(blocks.filter(isResult).map(({ tool_use_id, content }) => [
    tool_use_id,
    resultTexts(content).join("\n")
  ]));
  const calls = new Map(blocks.map(({ id, input }) => [
    id,
    input
  ]));
  const results = /* @__PURE__ */ new Map();
  const inputs = /* @__PURE__ */ new Map();
  for (const { tool_use_id: id, text } of resultsIn(rows)) {
    const original = texts.get(id);
    if (original !== undefined && original !== text && isCutText(text)) results.set(id, original);
  }
  for (const { tool_use_id: id, input } of callsIn(rows)) {
    const original = calls.get(id);
    if (!isObject(original) || JSON.stringify(original) === JSON.stringify(input)) continue;
    if (stringsIn(input).some(isCutText)) inputs.set(id, original);
  }
  return {
    results,
    inputs
  };
}

// hooks/_inside_undo.ts
var MAX_UNCONFIRMED_PERCENT = 33;
var HINT = ". That is more than a third of the conversation: type the command again to confirm";
var awaitingConfirmation;
async function dropRows(client, session, ranges, { isDryRun }) {
  const { id, lines, fill, model, messages, media } = session;
  const refusal = refusalOf(messages, media.inUse);
  if (refusal !== undefined) return refusal;
  const { rows, turns } = dropTurns(session, ranges, shortId(id));
  const dropped = turns.reduce((sum, turn2) => sum + turn2.tokens, 0);
  const { scale, tokens: before } = measure(lines, fill, model);
  const losses = countLosses(messages);
  const freed2 = (dropped + losses.thinkingTokens) * scale + media.tokens;
  const tokens = {
    before,
    after: Math.max(0, Math.round(before - freed2))
  };
  const text = describeDrop(turns, {
    tokens,
    limit: limitOf(fill),
    losses,
    media
  });
  const key = `${id} ${ranges.join()}`;
  const isLarge = dropped * scale * 100 > MAX_UNCONFIRMED_PERCENT * before;
  const needsConfirmation = isLarge && awaitingConfirmation !== key && await isInTerminal(client);
  if (isDryRun || needsConfirmation) {
    awaitingConfirmation = key;
    return {
      skip: isDryRun ? `trimtab: dry run: ${text}` : `trimtab: not done yet: ${text}${HINT}`
    };
  }
  awaitingConfirmation = undefined;
  return await replaceConversation(client, session, {
    kind: "trim",
    rows: changeRows(rows),
    dropped: turns.flatMap((turn2) => turn2.rows),
    message: `${TRIM_MARK} ${text}. ${cacheText(tokens)}. Undo: /trim --undo`,
    tokens
  });
}
async function undoRows(client, rows) {
  const session = await sessionOf(client, rows);
  const undoable = listUndoable(session.lines);
  if (undoable.length === 0 && !hasCuts(session.rows, {
    isTextOnly: true
  })) {
    return {
      skip: NOTHING_TO_UNDO
    };
  }
  for (const last of [
    ...undoable,
    undefined
  ]) {
    const answer = last?.kind === "compaction" ? await restoreSummarized(client, {
      session,
      rows,
      last
    }) : await undoTrim(client, session, last);
    if (answer !== undefined) return answer;
  }
  return {
    skip: hasCuts(session.rows, {
      isTextOnly: true
    }) ? ORIGINAL_IS_MISSING : ONLY_PICTURES
  };
}
async function undoTrim(client, session, last) {
  const { before, boundaries } = session.lines;
  const end = last?.line.number ?? 0;
  const start = boundaries.findLast(({ line }) => line.number < end)?.line.number ?? 0;
  const linesBefore2 = before.filter(({ number }) => number < end);
  const oldLines = linesBefore2.filter(({ number }) => number > start);
  const withDropped = restoreDroppedTurns(session, oldLines, last && tipBefore(last.line, session.lines.parents));
  const old = linesBefore2.length > 0 ? linesBefore2 : await readReferencedLines(client, withDropped);
  const changes = findOriginals(withDropped, old);
  const [results, inputs] = [
    changes.results.size,
    changes.inputs.size
  ];
  const isDropped = withDropped.some((row) => !session.rows.includes(row));
  if (results + inputs === 0 && !isDropped) return undefined;
  const refusal = refusalOf(session.messages, session.media.inUse);
  if (refusal !== undefined) return refusal;
  const now = session.fill.tokens;
  const { trims } = await readRecord(client).catch(() => ({
    trims: []
  }));
  const skipped = listUndoable(session.lines).filter(({ kind, line }) => kind === "trim" && line.number > end).length;
  const { tokens_before: size, tokens_after: left } = trimsInEffect(trims).at(-1 - skipped) ?? {};
  const after = size && left ? (now ?? left) + size - left : size ?? undefined;
  return await replaceConversation(client, session, {
    kind: "undo",
    rows: changeRows(withDropped, changes),
    message: describeUndo({
      results,
      inputs,
      isDropped,
      // Images cannot be restored, because the client's rows contain only text.
      media: countMediaLines(session.rows),
      isFull: (after ?? 0) >= limitOf(session.fill)
    }),
    tokens: after === undefined ? undefined : {
      before: now ?? 0,
      after
    }
  });
}
function restoreDroppedTurns({ id, rows, lines, media }, oldLines, tip) {
  const reminders = readReminders([
    ...lines.before,
    ...lines.active
  ], lines);
  const start = oldLines[0]?.number ?? Infinity;
  const restored = [];
  let question;
  for (const row of rows) {
    const range = droppedRange(row.text);
    if (range !== undefined && range.to >= start && id.startsWith(range.session)) {
      const messages = conversationOf(oldLines, lines.parents, {
        isWanted: ({ number }) => number >= range.from && number <= range.to,
        tip
      });
      const turns = layOutRows({
        rows: promptRows(messages),
        messages
      }, reminders, media);
      restored.push(...turns);
      question = turns.findLast(({ role, text }) => role === "assistant" && text !== "")?.text;
      continue;
    }
    const isRepeated = row.role === "assistant" && row.text !== "" && row.toolUses.length === 0 && row.text === question;
    question = undefined;
    if (!isRepeated) restored.push(row);
  }
  return restored;
}
var ORIGINAL_IS_MISSING = "trimtab: cannot undo this trim: the original text is in the session named in its notices";
var NOTHING_TO_UNDO = "trimtab: there is no trim in place or compaction to undo";
var ONLY_PICTURES = "trimtab: nothing was undone: replaced pictures and documents cannot be restored";
async function restoreSummarized(client, { session, rows, last }) {
  const { lines, fill } = session;
  const undone = undoCompaction({
    rows,
    messages: session.messages
  }, lines, last);
  if (undone === undefined) return undefined;
  const refusal = refusalOf(undone.messages);
  if (refusal !== undefined) return refusal;
  const { context, inside } = await settingsOf(client);
  const reminders = readReminders([
    ...undone.lines,
    ...lines.active
  ], lines);
  const media = readMedia(undone.messages, lines, session);
  const whole = layOutRows(undone, reminders, media);
  const restored = {
    count: undone.count,
    media: media.count
  };
  const { preTokens, postTokens } = Object(last.line.entry.raw.compactMetadata);
  const nonMessage = nonMessageTokens(usedCategories(fill.breakdown));
  const isBilled = undone.lines.some(({ entry }) => usageOfEntry(entry) !== undefined);
  const addedTokens = (fill.tokens ?? 0) - nonMessage - (Number(postTokens) || 0);
  const tokens = (Number(preTokens) || 0) + (isBilled ? 0 : nonMessage) + Math.max(0, addedTokens);
  const limit = limitOf(fill);
  if (contextPercent(tokens, limit) < context.urgent_threshold) {
    return await replaceConversation(client, session, {
      kind: "restore",
      rows: changeRows(whole),
      message: describeUndoneCompaction(restored),
      tokens: {
        before: fill.tokens ?? 0,
        after: tokens
      }
    });
  }
  const { messages } = undone;
  const plan = planOf({
    ...session,
    rows: whole,
    messages,
    media,
    fill: {
      ...fill,
      tokens
    }
  }, {
    targetPercent: inside.compact_after_trim_percent
  }, context);
  if (plan.tokens.after > limit) {
    return {
      skip: "trimtab: the compaction cannot be undone: the messages that it summarized do not fit"
    };
  }
  const message = describeUndoneCompaction(restored, plan);
  return await replaceConversation(client, session, {
    ...plan,
    kind: "trim",
    message
  });
}

// hooks/_inside_watch.ts
var CHECK_EVERY_MS = 5e3;
var STOP_EVERY_MS = 5 * 6e4;
var turn;
function hasTurn(sessionId) {
  return turn?.sessionId === sessionId;
}
function forgetSession() {
  forgetFreed();
  forgetOffer();
  turn = undefined;
}
async function promptHook(client, event, next) {
  if (event.agent_id !== undefined) return await next(event);
  turn = undefined;
  try {
    await attempt(client, () => appendNoteAtPrompt(client, event.session_id));
    const settings = await settingsOf(client);
    const isShaped = (settings.live.enabled || settings.isPartial) && await attempt(client, () => canReadStored(client)) !== false;
    turn = {
      sessionId: event.session_id,
      settings,
      isShaped,
      isWatched: true,
      checkedAtMs: 0
    };
  } catch (error) {
    logFailure(client, error);
    await setIdle(client, event.session_id, []);
  }
  return await answerHook(client, event, next);
}
async function batchHook(client, event, next) {
  if (event.agent_id !== undefined || turn?.isWatched !== true) return await next(event);
  const level = await levelNow(client, turn);
  const isDue = level !== turn.level || Date.now() - turn.checkedAtMs >= CHECK_EVERY_MS;
  return isDue ? await answerHook(client, event, next) : await next(event);
}
async function levelNow(client, { sessionId, settings }) {
  return await percentInUse(client, sessionId).then((percent2) => warningLevel(percent2, settings.context), () => undefined);
}
async function answerHook(client, event, next) {
  const current = turn;
  const message = current && await attempt(client, () => checkWindow(client, current));
  if (message?.isRise === true) {
    client.ui.log(message.text + message.offer);
    void showFillSoon(client);
  }
  const result = await next(event);
  if (message === undefined) return result;
  const hint = await attempt(client, async () => {
    const mayTrim = message.suggestsTrim && turn?.settings.inside.model_may_trim === true && await isInTerminal(client);
    if (!mayTrim) return "";
    await offerTrim(client, event.session_id);
    return ` ${TRIM_TOOL_HINT}`;
  });
  const text = message.text + (hint ?? "");
  return {
    ...result,
    additionalContext: [
      ...result.additionalContext ?? [],
      text
    ]
  };
}
async function checkWindow(client, turn2) {
  const { sessionId, settings } = turn2;
  const { context, inside } = settings;
  turn2.checkedAtMs = Date.now();
  turn2.isWatched = !isLeftToHooks(settings) && !await hasMessages(client);
  const isIdleSet = await setIdle(client, sessionId, idleHooks(turn2));
  turn2.isWatched &&= isIdleSet;
  if (!turn2.isWatched) return undefined;
  turn2.level = await levelNow(client, turn2);
  return await watchFill(client, context, {
    measureFreed: (fill) => freedOf(client, context, fill),
    isTrimFirst: async (freed2, { limit, limit_kind: limitKind }) => isTrimFirst(inside, await isInTerminal(client)) && isTrimCertain(freed2, {
      limit,
      limitKind
    }, inside.compact_after_trim_percent),
    isOfferable: async () => inside.trim_at_percent === null && await isInTerminal(client)
  });
}
function idleHooks({ isWatched, isShaped }) {
  return [
    ...isWatched ? [
      "user-prompt-submit",
      "post-tool-batch"
    ] : [],
    ...isShaped ? [] : [
      "post-tool-use"
    ]
  ];
}
var lastStop;
async function stopHook(client, event, next) {
  const finished = turn;
  const { agent_id: agentId, session_id: sessionId } = event;
  if (agentId !== undefined || finished?.sessionId !== sessionId || !finished.isWatched) {
    return await next(event);
  }
  await attempt(client, async () => {
    const [isUsed, percent2] = await Promise.all([
      isUsedProject(client),
      percentInUse(client, sessionId)
    ]);
    const isFull = percent2 >= finished.settings.context.warn_threshold;
    const last = lastStop?.sessionId === sessionId ? lastStop : undefined;
    const isDue = isFull || last?.isFull === true || isUsed && Date.now() - (last?.atMs ?? 0) >= STOP_EVERY_MS;
    if (isDue) lastStop = {
      sessionId,
      atMs: Date.now(),
      isFull
    };
    await setIdle(client, sessionId, [
      ...idleHooks(finished),
      ...isDue ? [] : [
        "stop"
      ],
      ...isUsed ? [] : [
        "session-end"
      ]
    ]);
  });
  return await next(event);
}
async function showFill(client) {
  const settings = await settingsOf(client);
  if (isLeftToHooks(settings)) return client.ui.status(undefined);
  const { context } = settings;
  const fill = await readFill(client);
  const isRaised = fillText(fill, context) !== undefined;
  const freed2 = isRaised ? await freedOf(client, context, fill) : undefined;
  client.ui.status(fillText(fill, context, freed2));
  await recordFill(client, fill);
}
var isShowScheduled = false;
var SHOW_AFTER_MS = 250;
async function showFillSoon(client) {
  if (isShowScheduled) return;
  isShowScheduled = true;
  try {
    await client.clock.after(SHOW_AFTER_MS, async () => {
      isShowScheduled = false;
      await attempt(client, () => showFill(client));
    });
  } catch (error) {
    isShowScheduled = false;
    logFailure(client, error);
  }
}
function isLeftToHooks({ isPartial, context }) {
  return isPartial || context.window_tokens !== null;
}

// hooks/_inside.ts
var SKILL = "trimtab:trim";
var TRIM_WORD = "trimtab";
var COPY_ONLY_OPTIONS = [
  "copy",
  "explain",
  "help",
  "json",
  "skill"
];
var FAILED = "trimtab could not trim in place. For a copy: /trim --copy";
var receivesCompactions;
var BLOCKED_BY_SETTINGS = "managed settings keep trimtab from changing the conversation in place";
var CACHE_IS_WARM = "trimtab: nothing was cut, since your prompt has filled the prompt cache again";
function register(on) {
  receivesCompactions = undefined;
  on("command.run", {
    command: SKILL
  }, async (client, event, next) => {
    try {
      const answer = await answerTrim(client, event.args);
      if (answer !== undefined) return answer;
    } catch (error) {
      if (error instanceof UsageError) return displayOnly(error.message);
      const why = reasonOf(error);
      if (isOnlyInPlace(argumentsOf(event.args).options)) return displayOnly(why);
      const refusal = await refuseRewound(client);
      if (refusal !== undefined) return refusal;
      client.ui.log(`writing a copy instead: ${why}`);
    }
    return await attempt(client, () => answerCopy(client, event)) ?? await next(event);
  }).catch(passOn);
  on("session.start", async (client, event, next) => {
    await attempt(client, () => Promise.all([
      resetIdle(client),
      offerRecallIfCut(client)
    ]));
    return await next(event);
  });
  on("session.end", async (client, event, next) => {
    client.ui.status(undefined);
    forgetSession();
    setNotePending(false);
    await attempt(client, () => settlePending(client));
    return await next(event);
  });
  on("classic.SessionStart", (client, event, next) => {
    receivesCompactions = true;
    const { source, prompt_cache_likely_expired: isCold } = event;
    if (source === "resume" && isCold === true) trimSoonIfNeeded(client, true);
    return sessionStartHook(client, event, next);
  }).catch(passOn);
  on("turn.complete", (client, event, next) => {
    if (event.agentId === undefined) {
      receivesCompactions ??= false;
      if (event.reason === "answer") trimSoonIfNeeded(client, false);
      else dropTrimRequest();
    }
    return next(event);
  });
  on("tool.call", {
    tool: "Edit"
  }, editHook).catch(passOn);
  on("tool.call", {
    tool: "NotebookEdit"
  }, editHook).catch(passOn);
  on("tool.call", {
    tool: "Write"
  }, editHook).catch(passOn);
  on("tool.call", {
    tool: RECALL
  }, answerRecall).catch(() => ({
    deny: "trimtab could not read that text"
  }));
  on("tool.call", {
    tool: TRIM_TOOL
  }, answerTrimTool).catch(() => ({
    deny: "trimtab could not record the request"
  }));
  on("classic.UserPromptSubmit", (client, event, next) => {
    receivesCompactions = true;
    return promptHook(client, event, next);
  }).catch(passOn);
  on("classic.PostToolBatch", (client, event, next) => {
    receivesCompactions = true;
    return batchHook(client, event, next);
  }).catch(passOn);
  on("classic.Stop", (client, event, next) => {
    receivesCompactions = true;
    return stopHook(client, event, next);
  }).catch(passOn);
  on("session.measure", (client, event, next) => {
    if (event.changed.includes("context")) void showFillSoon(client);
    return next(event);
  });
  on("session.compact", compactHook).catch((_client, event) => (
    // After a failure or a timeout, the client would otherwise summarize instead of trimming.
    ownInstructions(event) === undefined ? undefined : {
      skip: FAILED
    }
  ));
}
function passOn() {
  return undefined;
}
async function compactHook(client, event, next) {
  if (event.agentId !== undefined) return await next(event);
  receivesCompactions = true;
  await attempt(client, () => settlePending(client));
  setReplaced(undefined);
  const typed = ownInstructions(event);
  if (typed !== undefined) {
    try {
      return await trimRows(client, event.messages, typed);
    } catch (error) {
      return {
        skip: `trimtab could not trim in place: ${reasonOf(error)}`
      };
    }
  }
  const { trigger } = event;
  if (trigger === "auto" || trigger === "precompute") {
    const answer = await attempt(client, () => trimInsteadOfCompacting(client, event));
    if (answer !== undefined) return answer;
  }
  if (trigger === "precompute") return await next(event);
  clearForgottenFiles();
  return await compactWithUndoHint(client, event, next);
}
function ownInstructions(event) {
  const { trigger, agentId, instructions } = isObject(event) ? event : {};
  if (trigger !== "manual" || agentId !== undefined || typeof instructions !== "string") {
    return undefined;
  }
  return trimOptions(instructions);
}
async function answerTrim(client, typed) {
  const { positionals, options } = argumentsOf(typed);
  if (positionals.length > 0 || options.help) return undefined;
  if (COPY_ONLY_OPTIONS.some((name) => options[name])) return await refuseRewound(client);
  if (!await isInTerminal(client)) return undefined;
  if (options.undo || options.drop) {
    if (receivesCompactions === false) {
      return displayOnly(`Nothing was changed: ${BLOCKED_BY_SETTINGS}`);
    }
    const doing = options.undo ? "Undoing the last trim or compaction" : "Dropping turns";
    return await trimSoon(client, typed, doing);
  }
  const rows = await currentRows(client);
  const { session, plan, text, problem } = await planTyped(client, rows, options);
  if (problem !== undefined) client.ui.log(problem);
  if (text !== undefined) return displayOnly(text);
  const why = receivesCompactions === false ? BLOCKED_BY_SETTINGS : copyReason(plan);
  if (why !== undefined) {
    if (session.lines.endsWithRewoundTurns) return displayOnly(REWOUND);
    client.ui.log(`writing a copy instead: ${why}`);
    return undefined;
  }
  if (hasCuts(plan.rows)) offerRecall(client, session.id).catch(() => {
  });
  plannedTrim = {
    typed: typed.trim(),
    rows,
    session,
    plan
  };
  return await trimSoon(client, typed, "Trimming in place");
}
var plannedTrim;
async function planTyped(client, rows, options) {
  const [settings, session] = await Promise.all([
    settingsOf(client),
    sessionOf(client, rows)
  ]);
  const { context: config, problem } = settings;
  const plan = planOf(session, options, config);
  const { entries: isList = false } = options;
  let text;
  if (isList || options.status) {
    text = await statusText(client, session, {
      plan,
      config,
      isList
    });
  } else if (copyReason(plan) === undefined) {
    text = noTrimText({
      session,
      plan
    }, options, config);
    if (options.dryRun) text ??= describePlan(plan);
  }
  return {
    session,
    plan,
    text,
    problem
  };
}
var runningTrim = Promise.resolve();
async function trimSoon(client, typed, text) {
  const sessionId = await client.session.id();
  schedule(client, () => compactNow(client, sessionId, typed));
  return displayOnly(text);
}
function trimSoonIfNeeded(client, isCold) {
  if (receivesCompactions === false) return;
  schedule(client, async () => {
    const sessionId = await client.session.id();
    const why = await reasonToTrimNow(client, isCold, takeTrimRequest(sessionId));
    if (why !== undefined) await compactNow(client, sessionId, "", {
      why,
      isCold
    });
  });
}
function schedule(client, trim) {
  client.clock.after(1, () => runningTrim = runningTrim.then(() => attempt(client, trim)));
}
var automaticTrim;
var trimmedSession;
async function compactNow(client, sessionId, typed, trim) {
  automaticTrim = trim;
  trimmedSession = sessionId;
  try {
    await client.command.run({
      command: "compact",
      args: `${TRIM_WORD} ${typed}`.trim()
    });
  } catch (error) {
    client.ui.log(describeFailure(reasonOf(error), isUndo(typed)));
    return;
  } finally {
    automaticTrim = plannedTrim = trimmedSession = undefined;
  }
  receivesCompactions ??= false;
  if (!receivesCompactions) client.ui.log(`${BLOCKED_BY_SETTINGS}. For a copy: /trim`);
  await showFillSoon(client);
}
async function editHook(client, event, next) {
  if (event.agentId === undefined) await attempt(client, () => rereadFile(client, event));
  return await next(event);
}
async function trimRows(client, rows, typed) {
  if (trimmedSession !== undefined && trimmedSession !== await client.session.id()) {
    return {
      skip: "trimtab: nothing was changed, because the trim was meant for another session"
    };
  }
  if (plannedTrim?.typed === typed && isSameConversation(plannedTrim.rows, rows)) {
    return await applyTrim(client, plannedTrim);
  }
  const { positionals, options } = argumentsOf(typed);
  if (options.undo) return await undoRows(client, rows);
  const copyOption = COPY_ONLY_OPTIONS.find((name) => options[name]);
  const invalid = positionals[0] ?? (copyOption && `--${copyOption}`);
  if (invalid !== undefined) {
    return {
      skip: `trimtab: ${invalid} is not an option of /compact trimtab; see /trim --help`
    };
  }
  if (automaticTrim?.isCold === true && hasTurn(await client.session.id())) {
    return {
      skip: CACHE_IS_WARM
    };
  }
  const { drop, dryRun: isDryRun = false } = options;
  if (drop !== undefined) {
    const ranges = drop.flatMap((list2) => list2.split(","));
    return await dropRows(client, await sessionOf(client, rows), ranges, {
      isDryRun
    });
  }
  const { session, plan, text } = await planTyped(client, rows, options);
  if (text !== undefined) return {
    skip: `trimtab: ${text}`
  };
  const why = copyReason(plan);
  if (why !== undefined) {
    return {
      skip: `trimtab: only a copy can be trimmed, because ${why}: /trim --copy`
    };
  }
  return await applyTrim(client, {
    session,
    plan
  });
}
function applyTrim(client, { session, plan }) {
  return replaceConversation(client, session, {
    ...plan,
    kind: "trim",
    message: describeInside(plan, automaticTrim?.why)
  });
}
function noTrimText({ session, plan }, options, config) {
  if (options.entry) return uncutText(session, plan, options);
  const dropsMedia = options.dropImages && plan.media.count > 0;
  if (dropsMedia || !isTooSmallTrim(plan)) return undefined;
  const { savedTokens } = plan.cuts;
  const gainOf = (option) => {
    const larger = planOf(session, {
      ...options,
      ...option
    }, config);
    if (isTooSmallTrim(larger)) return 0;
    return Math.max(0, Math.round(larger.cuts.savedTokens - savedTokens));
  };
  return describeNoTrim(plan, {
    deep: gainOf({
      depth: "deep"
    }),
    newest: gainOf({
      keepRecent: 0
    })
  });
}
export {
  register
};
