import type { ChatLine } from '../../../src-main/contract/chat/chat.ts';
import type { ScreenStep } from '../../../src-main/contract/chat/extractor.ts';
import { ExtractorFactory } from '../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { isSaid, type PastMessage, pastOf } from '../../../src-main/conversations/extraction/merge/replay.ts';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import { AgentRun, type AgentRunDeps } from '../../../src-main/conversations/tracking/AgentRun.ts';
import { PtyDataProcessor } from '../../../src-main/events/PtyDataProcessor.ts';
import { type CastEvent, CastReader } from '../../../src-main/recordings/formats/CastReader.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenStepRecorder } from '../../../src-main/screen/worker/ScreenStepRecorder.ts';
import { Disposables } from '../../../src-main/util/Disposables.ts';
import { countedIds } from '../../support/chatOfCast.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import type { Expected, ExpectedRun } from './expected.ts';
import { readCast } from './findRecordings.ts';
import { type ReadChat, readChat } from './readChat.ts';

const SCROLLBACK_LINES = 1000;

/**
 * The conversation that the current code records from a committed recording. The bytes go through the real emulator and the real
 * `AgentRun` at the times of the recording. Only the process tree is missing, so `runs` says when the agent ran.
 */
export async function chatOfRecording(recording: Recorded): Promise<ReadChat> {
  const { lines, startMs } = await linesOfRecording(recording);
  return readChat(lines, startMs);
}

/** A recording with the times of agent runs, and the recording of the previous terminal, whose messages may be drawn again. */
export interface Recorded {
  /** Path of the asciicast. */
  readonly cast: string;
  readonly expected: Pick<Expected, 'runs'>;
  readonly before?: Recorded;
}

/** The lines of chat.jsonl for a recording, and its start time on their clock. */
export async function linesOfRecording(recorded: Recorded): Promise<{ lines: ChatLine[]; startMs: number }> {
  const { cast, expected, before } = recorded;
  const [first = '', ...lines] = readCast(cast).split('\n');
  const reader = CastReader.open(first);
  if ('problem' in reader) throw new Error(reader.problem);
  const playback = new Playback(reader.header, expected.runs, before ? await pastTalkOf(before) : []);
  try {
    for (const line of lines) {
      const event = reader.read(line);
      if (event && !('problem' in event)) await playback.take(event); // skips blank lines and comments
    }
    return await playback.end();
  } finally {
    playback.dispose();
  }
}

/** Last versions of all messages in this terminal and the ones before. */
async function pastTalkOf(recorded: Recorded): Promise<PastMessage[]> {
  const { lines } = await linesOfRecording(recorded);
  const latest = new Map(lines.flatMap((line) => ('kind' in line ? [[line.id, line] as const] : [])));
  const own = [...latest.values()].filter((message) => isSaid(message) && message.replayOf === undefined);
  return [...(recorded.before ? await pastTalkOf(recorded.before) : []), ...own.map(pastOf)];
}

/** One terminal, played from its recording. */
class Playback {
  readonly #clock = new FakeClock();
  readonly #startMs = this.#clock.nowMs();
  readonly #model: ScreenModel;
  readonly #events = new PtyDataProcessor({ startOffset: 0, hostName: 'recording' });
  readonly #session = new PtyChatSession('recording', countedIds());
  readonly #factory = new ExtractorFactory();
  readonly #lines: ChatLine[] = [];
  readonly #due: ExpectedRun[];
  readonly #past: readonly PastMessage[];
  #now: { run: AgentRun; toMs: number; owned: Disposables } | null = null;
  #taker: ScreenStepRecorder | null = null;
  #at = 0;

  constructor(
    { cols, rows }: { cols: number; rows: number },
    runs: readonly ExpectedRun[],
    past: readonly PastMessage[],
  ) {
    this.#past = past;
    this.#model = new ScreenModel({ cols, rows, scrollbackLines: SCROLLBACK_LINES }, this.#clock);
    this.#due = [...runs];
  }

  async take(event: CastEvent): Promise<void> {
    if (this.#now && event.atMs > this.#now.toMs) await this.#endRun();
    this.#clock.advance(Math.max(0, event.atMs - this.#clock.monotonicMs()));
    if (event.type === 'resize') this.#resize(event);
    if (event.type !== 'output') return;
    const [due] = this.#due;
    const newline = event.text.indexOf('\n');
    if (due && event.atMs >= due.fromMs && newline >= 0) {
      this.#write(event.text.slice(0, newline + 1)); // the echo of Return; the rest is the command's output
      this.#begin(due);
      this.#write(event.text.slice(newline + 1));
    } else this.#write(event.text);
  }

  async end(): Promise<{ lines: ChatLine[]; startMs: number }> {
    if (this.#now) await this.#endRun();
    return { lines: this.#lines, startMs: this.#startMs };
  }

  dispose(): void {
    this.#now?.owned.dispose();
    this.#model.dispose();
  }

  #resize({ cols, rows }: { cols: number; rows: number }): void {
    this.#model.resize({ cols, rows });
    this.#now?.run.resized(this.#at);
    this.#changed();
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    if (bytes.length === 0) return;
    for (const event of this.#events.feed({ bytes, nonceAt: [] }, this.#clock.monotonicMs()))
      this.#now?.run.handleEvent(event);
    this.#model.write(bytes);
    this.#at += bytes.length;
    this.#changed();
  }

  #changed(): void {
    this.#taker?.changed(this.#at);
    this.#taker?.settle();
  }

  #begin({ agent, toMs }: ExpectedRun): void {
    this.#due.shift();
    this.#model.mark('begin');
    this.#session.recall(this.#past);
    const owned = new Disposables();
    const run = owned.add(
      new AgentRun(this.#depsOf(owned), {
        name: agent,
        cwd: null,
        blockId: null,
        at: this.#at,
        evidence: { channel: 'process', state: 'starting', rule: 'the recording', line: agent },
      }),
    );
    this.#now = { run, toMs, owned };
  }

  async #endRun(): Promise<void> {
    await this.#now?.run.end({ at: this.#at, isExact: true });
    this.#now?.owned.dispose();
    this.#now = null;
    this.#taker = null;
  }

  #depsOf(owned: Disposables): AgentRunDeps {
    const parts = {
      session: this.#session,
      factory: this.#factory,
      clock: this.#clock,
      record: { write: (lines: readonly ChatLine[]) => this.#lines.push(...lines) },
      screen: {
        followSteps: (listener: (step: ScreenStep) => void) => this.#follow(owned, listener),
        lastStep: async () => this.#taker?.take(),
      },
      home: '/nowhere',
      env: {},
      log: () => undefined,
      logOwners: new Map(),
      mayReadLogs: () => false,
      pids: () => [],
      sweep: { isRunning: false, start: () => undefined }, // the recording already contains full redraws
      mayRunSweeps: () => false,
      tell: () => undefined,
    };
    return parts as unknown as AgentRunDeps;
  }

  #follow(owned: Disposables, listener: (step: ScreenStep) => void): ScreenStepRecorder {
    this.#taker = owned.add(new ScreenStepRecorder(this.#model, this.#clock, listener));
    return this.#taker;
  }
}
