import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { type ChatLine, type ChatMessage, GAP_LINE } from '../../src-main/contract/chat/chat.ts';
import { plainWords } from '../../src-main/conversations/extraction/merge/plainWords.ts';
import { ConversationStore } from '../../src-main/conversations/record/ConversationStore.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { ImportedChats } from '../../src-main/recordings/importChats.ts';
import { parseChatLine } from '../../src-main/store/record/readChat.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { connectTo } from '../support/coreClient.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { ServedApp } from '../support/WebApp.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/agents/', import.meta.url));
const PLAYER = fileURLToPath(new URL('../support/playedAgent.mjs', import.meta.url));
const RECORDED = globSync('*/*-short-turns/session.cast', { cwd: FIXTURES }).sort();
/** Each run starts a whole core. */
const RUNS = timesOf({ merge: 4, soak: 16 });
/** Playback speed: a conversation of half a minute takes some seconds. */
const SPEED = 4;
const LEAST_MS = 800;
const MOST_MS = 6000;

const app = new ServedApp();
afterAll(() => app.dispose());

type Said = Pick<ChatMessage, 'kind' | 'text'>;

interface Expected {
  agent: string;
  cols: number;
  rows: number;
  conversations: { messages: Said[] }[];
}

function expectedOf(cast: string): Expected {
  return JSON.parse(readFileSync(join(FIXTURES, cast, '../expected.json'), 'utf8')) as Expected;
}

/** The command line of a program with the agent's name that plays the recording. */
function commandOf(cast: string): string {
  const program = join(app.home, 'bin', expectedOf(cast).agent);
  mkdirSync(join(app.home, 'bin'), { recursive: true });
  copyFileSync(PLAYER, program);
  chmodSync(program, 0o755);
  return `${program} ${join(FIXTURES, cast)} ${SPEED}`;
}

async function submit(api: CoreConnection['api'], id: string, text: string): Promise<void> {
  for (;;) {
    if ((await api.terminal.submit.mutate({ id, text })).ok) return;
    await sleep(20); // the shell has no prompt yet
  }
}

/** Whole lines of chat.jsonl; each must parse. Text after the last newline is a torn line. */
function linesOf(folder: SessionFolder): ChatLine[] {
  if (!existsSync(folder.chatJsonl)) return [];
  const text = readFileSync(folder.chatJsonl, 'utf8');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter(Boolean).map((line) => parseChatLine(JSON.parse(line)));
}

/** Resolves once a message after the first `known` lines streams, or after MOST_MS. */
async function untilOneStreams(folder: SessionFolder, known: number): Promise<void> {
  const endMs = Date.now() + MOST_MS;
  const streams = (): boolean =>
    latestOf(linesOf(folder))
      .slice(known)
      .some((line) => 'kind' in line && !line.final);
  while (!streams() && Date.now() < endMs) await sleep(10);
}

/** The last version of each line, in order. */
function latestOf(lines: readonly ChatLine[]): ChatLine[] {
  return [...new Map(lines.map((line) => [line.id, line])).values()].sort((a, b) => a.order - b.order);
}

function messagesOf(lines: readonly ChatLine[], conversationId?: string): ChatMessage[] {
  const messages = latestOf(lines).filter((line) => 'kind' in line);
  return conversationId === undefined ? messages : messages.filter((one) => one.conversationId === conversationId);
}

function said(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.filter(({ kind }) => kind === 'user' || kind === 'model');
}

/** The messages that an import extracts from the agent's bytes. */
function extractedAgain(raw: Uint8Array, { agent, cols, rows }: Expected): ChatMessage[] {
  let given = 0;
  const newId = () => {
    given += 1;
    return `again${given}`;
  };
  const chats = new ImportedChats({ id: 't', agent, startMs: 0, size: { cols, rows }, newId });
  try {
    chats.feed(raw, [], 0);
    return messagesOf(chats.end());
  } finally {
    chats.dispose();
  }
}

/** The program's whole output without carriage returns, because a terminal may add one before each newline. */
function printedBy(cast: string): string {
  const lines = readFileSync(join(FIXTURES, cast), 'utf8').split('\n').slice(1).filter(Boolean);
  const output = lines.map((line) => JSON.parse(line) as [number, string, string]).filter(([, kind]) => kind === 'o');
  return withoutReturns(output.map(([, , text]) => text).join(''));
}

/** The bytes before the shell's next marker, which follows a program that ended before the kill. */
function untilMark(raw: Buffer): Buffer {
  const mark = raw.indexOf('\x1b]7717;');
  return mark < 0 ? raw : raw.subarray(0, mark);
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r', '');
}

/** Messages of `some` that match no message of `all`, when each may match once and in order. */
function unsaid(all: readonly Said[], some: readonly Said[]): string[] {
  let from = 0;
  return some.flatMap(({ kind, text }) => {
    const pieces = text.split(GAP_LINE).map(plainWords);
    const found = all.findIndex(
      (one, at) => at >= from && one.kind === kind && pieces.every((piece) => plainWords(one.text).includes(piece)),
    );
    if (found >= 0) from = found + 1;
    return found < 0 ? [`${kind}: ${text}`] : [];
  });
}

/** Compares the record of one killed run with its program's output and the expected messages. True when a message was cut short. */
function verifyRun(folder: SessionFolder, lines: readonly ChatLine[], cast: string): boolean {
  const expected = expectedOf(cast);
  const begun = latestOf(lines).findLast((line) => 'type' in line && line.type === 'cli:newSession');
  if (!begun || !('type' in begun) || begun.agent !== expected.agent) return false; // killed before the agent was detected
  const messages = said(messagesOf(lines, begun.conversationId));
  const truth = expected.conversations.flatMap((one) => one.messages);
  expect(unsaid(truth, messages), 'invented, or told twice').toEqual([]);
  const raw = untilMark(readFileSync(folder.raw).subarray(begun.at));
  const text = withoutReturns(raw.toString('utf8').replace(/\ufffd+$/, '')); // the last character may be cut
  expect(printedBy(cast).includes(text), 'output.raw is what was printed').toBe(true);
  if (messages.length > 0) expect(text, 'the conversation begins with its command').not.toBe('');
  const again = said(extractedAgain(raw, expected));
  expect(unsaid(truth, again), 'invented, or told twice, from output.raw').toEqual([]);
  expect(unsaid(again, messages), 'in chat.jsonl and not in output.raw').toEqual([]);
  return messages.some(({ final }) => !final);
}

/** Messages that were final on disk are unchanged, and every conversation but the last has ended. */
function verifyBefore(before: readonly ChatLine[], now: readonly ChatLine[]): void {
  const byId = new Map(latestOf(now).map((line) => [line.id, line]));
  for (const message of messagesOf(before)) if (message.final) expect(byId.get(message.id)).toEqual(message);
  const told = now.filter((line) => 'type' in line);
  const begun = new Set(told.filter(({ type }) => type === 'cli:newSession').map((line) => line.conversationId));
  const ended = new Set(told.filter(({ type }) => type === 'cli:exit').map((line) => line.conversationId));
  expect([...begun].slice(0, -1).filter((id) => !ended.has(id))).toEqual([]);
}

/**
 * A start ends the conversation that the kill cut short, in the list and on disk, at the time of its last line. It marks every message
 * as final and changes nothing else.
 */
async function verifyEnded(
  api: CoreConnection['api'],
  folder: SessionFolder,
  before: readonly ChatLine[],
): Promise<void> {
  const isEnd = (line: ChatLine) => 'type' in line && line.type === 'cli:exit';
  const begun = before.findLast((line) => 'type' in line && (line.type === 'cli:newSession' || isEnd(line)));
  if (!begun || isEnd(begun)) return expect(latestOf(linesOf(folder))).toEqual(latestOf(before));
  await expect
    .poll(() => latestOf(linesOf(folder)).some((line) => isEndOf(line, begun)), { timeout: 30_000 })
    .toBe(true);
  const now = latestOf(linesOf(folder));
  const end = now.find((line) => isEndOf(line, begun));
  const lastMs = Math.max(...before.map((line) => ('kind' in line ? line.updatedMs : line.atMs)));
  expect(end).toMatchObject({ isUnseen: true, atMs: lastMs });
  const whole = latestOf(before).map((line) => ('kind' in line ? { ...line, final: true } : line));
  expect(now.filter((line) => line !== end)).toEqual(whole);
  const listed = await api.chat.list.query({});
  expect(listed.filter(({ endedMs }) => endedMs === null)).toEqual([]);
}

function isEndOf(line: ChatLine, begun: ChatLine): boolean {
  return 'type' in line && line.type === 'cli:exit' && line.conversationId === begun.conversationId;
}

test(
  `a core that is killed ${RUNS} times while agents speak loses nothing that was whole, and tells nothing twice`,
  async () => {
    let onDisk: ChatLine[] = [];
    let cutShort = 0;
    let id = '';
    for (let run = 0; run < RUNS; run += 1) {
      await app.start();
      const connection = connectTo(app.home);
      const cast = RECORDED[run % RECORDED.length] ?? '';
      const { cols, rows } = expectedOf(cast);
      id ||= (await connection.api.terminal.open.mutate({ shell: '/bin/bash', cols, rows })).id;
      const folder = new SessionFolder(app.home, id);
      await verifyEnded(connection.api, folder, onDisk);
      await submit(connection.api, id, commandOf(cast));
      if (run % 3 === 0) await untilOneStreams(folder, latestOf(onDisk).length);
      else await sleep(LEAST_MS + (((run * 7919) % 100) / 100) * (MOST_MS - LEAST_MS));
      await app.crash();
      connection.dispose();
      const lines = linesOf(folder);
      verifyBefore(onDisk, lines);
      if (verifyRun(folder, lines, cast)) cutShort += 1;
      onDisk = lines;
    }
    const files = new ConversationStore(app.home, () => undefined);
    const listed = await files.list({ limit: 1000 });
    expect(listed.length).toBeGreaterThan(0);
    expect(
      listed.filter(({ endedMs }) => endedMs === null),
      'nobody writes any more',
    ).toEqual([]);
    expect(messagesOf(onDisk).length, 'agents spoke before they were killed').toBeGreaterThan(RUNS);
    expect(cutShort, 'some kill met a message that streamed').toBeGreaterThan(0);
  },
  10 * 60_000,
);
