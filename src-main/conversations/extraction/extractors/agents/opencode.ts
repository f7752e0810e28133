import type {
  ChatSnapshot,
  ExtractedMessage,
  Extraction,
  IExtractor,
  RowRange,
} from '../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../contract/screen/frame.ts';
import { keepColumns } from '../../markdown/keepRow.ts';
import { startsProgram } from '../commandWords.ts';
import { opened } from '../opened.ts';
import { lastLines, stateByRules } from '../stateRules.ts';
import { messagesOf, permissionOf } from './opencode/messages.ts';
import { piecesOf } from './opencode/pieces.ts';
import { planOf } from './opencode/plan.ts';
import { boxLines, headerEnd, type Region, regionOf } from './opencode/region.ts';
import { EXIT_ID, LOGO, PLACEHOLDER, STATE_RULES, TITLE } from './opencode/rules.ts';
import { conversationCols } from './opencode/sidebar.ts';

const WORDS = {
  commands: ['opencode'],
  packages: ['opencode-ai'],
  screenless: [
    'run',
    'serve',
    'web',
    'acp',
    'auth',
    'models',
    'upgrade',
    'stats',
    'export',
    '--version',
    '-v',
    '--help',
    '-h',
  ],
};
/** Time to draw 400 rows, measured with 1.18.33. */
const SWEEP_MS = 1200;
const READ_FROM_LOOKS = 0.9;
/** The last row of the first screen, since 1.1 and before. */
const FOOTER = /^ {2}(?<folder>\S.*?)\s{4,}(?:\S.*\s)?(?<version>\d+\.\d+\.\d+)\s*$/;
const OLD_FOOTER = /^ ?opencode v(?<version>\d+\.\d+\.\d+)\s+(?<folder>\S.*?)\s*$/;
/** Last rows that may have exit lines. */
const TAIL_ROWS = 8;

/** OpenCode's screens, 1.0 to 1.18. */
export const opencode: IExtractor = {
  name: 'opencode',
  label: 'OpenCode',
  version: 1,
  modelFlag: '--model',
  checked: ['1.18.33'],
  packages: WORDS.packages,
  sweepMs: SWEEP_MS,
  isProgram: (argv) => startsProgram(argv, WORDS),
  body,
  mask,
  recognise,
  extract,
};

function body(screen: ChatSnapshot): RowRange {
  const from = headerEnd(screen.rows.slice(screen.screenTop));
  return { from, to: Math.max(from, regionOf(screen).end - screen.screenTop) };
}

function mask(row: FrameRow, screen: ChatSnapshot): FrameRow {
  const edge = conversationCols(screen);
  return edge < screen.cols ? keepColumns(row, edge) : row;
}

function recognise({ rows, title }: ChatSnapshot): number {
  if (rows.some(({ text }) => LOGO.test(text))) return 1;
  if (TITLE.test(title) || rows.some(({ text }) => EXIT_ID.test(text))) return 0.9;
  const hasBox = rows.some(({ text }) => /^ *╹▀{8,}/.test(text));
  return hasBox && rows.some(({ text }) => /\bctrl\+p commands\s*$/.test(text)) ? 0.9 : 0;
}

function extract(snapshot: ChatSnapshot): Extraction {
  const edge = conversationCols(snapshot);
  const own =
    edge < snapshot.cols
      ? { ...snapshot, cols: edge, rows: snapshot.rows.map((row) => mask(row, snapshot)) }
      : snapshot;
  const region = regionOf(own);
  const texts = own.rows.map(({ text }) => text);
  const { state, evidence } = stateByRules(STATE_RULES, {
    below: texts.slice(region.end),
    end: lastLines(texts, TAIL_ROWS),
  });
  if (state === 'exited') return { ...exit(own), state, evidence, isCovered: false };
  if (region.below === 'overlay' || region.below === 'nothing') {
    return { messages: [], state, evidence, isCovered: region.below === 'overlay' };
  }
  const messages = settled(conversation(own, region), state === 'working');
  const plan = planOf(own, piecesOf(own.rows, region.end));
  if (region.below === 'dialog') messages.push(permissionOf(own, region));
  const draft = region.below === 'input' ? { draft: draftOf(own, region), isShell: isShell(own, region) } : {};
  return {
    messages,
    state,
    evidence,
    isCovered: region.below === 'dialog' || region.end < region.top,
    ...draft,
    ...(plan && { plan }),
  };
}

function conversation(snapshot: ChatSnapshot, { end }: Region): ExtractedMessage[] {
  const logo = snapshot.rows.findIndex(({ text }, at) => at < end && LOGO.test(text));
  if (logo >= 0) return welcome(snapshot, logo, end);
  const pieces = piecesOf(snapshot.rows, end);
  return pieces.flatMap((piece, at) => messagesOf(snapshot, piece, pieces[at - 1]));
}

/** While it works, the last message may continue and the last call may run; earlier block calls are done. Calls in one line show no status. */
function settled(messages: readonly ExtractedMessage[], isWorking: boolean): ExtractedMessage[] {
  const open = isWorking ? messages.length - 1 : messages.length;
  const openCall = messages[open]?.kind === 'toolResult' ? open - 1 : open;
  return messages.map((message, at) => {
    if (at === open) return opened(message);
    const isBlock = message.kind === 'toolCall' && message.toRow - message.fromRow > 1;
    const isDone = isBlock && at < openCall && message.tool !== undefined;
    return isDone ? { ...message, tool: { status: 'done', ...message.tool } } : message;
  });
}

/** Its name is drawn as a logo; the version and the folder are text. */
function welcome({ rows }: ChatSnapshot, from: number, to: number): ExtractedMessage[] {
  const told = rows.map(({ text }) => FOOTER.exec(text)?.groups ?? OLD_FOOTER.exec(text)?.groups);
  const { folder, version } = told.find((groups) => groups !== undefined) ?? {};
  if (folder === undefined || version === undefined) return [];
  const text = `OpenCode ${version}\n${folder}`;
  return [{ kind: 'welcome', text, fromRow: from, toRow: to, isHeadCut: false, isOpen: false, confidence: 1 }];
}

function exit({ rows }: ChatSnapshot): Pick<Extraction, 'messages' | 'resumeId'> {
  const at = rows.findLastIndex(({ text }) => EXIT_ID.test(text));
  const from = /^ *Session\s/.test(rows[at - 1]?.text ?? '') ? at - 1 : at;
  // A narrow terminal wraps this row.
  const more = rows.slice(at + 1).findIndex(({ wrapped }) => !wrapped);
  const to = more < 0 ? rows.length : at + 1 + more;
  const told = rows.slice(at, to).map(({ text }) => text.trimEnd());
  const lines = [...rows.slice(from, at).map(({ text }) => text.trim()), told.join('').trim()];
  const place = { fromRow: from, toRow: to, isHeadCut: false, isOpen: false, confidence: READ_FROM_LOOKS };
  const resumeId = EXIT_ID.exec(told.join(''))?.[1];
  return { messages: [{ kind: 'exit', text: lines.join('\n'), ...place }], ...(resumeId ? { resumeId } : {}) };
}

/** The last row of its box names the mode: `Shell` where the agent and the model are otherwise. */
function isShell({ rows }: ChatSnapshot, { bottom }: Region): boolean {
  return /^\s*┃\s*Shell\s*$/.test(rows[bottom - 1]?.text ?? '');
}

function draftOf(snapshot: ChatSnapshot, region: Region): string {
  const text = boxLines(snapshot, region).join('\n').trim();
  return PLACEHOLDER.test(text) ? '' : text;
}
