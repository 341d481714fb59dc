import { assertEquals } from "@std/assert";
import { type ActiveContext, findActiveContext } from "../../src/transcript/tree/active_context.ts";
import { linesOf, textOf } from "./dsl.ts";
import { referenceContext } from "./reference_context.ts";

function withFile<T>(text: string, run: (file: Deno.FsFile, size: number) => T): T {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeTextFileSync(path, text);
    using file = Deno.openSync(path);
    return run(file, file.statSync().size);
  } finally {
    Deno.removeSync(path);
  }
}

function contextOf(text: string): ActiveContext {
  return withFile(text, (file, size) => findActiveContext(file, size));
}

function idsOf(context: ActiveContext): string {
  return context.nodes.map((node) => node.uuid).join(" ");
}

/** A subject, a transcript in the language of dsl.ts, and the ids that are sent. */
type Row = readonly [what: string, transcript: string, sent: string];

const THREE = "u1 a1<u1 u2<a1 a2<u2 u3<a2 a3<u3";

/** Branches into u2 a2 and u3 a3 after a1. */
const SPLIT = "u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3";

const TIPS: readonly Row[] = [
  ["the last message of the file is the tip", SPLIT, "u1 a1 u3 a3"],
  ["whatever its time", "u1 a1<u1 u2<a1@50 a2<u2@51 u3<a1@20", "u1 a1 u3"],
  ["and whether or not it has children", "a2<u2 u2<a1 a1<u1 u1", "u1"],
  ["also in the middle of a tree", "u2<a1 a2<u2 u3<a2 a3<u3 u1 a1<u1", "u1 a1"],
  ["an attachment goes with what was said before it", "u1 a1<u1 u2<a1 x1<a1", "u1 a1 x1"],
  ["a system line, too", "u1 a1<u1 u2<a1 a2<u2 y1<a1", "u1 a1 y1"],
  ["a subagent's line is none", "u1 a1<u1 u2~ a2~<u2", "u1 a1"],
  ["nor one that is a child of the conversation", "u1 a1<u1 u2~<a1 a2~<u2", "u1 a1"],
  ["nor a line of progress", "u1 a1<u1 u2<a1 p1<a1", "u1 a1 u2"],
  ["nor one of an unknown type", "u1 a1<u1 u2<a1 n1<a1", "u1 a1 u2"],
  ["of two roots the last one's tree is sent", "u1 a1<u1 u2 a2<u2", "u2 a2"],
  ["also where it is a lone prompt", "u1 a1<u1 u9", "u9"],
  ["a rootless attachment is no tip", "u1 a1<u1 x9", "u1 a1"],
  ["a rootless system line is none", "u1 a1<u1 y9", "u1 a1"],
  ["then the newest end by time is the tip", "u0@7 a1<u0@8 u5<a1@9 u6<zz@5 x8<zz@20", "u0 a1 u5"],
  ["an end with nothing said behind it", "u0 a1<u0@50 u3<a1@5 u4<a1@4 x8@20", "u0 a1 u3"],
  ["of two the first of the file", "u1@5 u2@5 x8@20", "u1"],
  ["branches that meet have one end", "u1 y1<u1 x1<y1 x2<y1 x9", "u1 y1 x1 x2"],
  ["where nothing has an end, the newest line", "u1<a1@8 a1<u1@2 x1@50", "x1"],
  ["a subagent above the last line: nothing", "u0 a1<u0 u2~<a1 y1<u2", ""],
  ["nothing but a subagent: nothing", "u1~ a1~<u1", ""],
  ["no messages: nothing", "n1 p1 lp(n1)", ""],
  ["a line without a time is never the newest", "u1 u2@none x8", "u1"],
];

const PROMPTS: readonly Row[] = [
  ["the noted leaf is the tip", `${SPLIT} lp(a2)`, "u1 a1 u2 a2"],
  ["wherever the note stands", `lp(a2) ${SPLIT}`, "u1 a1 u2 a2"],
  ["the last note counts", `${SPLIT} lp(a2) lp(a3)`, "u1 a1 u3 a3"],
  ["whichever it names", `${SPLIT} lp(a3) lp(a2)`, "u1 a1 u2 a2"],
  ["a leaf with children stays the tip", `${SPLIT} lp(u2)`, "u1 a1 u2"],
  ["what comes from the leaf goes before it", `${SPLIT} lp(a1)`, "u1 a1 u3 a3"],
  ["also when written later", `${SPLIT} lp(a2) u4<a2 a4<u4`, "u1 a1 u2 a2 u4 a4"],
  ["what comes from another leaf does not", `${SPLIT} lp(a2) u4<a3`, "u1 a1 u2 a2"],
  ["an unknown leaf counts as none", `${SPLIT} lp(zz)`, "u1 a1 u3 a3"],
  ["and hides earlier notes", "u0 a1<u0 u2<u0 lp(a1) lp(zz)", "u0 u2"],
  ["a note without a leaf hides none", "u0 a1<u0 u2<u0 lp(a1) lp()", "u0 a1"],
  ["a leaf's attachments come with it", `${SPLIT} lp(a2) x1<a2`, "u1 a1 u2 a2 x1"],
  ["another branch's do not", `${SPLIT} lp(a2) x1<a3`, "u1 a1 u2 a2"],
  ["a system leaf stands for what was said", "u1 a1<u1 y1<a1 u2<u1 lp(y1)", "u1 a1 y1"],
  ["a system leaf under nothing counts as none", "y0 u6 lp(y0)", "u6"],
  ["a leaf of progress counts as none", "u0 a1<u0 p1<a1 u2<u0 lp(p1)", "u0 u2"],
  ["a subagent's leaf: nothing", `${SPLIT} u9~<a1 lp(u9)`, ""],
  ["ancestors over a missing parent do not count", "u0 lp(u0) u2<zz a3<u2", "u0"],
  ["a leaf where the last line is rootless", "u1 a1<u1 u2<a1 x5 lp(a1)", "u1 a1"],
];

const BEHIND: readonly Row[] = [
  ["all attachments of the tip are sent", "u1 a1<u1 x1<a1 x2<a1 x3<x1", "u1 a1 x1 x2 x3"],
  ["in the order of the file", "u1 a1<u1 x1<a1 x2<x1 x3<a1", "u1 a1 x1 x2 x3"],
  ["also one that is the parent of a later line", "u1 a1<u1 x0<a1 u2<x0 x1<a1", "u1 a1 x0 x1"],
  ["nothing behind what was said later", "u1 a1<u1 u2<a1 x2<u2 x1<a1", "u1 a1 x1"],
  ["nothing of inner lines", "u1 a1<u1 x1<a1 u2<a1", "u1 a1 u2"],
  ["over progress", "u1 a1<u1 p1<a1 x1<p1 p2<x1 x2<p2", "u1 a1 x1 x2"],
];

const BROKEN: readonly Row[] = [
  ["a missing parent: the line before", "u1 a1<u1 u2<a1 a2<u2 u3<zz", "u1 a1 u2 a2 u3"],
  ["before in time", "u1@1 a1<u1@2 u2<a1@50 u9<a1@15 u3<zz@20", "u1 a1 u9 u3"],
  ["wherever it stands", "u3<zz@10 a3<u3@30 u1@8 a1<u1@9 u4<a3@31", "u1 a1 u3 a3 u4"],
  ["5 seconds before", "u1@1 a1<u1@10 u3<zz@15", "u1 a1 u3"],
  ["not 5.001", "u1@1 a1<u1@10 u3<zz@15.001", "u3"],
  ["not a moment after", "u1@1 a1<u1@11 u3<zz@10", "u3"],
  ["of several at once the first of the file", "u1@6 u7<u1@9 u8<u1@9 u3<zz@10", "u1 u7 u3"],
  ["all at once", "u1@5 a1<u1@5 u9<a1@5 u3<zz@5 a3<u3@5", "u1 u3 a3"],
  ["an assistant's line, too", "u1@6 a1<u1@9 u9<u1@9 a3<zz@12", "u1 a1 a3"],
  ["it can be an attachment", "u1 a1<u1 u9<a1 x1<a1 u3<zz", "u1 a1 x1 u3"],
  ["or a system line", "u1 a1<u1 u9<a1 y1<a1 u3<zz", "u1 a1 y1 u3"],
  ["not progress", "u1 a1<u1 u9<a1 p1<a1 u3<zz", "u1 a1 u9 u3"],
  ["not a subagent's", "u1 a1<u1 u2~ u3<zz", "u1 a1 u3"],
  ["not what the walk has passed", "u1@1 u3<zz@10 a3<u3@9", "u3 a3"],
  ["without a time the walk ends", "u1 a1<u1 u3<zz@none a3<u3", "u3 a3"],
  ["a parent of an unknown type is missing", "u1 a1<u1 n1<a1 u9<a1 u3<n1", "u1 a1 u9 u3"],
  ["no parent at all is a root", "u1 a1<u1 u2 a2<u2", "u2 a2"],
  ["a line that is its own parent", "u1 a1<u1 u3<u3 a3<u3", "u1 a1 u3 a3"],
  ["two that are each other's", "u1 a1<u1 u3<a3 a3<u3", "u1 a1 u3 a3"],
  ["a subagent's line as a parent is sent", "u1 a1<u1 u2~<a1 u3<u2 a3<u3", "u1 a1 u2 u3 a3"],
  ["its missing parent is a subagent's, too", "u0 u1~ u2~<zz u3<u2", "u1 u2 u3"],
  ["or there is none", "u0 a0<u0 u2~<zz u3<u2", "u2 u3"],
  ["progress is passed", "u1 a1<u1 p1<a1 u9<a1 u3<p1", "u1 a1 u3"],
  ["one behind the other", "u1 a1<u1 p1<a1 p2<p1 u9<a1 u3<p2", "u1 a1 u3"],
  ["up to a root", "u1 p1 u3<p1", "u3"],
  ["not where it stands behind", "u1@1 a1<u1@2 u2<p1@99 p1<a1@3 a3<u2", "u2 a3"],
  ["missing above progress", "u1 a1<u1 p1<zz u2<p1@4 a3<u2", "u1 a1 u2 a3"],
  ["by the time of the message", "u1 a1<u1 p1<zz u2<p1@99 a3<u2", "u2 a3"],
  [
    "of two lines with one id the last counts",
    "u1 a1<u1 a2<u1 u3<a1 a1<a2 u4<u3",
    "u1 a2 a1 u3 u4",
  ],
  ["also as the last of the file", `${SPLIT} u2<a1`, "u1 a1 u2"],
];

const COMPACTIONS: readonly Row[] = [
  ["a boundary cuts", `${THREE} b1 u8<b1 u4<u8`, "b1 u8 u4"],
  ["also one with a parent", `${THREE} b1<a3 u8<b1 u4<u8`, "b1 u8 u4"],
  ["or with one that is missing", `${THREE} b1<zz u8<b1 u4<u8`, "b1 u8 u4"],
  ["not beside the conversation", `${THREE} b1 u8<b1 u4<a3`, "u1 a1 u2 a2 u3 a3 u4"],
  ["the newest on the way counts", `${THREE} b1 u8<b1 u4<u8 b2 u9<b2 u5<u9`, "b2 u9 u5"],
  ["without a summary", `${THREE} b1 u4<b1`, "b1 u4"],
  ["rootless at the end it is no tip", `${THREE} b1`, "u1 a1 u2 a2 u3 a3"],
  ["nor with an attachment", `${THREE} b1 x1<b1`, "u1 a1 u2 a2 u3 a3"],
  ["with a parent it cuts all", `${THREE} b1<a3`, "b1"],
  ["a summary without a boundary cuts nothing", "u1 a1<u1 u8<zz u4<u8", "u1 a1 u8 u4"],
  ["it makes earlier notes void", `${THREE} lp(a3) b1 u8<b1 u4<u8`, "b1 u8 u4"],
  ["not later ones", `${THREE} b1 u8<b1 u4<u8 lp(a3)`, "u1 a1 u2 a2 u3 a3"],
  ["ancestors beyond it count", `${THREE} b1<a3 u8<b1 u4<u8 lp(a3)`, "b1 u8 u4"],
  ["a list stands behind its anchor", `${THREE} b1{u8:u3,a3} u8<b1 u4<u8`, "b1 u8 u3 a3 u4"],
  ["with gaps", `${THREE} b1{u8:u1,a3} u8<b1 u4<u8`, "b1 u8 u1 a3 u4"],
  ["in its own order", `${THREE} b1{u8:a3,u3} u8<b1 u4<u8`, "b1 u8 a3 u3 u4"],
  ["an unknown id makes it void", `${THREE} b1{u8:u3,zz,a3} u8<b1 u4<u8`, "b1 u8 u4"],
  ["so does progress", "u1 a1<u1 p1<a1 b1{u8:p1,a1} u8<b1 u4<u8", "b1 u8 u4"],
  ["before the summary", `${THREE} b1{b1:u3,a3} u8<b1 u4<u8`, "b1 u3 a3 u8 u4"],
  ["behind a later line", `${THREE} b1{u4:u3,a3} u8<b1 u4<u8 a4<u4`, "b1 u8 u4 u3 a3 a4"],
  ["nowhere", `${THREE} b1{zz:u3,a3} u8<b1 u4<u8@99`, "b1 u8 u4"],
  ["a segment", `${THREE} b1{u8:u3..a3} u8<b1 u4<u8`, "b1 u8 u3 a3 u4"],
  ["with progress in it", "u1 a1<u1 p1<a1 u2<p1 b1{u8:a1..u2} u8<b1 u4<u8", "b1 u8 a1 u2 u4"],
  ["of which the head is unknown", `${THREE} b1{u8:zz..a3} u8<b1 u4<u8`, "b1 u8 u4"],
  ["or the tail", `${THREE} b1{u8:u3..zz} u8<b1 u4<u8`, "b1 u8 u4"],
  ["or the wrong way round", `${THREE} b1{u8:a3..u3} u8<b1 u4<u8`, "b1 u8 u4"],
  ["or broken", "u1 a1<u1 u2<zz a2<u2 b1{u8:a1..a2} u8<b1 u4<u8", "b1 u8 u4"],
  ["behind the tail", `${THREE} b1{u8:u3,a3} u8<b1 u4<a3`, "b1 u8 u3 a3 u4"],
  ["behind an inner line", `${THREE} b1{u8:u2,a2,u3,a3} u8<b1 u4<a2`, "b1 u8 u2 a2 u4"],
  ["behind one that is gone: the tail", `${THREE} b1{u8:u2,a2} u8<b1 u4<a1@99`, "b1 u8 u2 a2 u4"],
  ["not an attachment", `${THREE} b1{u8:u3,a3} u8<b1 x9<a1@99 u9<x9@99`, "x9 u9"],
  ["which goes by time", `${THREE} b1{u8:u3,a3} u8<b1 x9<a1 u9<x9`, "b1 u8 x9 u9"],
  ["an attachment of the summary", `${THREE} b1{u8:u3,a3} u8<b1 x9<u8 u9<x9`, "b1 u8 u3 a3 x9 u9"],
  ["at the end of the file", `${THREE} b1{u8:u3,a3} u8<b1`, "b1 u8 u3 a3"],
  ["with an attachment", `${THREE} b1{u8:u3,a3} u8<b1 x9<u8`, "b1 u8 u3 a3 x9"],
  ["a list with a parent for its boundary", `${THREE} b1<a3{u8:u3,a3} u8<b1`, "b1 u8"],
  ["a gone parent for its boundary", `${THREE} b1<a1{u8:u3,a3} u8<b1`, "b1 u8 u3 a3"],
  ["attachments of what is gone are gone", "u1 a1<u1 x1<a1 b1{u8:u1,a1} u8<b1", "b1 u8 u1 a1"],
  ["a subagent's line in a list", "u1 a1<u1 u2~ b1{u8:a1,u2} u8<b1 u4<u8", "b1 u8 a1 u2 u4"],
  ["an older boundary in a list cuts", `b0 ${THREE} b1{u8:b0,a3} u8<b1 u4<u8`, "b0 a3 u4"],
  ["the newest list counts alone", `${THREE} b1{u8:u3,a3} u8<b1 u4<u8 b2{u9:u4} u9<b2`, "b2 u9 u4"],
  [
    "it can name what an older one kept",
    "u1 b1{u8:u1} u8<b1 u4<u8 b2{u9:u1,u4} u9<b2",
    "b2 u9 u1 u4",
  ],
  ["what is gone behind a newest without one", "u1 b1{u8:u1} u8<b1 b2 u9<b2 u7<u1@99", "u7"],
  ["goes by time", "u1 b1{u8:u1} u8<b1 b2 u9<b2 u7<u1", "b2 u9 u7"],
  ["nothing is gone by a void newest", "u1 b1{u8:u1} u8<b1 b2{u9:zz} u9<b2 u7<u8", "b1 u8 u7"],
  ["nor where none names anything", "u1 b1 u8<b1 b2 u9<b2 u7<u1", "u1 u7"],
  ["an empty list keeps nothing", `${THREE} b1{u8:} u8<b1 u4<u8 lp(a3)`, "b1 u8 u4"],
  ["and hangs nothing elsewhere", `${THREE} b1{u8:} u8<b1 u4<a3@99`, "u4"],
  ["a gone leaf counts as none", `${THREE} b1{u8:u3,a3} u8<b1 u4<u8 lp(a1)`, "b1 u8 u3 a3 u4"],
  ["a kept one does not", `${THREE} b1{u8:u3,a3} u8<b1 u4<u8 lp(u3)`, "b1 u8 u3 a3 u4"],
  [
    "only ends count then",
    `${THREE} b1{u8:u3,a3} u8<b1 u4<u8 a4<u4 u5<u8 lp(u4)`,
    "b1 u8 u3 a3 u5",
  ],
  ["of the last line, too", `${THREE} b1{u8:u3,a3} u8<b1 a4<u4@20 u4<u8@10`, "b1 u8 u3 a3 u4 a4"],
  ["and its attachments", `${THREE} b1{u8:u3,a3} u8<b1 u4<u8 x9<u8`, "b1 u8 u3 a3 u4"],
  [
    "or a last line beside two ends",
    `${THREE} b1{u8:u3,a3} u8<b1 a9<u4@11 u7<u8@20 u4<u8@10`,
    "b1 u8 u3 a3 u4",
  ],
  ["older than an end", `${THREE} b1{u8:u3,a3} u8<b1 u4<u8@50 a4<u4@51 u5<u8@20`, "b1 u8 u3 a3 u5"],
];

const PARALLEL: readonly Row[] = [
  [
    "results beside the chain are put back",
    "u1 t1/m<u1 t2/m<t1 r1<t1 r2<t2 a2<r2",
    "u1 t1 t2 r1 r2 a2",
  ],
  ["before the one on it", "u1 t1/m<u1 t2/m<t1 r2<t2 r1<t1 a2<r1", "u1 t1 t2 r2 r1 a2"],
  [
    "by time",
    "u1 t1/m<u1 t2/m<t1 t3/m<t2 r1<t1@90 r2<t2@80 r3<t3@95 a2<r3",
    "u1 t1 t2 t3 r2 r1 r3 a2",
  ],
  [
    "at once, in the order of the calls",
    "u1 t1/m<u1 t2/m<t1 t3/m<t2 r2<t2@9 r1<t1@9 r3<t3@9 a2<r3@9",
    "u1 t1 t2 t3 r1 r2 r3 a2",
  ],
  ["two of one call", "u1 t1/m<u1 t2/m<t1 r1<t1@9 r4<t1@9 r2<t2@9 a2<r2", "u1 t1 t2 r1 r4 r2 a2"],
  ["a result before its call", "u1 t1/m<u1 r2<t2 t2/m<t1 r1<t1 a2<r1", "u1 t1 t2 r2 r1 a2"],
  [
    "lines of one message side by side",
    "u1 t1/m<u1 t2/m<u1 r1<t1 r2<t2 a2<r2",
    "u1 t2 t1 r1 r2 a2",
  ],
  ["not of another message", "u1 t1<u1 t2<t1 r2<t2 r1<t1 a2<r1", "u1 t1 r1 a2"],
  [
    "not children of a result",
    "u1 t1/m<u1 t2/m<t1 r1<t1 x1<r1 r2<t2 a2<r2",
    "u1 t1 t2 r1 r2 a2",
  ],
  ["a text of the same message", "u1 t1/m<u1 a9/m<t1 r1<t1 a2<r1", "u1 t1 a9 r1 a2"],
  [
    "behind the last line on the chain",
    "u1 t1/m<u1 t3/m<t1 r3<t3 r1<t1 t2/m<r1 r2<t2 a2<r2",
    "u1 t1 r1 t2 t3 r3 r2 a2",
  ],
  ["over progress", "u1 t1/m<u1 t2/m<t1 p1<t1 r1<p1 r2<t2 a2<r2", "u1 t1 t2 r1 r2 a2"],
  ["not over an attachment", "u1 t1/m<u1 t2/m<t1 x1<t1 r1<x1 r2<t2 a2<r2", "u1 t1 t2 r2 a2"],
  ["no texts of the user", "u1 t1/m<u1 t2/m<t1 u9<t1 r2<t2 a2<r2", "u1 t1 t2 r2 a2"],
  [
    "a subagent's lines of the message",
    "u1 t1/m<u1 t3~/m<t1 r3~<t3 r1<t1 a2<r1",
    "u1 t1 t3 r3 r1 a2",
  ],
  [
    "after a rewind into a message",
    "u1 a1/m<u1 t1/m<a1 r1<t1 a2<r1 u2<a1 a3<u2",
    "u1 a1 t1 r1 u2 a3",
  ],
  [
    "not in what a compaction kept",
    "u1 t1/m<u1 t2/m<t1 r1<t1 r2<t2 b1{u8:t1,t2,r2} u8<b1 u4<u8",
    "b1 u8 t1 t2 r2 u4",
  ],
];

/** As sent by clients that restore all lines of parallel calls. */
const THOROUGH: readonly Row[] = [
  [
    "results in the order of the file, whatever their times",
    "u1 t1/m<u1 t2/m<t1 t3/m<t2 r1<t1@90 r2<t2@80 r3<t3@95 a2<r3",
    "u1 t1 t2 t3 r1 r2 r3 a2",
  ],
  ["the one on the chain, too", "u1 t1/m<u1 t2/m<t1 r1<t1 r2<t2 a2<r1", "u1 t1 t2 r1 r2 a2"],
  [
    "children of a result beside the chain, with the result",
    "u1 t1/m<u1 t2/m<t1 r1<t1 r2<t2 x1<r1 x2<x1 x3<r2 a2<x3",
    "u1 t1 t2 r1 x1 x2 r2 x3 a2",
  ],
  ["over progress", "u1 t1/m<u1 t2/m<t1 r1<t1 p1<r1 x1<p1 r2<t2 a2<r2", "u1 t1 t2 r1 x1 r2 a2"],
  ["a system line", "u1 t1/m<u1 t2/m<t1 r1<t1 y1<r1 x1<y1 r2<t2 a2<r2", "u1 t1 t2 r1 y1 x1 r2 a2"],
  [
    "nothing that was said",
    "u1 t1/m<u1 t2/m<t1 r1<t1 u9<r1 x1<u9 r2<t2 a2<r2",
    "u1 t1 t2 r1 r2 a2",
  ],
  ["no other message", "u1 t1/m<u1 t2/m<t1 r1<t1 t9<r1 r9<t9 r2<t2 a2<r2", "u1 t1 t2 r1 r2 a2"],
  [
    "a result over an attachment",
    "u1 t1/m<u1 t2/m<t1 x1<t1 r1<x1 r2<t2 a2<r2",
    "u1 t1 t2 x1 r1 r2 a2",
  ],
  ["children of a call", "u1 t1/m<u1 t2/m<t1 x1<t1 r1<t1 r2<t2 a2<r2", "u1 t1 t2 x1 r1 r2 a2"],
  ["children of a result on the chain", "u1 t1<u1 r1<t1 x1<r1 a2<r1", "u1 t1 r1 x1 a2"],
  ["a result that the chain goes past", "u1 t1<u1 r1<t1 x1<r1 a2<t1", "u1 t1 r1 x1 a2"],
  ["not children of a prompt", "u1 x1<u1 a1<u1", "u1 a1"],
  ["nor from words", "u1 a1<u1 x1<a1 a2<a1", "u1 a1 a2"],
  ["nor what was taken back", "u1 a1<u1 u2<a1 t2<u2 r2<t2 x2<r2 u3<a1 a3<u3", "u1 a1 u3 a3"],
  [
    "a message on both sides of a result",
    "u1 t1/m<u1 r1<t1 x1<r1 t2/m<r1 r2<t2 a2<r2",
    "u1 t1 t2 r1 x1 r2 a2",
  ],
  [
    "lines of a message behind their parents",
    "u1 t1/m<u1 t2/m<t1 r2<t2 r1<t1 t3/m<r1 r3<t3 a2<r3",
    "u1 t1 t2 t3 r2 r1 r3 a2",
  ],
  [
    "or at the end",
    "u1 t1/m<u1 t2/m<u1 r2<t2 r1<t1 a2<r2",
    "u1 t2 t1 r2 r1 a2",
  ],
  ["a message that is cut in two", "u1 t1/m<u1 u2<t1 t2/m<u2 r1<t1 r2<t2", "u1 t1 u2 t2 r1 r2"],
  ["nothing from before a compaction", "u1 t1<u1 r1<t1 b1<r1 u8<b1 x9<r1 u4<u8", "b1 u8 u4"],
];

Deno.test("findActiveContext() restores all lines of parallel calls, as newer clients do", () => {
  for (const [what, transcript, sent] of THOROUGH) {
    const text = textOf(linesOf(transcript).map((line) => ({ ...line, version: "2.1.330" })));
    assertEquals(idsOf(contextOf(text)), sent, `${what}: ${transcript}`);
    const large = withFile(
      text,
      (file, size) => findActiveContext(file, size, { maxWholeFileBytes: size - 1 }),
    );
    assertEquals(idsOf(large), sent, `${what}, in a large file: ${transcript}`);
  }
});

Deno.test("findActiveContext() follows the version of the client that wrote the newest line", () => {
  const lines = linesOf("u1 t1/m<u1 t2/m<t1 r1<t1 x1<r1 r2<t2 a2<r2");
  const contextBy = (older: string, newest: string): string =>
    idsOf(contextOf(textOf(lines.map((line, i) => ({
      ...line,
      version: i === lines.length - 1 ? newest : older,
    })))));
  assertEquals(contextBy("2.1.197", "2.1.330"), "u1 t1 t2 r1 x1 r2 a2");
  assertEquals(contextBy("2.1.330", "2.1.197"), "u1 t1 t2 r1 r2 a2");
});

for (
  const [group, rows] of Object.entries({
    "picks the tip": TIPS,
    "goes by the noted leaf": PROMPTS,
    "takes along what was written behind the tip": BEHIND,
    "finds its way over broken chains": BROKEN,
    "follows compactions": COMPACTIONS,
    "puts parallel calls back": PARALLEL,
  })
) {
  Deno.test(`findActiveContext() ${group} as the client does`, () => {
    for (const [what, transcript, sent] of rows) {
      const lines = linesOf(transcript);
      assertEquals(idsOf(contextOf(textOf(lines))), sent, `${what}: ${transcript}`);
      assertEquals(referenceContext(lines).join(" "), sent, `reference, ${what}: ${transcript}`);
    }
  });
}
