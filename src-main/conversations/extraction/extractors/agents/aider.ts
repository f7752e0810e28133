import type { ChatSnapshot, ExtractedMessage, Extraction, IExtractor } from '../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../contract/screen/frame.ts';
import type { Looks } from '../../markdown/inline.ts';
import { fenced, restoreMarkdown } from '../../markdown/restoreMarkdown.ts';
import { startsProgram } from '../commandWords.ts';
import { lastLines, type StateRule, stateByRules } from '../stateRules.ts';
import { ASK, type Piece, PROMPT, piecesOf } from './aider/pieces.ts';

const WORDS = {
  commands: ['aider'],
  packages: ['aider', 'aider-chat'],
  screenless: [
    '--version',
    '--help',
    '-h',
    '--message',
    '-m',
    '--message-file',
    '-f',
    '--list-models',
    '--models',
    '--gui',
    '--browser',
  ],
};
/** The only recording has plain lines, so the colours of code are unknown. */
const LOOKS: Looks = { isCode: () => false, isSyntax: () => false };
const CONFIDENCE = 0.8;
const TAIL_ROWS = 2;
const STATE_RULES: readonly StateRule<'last' | 'tail'>[] = [
  {
    name: 'ask',
    state: 'needs_approval',
    versions: ['0.81.0', null],
    where: 'last',
    match: /\(Y\)es\/\(N\)o.*\]:\s*$/,
  },
  { name: 'waiting', state: 'working', versions: ['0.82.0', null], where: 'tail', match: /\bWaiting for \S+/ },
  { name: 'prompt', state: 'idle', versions: ['0.81.0', null], where: 'last', match: /^\w* ?(multi)?> *$/ },
];

/** Aider's lines, 0.81. */
export const aider: IExtractor = {
  name: 'aider',
  label: 'Aider',
  version: 1,
  modelFlag: '--model',
  install: 'pipx install aider-chat',
  packages: WORDS.packages,
  isProgram: (argv) => startsProgram(argv, WORDS),
  recognise: ({ rows }) => {
    const texts = rows.map(({ text }) => text);
    if (texts.some((text) => /^Aider v\d+\.\d+/.test(text))) return 1;
    return texts.some((text) => /^Tokens: \S+ sent, \S+ received\./.test(text)) ? 0.9 : 0;
  },
  extract,
};

function extract(snapshot: ChatSnapshot): Extraction {
  const { rows, screenTop, cursorRow } = snapshot;
  const texts = rows.map(({ text }) => text);
  const state = stateByRules(STATE_RULES, { last: lastLines(texts, 1), tail: lastLines(texts, TAIL_ROWS) });
  const pieces = piecesOf(rows);
  const last = pieces.at(-1);
  const isTyped = last?.kind === 'user' && cursorRow !== null && last.to > screenTop + cursorRow;
  const isPrompt = last?.kind === 'user' && (isTyped || typed(rows, last) === '');
  const said = isPrompt ? pieces.slice(0, -1) : pieces;
  const messages = said.flatMap((piece, at) => messageOf(snapshot, piece, at === 0) ?? []);
  const end = messages.at(-1);
  const isOpen = state.state === 'working' || state.state === 'needs_approval';
  if (end && isOpen) messages[messages.length - 1] = { ...end, isOpen };
  const draft = isPrompt && last ? { draft: typed(rows, last) } : {};
  return { messages, ...state, isCovered: false, ...draft };
}

function typed(rows: readonly FrameRow[], { from, to }: Piece): string {
  const lines = rows.slice(from, to).map(({ text }) => text.replace(PROMPT, '').trimEnd());
  return lines.join('\n').trim();
}

function messageOf({ rows, cols }: ChatSnapshot, piece: Piece, isFirst: boolean): ExtractedMessage | null {
  if (piece.kind === 'none') return null;
  const { from: fromRow, to: toRow } = piece;
  const isHeadCut = isFirst && piece.kind === 'model';
  const place = { fromRow, toRow, isHeadCut, isOpen: false, confidence: CONFIDENCE };
  const own = rows.slice(fromRow, toRow);
  if (piece.kind === 'user') {
    const text = typed(rows, piece);
    return text === '' ? null : { kind: /^[/!]\S/.test(text) ? 'command' : 'user', text, ...place };
  }
  if (piece.kind === 'model') return { kind: 'model', text: modelText(own, cols), ...place };
  const text = own.map((row) => row.text.trim()).join('\n');
  if (piece.kind !== 'ask') return { kind: piece.kind, text, ...place };
  return ASK.test(text) ? { kind: 'permission', text, ...place } : null;
}

/** Words as Markdown; search-and-replace blocks unchanged. */
function modelText(rows: readonly FrameRow[], cols: number): string {
  const out: string[] = [];
  let from = 0;
  rows.forEach(({ text }, at) => {
    if (/^<{7} SEARCH/.test(text)) {
      out.push(restoreMarkdown(rows.slice(from, at), cols, LOOKS));
      from = at;
    }
    if (/^>{7} REPLACE/.test(text)) {
      out.push(fenced(rows.slice(from, at + 1).map((row) => row.text.trimEnd())));
      from = at + 1;
    }
  });
  out.push(restoreMarkdown(rows.slice(from), cols, LOOKS));
  return out.filter((text) => text !== '').join('\n\n');
}
