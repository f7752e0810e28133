import type { AgentAnswer, AgentQuestion, AnswerRefusal, AnswerVerdict } from '../contract/agents.ts';
import { sanitizePaste } from '../pty/sanitizePaste.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { readQuestion, type ShownDialog } from './readQuestion.ts';
import { screenChanges, untilShown } from './screenChanges.ts';

/** A program that got an arrow has drawn its pointer by then, also on a busy machine. */
const POINTER_MS = 2_000;
/** A question that was answered has gone by then. */
const GONE_MS = 5_000;
/** Some agents ignore keys for this time after they draw a question, so that a person does not answer it by accident (Claude Code: about 50 ms). */
const DEAF_MS = 500;

/** The start of a text, which is visible in the option even in a narrow window. */
const SURE_CHARS = 8;

export interface AnswerSpec {
  readonly terminal: PtyInstance;
  readonly answer: AgentAnswer;
  /** `user`, or `agent:` and the client. */
  readonly actor: string;
  readonly clock: Clock;
  /** Called before each key. It throws to stop the answer. */
  readonly guard?: (() => void) | undefined;
}

interface Answering extends AnswerSpec {
  /** Keys of the person that had come when the question was compared first: one more, and the answer ends. */
  keys: number;
}

/**
 * Chooses an option of the question that the person saw. The pointer is moved by arrows, and Return is sent in the turn in which the
 * newest screen shows this very question with the pointer at this very option, and nobody else has typed since. In any other case no option is
 * chosen. It checks or unchecks an option with a checkbox. `takesText`: the answer's text was typed into the option. The caller sends a terminal one answer at a time.
 */
export async function answerQuestion(spec: AnswerSpec): Promise<AnswerVerdict & { takesText?: boolean }> {
  const { terminal, answer, clock } = spec;
  await untilShown(terminal, clock);
  const answering = { ...spec, keys: terminal.input.keys.count };
  let shown = await compared(answering);
  if (typeof shown === 'string') return refused(shown);
  const deafMs = shown.sinceMs + DEAF_MS - clock.nowMs();
  if (deafMs > 0) {
    await new Promise<void>((resolve) => clock.after(deafMs, resolve));
    shown = await compared(answering);
    if (typeof shown === 'string') return refused(shown);
  }
  if (shown.question.obstacle !== null || !has(shown.question, answer.option)) return refused('terminal');
  const takesText = answer.option !== 'next' && shown.question.takesText[answer.option] === true;
  if (takesText && answer.text === undefined) return refused('text');
  const isProven = terminal.agents.run?.extractor?.isGeneric !== true;
  if (!isProven) shown = await proven(answering, shown);
  if (typeof shown === 'string') return refused(shown);
  while (answer.option !== 'next' && shown.dialog.pointed !== answer.option) {
    shown = await stepped(answering, answer.option, shown);
    if (typeof shown === 'string') return refused(shown);
  }
  if (takesText) shown = await withText(answering, shown);
  if (typeof shown === 'string') return refused(shown);
  if (answer.option !== 'next') terminal.agents.run?.pointed(answer.option);
  press(answering, answer.option === 'next' ? '\t' : '\r');
  return (await hasGone(answering, shown.question.id)) ? { ok: true, takesText } : refused('open');
}

/** The question after an arrow has moved its pointer to the option beside it. */
async function proven(answering: Answering, shown: ShownDialog): Promise<ShownDialog | AnswerRefusal> {
  const { pointed, options } = shown.dialog;
  if (answering.answer.option === 'next' || pointed === null || options.length < 2) return 'terminal';
  return stepped(answering, pointed > 0 ? pointed - 1 : pointed + 1, shown);
}

/** Types the text into the option. Resolves when the text is visible and the rest of the question is unchanged. */
async function withText(answering: Answering, before: ShownDialog): Promise<ShownDialog | AnswerRefusal> {
  const { terminal, answer } = answering;
  const text = sanitizePaste(answer.text ?? '').replaceAll(/\s+/g, ' ');
  const rest = (shown: ShownDialog) =>
    JSON.stringify([shown.dialog.about, shown.dialog.options.toSpliced(before.dialog.pointed ?? 0, 1)]);
  press(answering, text);
  for await (const _ of screenChanges(answering, POINTER_MS)) {
    const shown = await readQuestion(terminal).catch(() => null);
    if (!shown || rest(shown) !== rest(before) || shown.dialog.pointed !== before.dialog.pointed) return 'changed';
    if (terminal.input.keys.count !== answering.keys || terminal.input.isHeld) return 'typing';
    if (shown.dialog.options[shown.dialog.pointed ?? 0]?.includes(text.slice(0, SURE_CHARS))) return shown;
  }
  return 'text';
}

function has({ options, hasNext }: AgentQuestion, option: AgentAnswer['option']): boolean {
  return option === 'next' ? hasNext : option < options.length;
}

/** The question as the screen shows it, if it is still the one that was seen and nobody has typed. */
async function compared({ terminal, answer, keys, guard }: Answering): Promise<ShownDialog | AnswerRefusal> {
  await terminal.screen.lastStep(); // what the conversation says of the question is as new as the screen then
  const shown = await readQuestion(terminal).catch(() => null); // the terminal was closed meanwhile
  if (!terminal.view.agent) return 'gone';
  guard?.();
  if (shown?.question.id !== answer.questionId) return 'changed';
  return terminal.input.keys.count !== keys || terminal.input.isHeld ? 'typing' : shown;
}

/** One arrow towards the option; resolves when the pointer has moved by one. */
async function stepped(
  answering: Answering,
  option: number,
  before: ShownDialog,
): Promise<ShownDialog | AnswerRefusal> {
  const { terminal } = answering;
  const { applicationCursor } = await terminal.screen.input();
  const shown = await compared(answering);
  if (typeof shown === 'string') return shown;
  const { pointed, isAcross } = shown.dialog;
  if (pointed === null || pointed !== before.dialog.pointed) return 'pointer';
  const by = option > pointed ? 1 : -1;
  press(answering, arrow(by, isAcross, applicationCursor));
  for await (const _ of screenChanges(answering, POINTER_MS)) {
    const after = await compared(answering);
    if (typeof after === 'string') return after;
    if (after.dialog.pointed === pointed + by) return after;
    if (after.dialog.pointed !== pointed) return 'pointer';
  }
  return 'pointer';
}

async function hasGone(answering: Answering, questionId: string): Promise<boolean> {
  const { terminal } = answering;
  for await (const _ of screenChanges(answering, GONE_MS)) {
    const shown = await readQuestion(terminal).catch(() => null);
    if (shown?.question.id !== questionId) return true;
  }
  return false;
}

/** The answer's own keys do not count as somebody else's. */
function press(answering: Answering, keys: string): void {
  const { terminal, actor } = answering;
  const before = terminal.input.keys.count;
  terminal.type(keys, actor);
  answering.keys += terminal.input.keys.count - before;
}

function arrow(by: 1 | -1, isAcross: boolean, isApplication: boolean): string {
  const [back, forward] = isAcross ? ['D', 'C'] : ['A', 'B'];
  return `\x1b${isApplication ? 'O' : '['}${by > 0 ? forward : back}`;
}

function refused(reason: AnswerRefusal): AnswerVerdict {
  return { ok: false, reason };
}
