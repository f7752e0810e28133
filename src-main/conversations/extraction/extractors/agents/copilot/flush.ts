import type { ChatTool } from '../../../../../contract/chat/chat.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import type { Looks } from '../../../markdown/inline.ts';
import { ITEM } from '../../../markdown/softBreak.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';

/*
 * The layout up to 1.0.49: signs are in the first column and text two columns in, without a scroll bar. A call's subject and result are
 * below it. Quotes and code are indented by one more column and have no other mark.
 */

/** Columns that text has more in this layout than in the later one: it has no scroll bar, and a narrower gutter. */
export const MORE_COLS = 3;
/** The sign of a call, an answer or a prompt. */
const SIGN = /^[●◉◎○⏺✗❯!] \S/;
/** Signs that only the later layout draws at the left edge. */
const LATER = /^ {1,2}(?:[●⏺❯!] \S|[▄▀]{8})/;
const CALL = /^ (?<sign>[●◉◎○✗]) (?<title>\S.*?)(?<shell> \((?:shell|bash|powershell)\))?\s*$/;
const BELOW = /^ {3}[│└] ?/;
const FOLDED = /^\d+ lines?(?:…|\.\.\.)$/;
/** A rule across the screen, which is wider than its space. */
const RULE = /^-{20,}\s*$/;
const REST_OF_RULE = /^-+\s*$/;
const CODE = 6;
const FAILED = 1;
const SYNTAX: readonly unknown[] = [1, 3, 4, 5, 12];

export const LOOKS: Looks = {
  isCode: (fg) => fg === CODE,
  isSyntax: (fg) => SYNTAX.includes(fg),
};

/** Whether the rows of a conversation have this layout: a sign in the first column, or text with its smaller indent. */
export function isFlush(rows: readonly FrameRow[]): boolean {
  const texts = rows.map(({ text }) => text).filter((text) => text.trim() !== '');
  if (texts.some((text) => LATER.test(text))) return false;
  if (texts.some((text) => SIGN.test(text))) return true;
  return texts.some((text) => /^ {2}\S/.test(text)) && texts.every((text) => /^ {2,}/.test(text));
}

/** The row with its sign in the column of later versions. */
export function withGutter(row: FrameRow): FrameRow {
  const [first, ...others] = row.spans;
  return first ? { ...row, text: ` ${row.text}`, spans: [{ ...first, text: ` ${first.text}` }, ...others] } : row;
}

/** Rows of an answer, without their gutter, with the bars that later versions draw before a quote. `isDoubtful`: it may be code. */
export function withBars(rows: readonly FrameRow[]): { rows: FrameRow[]; isDoubtful: boolean } {
  const blocks: FrameRow[][] = [[]];
  for (const row of rows) {
    if (row.text.trim() === '') blocks.push([row], []);
    else blocks.at(-1)?.push(row);
  }
  const drawn = blocks.map((block) => (isSetIn(block) ? block.map(withBar) : withRule(block)).map(withLinks));
  return { rows: drawn.flat(), isDoubtful: blocks.some((block) => isSetIn(block) && mayBeCode(block)) };
}

function isSetIn(block: readonly FrameRow[]): boolean {
  const [first] = block;
  const isItem = first === undefined || ITEM.test(first.text);
  const isCode = block.some(({ spans }) => spans.some(({ fg }) => LOOKS.isSyntax(fg)));
  return !isItem && !isCode && block.every(({ text }) => /^ \s*[^\s┌├└│]/.test(text));
}

/** Whether the block has deeper rows, or words in the colour of code, which prose may have too. */
function mayBeCode(block: readonly FrameRow[]): boolean {
  return block.some(({ text, spans }) => /^ {2}/.test(text) || spans.some(({ fg }) => fg === CODE));
}

/** Turns `link (address)` in one colour, with the address underlined, into a link without the written address. */
function withLinks(row: FrameRow): FrameRow {
  const spans = row.spans.map((span) => ({ ...span }));
  for (let at = 1; at + 1 < spans.length; at += 1) {
    const [label, address, close] = [spans[at - 1], spans[at], spans[at + 1]];
    if (!label?.text.endsWith(' (') || !address?.underline || !close?.text.startsWith(')')) continue;
    if (label.fg !== address.fg || !/^https?:\S+$/.test(address.text)) continue;
    const { fg: _, ...plain } = label;
    spans[at - 1] = { ...plain, text: label.text.slice(0, -2), href: address.text };
    address.text = '';
    close.text = close.text.slice(1);
  }
  const own = spans.filter(({ text }) => text !== '');
  return own.length === row.spans.length ? row : { ...row, spans: own, text: own.map(({ text }) => text).join('') };
}

function withBar(row: FrameRow): FrameRow {
  return { ...row, text: `▎${row.text}`, spans: [{ text: '▎' }, ...row.spans] };
}

function withRule(block: readonly FrameRow[]): FrameRow[] {
  if (!RULE.test(block[0]?.text ?? '')) return [...block];
  const rest = REST_OF_RULE.test(block[1]?.text ?? '') ? 2 : 1;
  return [{ text: '---', spans: [{ text: '---' }], wrapped: false }, ...block.slice(rest)];
}

/** A call as this layout draws it, after `withGutter`. */
export interface FlushCall {
  readonly name: string;
  readonly subject: string;
  readonly input: string;
  /** Its result, in the row below it. */
  readonly told: string;
  readonly status?: ChatTool['status'];
}

/** The call in `rows`; null if they show no call. */
export function flushCall(rows: readonly FrameRow[], cols: number): FlushCall | null {
  const { sign, title = '', shell } = CALL.exec(rows[0]?.text ?? '')?.groups ?? {};
  if (sign === undefined) return null;
  const lines = rows.slice(1).map(({ text }) => text.replace(BELOW, '').trimEnd());
  const status = statusOf(sign, rows[0]);
  if (shell === undefined) {
    const [, name = title, subject = ''] = /^(\S+)\s+(.*)$/.exec(title) ?? [];
    return { name, subject, input: subject, told: lines.join('\n').trim(), ...(status && { status }) };
  }
  // The last row shows the result once the call has run; until then it belongs to the command.
  const hasEnd = lines.length > 1 && /^ {3}└/.test(rows.at(-1)?.text ?? '');
  const end = hasEnd ? (lines.at(-1) ?? '') : '';
  const input = unwrapped(hasEnd ? lines.slice(0, -1) : lines, cols);
  return { name: 'Shell', subject: title, input, told: FOLDED.test(end) ? '' : end, ...(status && { status }) };
}

function statusOf(sign: string, row: FrameRow | undefined): ChatTool['status'] {
  const fg = row?.spans.find(({ text }) => text.trim() === sign)?.fg;
  if (sign === '✗' || fg === FAILED) return 'failed';
  return sign === '●' ? 'done' : 'running';
}
