import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { ScreenRecord } from '../../src-main/terminal/screen/ScreenRecord.ts';
import { type Clock, systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { gather, type Printed, readSessions } from './agentSessions.ts';
import { RecordedChat } from './RecordedChat.ts';
import { WorkerInProcess } from './WorkerInProcess.ts';

/**
 * Entry point of a process that shows recorded agents' sessions repeatedly to an emulator, up to a number of bytes (argument 2), and
 * reports the CPU time. Modes (argument 1):
 * `alone`: only @xterm/headless. `recorded`: our screen with frames, deltas, screen.jsonl and snapshots, on a real disk.
 * `chat`: `recorded` and its conversations with chat.jsonl. `paced`: `chat` with a clock at the agents' pace, so that all deltas and
 * steps of eight hours are taken. `long`: one agent's session again and again as one conversation, paced.
 */
export interface ScreenCpu {
  cpuMs: number;
  bytes: number;
  /** CPU time of each showing of all sessions. */
  rounds: number[];
  /** Deltas of the screen; `fileBytes` is the size of screen.jsonl, `agentsMs` the time that passed for the agents. */
  deltas: number;
  fileBytes: number;
  /** Screen steps; `messages` counts messages in chat.jsonl. */
  steps: number;
  messages: number;
  agentsMs: number;
}

const SIZE = { cols: 110, rows: 34 };
const SCROLLBACK_LINES = 1000;
/** A session that no command clears. */
const LONG_SESSION = 'opencode';
/** Size of the pieces that ChunkCoalescer makes. */
const PIECE_BYTES = 64 * 1024;

interface Shown {
  show(piece: Printed): Promise<void> | void;
  end(): Promise<Pick<ScreenCpu, 'deltas' | 'fileBytes' | 'steps' | 'messages'>>;
}

const [, , mode = '', wanted = '0'] = process.argv;
const isPaced = mode === 'paced' || mode === 'long';
const sessions = readSessions(mode === 'long' ? LONG_SESSION : '');
const round = isPaced ? sessions : gather(sessions, PIECE_BYTES);
const roundMs = (sessions.at(-1)?.atMs ?? 0) + 1000;
const clock = new FakeClock();
const shown = mode === 'alone' ? alone() : recorded(isPaced ? clock : systemClock);
const rounds: number[] = [];
let bytes = 0;
const begin = process.cpuUsage();
for (let n = 0; bytes < Number(wanted); n += 1) {
  const before = process.cpuUsage();
  for (const piece of round) {
    await shown.show({ ...piece, atMs: n * roundMs + piece.atMs });
    bytes += piece.bytes.length;
  }
  rounds.push(cpuMs(before));
}
const figures = await shown.end();
const report: ScreenCpu = { cpuMs: cpuMs(begin), bytes, rounds, agentsMs: rounds.length * roundMs, ...figures };
process.send?.(report, () => process.exit(0));

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function alone(): Shown {
  const terminal = new xterm.Terminal({
    ...SIZE,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  });
  return {
    show: ({ bytes: piece }) => new Promise((resolve) => terminal.write(piece, resolve)),
    end: async () => ({ deltas: 0, fileBytes: 0, steps: 0, messages: 0 }),
  };
}

function recorded(of: Clock): Shown {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-screen-cpu-'));
  const folder = new SessionFolder(dataFolder, 't1');
  const screen = new WorkerInProcess({ ...SIZE, scrollbackLines: SCROLLBACK_LINES }, of);
  const record = new ScreenRecord(screen, { folder, reportFault: refuse }, { clock: of, log: silentLog });
  const chat = mode === 'recorded' ? null : new RecordedChat(screen, folder, of);
  return {
    async show({ atMs, bytes: piece, agent }) {
      chat?.agentIs(agent);
      if (of instanceof FakeClock) of.advance(Math.max(0, atMs - of.monotonicMs()));
      screen.feed(piece);
      await new Promise((resolve) => setImmediate(resolve)); // lets files be written and timers run, as between two reads of a PTY
    },
    async end() {
      await chat?.close();
      await record.close();
      screen.dispose();
      const fileBytes = statSync(folder.screenJsonl).size;
      rmSync(dataFolder, { recursive: true, force: true });
      return { deltas: screen.deltas, fileBytes, steps: chat?.steps ?? 0, messages: chat?.messages ?? 0 };
    },
  };
}

function refuse(file: string, reason: string | null): void {
  if (reason !== null) throw new Error(`${file}: ${reason}`);
}
