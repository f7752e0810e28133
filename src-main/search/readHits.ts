import { existsSync } from 'node:fs';
import type { BlockStatus } from '../contract/block.ts';
import { ChatMessage } from '../contract/chat/chat.ts';
import { PAST_ID } from '../contract/pastId.ts';
import type { BlockHit, MessageHit, SearchHit, SearchQuery } from '../contract/search.ts';
import { redactText } from '../redaction/redactText.ts';
import { parseLine } from '../store/files/readJsonLines.ts';
import { messageText } from '../store/index/docs.ts';
import type { DocRow } from '../store/index/IndexQuery.ts';
import { readEnds, type TextEnds } from '../store/index/readEnds.ts';
import { linesAfter } from '../store/index/sourceLines.ts';
import type { WordMatcher } from '../store/index/WordMatcher.ts';
import { pastMessageOf } from '../store/past/pastHits.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { SnippetSelector } from './lines/pickLines.ts';

/** The parameters for reading hits. */
interface Wish {
  dataFolder: string;
  matcher: WordMatcher;
  query: SearchQuery;
}

/** A row of the index with its lines from the files; null if its block or message no longer exists. */
export function readHit(row: DocRow, wish: Wish): Promise<SearchHit | null> {
  if (row.terminalId === PAST_ID) return Promise.resolve(readPastHit(row, wish));
  const folder = new SessionFolder(wish.dataFolder, row.terminalId);
  if (!existsSync(folder.root)) return Promise.resolve(null);
  return row.isMessage === 1 ? readMessageHit(folder, row, wish) : readBlockHit(folder, row, wish);
}

async function readBlockHit(folder: SessionFolder, row: DocRow, { matcher, query }: Wish): Promise<BlockHit | null> {
  const { terminalId, id, atMs, cwd, exitCode } = row;
  const ends = query.in.includes('output') ? await readEnds(folder.out(id)) : NO_ENDS;
  const shown = query.withoutSecrets ? withoutSecretsOf(row.cmd, ends) : { cmd: row.cmd, ...ends, isLess: false };
  const { cmd, head, tail } = shown;
  if (shown.isLess && !hasAll(matcher, query.in.includes('cmd') ? cmd : null, `${head}\n${tail}`)) return null;
  const cmdSpans = query.in.includes('cmd') ? spansOfCommand(matcher, cmd) : [];
  const picker = new SnippetSelector(matcher.size);
  pick(matcher, picker, head, 0);
  if (tail !== '') pick(matcher, picker, tail, row.outLines - countLines(tail));
  const status = (row.status ?? 'unknown_end') as BlockStatus; // written only from a Block's status
  const found = { ...picker.result(), ...(ends.isLeftOut && { isMiddleUnread: true }) };
  return { type: 'block', terminalId, id, atMs, cmd, cmdSpans, cwd, exitCode, status, ...found };
}

const NO_ENDS: TextEnds = { head: '', tail: '', isLeftOut: false };

interface Texts {
  cmd: string | null;
  head: string;
  tail: string;
}

/** The index includes the words of secrets, so its results are matched again after redaction. `isLess`: the text had secrets. */
function withoutSecretsOf(cmd: string | null, { head, tail }: TextEnds): Texts & { isLess: boolean } {
  const all = [cmd ?? '', head, tail].map(redactText);
  const [ownCmd, ownHead, ownTail] = all.map(({ text }) => text);
  const isLess = all.some(({ redactions }) => redactions > 0);
  return { cmd: cmd === null ? null : (ownCmd ?? ''), head: ownHead ?? '', tail: ownTail ?? '', isLess };
}

function hasAll(matcher: WordMatcher, cmd: string | null, output: string): boolean {
  const doc = matcher.text();
  doc.take(cmd ?? '');
  doc.nextText();
  for (const line of output.split('\n')) if (doc.missing.size > 0) doc.take(line);
  return doc.missing.size === 0;
}

async function readMessageHit(folder: SessionFolder, row: DocRow, { matcher }: Wish): Promise<MessageHit | null> {
  const [line] = await linesAfter(folder.chatJsonl, row.lineAt);
  const message = line?.line && parseLine(line.line, (json) => ChatMessage.parse(json));
  if (!message || message.id !== row.id) return null;
  return hitOf(message, matcher);
}

function readPastHit(row: DocRow, { dataFolder, matcher }: Wish): MessageHit | null {
  const message = pastMessageOf(dataFolder, row.id);
  return message && hitOf(message, matcher);
}

function hitOf(message: ChatMessage, matcher: WordMatcher): MessageHit {
  const picker = new SnippetSelector(matcher.size);
  pick(matcher, picker, messageText(message), 0);
  return messageHit(message, picker);
}

export function messageHit(message: ChatMessage, picker: SnippetSelector): MessageHit {
  const { id, terminalId, conversationId, kind, startedMs, tool } = message;
  const result = picker.result();
  return {
    type: 'message',
    terminalId,
    id,
    conversationId,
    kind,
    tool: tool?.name ?? null,
    atMs: startedMs,
    ...result,
  };
}

/** Matches in a command, which may have several lines. */
export function spansOfCommand(matcher: WordMatcher, cmd: string | null): BlockHit['cmdSpans'] {
  return cmd === null ? [] : (matcher.line(cmd)?.spans ?? []);
}

/** Adds the matching lines of a text; its first line has number `from`. */
export function pick(matcher: WordMatcher, picker: SnippetSelector, text: string, from: number): void {
  let n = from;
  for (let start = 0; start < text.length && !picker.isFull; n++) {
    const lf = text.indexOf('\n', start);
    const end = lf < 0 ? text.length : lf;
    const line = text.slice(start, end);
    const match = matcher.line(line);
    if (match) picker.take(n, line, match);
    start = end + 1;
  }
}

function countLines(text: string): number {
  let count = text.endsWith('\n') ? 0 : 1;
  for (let lf = text.indexOf('\n'); lf >= 0; lf = text.indexOf('\n', lf + 1)) count += 1;
  return count;
}
