import type { ChatKind } from '../../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage, Extraction, IExtractor } from '../../../../contract/chat/extractor.ts';
import { startsProgram } from '../commandWords.ts';
import { lastLines, stateByRules, stateOfText } from '../stateRules.ts';
import { uncut } from '../uncut.ts';
import { withOutcomes } from './claude/interrupts.ts';
import { messageOf } from './claude/messages.ts';
import { NOTIFICATION_RULES, PROGRAM, RESUME, TITLE_RULES } from './claude/notices.ts';
import { withOverflowIndented } from './claude/olderRows.ts';
import { permissionOf } from './claude/permission.ts';
import { piecesOf } from './claude/pieces.ts';
import { type Region, regionOf } from './claude/region.ts';
import { EXIT, STATE_RULES, WELCOME } from './claude/rules.ts';
import { isScreenReader, readerMessages } from './claude/screenReader.ts';

/** Last rows of the transcript that may have a spinner or an exit line. */
const TAIL_ROWS = 8;
const GROWING: ReadonlySet<ChatKind> = new Set(['model', 'toolCall', 'toolResult']);

/** Claude Code's screens, 2.0 to 2.1.329: classic and fullscreen, with or without permissions asked. */
export const claude: IExtractor = {
  name: 'claude',
  label: 'Claude Code',
  provider: 'anthropic',
  version: 2,
  modelFlag: '--model',
  checked: ['2.1.329'],
  packages: PROGRAM.packages,
  // It draws its whole last turn in half of this time after a resize (recorded with 2.1.329), and in all of it on a busy machine.
  sweepMs: 600,
  isProgram: (argv) => startsProgram(argv, PROGRAM),
  takesText: (label) => /^Type something\.?$/.test(label),
  stateOfTitle: (title) => stateOfText(TITLE_RULES, title),
  stateOfNotification: (text) => stateOfText(NOTIFICATION_RULES, text),
  recognise,
  extract,
};

function recognise({ rows, title }: ChatSnapshot): number {
  if (rows.some((row) => WELCOME.test(row.text))) return 1;
  if (/^[✳◐◑⠂⠐] Claude Code$/.test(title)) return 0.9;
  if (rows.some((row) => /Claude Code'll be able to read/.test(row.text))) return 0.9;
  const hasFooter = rows.some((row) => /^ {2}(⏵⏵|⏸) \S.* (mode|edits|permissions) on/.test(row.text));
  return hasFooter ? 0.7 : 0;
}

function extract(snapshot: ChatSnapshot): Extraction {
  const region = regionOf(snapshot);
  const { state, evidence } = stateOf(snapshot, region);
  const isTrust = evidence?.rule === 'trust.dialog';
  const messages: ExtractedMessage[] = isTrust ? [] : transcript(snapshot, region);
  const last = messages.at(-1);
  if (last && state === 'working' && GROWING.has(last.kind)) messages[messages.length - 1] = { ...last, isOpen: true };
  const isAsked = state === 'needs_approval' || evidence?.rule === 'question';
  if (region.below === 'dialog' && isAsked) messages.push(permissionOf(snapshot, region.end));
  const exitRow = region.below === 'input' ? exitBelow(snapshot, region) : -1;
  if (exitRow >= 0) messages.push(...transcriptOf(snapshot, exitRow));
  const isLeft = state === 'exited';
  const resumeId = RESUME.exec(messages.findLast(({ kind }) => kind === 'exit')?.text ?? '')?.[1];
  return {
    messages: withOutcomes(messages),
    state,
    evidence,
    // The inline mode leaves its menu above its last words.
    isCovered: !isLeft && (isHalfDrawn(snapshot, region) || isCovered(region)),
    ...(region.draft === undefined || isLeft ? {} : { draft: region.draft, isShell: region.isShell === true }),
    ...(resumeId === undefined ? {} : { resumeId }),
  };
}

function isCovered({ below, isMenuOpen }: Region): boolean {
  return below === 'dialog' || below === 'overlay' || isMenuOpen;
}

/** The inline mode leaves its input box above its last words. -1: there are no last words. */
function exitBelow({ rows }: ChatSnapshot, { end }: Region): number {
  return rows.findIndex((row, at) => at > end && EXIT.test(row.text));
}

function transcriptOf({ rows, cols, ...rest }: ChatSnapshot, from: number): ExtractedMessage[] {
  const own = { ...rest, cols, rows: rows.slice(from) };
  return piecesOf(own.rows, own.rows.length).flatMap((piece) => {
    const message = messageOf(own, piece);
    return message ? [{ ...message, fromRow: message.fromRow + from, toRow: message.toRow + from }] : [];
  });
}

function transcript(snapshot: ChatSnapshot, region: Region): ExtractedMessage[] {
  if (isScreenReader(snapshot)) return readerMessages(snapshot);
  const own = { ...snapshot, rows: withOverflowIndented(snapshot) };
  const messages = piecesOf(own.rows, region.end).flatMap((piece) => messageOf(own, piece) ?? []);
  if (isHalfDrawn(snapshot, region)) return messages.slice(0, -1);
  return region.isMenuOpen ? uncut(messages) : messages;
}

/** The fullscreen mode always shows an input box or a replacement. Without either it is still drawing, from the top. */
function isHalfDrawn({ altScreen }: ChatSnapshot, { below }: Region): boolean {
  return altScreen && below === 'nothing';
}

function stateOf({ rows, title }: ChatSnapshot, { end }: Region): Pick<Extraction, 'state' | 'evidence'> {
  const texts = rows.map((row) => row.text);
  const places = {
    below: texts.slice(end),
    tail: lastLines(texts.slice(0, end), TAIL_ROWS),
    end: lastLines(texts, TAIL_ROWS),
    title: [title],
  };
  return stateByRules(STATE_RULES, places);
}
