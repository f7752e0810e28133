import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PtyProcess, RecordedOutput } from '../../src-main/pty/PtyProcess.ts';
import { FollowedOutput } from '../../src-main/ptyHost/client/FollowedOutput.ts';
import { attendanceOf, stretchesOf } from '../../src-main/ptyHost/client/stretchesOf.ts';
import { isHostsAnswer } from '../../src-main/ptyHost/host/QueryAnswers.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import type { ScreenHandle } from '../../src-main/screen/worker/ScreenHandle.ts';
import { ScreenHost } from '../../src-main/screen/worker/ScreenHost.ts';
import { AdoptedShell } from '../../src-main/terminal/AdoptedShell.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { HeldShell } from './HeldShell.ts';
import { HostedHere } from './HostedHere.ts';

const WORKER = new URL('../../src-main/terminal/screen/screenWorker.ts', import.meta.url);
const SIZE = { cols: 80, rows: 24 };

let screens: ScreenHost;
beforeAll(() => {
  screens = new ScreenHost({ workerUrl: WORKER });
});
afterAll(() => screens.dispose());

/** One core after another. */
interface Life {
  /** Printed while it is there. */
  readonly printed: readonly string[];
  /** It is killed after so many answers. */
  readonly told: number;
  /** It lets the next core read from the end of its output on. */
  readonly keeps: boolean;
  /** Printed after it. */
  readonly unattended: string;
}

/** A core's answers until it is killed. */
class Teller {
  readonly #hosted: HostedHere;
  #left: number;

  constructor(hosted: HostedHere, most: number) {
    this.#hosted = hosted;
    this.#left = most;
  }

  get isKilled(): boolean {
    return this.#left < 0;
  }

  get process(): PtyProcess {
    const recorded: Partial<RecordedOutput> = {
      answer: (text, offset) => this.#tell(() => this.#hosted.terminal.write(Buffer.from(text), offset)),
    };
    return Object.assign(new HeldShell(), { recorded: recorded as RecordedOutput });
  }

  #tell(message: () => void): void {
    this.#left -= 1;
    if (!this.isKilled) message();
  }
}

/** Takes the shell over as a core does, and reads its output up to now. */
async function adopt(hosted: HostedHere, process: PtyProcess, screen: ScreenHandle): Promise<void> {
  const { state } = hosted.terminal;
  hosted.terminal.foundCore();
  const { keep: from, end, nonce, answered = { at: 0, count: 0 } } = state;
  const shell = new AdoptedShell({
    ...{
      process,
      nonce,
      from,
      end,
      answered,
      attendance: attendanceOf(state),
      size: SIZE,
      isUnmarked: false,
      reports: null,
    },
    ...{ plan: { file: '/bin/sh', args: [] } as never, isAnswered: isHostsAnswer },
    shown: from > 0 ? [{ offset: 0, bytes: hosted.raw.subarray(0, from), size: null }] : [],
  });
  screen.onReply((reply) => shell.answer(reply));
  shell.showBefore(screen);
  const output = new FollowedOutput(join(hosted.folder, 'output.raw'));
  for (const one of await stretchesOf(state, {
    times: join(hosted.folder, 'output.times'),
    sizes: [],
    borders: [],
    pauseMs: 1000,
  }))
    output.add(one);
  for (let chunk = output.next(); chunk; chunk = output.next()) {
    shell.before(chunk, screen);
    screen.write(chunk.bytes, chunk.offset);
  }
  output.close();
  await shell.finish(screen, SIZE);
}

async function live(hosted: HostedHere, { printed, told, keeps, unattended }: Life, isFirst: boolean): Promise<void> {
  const teller = new Teller(hosted, told);
  const { keep, answered = { at: keep } } = hosted.terminal.state;
  const answersFrom = Math.max(keep, answered.at);
  const screen = screens.open('t', { ...SIZE, scrollbackLines: 100, startOffset: 0, answersFrom });
  const { process } = teller;
  hosted.hasCore = true;
  if (isFirst) screen.onReply(({ text, offset }) => process.recorded?.answer(text, offset));
  else await adopt(hosted, process, screen);
  for (const text of printed) {
    const offset = hosted.raw.length;
    hosted.shell.print(Buffer.from(text));
    screen.write(Buffer.from(text), offset);
    if (text.length % 2 === 0) await screen.frame(); // some are parsed alone, others together
  }
  await screen.frame();
  if (keeps && !teller.isKilled) hosted.terminal.keepFrom(hosted.raw.length);
  screen.dispose();
  hosted.hasCore = false;
  hosted.terminal.lostCore(true);
  hosted.shell.print(Buffer.from(unattended));
}

const piece = fc.oneof(
  fc.constantFrom('\x1b[c', '\x1b[5n', '\x1b[>c', '\x1b[?2026$p'),
  fc.tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 80 })).map(([y, x]) => `\x1b[${y};${x}H\x1b[6n`),
  fc.constantFrom('text', '\r\n', '\x1b[2J', '\x1b[1', ';3H\x1b[', '\x1b[', '6n', '5n', 'c'),
);
const life: fc.Arbitrary<Life> = fc.record({
  printed: fc.array(piece, { maxLength: 6 }),
  told: fc.integer({ min: 0, max: 6 }),
  keeps: fc.boolean(),
  unattended: fc.array(piece, { maxLength: 2 }).map((pieces) => pieces.join('')),
});

test('each query gets one answer, wherever cores are killed on the way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
      const hosted = new HostedHere();
      try {
        const last: Life = { printed: [], told: 1000, keeps: false, unattended: '' };
        for (const [at, one] of [...lives, last].entries()) await live(hosted, one, at === 0);
        const model = new ScreenModel({ ...SIZE, scrollbackLines: 100 });
        const expected: string[] = [];
        model.onReply((reply) => expected.push(reply));
        model.write(hosted.raw);
        model.dispose();
        const answers = hosted.shell.typed.split(/(?=\x1b)/);
        expect(answers.filter(Boolean).sort()).toEqual(expected.sort());
      } finally {
        await hosted.dispose();
      }
    }),
    fuzzRuns(60),
  );
});

test('queries that earlier cores answered count as none of the many in a second', async () => {
  const hosted = new HostedHere();
  try {
    const asks: Life = { printed: Array<string>(20).fill('\x1b[6n'), told: 1000, keeps: false, unattended: '' };
    for (let at = 0; at < 4; at += 1) await live(hosted, asks, at === 0);
    expect(hosted.shell.typed).toBe('\x1b[1;1R'.repeat(80));
  } finally {
    await hosted.dispose();
  }
});
