import type { ChatSnapshot, ExtractedMessage, Extraction, IExtractor } from '../../../contract/extractor.ts';
import { messageOf } from './claude/messages.ts';
import { permissionOf } from './claude/permission.ts';
import { piecesOf } from './claude/pieces.ts';
import { type Region, regionOf } from './claude/region.ts';
import { EXIT, STATE_RULES, WELCOME } from './claude/rules.ts';
import { isScreenReader, readerMessages } from './claude/screenReader.ts';

/** Rows at the end of the transcript in which a spinner or an exit line may stand. */
const TAIL_ROWS = 8;

/** Claude Code's screens, 2.0 to 2.1.329: classic and fullscreen, with or without permissions asked. */
export const claude: IExtractor = {
  name: 'claude',
  label: 'Claude Code',
  version: 1,
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
  if (last && state === 'working') messages[messages.length - 1] = { ...last, isOpen: true };
  const isAsked = state === 'needs_approval' || evidence?.rule === 'question';
  if (region.below === 'dialog' && isAsked) messages.push(permissionOf(snapshot, region.end));
  const exitRow = region.below === 'input' ? exitBelow(snapshot, region) : -1;
  if (exitRow >= 0) messages.push(...transcriptOf(snapshot, exitRow));
  const isCovered = region.below === 'dialog' || region.below === 'overlay' || region.isMenuOpen;
  return { messages, state, evidence, isCovered };
}

/** The inline mode leaves its input box standing above its last words. -1: there are none. */
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
  return piecesOf(snapshot.rows, region.end).flatMap((piece) => messageOf(snapshot, piece) ?? []);
}

function stateOf({ rows, title }: ChatSnapshot, { end }: Region): Pick<Extraction, 'state' | 'evidence'> {
  const texts = rows.map((row) => row.text);
  const places = {
    below: texts.slice(end),
    tail: lastOf(texts.slice(0, end)),
    end: lastOf(texts),
    title: [title],
  };
  for (const { name, state, where, match } of STATE_RULES) {
    const line = places[where].find((text) => match.test(text));
    if (line !== undefined) return { state, evidence: { rule: name, line: line.trim() } };
  }
  return { state: 'unknown', evidence: null };
}

function lastOf(texts: readonly string[]): string[] {
  return texts.filter((text) => text.trim() !== '').slice(-TAIL_ROWS);
}
