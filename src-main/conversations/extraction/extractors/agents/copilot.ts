import type {
  ChatSnapshot,
  ExtractedMessage,
  Extraction,
  IExtractor,
  RowRange,
} from '../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../contract/screen/frame.ts';
import { joinWrapped } from '../../markdown/spans.ts';
import { startsProgram } from '../commandWords.ts';
import { opened } from '../opened.ts';
import { lastLines, stateByRules } from '../stateRules.ts';
import { drawnCols, withoutEdge } from './copilot/edge.ts';
import { isFlush, MORE_COLS, withGutter } from './copilot/flush.ts';
import { type CopilotScreen, messagesOf, permissionOf } from './copilot/messages.ts';
import { piecesOf } from './copilot/pieces.ts';
import { type Region, regionOf } from './copilot/region.ts';
import { EXIT_ID, EXIT_ROW, RESUME, STATE_RULES, TABS, TITLE, WELCOME } from './copilot/rules.ts';

const WORDS = {
  commands: ['copilot'],
  packages: ['@github/copilot'],
  screenless: ['-p', '--prompt', '--version', '-v', '--help', '-h', 'help', 'version', 'update', '--acp'],
};
/** Time to draw 400 rows, measured with 1.0.102. */
const SWEEP_MS = 300;
/** Last rows that may have exit lines. */
const TAIL_ROWS = 8;
const READ_FROM_LOOKS = 0.9;

/** GitHub Copilot CLI's screens, 1.0; for 0.0.3xx, its welcome and input box. */
export const copilot: IExtractor = {
  name: 'copilot',
  label: 'Copilot CLI',
  version: 1,
  modelFlag: '--model',
  checked: ['1.0.102'],
  packages: WORDS.packages,
  sweepMs: SWEEP_MS,
  isProgram: (argv) => startsProgram(argv, WORDS),
  takesText: (label) => /^No, and tell Copilot\b/.test(label),
  body,
  mask: (row, { cols }) => withoutEdge(row, cols),
  recognise,
  extract,
};

/** The row of tabs and an empty one below it do not scroll. */
const HEADER_ROWS = 2;

function body(screen: ChatSnapshot): RowRange {
  const { screenTop, rows } = screen;
  const { end } = regionOf(screen);
  return { from: TABS.test(rows[screenTop]?.text ?? '') ? HEADER_ROWS : 0, to: end - screenTop };
}

function recognise({ rows, title }: ChatSnapshot): number {
  if (rows.some(({ text }) => WELCOME.test(text))) return 1;
  const isKnown = rows.some(({ text }) => TABS.test(text) || RESUME.test(text));
  return isKnown || TITLE.test(title) ? 0.9 : 0;
}

function extract(snapshot: ChatSnapshot): Extraction {
  const cols = drawnCols(snapshot.rows.slice(snapshot.screenTop), snapshot.cols);
  const own = { ...snapshot, cols, rows: snapshot.rows.map((row) => withoutEdge(row, cols)) };
  const region = regionOf(own);
  const below = own.rows.slice(region.end).map(({ text }) => text);
  const { state, evidence } = stateByRules(STATE_RULES, {
    dialog: region.below === 'dialog' ? below : [],
    below,
    end: lastLines(
      own.rows.map(({ text }) => text),
      TAIL_ROWS,
    ),
  });
  if (region.below === 'nothing') {
    const left = state === 'exited' ? exit(own) : { messages: [] };
    return { ...left, state, evidence, isCovered: snapshot.altScreen };
  }
  const screen = inLayout(own, region);
  const messages = piecesOf(screen.rows, region.start, region.end).flatMap((piece) => messagesOf(screen, piece));
  const last = messages.at(-1);
  if (last && state === 'working') messages[messages.length - 1] = opened(last);
  if (region.below === 'dialog') messages.push(permissionOf(own, region));
  const draft = region.below === 'input' ? { draft: draftOf(own, region), isShell: isShell(own, region) } : {};
  return { messages, state, evidence, isCovered: region.below === 'dialog' || region.isMenuOpen, ...draft };
}

/** The screen with its signs in the columns of the newest version. */
function inLayout(own: ChatSnapshot, { start, end }: Region): CopilotScreen {
  if (!isFlush(own.rows.slice(start, end))) return { ...own, isFlush: false };
  return { ...own, cols: own.cols + MORE_COLS, rows: own.rows.map(withGutter), isFlush: true };
}

function exit({ rows }: ChatSnapshot): Pick<Extraction, 'messages' | 'resumeId'> {
  const last = rows.findLastIndex(({ text }) => RESUME.test(text));
  const more = rows.slice(last + 1).findIndex(({ wrapped }) => !wrapped);
  const to = more < 0 ? rows.length : last + 1 + more;
  const isTold = ({ text, wrapped }: FrameRow): boolean => wrapped || EXIT_ROW.test(text);
  let from = last;
  while (from > 0 && isTold(rows[from - 1] as FrameRow)) from -= 1;
  const told = joinWrapped(rows.slice(from, to)).map(({ text }) => EXIT_ROW.exec(text)?.groups?.told ?? text);
  const resumeId = EXIT_ID.exec(told.at(-1) ?? '')?.[1];
  const place = { fromRow: from, toRow: to, isHeadCut: false, isOpen: false, confidence: READ_FROM_LOOKS };
  const messages: ExtractedMessage[] = [{ kind: 'exit', text: told.join('\n'), ...place }];
  return { messages, ...(resumeId ? { resumeId } : {}) };
}

/** Text in the empty box of versions before 1.0. */
const PLACEHOLDER = /^Enter @ to mention files/;

function isShell({ rows }: ChatSnapshot, { top }: Region): boolean {
  return /^(?: │ )?!/.test(rows[top + 1]?.text ?? '');
}

function draftOf({ rows }: ChatSnapshot, { top, bottom }: Region): string {
  const lines = rows
    .slice(top + 1, bottom)
    .map(({ text }) => text.replace(/^( │ >|[❯!>┃]| {2})/, '').replace(/│\s*$/, ''));
  const text = lines
    .map((line) => line.trim())
    .join('\n')
    .trim();
  return PLACEHOLDER.test(text) ? '' : text;
}
