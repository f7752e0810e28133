import { existsSync } from 'node:fs';
import type { BlockStatus } from '../../contract/block.ts';
import { ChatMessage } from '../../contract/chat.ts';
import type { BlockHit, MessageHit, SearchHit, SearchPlace } from '../../contract/search.ts';
import { messageText } from '../../store/index/docs.ts';
import type { DocRow } from '../../store/index/IndexQuery.ts';
import { readEnds } from '../../store/index/readEnds.ts';
import { linesAfter } from '../../store/index/sourceLines.ts';
import type { WordMatcher } from '../../store/index/WordMatcher.ts';
import { parseLine } from '../../store/readJsonLines.ts';
import { SessionFolder } from '../../store/SessionFolder.ts';
import { LinePicker } from './pickLines.ts';

/** What a hit is made with. */
interface Wish {
  dataFolder: string;
  matcher: WordMatcher;
  in: readonly SearchPlace[];
}

/** A row of the index with the lines that the files have for it; null when what it stands for is gone. */
export function readHit(row: DocRow, wish: Wish): Promise<SearchHit | null> {
  const folder = new SessionFolder(wish.dataFolder, row.terminalId);
  if (!existsSync(folder.root)) return Promise.resolve(null);
  return row.isMessage === 1 ? readMessageHit(folder, row, wish) : readBlockHit(folder, row, wish);
}

async function readBlockHit(folder: SessionFolder, row: DocRow, { matcher, in: places }: Wish): Promise<BlockHit> {
  const { terminalId, id, atMs, cmd, cwd, exitCode } = row;
  const cmdSpans = places.includes('cmd') ? spansOfCommand(matcher, cmd) : [];
  const picker = new LinePicker(matcher.size);
  if (places.includes('output')) {
    const { head, tail } = await readEnds(folder.out(id));
    pick(matcher, picker, head, 0);
    if (tail !== '') pick(matcher, picker, tail, row.outLines - countLines(tail));
  }
  const status = (row.status ?? 'unknown_end') as BlockStatus; // from a Block: nothing else writes it
  return { type: 'block', terminalId, id, atMs, cmd, cmdSpans, cwd, exitCode, status, ...picker.result() };
}

async function readMessageHit(folder: SessionFolder, row: DocRow, { matcher }: Wish): Promise<MessageHit | null> {
  const [line] = await linesAfter(folder.chatJsonl, row.lineAt);
  const message = line?.line && parseLine(line.line, (json) => ChatMessage.parse(json));
  if (!message || message.id !== row.id) return null;
  const picker = new LinePicker(matcher.size);
  pick(matcher, picker, messageText(message), 0);
  return messageHit(message, picker);
}

export function messageHit(message: ChatMessage, picker: LinePicker): MessageHit {
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

/** Matches of a command of any number of lines. */
export function spansOfCommand(matcher: WordMatcher, cmd: string | null): BlockHit['cmdSpans'] {
  return cmd === null ? [] : (matcher.line(cmd)?.spans ?? []);
}

/** Takes the matching lines of a text, its first line being number `from`. */
export function pick(matcher: WordMatcher, picker: LinePicker, text: string, from: number): void {
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
