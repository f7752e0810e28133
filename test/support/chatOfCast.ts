import { readFileSync } from 'node:fs';
import type { ChatLine } from '../../src-main/contract/chat/chat.ts';
import type { ScreenStep } from '../../src-main/contract/chat/extractor.ts';
import { ExtractorFactory } from '../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { PtyChatSession } from '../../src-main/conversations/extraction/PtyChatSession.ts';
import { PtyChatSnapshotExtractor } from '../../src-main/conversations/extraction/PtyChatSnapshotExtractor.ts';
import { type CastEvent, CastReader } from '../../src-main/recordings/formats/CastReader.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenStepRecorder } from '../../src-main/screen/worker/ScreenStepRecorder.ts';
import { FakeClock } from './FakeClock.ts';

/** Same as in the recorder's screens. */
const SCROLLBACK_LINES = 2000;
const TERMINAL = 'cast';

/** A generator of numbered ids: `id1`, `id2` … */
export function countedIds(from = 0): () => string {
  let count = from;
  return () => {
    count += 1;
    return `id${count}`;
  };
}

/** Keys in a recording, with the number of steps before them. */
export interface TypedAt {
  readonly keys: string;
  readonly steps: number;
  readonly atMs: number;
}

/** Plays an asciicast through the real emulator at its own times and returns the recorder's steps. Adds the recording's keys to `typed`. */
export function stepsOfCast(path: URL | string, typed: TypedAt[] = []): ScreenStep[] {
  const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n');
  const reader = CastReader.open(first);
  if ('problem' in reader) throw new Error(reader.problem);
  const { cols, rows } = reader.header;
  const clock = new FakeClock();
  const model = new ScreenModel({ cols, rows, scrollbackLines: SCROLLBACK_LINES }, clock);
  const steps: ScreenStep[] = [];
  const taker = new ScreenStepRecorder(model, clock, (step) => steps.push(step));
  let at = 0;
  try {
    for (const line of lines) {
      const event = reader.read(line);
      if (!event || 'problem' in event) continue; // a blank line, or a comment
      clock.advance(Math.max(0, event.atMs - clock.monotonicMs()));
      if (event.type === 'resize') taker.take();
      if (event.type === 'input') typed.push({ keys: event.text, steps: steps.length, atMs: clock.nowMs() });
      at += apply(model, event);
      if (event.type !== 'output' && event.type !== 'resize') continue;
      taker.changed(at);
      taker.settle();
    }
    clock.advance(1000);
    taker.take();
  } finally {
    taker.dispose();
    model.dispose();
  }
  return steps;
}

/** Applies an event to the model; returns its bytes of output. */
function apply(model: ScreenModel, event: CastEvent): number {
  if (event.type === 'resize') model.resize(event);
  if (event.type !== 'output') return 0;
  const bytes = Buffer.from(event.text);
  model.write(bytes);
  return bytes.length;
}

export interface CastChat {
  readonly session: PtyChatSession;
  /** All lines of its chat.jsonl. */
  readonly lines: ChatLine[];
}

/** The conversation that Hansard records of an agent that runs from the first of `steps` to the last. */
export function chatOfSteps(steps: readonly ScreenStep[], hint?: string, typed: readonly TypedAt[] = []): CastChat {
  const session = new PtyChatSession(TERMINAL, countedIds());
  const extractor = new PtyChatSnapshotExtractor(session, new ExtractorFactory(), hint);
  const lines = extractor.begin({ cwd: null, blockId: null, at: 0, atMs: steps[0]?.atMs ?? 0 });
  for (const [at, step] of steps.entries()) {
    for (const { keys, atMs } of typed.filter((own) => own.steps === at)) session.answers.typed(keys, 'user', atMs);
    lines.push(...extractor.take(step));
  }
  lines.push(...extractor.end({ at: steps.at(-1)?.at ?? 0, atMs: steps.at(-1)?.atMs ?? 0 }));
  return { session, lines };
}

/** The conversation that Hansard records of the agent in an asciicast. */
export function chatOfCast(path: URL | string, hint?: string): CastChat {
  return chatOfSteps(stepsOfCast(path), hint);
}
