import type { ChatMessage } from '../../src-main/contract/chat/chat.ts';
import type { ScreenStep } from '../../src-main/contract/chat/extractor.ts';
import { plainWords } from '../../src-main/conversations/extraction/merge/plainWords.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenStepRecorder } from '../../src-main/screen/worker/ScreenStepRecorder.ts';
import { chatOfSteps } from './chatOfCast.ts';
import { FakeClock } from './FakeClock.ts';
import { ParagraphAgent, type ParagraphDrawing, paragraph, seeded } from './ParagraphAgent.ts';

const DRAWINGS: readonly ParagraphDrawing[] = ['repaint', 'scrollRegion', 'redraw', 'reprint'];

export interface ParagraphRun {
  readonly about: string;
  /** The texts that the person and the agent said, as plain words after `user ` or `model `. */
  readonly said: readonly string[];
  readonly messages: readonly ChatMessage[];
}

/** Records a conversation with paragraphs of one to three screens. The seed decides texts, drawing, pauses and resizes. */
export function paragraphRun(seed: number): ParagraphRun {
  const random = seeded(seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const drawing = DRAWINGS[whole(0, DRAWINGS.length - 1)] ?? 'repaint';
  let [cols, rows] = [whole(40, 120), whole(14, 44)];
  const about = `seed ${seed}: ${drawing} ${cols}x${rows}`;
  const clock = new FakeClock();
  const model = new ScreenModel({ cols, rows, scrollbackLines: 2000 }, clock);
  const steps: ScreenStep[] = [];
  const taker = new ScreenStepRecorder(model, clock, (step) => steps.push(step));
  const agent = new ParagraphAgent(drawing, cols, rows);
  let at = 0;
  const print = (text: string, afterMs: number) => {
    const bytes = Buffer.from(text);
    model.write(bytes);
    at += bytes.length;
    taker.changed(at);
    taker.settle();
    clock.advance(afterMs);
  };
  const said: string[] = [];
  try {
    print(agent.start(), 200);
    for (let turn = 0; turn < 3; turn += 1) {
      const text = paragraph(whole(1, 3) * cols * (rows - 4) * (0.6 + random() * 0.4), random() < 0.4, random);
      said.push(`user ${plainWords(`ask number ${turn} of ${seed}`)}`, `model ${plainWords(text)}`);
      print(agent.ask(`ask number ${turn} of ${seed}`), whole(20, 400));
      for (let to = 0; to < text.length; ) {
        to = Math.min(text.length, to + whole(20, random() < 0.15 ? cols * rows : 3 * cols));
        const end = to === text.length ? to : text.lastIndexOf(' ', to);
        print(agent.stream(text.slice(0, Math.max(1, end))), whole(2, 90));
        if (random() > 0.03) continue;
        [cols, rows] = [random() < 0.5 ? cols : whole(40, 120), whole(14, 44)];
        taker.take();
        model.resize({ cols, rows });
        print(agent.resized(cols, rows), whole(2, 300));
      }
      print(agent.rest(), whole(400, 900));
    }
    clock.advance(1000);
    taker.take();
  } finally {
    taker.dispose();
    model.dispose();
  }
  return { about, said, messages: chatOfSteps(steps, 'claude').session.messages };
}

/**
 * Faults of a run that Hansard does not mark: an unmarked message that was not said, or not so often; and a lost text without a hint,
 * which is a marked message with a part of it or the mark `unanswered` on its prompt.
 */
export function silentFaults({ said, messages }: ParagraphRun): string[] {
  const told = messages.filter(({ kind }) => kind === 'user' || kind === 'model');
  const isMarked = ({ doubtful, hasGap }: ChatMessage) => doubtful !== undefined || hasGap === true;
  const words = ({ kind, text }: ChatMessage) => `${kind} ${plainWords(text)}`;
  const left = [...said];
  const sorted = [...told.filter((message) => !isMarked(message)), ...told.filter(isMarked)];
  const surplus = sorted.filter((message) => {
    const at = left.indexOf(words(message));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const marked = surplus.filter(isMarked);
  const unanswered = told.filter(({ doubtful }) => doubtful?.reason === 'unanswered').map(words);
  const isHinted = (lost: string) =>
    marked.some((message) => isRelated(words(message), lost)) ||
    unanswered.includes(said[said.lastIndexOf(lost) - 1] ?? '');
  return [
    ...surplus.filter((message) => !isMarked(message)).map((message) => `not said: ${words(message)}`),
    ...left.filter((lost) => !isHinted(lost)).map((lost) => `lost: ${lost}`),
  ];
}

/** Whether `a` contains the beginning, the end or a part of the middle of `b`. */
function isRelated(a: string, b: string): boolean {
  const [kind] = b.split(' ', 1);
  const words = b.slice((kind?.length ?? 0) + 1);
  const pieces = [words.slice(0, 20), words.slice(-20), words.slice(words.length / 2, words.length / 2 + 20)];
  return pieces.some((piece) => piece !== '' && a.includes(piece));
}
