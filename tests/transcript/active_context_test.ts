import { assertEquals } from "@std/assert";
import {
  type ActiveContext,
  findActiveContext,
  newestAnswerAt,
} from "../../src/transcript/tree/active_context.ts";
import { linesOf, textOf } from "./dsl.ts";
import { temporaryFile } from "./temporary_file.ts";

function withFile<T>(text: string, run: (file: Deno.FsFile, size: number) => T): T {
  using temporary = temporaryFile(text);
  using file = Deno.openSync(temporary.path);
  return run(file, file.statSync().size);
}

function contextOf(text: string): ActiveContext {
  return withFile(text, (file, size) => findActiveContext(file, size));
}

function idsOf(context: ActiveContext): string {
  return context.nodes.map((node) => node.uuid).join(" ");
}

/** Reads a table. Each row has a claim, a transcript in the notation of dsl.ts, and the ids that are sent. */
function rowsOf(table: string): [claim: string, transcript: string, sent: string][] {
  return table.trim().split(/\n {2}(?=\S)/).map((row) => {
    const [claim = "", transcript = "", sent = ""] = row.split("|").map((cell) => cell.trim());
    return [claim, transcript, sent];
  });
}

const THREE = "u1 a1<u1 u2<a1 a2<u2 u3<a2 a3<u3";

const SPLIT = "u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3";

const TIPS = `
  the last message of the file is the tip | ${SPLIT} | u1 a1 u3 a3
  the last message is the tip whatever its time | u1 a1<u1 u2<a1@50 a2<u2@51 u3<a1@20 | u1 a1 u3
  the last message is the tip even if it has children | a2<u2 u2<a1 a1<u1 u1 | u1
  the last message is the tip in the middle of a tree | u2<a1 a2<u2 u3<a2 a3<u3 u1 a1<u1 | u1 a1
  an attachment at the end selects its parent's branch | u1 a1<u1 u2<a1 x1<a1 | u1 a1 x1
  a system line at the end selects its parent's branch | u1 a1<u1 u2<a1 a2<u2 y1<a1 | u1 a1 y1
  a subagent's line is not the tip | u1 a1<u1 u2~ a2~<u2 | u1 a1
  a subagent's line below the conversation is not the tip | u1 a1<u1 u2~<a1 a2~<u2 | u1 a1
  a progress line is not the tip | u1 a1<u1 u2<a1 p1<a1 | u1 a1 u2
  a line of an unknown type is not the tip | u1 a1<u1 u2<a1 n1<a1 | u1 a1 u2
  with two roots, the tree of the last root is sent | u1 a1<u1 u2 a2<u2 | u2 a2
  with two roots, a last root without children is sent | u1 a1<u1 u9 | u9
  a parentless attachment is not the tip | u1 a1<u1 x9 | u1 a1
  a parentless system line is not the tip | u1 a1<u1 y9 | u1 a1
  without a tip at the end, the newest end is the tip |
      u0@7 a1<u0@8 u5<a1@9 u6<zz@5 x8<zz@20 | u0 a1 u5
  a message with a child message is not an end | u0 a1<u0@50 u3<a1@5 u4<a1@4 x8@20 | u0 a1 u3
  of two ends with equal times, the first in the file is the tip | u1@5 u2@5 x8@20 | u1
  branches that meet have one end | u1 y1<u1 x1<y1 x2<y1 x9 | u1 y1 x1 x2
  without any end, the newest line is sent | u1<a1@8 a1<u1@2 x1@50 | x1
  a last line below a subagent's line sends nothing | u0 a1<u0 u2~<a1 y1<u2 |
  a subagent alone sends nothing | u1~ a1~<u1 |
  a file without messages sends nothing | n1 p1 lp(n1) |
  a line without a time is never the newest | u1 u2@none x8 | u1
`;

const PROMPTS = `
  the recorded leaf is the tip | ${SPLIT} lp(a2) | u1 a1 u2 a2
  the recorded leaf is the tip for any position of the record | lp(a2) ${SPLIT} | u1 a1 u2 a2
  the last record applies | ${SPLIT} lp(a2) lp(a3) | u1 a1 u3 a3
  the last record applies, whichever leaf it has | ${SPLIT} lp(a3) lp(a2) | u1 a1 u2 a2
  a recorded leaf with children is the tip | ${SPLIT} lp(u2) | u1 a1 u2
  a last line that descends from the leaf takes precedence | ${SPLIT} lp(a1) | u1 a1 u3 a3
  a descendant after the record takes precedence | ${SPLIT} lp(a2) u4<a2 a4<u4 | u1 a1 u2 a2 u4 a4
  a line on another branch does not take precedence | ${SPLIT} lp(a2) u4<a3 | u1 a1 u2 a2
  a record with an unknown leaf is ignored | ${SPLIT} lp(zz) | u1 a1 u3 a3
  a record with an unknown leaf hides earlier records | u0 a1<u0 u2<u0 lp(a1) lp(zz) | u0 u2
  a record without a leaf hides no earlier record | u0 a1<u0 u2<u0 lp(a1) lp() | u0 a1
  attachments of the leaf are sent | ${SPLIT} lp(a2) x1<a2 | u1 a1 u2 a2 x1
  attachments of another branch are not sent | ${SPLIT} lp(a2) x1<a3 | u1 a1 u2 a2
  a system line as the leaf selects its parent's branch | u1 a1<u1 y1<a1 u2<u1 lp(y1) | u1 a1 y1
  a parentless system line as the leaf is ignored | y0 u6 lp(y0) | u6
  a progress line as the leaf is ignored | u0 a1<u0 p1<a1 u2<u0 lp(p1) | u0 u2
  a subagent's line as the leaf sends nothing | ${SPLIT} u9~<a1 lp(u9) |
  ancestors above a missing parent do not count | u0 lp(u0) u2<zz a3<u2 | u0
  the recorded leaf is the tip if the last line is parentless | u1 a1<u1 u2<a1 x5 lp(a1) | u1 a1
`;

const AFTER_TIP = `
  all attachments of the tip are sent | u1 a1<u1 x1<a1 x2<a1 x3<x1 | u1 a1 x1 x2 x3
  attachments of the tip are sent in file order | u1 a1<u1 x1<a1 x2<x1 x3<a1 | u1 a1 x1 x2 x3
  an attachment of the tip may have children | u1 a1<u1 x0<a1 u2<x0 x1<a1 | u1 a1 x0 x1
  attachments of a child message are not sent | u1 a1<u1 u2<a1 x2<u2 x1<a1 | u1 a1 x1
  attachments of lines above the tip are not sent | u1 a1<u1 x1<a1 u2<a1 | u1 a1 u2
  attachments below progress lines are sent | u1 a1<u1 p1<a1 x1<p1 p2<x1 x2<p2 | u1 a1 x1 x2
`;

const BROKEN = `
  the previous line replaces a missing parent | u1 a1<u1 u2<a1 a2<u2 u3<zz | u1 a1 u2 a2 u3
  the replacement is the newest earlier line | u1@1 a1<u1@2 u2<a1@50 u9<a1@15 u3<zz@20 | u1 a1 u9 u3
  the replacement can be anywhere in the file |
      u3<zz@10 a3<u3@30 u1@8 a1<u1@9 u4<a3@31 | u1 a1 u3 a3 u4
  the replacement may be 5 seconds older | u1@1 a1<u1@10 u3<zz@15 | u1 a1 u3
  the replacement may not be 5.001 seconds older | u1@1 a1<u1@10 u3<zz@15.001 | u3
  the replacement may not be newer | u1@1 a1<u1@11 u3<zz@10 | u3
  of lines with equal times, the first is the replacement | u1@6 u7<u1@9 u8<u1@9 u3<zz@10 | u1 u7 u3
  the first line is the replacement if times are equal |
      u1@5 a1<u1@5 u9<a1@5 u3<zz@5 a3<u3@5 | u1 u3 a3
  an assistant's missing parent is replaced, too | u1@6 a1<u1@9 u9<u1@9 a3<zz@12 | u1 a1 a3
  the replacement can be an attachment | u1 a1<u1 u9<a1 x1<a1 u3<zz | u1 a1 x1 u3
  the replacement can be a system line | u1 a1<u1 u9<a1 y1<a1 u3<zz | u1 a1 y1 u3
  the replacement cannot be a progress line | u1 a1<u1 u9<a1 p1<a1 u3<zz | u1 a1 u9 u3
  the replacement cannot be a subagent's line | u1 a1<u1 u2~ u3<zz | u1 a1 u3
  the replacement cannot be a line that is already on the path | u1@1 u3<zz@10 a3<u3@9 | u3 a3
  a line without a time gets no replacement | u1 a1<u1 u3<zz@none a3<u3 | u3 a3
  a parent of an unknown type counts as missing | u1 a1<u1 n1<a1 u9<a1 u3<n1 | u1 a1 u9 u3
  a line without a parent is a root | u1 a1<u1 u2 a2<u2 | u2 a2
  a line that is its own parent gets a replacement | u1 a1<u1 u3<u3 a3<u3 | u1 a1 u3 a3
  two lines that are each other's parents get a replacement | u1 a1<u1 u3<a3 a3<u3 | u1 a1 u3 a3
  a subagent's line that is a parent is sent | u1 a1<u1 u2~<a1 u3<u2 a3<u3 | u1 a1 u2 u3 a3
  a subagent's line replaces a subagent's parent | u0 u1~ u2~<zz u3<u2 | u1 u2 u3
  a main line does not replace a subagent's parent | u0 a0<u0 u2~<zz u3<u2 | u2 u3
  a progress line is skipped on the path | u1 a1<u1 p1<a1 u9<a1 u3<p1 | u1 a1 u3
  several progress lines are skipped on the path | u1 a1<u1 p1<a1 p2<p1 u9<a1 u3<p2 | u1 a1 u3
  a line below a parentless progress line is a root | u1 p1 u3<p1 | u3
  a progress line after its child is not skipped | u1@1 a1<u1@2 u2<p1@99 p1<a1@3 a3<u2 | u2 a3
  a missing parent above a progress line is replaced | u1 a1<u1 p1<zz u2<p1@4 a3<u2 | u1 a1 u2 a3
  only the message's time decides above a progress line | u1 a1<u1 p1<zz u2<p1@99 a3<u2 | u2 a3
  of two lines with one id, the last applies | u1 a1<u1 a2<u1 u3<a1 a1<a2 u4<u3 | u1 a2 a1 u3 u4
  a repeated id at the end of the file is the tip | ${SPLIT} u2<a1 | u1 a1 u2
`;

const COMPACTIONS = `
  a boundary cuts earlier lines | ${THREE} b1 u8<b1 u4<u8 | b1 u8 u4
  a boundary with a parent cuts | ${THREE} b1<a3 u8<b1 u4<u8 | b1 u8 u4
  a boundary with a missing parent cuts | ${THREE} b1<zz u8<b1 u4<u8 | b1 u8 u4
  a boundary outside the path does not cut | ${THREE} b1 u8<b1 u4<a3 | u1 a1 u2 a2 u3 a3 u4
  the newest boundary on the path applies | ${THREE} b1 u8<b1 u4<u8 b2 u9<b2 u5<u9 | b2 u9 u5
  a boundary without a summary cuts | ${THREE} b1 u4<b1 | b1 u4
  a parentless boundary at the end is not the tip | ${THREE} b1 | u1 a1 u2 a2 u3 a3
  a parentless boundary with an attachment is not the tip | ${THREE} b1 x1<b1 | u1 a1 u2 a2 u3 a3
  a boundary with a parent at the end cuts everything | ${THREE} b1<a3 | b1
  a summary without a boundary cuts nothing | u1 a1<u1 u8<zz u4<u8 | u1 a1 u8 u4
  a boundary invalidates earlier records of a leaf | ${THREE} lp(a3) b1 u8<b1 u4<u8 | b1 u8 u4
  a boundary does not invalidate later records | ${THREE} b1 u8<b1 u4<u8 lp(a3) | u1 a1 u2 a2 u3 a3
  a leaf above the boundary is an ancestor of the tip | ${THREE} b1<a3 u8<b1 u4<u8 lp(a3) | b1 u8 u4
  preserved lines follow their anchor | ${THREE} b1{u8:u3,a3} u8<b1 u4<u8 | b1 u8 u3 a3 u4
  preserved lines may have gaps | ${THREE} b1{u8:u1,a3} u8<b1 u4<u8 | b1 u8 u1 a3 u4
  preserved lines are sent in list order | ${THREE} b1{u8:a3,u3} u8<b1 u4<u8 | b1 u8 a3 u3 u4
  an unknown id invalidates the list | ${THREE} b1{u8:u3,zz,a3} u8<b1 u4<u8 | b1 u8 u4
  a progress line invalidates the list | u1 a1<u1 p1<a1 b1{u8:p1,a1} u8<b1 u4<u8 | b1 u8 u4
  the anchor can be the boundary | ${THREE} b1{b1:u3,a3} u8<b1 u4<u8 | b1 u3 a3 u8 u4
  the anchor can be a later line | ${THREE} b1{u4:u3,a3} u8<b1 u4<u8 a4<u4 | b1 u8 u4 u3 a3 a4
  preserved lines need a known anchor | ${THREE} b1{zz:u3,a3} u8<b1 u4<u8@99 | b1 u8 u4
  a preserved segment follows its anchor | ${THREE} b1{u8:u3..a3} u8<b1 u4<u8 | b1 u8 u3 a3 u4
  a segment can contain a progress line |
      u1 a1<u1 p1<a1 u2<p1 b1{u8:a1..u2} u8<b1 u4<u8 | b1 u8 a1 u2 u4
  a segment with an unknown head is ignored | ${THREE} b1{u8:zz..a3} u8<b1 u4<u8 | b1 u8 u4
  a segment with an unknown tail is ignored | ${THREE} b1{u8:u3..zz} u8<b1 u4<u8 | b1 u8 u4
  a reversed segment is ignored | ${THREE} b1{u8:a3..u3} u8<b1 u4<u8 | b1 u8 u4
  a segment with a missing link is ignored |
      u1 a1<u1 u2<zz a2<u2 b1{u8:a1..a2} u8<b1 u4<u8 | b1 u8 u4
  a child of the last preserved line follows it | ${THREE} b1{u8:u3,a3} u8<b1 u4<a3 | b1 u8 u3 a3 u4
  a child of an inner preserved line follows it |
      ${THREE} b1{u8:u2,a2,u3,a3} u8<b1 u4<a2 | b1 u8 u2 a2 u4
  a removed line's child follows preserved lines |
      ${THREE} b1{u8:u2,a2} u8<b1 u4<a1@99 | b1 u8 u2 a2 u4
  a removed line's attachment lacks a parent | ${THREE} b1{u8:u3,a3} u8<b1 x9<a1@99 u9<x9@99 | x9 u9
  a recent line replaces an attachment's removed parent |
      ${THREE} b1{u8:u3,a3} u8<b1 x9<a1 u9<x9 | b1 u8 x9 u9
  the anchor's attachment follows preserved lines |
      ${THREE} b1{u8:u3,a3} u8<b1 x9<u8 u9<x9 | b1 u8 u3 a3 x9 u9
  preserved lines are sent at the end of the file | ${THREE} b1{u8:u3,a3} u8<b1 | b1 u8 u3 a3
  an attachment of the anchor can end the file | ${THREE} b1{u8:u3,a3} u8<b1 x9<u8 | b1 u8 u3 a3 x9
  a boundary below a preserved line sends no list | ${THREE} b1<a3{u8:u3,a3} u8<b1 | b1 u8
  a boundary below a removed line sends its list | ${THREE} b1<a1{u8:u3,a3} u8<b1 | b1 u8 u3 a3
  an unlisted attachment is not sent | u1 a1<u1 x1<a1 b1{u8:u1,a1} u8<b1 | b1 u8 u1 a1
  a list can contain a subagent's line | u1 a1<u1 u2~ b1{u8:a1,u2} u8<b1 u4<u8 | b1 u8 a1 u2 u4
  an older boundary in a list cuts | b0 ${THREE} b1{u8:b0,a3} u8<b1 u4<u8 | b0 a3 u4
  only the newest list applies | ${THREE} b1{u8:u3,a3} u8<b1 u4<u8 b2{u9:u4} u9<b2 | b2 u9 u4
  the newest list can include lines of older lists |
      u1 b1{u8:u1} u8<b1 u4<u8 b2{u9:u1,u4} u9<b2 | b2 u9 u1 u4
  without a new list, a removed line's child is a root | u1 b1{u8:u1} u8<b1 b2 u9<b2 u7<u1@99 | u7
  without a new list, a recent line replaces a removed parent |
      u1 b1{u8:u1} u8<b1 b2 u9<b2 u7<u1 | b2 u9 u7
  an invalid newest list removes no lines | u1 b1{u8:u1} u8<b1 b2{u9:zz} u9<b2 u7<u8 | b1 u8 u7
  boundaries without lists remove no lines | u1 b1 u8<b1 b2 u9<b2 u7<u1 | u1 u7
  an empty list preserves no lines | ${THREE} b1{u8:} u8<b1 u4<u8 lp(a3) | b1 u8 u4
  an empty list changes no line's parent | ${THREE} b1{u8:} u8<b1 u4<a3@99 | u4
  a removed leaf is ignored | ${THREE} b1{u8:u3,a3} u8<b1 u4<u8 lp(a1) | b1 u8 u3 a3 u4
  a preserved leaf is an ancestor of the tip |
      ${THREE} b1{u8:u3,a3} u8<b1 u4<u8 lp(u3) | b1 u8 u3 a3 u4
  after a list, a leaf with children is ignored |
      ${THREE} b1{u8:u3,a3} u8<b1 u4<u8 a4<u4 u5<u8 lp(u4) | b1 u8 u3 a3 u5
  after a list, the tip has no children |
      ${THREE} b1{u8:u3,a3} u8<b1 a4<u4@20 u4<u8@10 | b1 u8 u3 a3 u4 a4
  after a list, an attachment selects no tip |
      ${THREE} b1{u8:u3,a3} u8<b1 u4<u8 x9<u8 | b1 u8 u3 a3 u4
  with two ends, the last line is the tip despite children |
      ${THREE} b1{u8:u3,a3} u8<b1 a9<u4@11 u7<u8@20 u4<u8@10 | b1 u8 u3 a3 u4
  after a list, a newer end is not the tip |
      ${THREE} b1{u8:u3,a3} u8<b1 u4<u8@50 a4<u4@51 u5<u8@20 | b1 u8 u3 a3 u5
`;

const PARALLEL = `
  results outside the chain are restored | u1 t1/m<u1 t2/m<t1 r1<t1 r2<t2 a2<r2 | u1 t1 t2 r1 r2 a2
  restored results precede the chain's result |
      u1 t1/m<u1 t2/m<t1 r2<t2 r1<t1 a2<r1 | u1 t1 t2 r2 r1 a2
  two results of a call are restored |
      u1 t1/m<u1 t2/m<t1 r1<t1@9 r4<t1@9 r2<t2@9 a2<r2 | u1 t1 t2 r1 r4 r2 a2
  a result before its call is restored | u1 t1/m<u1 r2<t2 t2/m<t1 r1<t1 a2<r1 | u1 t1 t2 r2 r1 a2
  sibling calls of a message are restored | u1 t1/m<u1 t2/m<u1 r1<t1 r2<t2 a2<r2 | u1 t2 t1 r1 r2 a2
  the result of another message is not restored | u1 t1<u1 t2<t1 r2<t2 r1<t1 a2<r1 | u1 t1 r1 a2
  a text of the same message is restored | u1 t1/m<u1 a9/m<t1 r1<t1 a2<r1 | u1 t1 a9 r1 a2
  a result below progress is restored |
      u1 t1/m<u1 t2/m<t1 p1<t1 r1<p1 r2<t2 a2<r2 | u1 t1 t2 r1 r2 a2
  a user's text is not restored | u1 t1/m<u1 t2/m<t1 u9<t1 r2<t2 a2<r2 | u1 t1 t2 r2 a2
  a subagent's lines are restored | u1 t1/m<u1 t3~/m<t1 r3~<t3 r1<t1 a2<r1 | u1 t1 t3 r3 r1 a2
  a rewind into a message restores its lines |
      u1 a1/m<u1 t1/m<a1 r1<t1 a2<r1 u2<a1 a3<u2 | u1 a1 t1 r1 u2 a3
  a result that a compaction did not preserve is not restored |
      u1 t1/m<u1 t2/m<t1 r1<t1 r2<t2 b1{u8:t1,t2,r2} u8<b1 u4<u8 | b1 u8 t1 t2 r2 u4
  results are in file order, whatever their times |
      u1 t1/m<u1 t2/m<t1 t3/m<t2 r1<t1@90 r2<t2@80 r3<t3@95 a2<r3 | u1 t1 t2 t3 r1 r2 r3 a2
  the chain's result is in file order, too |
      u1 t1/m<u1 t2/m<t1 r1<t1 r2<t2 a2<r1 | u1 t1 t2 r1 r2 a2
  children of a restored result are restored with it |
      u1 t1/m<u1 t2/m<t1 r1<t1 r2<t2 x1<r1 x2<x1 x3<r2 a2<x3 | u1 t1 t2 r1 x1 x2 r2 x3 a2
  a child below progress is restored |
      u1 t1/m<u1 t2/m<t1 r1<t1 p1<r1 x1<p1 r2<t2 a2<r2 | u1 t1 t2 r1 x1 r2 a2
  a system line of a result is restored |
      u1 t1/m<u1 t2/m<t1 r1<t1 y1<r1 x1<y1 r2<t2 a2<r2 | u1 t1 t2 r1 y1 x1 r2 a2
  a prompt below a result is not restored |
      u1 t1/m<u1 t2/m<t1 r1<t1 u9<r1 x1<u9 r2<t2 a2<r2 | u1 t1 t2 r1 r2 a2
  another message below a result is not restored |
      u1 t1/m<u1 t2/m<t1 r1<t1 t9<r1 r9<t9 r2<t2 a2<r2 | u1 t1 t2 r1 r2 a2
  a result below an attachment is restored |
      u1 t1/m<u1 t2/m<t1 x1<t1 r1<x1 r2<t2 a2<r2 | u1 t1 t2 x1 r1 r2 a2
  children of a call are restored |
      u1 t1/m<u1 t2/m<t1 x1<t1 r1<t1 r2<t2 a2<r2 | u1 t1 t2 x1 r1 r2 a2
  children of a result on the chain are restored | u1 t1<u1 r1<t1 x1<r1 a2<r1 | u1 t1 r1 x1 a2
  the result of a call on the chain is restored | u1 t1<u1 r1<t1 x1<r1 a2<t1 | u1 t1 r1 x1 a2
  children of a prompt are not restored | u1 x1<u1 a1<u1 | u1 a1
  children of a text are not restored | u1 a1<u1 x1<a1 a2<a1 | u1 a1 a2
  an abandoned branch is not restored | u1 a1<u1 u2<a1 t2<u2 r2<t2 x2<r2 u3<a1 a3<u3 | u1 a1 u3 a3
  lines of a message are sent together |
      u1 t1/m<u1 r1<t1 x1<r1 t2/m<r1 r2<t2 a2<r2 | u1 t1 t2 r1 x1 r2 a2
  lines of a message follow their parents |
      u1 t1/m<u1 t2/m<t1 r2<t2 r1<t1 t3/m<r1 r3<t3 a2<r3 | u1 t1 t2 t3 r2 r1 r3 a2
  a sibling call follows the chain's call | u1 t1/m<u1 t2/m<u1 r2<t2 r1<t1 a2<r2 | u1 t2 t1 r2 r1 a2
  a prompt separates lines of a message | u1 t1/m<u1 u2<t1 t2/m<u2 r1<t1 r2<t2 | u1 t1 u2 t2 r1 r2
  lines before a compaction are not restored | u1 t1<u1 r1<t1 b1<r1 u8<b1 x9<r1 u4<u8 | b1 u8 u4
`;

const TABLES = {
  "picks the tip": TIPS,
  "follows the recorded leaf": PROMPTS,
  "includes the attachments of the tip": AFTER_TIP,
  "bridges broken chains": BROKEN,
  "follows compactions": COMPACTIONS,
  "restores parallel calls": PARALLEL,
};

for (const [group, table] of Object.entries(TABLES)) {
  Deno.test(`findActiveContext() ${group} as the client does`, () => {
    for (const [claim, transcript, sent] of rowsOf(table)) {
      assertEquals(idsOf(contextOf(textOf(linesOf(transcript)))), sent, `${claim}: ${transcript}`);
    }
  });
}

Deno.test("newestAnswerAt() finds an answer before a few boundaries, but not before many", () => {
  const timeIn = (lines: string): string | undefined =>
    withFile(
      textOf(linesOf(lines)),
      (file, size) => newestAnswerAt(file, findActiveContext(file, size)),
    );
  const timeOf = (count: number): string | undefined => {
    const boundaries = Array.from({ length: count }, (_, n) => `b${n}{u1:gone} u9${n}<b${n}`);
    return timeIn(["u1 a1<u1@5", ...boundaries].join(" "));
  };
  assertEquals([0, 1, 9].map(timeOf), Array(3).fill("2026-01-01T00:00:05.000Z"));
  assertEquals(timeOf(50), undefined);
  assertEquals(timeIn("u1 a1<u1@5 b1 u2<b1 a2<u2@9"), "2026-01-01T00:00:09.000Z");
});
