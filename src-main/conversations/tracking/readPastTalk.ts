import { stat } from 'node:fs/promises';
import type { ChatMessage } from '../../contract/chat/chat.ts';
import { readLinesBackward } from '../../store/files/readBackward.ts';
import { parseLine } from '../../store/files/readJsonLines.ts';
import { parseChatLine } from '../../store/record/readChat.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { isSaid, type PastMessage, pastOf } from '../extraction/merge/replay.ts';

/** Most terminals that are read, those with the latest messages, … */
const MOST_TERMINALS = 24;
/** … and most lines from the end of each: a resumed conversation is rarely an old one, and its end identifies it. */
const MOST_LINES = 300;

/**
 * Reads the latest messages with that agent in all terminals, which it may draw again when it resumes a conversation. Reads only the ends of
 * some files, however much was recorded. Skips files that cannot be read: doctor reports them.
 */
export async function readPastTalk(dataFolder: string, agent: string): Promise<PastMessage[]> {
  const past: PastMessage[] = [];
  for (const folder of await latest(dataFolder)) past.push(...(await endOf(folder, agent).catch(() => [])));
  return past;
}

/** The folders in ascending order of their last write. */
async function latest(dataFolder: string): Promise<SessionFolder[]> {
  const folders = SessionFolder.list(dataFolder).map((id) => new SessionFolder(dataFolder, id));
  const written = await Promise.all(
    folders.map(async (folder) => ({ folder, atMs: (await stat(folder.chatJsonl).catch(() => null))?.mtimeMs })),
  );
  return written
    .flatMap(({ folder, atMs }) => (atMs === undefined ? [] : [{ folder, atMs }]))
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-MOST_TERMINALS)
    .map(({ folder }) => folder);
}

async function endOf(folder: SessionFolder, agent: string): Promise<PastMessage[]> {
  const latest = new Map<string, ChatMessage>();
  let lines = 0;
  for await (const { line } of readLinesBackward(folder.chatJsonl)) {
    lines += 1;
    if (lines > MOST_LINES) break;
    const read = line && parseLine(line, parseChatLine);
    if (read && 'kind' in read && !latest.has(read.id)) latest.set(read.id, read);
  }
  const isOwn = (message: ChatMessage) =>
    isSaid(message) && message.replayOf === undefined && message.provenance.extractor === agent;
  return [...latest.values()].filter(isOwn).map(pastOf).reverse();
}
