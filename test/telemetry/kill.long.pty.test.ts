import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { accept, Receiver, refuse } from './support/Receiver.ts';
import { Talk } from './support/talks.ts';

const PROGRAM = new URL('./support/killable.ts', import.meta.url).pathname;
const LIMIT = 1024 ** 2;
/** Conversations of two turns each, with a kill after each. */
const CONVERSATIONS = 12;

let dataFolder: string;
let receiver: Receiver;
let child: ChildProcess | null = null;

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'hansard-kill-'));
  receiver = await Receiver.start();
  const settings = {
    version: 1,
    'telemetry.enabled': true,
    'telemetry.endpoint': receiver.origin,
    'telemetry.queueBytes': LIMIT,
  };
  writeFileSync(join(dataFolder, 'settings.json'), JSON.stringify(settings));
});
afterEach(async () => {
  await kill();
  await receiver.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Starts the process; resolves when it runs. */
async function start(): Promise<void> {
  const started = spawn(process.execPath, [PROGRAM, dataFolder], { stdio: ['pipe', 'pipe', 'inherit'] });
  child = started;
  await new Promise((resolve) => started.stdout.once('data', resolve));
}

async function kill(): Promise<void> {
  const gone = child;
  child = null;
  if (!gone) return;
  const ended = new Promise((resolve) => gone.once('exit', resolve));
  gone.kill('SIGKILL');
  await ended;
}

/** Writes a finished conversation of two turns to a new terminal. */
function endConversation(at: number): void {
  const ids = { terminalId: `t${at}`, conversationId: `c${at}` };
  const talk = new Talk(Date.now() - 500, ids).turn('a', 'b').turn('c', 'd').event({ type: 'cli:exit' });
  const path = new SessionFolder(dataFolder, ids.terminalId).chatJsonl;
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, talk.lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  child?.stdin?.write(`${ids.terminalId}\n`);
}

function queueBytes(): number {
  const folder = join(dataFolder, 'telemetry', 'queue');
  try {
    return readdirSync(folder).reduce(
      (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  } catch {
    return 0; // no queue yet
  }
}

/** Latest moment of a kill, in ms; reading, queueing, sending and removing happen before it. */
const MOMENTS_MS = 250;

test('every span arrives, with the same ids each time, however often the process is killed (law)', async () => {
  await start();
  // The first file shows that telemetry is on.
  await expect.poll(() => readdirSync(dataFolder)).toContain('telemetry');
  await expect.poll(() => readdirSync(join(dataFolder, 'telemetry'))).toContain('state.json');
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  for (let at = 0; at < CONVERSATIONS; at += 1) {
    receiver.behave = random() < 0.3 ? refuse(503) : random() < 0.3 ? () => undefined : accept;
    endConversation(at);
    await new Promise((resolve) => setTimeout(resolve, random() * MOMENTS_MS));
    await kill();
    expect(queueBytes()).toBeLessThanOrEqual(LIMIT);
    if (random() < 0.3) endConversation(100 + at); // while the process is not running
    await start();
  }
  receiver.behave = accept;
  const wanted = readdirSync(join(dataFolder, 'terminals')).map((id) => id.replace('t', 'c'));
  const taken = () => receiver.spans.flatMap(({ attributes }) => attributes['gen_ai.conversation.id'] ?? []);
  await expect.poll(() => new Set(taken()).size, { timeout: 60_000 }).toBe(wanted.length);
  await expect.poll(queueBytes, { timeout: 60_000 }).toBe(0);
  expect(new Set(taken())).toEqual(new Set(wanted));
  // Two turns and two tools per conversation, each with one id, even if spans arrive twice.
  const ids = new Set(receiver.spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`));
  expect(ids.size).toBe(wanted.length * 4);
});
