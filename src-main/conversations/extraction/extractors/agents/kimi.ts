import type { ChatSnapshot, ExtractedMessage, Extraction, IExtractor } from '../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../contract/screen/frame.ts';
import type { Looks } from '../../markdown/inline.ts';
import { restoreMarkdown } from '../../markdown/restoreMarkdown.ts';
import { cutRow } from '../../markdown/spans.ts';
import { startsProgram } from '../commandWords.ts';
import { type StateRule, stateByRules } from '../stateRules.ts';

const PROGRAM = {
  commands: ['kimi'],
  packages: ['@moonshot-ai/kimi-code'],
  screenless: ['-p', '--prompt', 'web', 'acp', 'mcp', '--version', '-V', '--help', '-h'],
};
/** Columns before the text of a message: a margin, the sign and a space. */
const GUTTER = 3;
/** The shapes come from one recording of 2.1.0. */
const CONFIDENCE = 0.6;
const WELCOME = /Welcome to Kimi Code!/;
const USER = /^ ✨ \S/;
const SAID = /^ ● \S/;
const BOX_TOP = /^ ╭─{8,}/;
const BOX_ROW = /^ │ (.*?)\s*│?\s*$/;
const SPINNER = /^ {1,2}[\u2800-\u28ff] \S/;
/** Its colours vary, so code and headings stay plain text. */
const LOOKS: Looks = { isCode: () => false, isSyntax: () => false };
const STATE_RULES: readonly StateRule<'below'>[] = [
  { name: 'spinner', state: 'working', versions: ['2.1.0', null], where: 'below', match: SPINNER },
  { name: 'footer.cancel', state: 'working', versions: ['2.1.0', null], where: 'below', match: /\bctrl\+c: cancel\b/ },
  { name: 'input.box', state: 'idle', versions: ['2.1.0', null], where: 'below', match: /^ │ >/ },
];

/** Reads the screens of Kimi Code 2.1. */
export const kimi: IExtractor = {
  name: 'kimi',
  label: 'Kimi Code',
  version: 1,
  packages: PROGRAM.packages,
  isProgram: (argv) => startsProgram(argv, PROGRAM),
  recognise: ({ rows }) => (rows.some(({ text }) => WELCOME.test(text)) ? 1 : 0),
  extract,
};

function extract({ rows, cols }: ChatSnapshot): Extraction {
  const texts = rows.map(({ text }) => text);
  const box = inputBox(texts);
  const end = box ?? texts.length;
  const starts = texts.flatMap((text, at) => (at < end && (USER.test(text) || SAID.test(text)) ? [at] : []));
  const messages = starts.map((from, at) => messageOf(rows, { from, to: starts[at + 1] ?? end, cols }));
  const draft = box === null ? undefined : draftOf(texts, box);
  const state = stateByRules(STATE_RULES, { below: texts.slice(Math.max(0, end - 2)) });
  return { messages, ...state, isCovered: box === null, ...(draft !== undefined && { draft }) };
}

/** Finds the first row of the input box at the bottom. */
function inputBox(texts: readonly string[]): number | null {
  const at = texts.findLastIndex((text, row) => BOX_TOP.test(text) && /^ │ >/.test(texts[row + 1] ?? ''));
  return at < 0 ? null : at;
}

function draftOf(texts: readonly string[], box: number): string {
  const lines: string[] = [];
  for (const text of texts.slice(box + 1)) {
    const [, line] = BOX_ROW.exec(text) ?? [];
    if (line === undefined) break;
    lines.push(line.replace(/^> ?/, ''));
  }
  return lines.join('\n').trim();
}

function messageOf(
  rows: readonly FrameRow[],
  { from, to, cols }: { from: number; to: number; cols: number },
): ExtractedMessage {
  const own = rows.slice(from, to);
  const last = own.findLastIndex(({ text }) => text.trim() !== '' && !SPINNER.test(text));
  const place = {
    fromRow: from,
    toRow: from + last + 1,
    isHeadCut: false,
    isOpen: to === rows.length,
    confidence: CONFIDENCE,
  };
  const cut = own.slice(0, last + 1).map((row) => cutRow(row, GUTTER));
  const plain = cut
    .map(({ text }) => text.trimEnd())
    .join('\n')
    .trim(); // the typed command is drawn in bold
  if (USER.test(rows[from]?.text ?? '')) return { kind: 'user', text: plain, ...place };
  if (isCall(rows[from])) return { kind: 'toolCall', text: plain, tool: toolOf(cut), ...place };
  return { kind: 'model', text: restoreMarkdown(cut, cols - GUTTER, LOOKS).trim(), ...place };
}

/** The action is in bold after the sign, and its subject follows after a dot. */
function isCall(row: FrameRow | undefined): boolean {
  const words = row?.spans.filter(({ text }) => text.trim() !== '' && text.trim() !== '●') ?? [];
  return words[0]?.bold === true && words[0].fg !== undefined && / · /.test(row?.text ?? '');
}

function toolOf(rows: readonly FrameRow[]): NonNullable<ExtractedMessage['tool']> {
  const [head = '', ...rest] = rows.map(({ text }) => text.trimEnd());
  const [name = head, input = ''] = head.split(' · ');
  const output = rest.join('\n').trim();
  const status = /^Running\b/.test(name) ? 'running' : 'done';
  return { name, input: input.replace(/^\$ /, ''), status, ...(output && { output }) };
}
