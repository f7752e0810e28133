import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { BARE_CALL, MODEL, NOTICE, OPTION, PLACEHOLDER, QUEUE, STATUS, WAITING } from './rules.ts';

const BAR_TOP = /^▄{8}/;
const BAR_END = /^▀{8}/;
const RULE = /^─{8}/;
const BOX_TOP = /^ ?╭─{4}/;
const BOX_END = /^ ?╰─{4}/;
/** Typed text, after the sign of the mode: prompt, shell, everything allowed. */
const TYPED = /^(?:│ ?)? ?[>!*$](?: |$)/;
/** Most rows above the input box: rule, mode, and the status row with queued prompts. */
const STATUS_ROWS = 16;
/** Most rows between the rule and the typed text: the mode, or a menu with its count. */
const MENU_ROWS = 16;
const HINT = /^\s*(?:\? for shortcuts)?\s*$/;
/** Most rows of a footer below a dialog. */
const FOOTER_ROWS = 4;
const INPUT_ROWS = 40;
const GUTTER = 3;
const SHELL = /^[ │] ?!/;

export interface Region {
  /** First row below the transcript. */
  readonly end: number;
  readonly below: 'input' | 'dialog' | 'nothing';
  readonly isMenuOpen: boolean;
  /** The status row; null if there is none. */
  readonly statusRow: number | null;
  readonly draft?: string;
  /** The input box is in shell mode. */
  readonly isShell?: boolean;
}

interface Input {
  /** First row of the input box with the rule and mode above it. */
  readonly top: number;
  readonly from: number;
  readonly to: number;
}

/** Finds the end of the transcript and what is below it. */
export function regionOf(snapshot: ChatSnapshot): Region {
  const { rows, screenTop } = snapshot;
  const texts = rows.map((row) => row.text);
  const input = inputOf(texts, screenTop);
  if (!input) {
    const top = bareDialogTop(texts, screenTop) ?? dialogTop(texts, screenTop);
    if (top !== null) return { end: top, below: 'dialog', isMenuOpen: false, statusRow: null };
    return { end: rows.length, below: 'nothing', isMenuOpen: false, statusRow: null };
  }
  const statusRow = statusAbove(texts, input.top, screenTop);
  let end = statusRow ?? input.top;
  while (end > screenTop && HINT.test(texts[end - 1] ?? '')) end -= 1;
  end = queueTop(texts, end, screenTop) ?? end;
  const draft = draftOf(rows.slice(input.from, input.to), snapshot.cols);
  const around = [...texts.slice(input.top + 1, input.from - 1), ...texts.slice(input.to + 1)];
  const isMenuOpen = /^[/@]/.test(draft) && around.some((text) => /^ {1,3}\S+ {2,}\S/.test(text));
  return { end, below: 'input', isMenuOpen, statusRow, draft, isShell: SHELL.test(texts[input.from] ?? '') };
}

/** The last box on the screen with typed text; a prompt of the transcript has no rule above it. */
function inputOf(texts: readonly string[], screenTop: number): Input | null {
  for (let to = texts.length - 1; to >= screenTop; to -= 1) {
    const text = texts[to] ?? '';
    if (BAR_END.test(text)) return barInput(texts, to, screenTop);
    if (BOX_END.test(text)) return boxInput(texts, to, screenTop);
    if (RULE.test(text)) return ruleInput(texts, to, screenTop);
  }
  return null;
}

/** The input between bars, since 0.20. */
function barInput(texts: readonly string[], to: number, screenTop: number): Input | null {
  const from = lastBefore(texts, to, BAR_TOP, screenTop);
  if (from === null || !TYPED.test(texts[from + 1] ?? '')) return null;
  for (let top = from - 1; top >= Math.max(screenTop, from - MENU_ROWS); top -= 1)
    if (RULE.test(texts[top] ?? '')) return { top, from: from + 1, to };
  return null;
}

/** The input in a box, before 0.20. It has one blank before the sign; a prompt of the transcript has two. */
function boxInput(texts: readonly string[], to: number, screenTop: number): Input | null {
  const top = lastBefore(texts, to, BOX_TOP, screenTop);
  if (top === null || !/^│ [>!*]/.test(texts[top + 1] ?? '')) return null;
  return { top, from: top + 1, to };
}

/** The input between rules, if there are no colours. */
function ruleInput(texts: readonly string[], to: number, screenTop: number): Input | null {
  const top = lastBefore(texts, to, RULE, screenTop);
  if (top === null || !TYPED.test(texts[top + 1] ?? '')) return null;
  return { top, from: top + 1, to };
}

function lastBefore(texts: readonly string[], to: number, match: RegExp, screenTop: number): number | null {
  for (let at = to - 1; at >= Math.max(screenTop, to - INPUT_ROWS); at -= 1) if (match.test(texts[at] ?? '')) return at;
  return null;
}

/** First row of the queued prompts, which end before row `end`; null if there are none. */
function queueTop(texts: readonly string[], end: number, screenTop: number): number | null {
  for (let at = end - 1; at >= Math.max(screenTop, end - STATUS_ROWS); at -= 1) {
    if (QUEUE.test(texts[at] ?? '')) return at;
    if (!/^ {3,}\S|^\s*$/.test(texts[at] ?? '')) return null;
  }
  return null;
}

function statusAbove(texts: readonly string[], top: number, screenTop: number): number | null {
  for (let at = top - 1; at >= Math.max(screenTop, top - STATUS_ROWS); at -= 1) {
    const text = texts[at] ?? '';
    if (STATUS.test(text)) return at;
    // Messages are above the status row. If an input box was left behind, all rows above it were left too.
    if (RULE.test(text) || isSaid(text)) return null;
  }
  return null;
}

function isSaid(text: string): boolean {
  return MODEL.test(text) || NOTICE.test(text) || BAR_END.test(text) || BOX_END.test(text);
}

/** First row of the box at the bottom of the screen that lists answers. Null if there is no box. */
function dialogTop(texts: readonly string[], screenTop: number): number | null {
  let to = texts.length - 1;
  let footers = 0;
  while (to >= screenTop && !BOX_END.test(texts[to] ?? '') && footers <= FOOTER_ROWS) {
    if ((texts[to] ?? '').trim() !== '') footers += 1;
    to -= 1;
  }
  if (!BOX_END.test(texts[to] ?? '')) return null;
  let top = to - 1;
  while (top >= screenTop && !BOX_TOP.test(texts[top] ?? '')) top -= 1;
  const own = texts.slice(Math.max(top, screenTop), to);
  return own.some((text) => OPTION.test(text) || /Enter to (?:select|submit)/.test(text))
    ? Math.max(top, screenTop)
    : null;
}

/** First row of a question without a box: the waiting call, above the options and the row that says that it waits. */
function bareDialogTop(texts: readonly string[], screenTop: number): number | null {
  const to = texts.findLastIndex((text) => text.trim() !== '');
  if (!WAITING.test(texts[to] ?? '')) return null;
  for (let top = to - 1; top >= screenTop; top -= 1) {
    const isCall = BARE_CALL.test(texts[top] ?? '') && /^\?/.test(texts[top] ?? '');
    if (isCall) return texts.slice(top, to).some((text) => OPTION.test(text)) ? top : null;
  }
  return null;
}

function draftOf(rows: readonly FrameRow[], cols: number): string {
  const lines = rows.map((row) =>
    row.text
      .replace(/^│(.*)│\s*$/, '$1')
      .slice(GUTTER)
      .trimEnd(),
  );
  const text = unwrapped(lines, cols - GUTTER - 2);
  return PLACEHOLDER.test(text) ? '' : text;
}
