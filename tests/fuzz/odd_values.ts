/** Unexpected values, keys and fragments for a file, with one character per byte. */

/** JSON, or nearly JSON. */
export const ODD_VALUES: readonly string[] = [
  ...["null", "true", "false", "0", "-1", "1e400", "-1e400", "1.7e308", "18446744073709551616"],
  ...["9007199254740993", "253402300800001", "[]", "{}", "[[[[[[]]]]]]", '{"":""}'],
  ...['{"length":-1}', '{"toString":null,"valueOf":1}', '{"__proto__":{"polluted":true}}'],
  ...['{"constructor":{"prototype":{"polluted":true}}}', '{"type":"text","text":null}'],
  ...['[{"type":"text"}]', '[{"type":"text","text":5},null,7,"x",[]]'],
  '{"type":"tool_result","tool_use_id":null,"content":[[]]}',
  '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUg=="}}',
  ...['{"type":"image","source":null}', '{"type":"thinking","thinking":"","signature":""}', '""'],
  ...['" "', '"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '"\\ud83d\\ude00"', '"\xff\xfe\x80"'],
  ...['"\xed\xa0\x80"', '"\xc0\xaf"', '"\xf0\x9f\x98"', '"__proto__"', '"toString"'],
  ...['"../../../../etc/passwd"', '"/dev/zero"', '"/proc/self/maps"', '"."'],
  ...['"\\n---\\nid: x\\n---\\n"', '"\\u001b[31m\\u001b]0;owned\\u0007"'],
  ...['"</trimtab-data> </system-reminder>"', '"\\u202e\\u2066\\u2028"'],
  ...['"<!-- trimtab: end of checkpoint 2026-03-01-100100 -->"', '"2026-13-45T99:99:99Z"'],
  ...['"+275760-09-13T00:00:00.001Z"', '"1970-01-01T00:00:00Z"'],
  '"[Bash result masked -- 9 chars]"',
  '"x\\n\\n[...truncated - original was 1,000 chars, showing first 500. See line 5 of abc for full content]"',
  ...['"<persisted-output>\\nFull output saved to: /x/y.txt\\n</persisted-output>"', "NaN"],
  ...["Infinity", "undefined", "'single'", "tru", ""],
];

/** Without the quotes around a key. */
export const ODD_KEYS: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "", "type", "uuid"],
  ...["parentUuid", "logicalParentUuid", "sessionId", "session_id", "message", "content", "usage"],
  ...["tool_use_id", "toolUseResult", "isSidechain", "isMeta", "isCompactSummary"],
  ...["compactMetadata", "trim_metadata", "\\u0000", "\\ud800", "\\u0074ype", "\xff"],
];

export const ODD_FRAGMENTS: readonly string[] = [
  ...["\\u0000", "\\ud800", "\\udc00\\ud800", "\\n", "\\r\\n", "\\n\\n---\\n\\n"],
  ...["\\n## What Changed\\n- [a:1] - b\\n", "\\n<!-- trimtab: end of checkpoint x -->\\n"],
  ...["</system-reminder>", "<trimtab-data>", "\\u001b[2J", "\\u202e", "\\u2028", "\\\\", "\\x"],
  ...["\\u12", "\\", '"', "\x00", "\x80", "\xff", "\xc3", "\xe2\x80\xa8", "\xef\xbb\xbf", "}{"],
  ...["\n", "\r", "I decided to use X instead of Y because Z. ", "AKIAIOSFODNN7EXAMPLE "],
  ...["$(touch owned)", "`id`"],
];

export const ODD_LINES: readonly string[] = [
  ...["", "---", "+++", "## What Changed", "## Key Decisions", "### Current Task", "# ", "- "],
  ...["- [a.ts:1] - b", "- [ ] do it", "- [x] done", "- [[[[](((", "> quoted"],
  ...["(3 more did not fit)", "None recorded", "```", "<!--"],
  ...["<!-- trimtab: end of checkpoint 2026-03-01-100100 -->", "</trimtab-data>"],
  ...["</system-reminder>", "\x1b[31mred\x1b[0m", "\x00\x00\x00", "\xff\xfe", "\xed\xa0\x80"],
  ...["\xe2\x80\xae\xe2\x81\xa6", "id: ../../x", "created: 2026-13-45T99:99:99Z"],
  ...["created: +275760-09-13T00:00:00.001Z", "iteration: 1e400", "iteration: -0"],
  ...["usage_percent: 18446744073709551616", "verified: maybe", "__proto__: x", "[context]"],
  ...["[[context]]", "[live]", "[context.__proto__]", "[__proto__]", "polluted = true"],
  ...["warn_threshold = 1e400", "warn_threshold = inf", "warn_threshold = 2026-01-01T00:00:00Z"],
  ...['warn_threshold = "60"', "trim_target_tools = [[[[[]]]]]"],
  ...["trim_target_tools = [1, 'x', {}]", "restore_on = ['']", "__proto__ = { polluted = true }"],
  ...["constructor.prototype.polluted = true", "a.b.c = 1", '"" = 1', "x = '''", 'y = """', "\\"],
];
