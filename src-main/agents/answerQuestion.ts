import type { AgentAnswer, AgentQuestion, AnswerRefusal, AnswerVerdict } from '../contract/agents.ts';
import { sanitizePaste } from '../pty/sanitizePaste.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { AnswerKeys } from './AnswerKeys.ts';
import { REDRAWN_MS, readQuestion, type ShownDialog, shownQuestion } from './readQuestion.ts';
import { screenChanges, untilShown } from './screenChanges.ts';

/** Enough for a program to draw its pointer after an arrow key, even on a busy machine. */
const POINTER_MS = 2_000;
/** Enough for an answered question to disappear. */
const GONE_MS = 5_000;
/** Some agents ignore keys for this time after they draw a question, so that a person does not answer it by accident (Claude Code: about 50 ms). */
const DEAF_MS = 500;

/** Enough for an agent to read a key, even on a busy machine. */
const UNREAD_MS = 2_000;
/** A screen that never stops changing is compared this many times; then the newest frame counts. */
const MAX_LOOKS = 5;

/** Length of the start of a text, which is visible in the option even in a narrow window. */
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
  /** A key of the person ends the answer. */
  readonly keys: AnswerKeys;
}

type Compared = ShownDialog | AnswerRefusal;

interface Sending {
  /** Whether the pointer is at the right option. */
  isMet(shown: ShownDialog): boolean;
  compare?(): Promise<Compared>;
  press(keys: AnswerKeys): void;
}

/**
 * Chooses an option of the question that the person saw. Arrow keys move the pointer. Return is sent only if the newest screen shows exactly this
 * question with the pointer at exactly this option, and the person has typed no other key since; otherwise no option is chosen. For an option with a
 * checkbox, this toggles it. `takesText`: the answer's text was typed into the option. The caller sends a terminal one answer at a time.
 */
export async function answerQuestion(spec: AnswerSpec): Promise<AnswerVerdict & { takesText?: boolean }> {
  await untilShown(spec.terminal, spec.clock);
  const keys = new AnswerKeys(spec);
  try {
    return await answered({ ...spec, keys });
  } finally {
    await keys.giveBack();
  }
}

async function answered(answering: Answering): Promise<AnswerVerdict & { takesText?: boolean }> {
  const { terminal, answer, clock } = answering;
  const shown = await heard(answering);
  if (typeof shown === 'string') return refused(shown);
  if (shown.question.obstacle !== null || !has(shown.question, answer.option)) return refused('terminal');
  const takesText = answer.option !== 'next' && shown.question.takesText[answer.option] === true;
  if (takesText && answer.text === undefined) return refused('text');
  const pointed = await pointedAt(answering, shown);
  if (typeof pointed === 'string') return refused(pointed);
  const sent = await choose(answering, takesText ? await withText(answering, pointed) : pointed, takesText);
  if (typeof sent === 'string') return refused(sent);
  return (await hasGone(terminal, clock, sent)) ? { ok: true, takesText } : refused('open');
}

/** Returns the question once its agent reads keys. */
async function heard(answering: Answering): Promise<Compared> {
  const { clock } = answering;
  const shown = await compared(answering);
  const deafMs = typeof shown === 'string' ? 0 : shown.sinceMs + DEAF_MS - clock.nowMs();
  if (deafMs <= 0) return shown;
  await new Promise<void>((resolve) => clock.after(Math.min(deafMs, DEAF_MS), resolve)); // the time of day may have stepped back
  return compared(answering);
}

/** Returns the question with the pointer at the option. Where this proves something, it first moves the pointer away and back. */
async function pointedAt(answering: Answering, from: ShownDialog): Promise<Compared> {
  const { terminal, answer } = answering;
  const isGeneric = terminal.agents.run?.extractor?.isGeneric === true;
  let shown: Compared = isGeneric || hasUnreadKey(answering, from) ? await proven(answering, from) : from;
  while (typeof shown !== 'string' && answer.option !== 'next' && shown.dialog.pointed !== answer.option)
    shown = await stepped(answering, answer.option, shown);
  return shown;
}

/** The person typed so recently that the agent may not have read the key yet, and would take it as an answer. */
function hasUnreadKey({ terminal, clock }: Answering, { sinceMs }: ShownDialog): boolean {
  const { lastMs } = terminal.input.keys;
  if (lastMs === null) return false;
  const agoMs = clock.monotonicMs() - lastMs;
  return agoMs < UNREAD_MS || clock.nowMs() - agoMs >= sinceMs - UNREAD_MS;
}

/**
 * Returns the question after its pointer has moved away and back. This proves that it is a list with a pointer, and that the agent has read all keys
 * before the arrows, because it reads keys in order.
 */
async function proven(answering: Answering, shown: ShownDialog): Promise<Compared> {
  const { pointed, options } = shown.dialog;
  const isGeneric = answering.terminal.agents.run?.extractor?.isGeneric === true;
  if (pointed === null || options.length < 2 || (isGeneric && answering.answer.option === 'next')) return 'terminal';
  const away = await stepped(answering, pointed > 0 ? pointed - 1 : pointed + 1, shown);
  return typeof away === 'string' ? away : stepped(answering, pointed, away);
}

/** Types the text into the option. Resolves when the text is visible and the rest of the question is unchanged. */
async function withText(answering: Answering, before: ShownDialog): Promise<Compared> {
  const { answer } = answering;
  const text = sanitizePaste(answer.text ?? '').replaceAll(/\s+/g, ' ');
  const isMet = (shown: ShownDialog) => shown.dialog.pointed === before.dialog.pointed;
  const typed = await sent(answering, { press: (keys) => keys.press(text), isMet });
  if (typeof typed === 'string') return typed;
  for await (const _ of screenChanges(answering, POINTER_MS)) {
    const shown = await comparedRest(answering, before);
    if (typeof shown === 'string') return shown;
    if (shown.dialog.options[shown.dialog.pointed ?? 0]?.includes(text.slice(0, SURE_CHARS))) return shown;
  }
  return 'text';
}

/** Returns the question with a text in the selected option, if the rest is unchanged. */
async function comparedRest(answering: Answering, before: ShownDialog): Promise<Compared> {
  const rest = ({ dialog }: ShownDialog) =>
    JSON.stringify([dialog.about, dialog.pointed, dialog.options.toSpliced(before.dialog.pointed ?? 0, 1)]);
  const shown = await readQuestion(answering.terminal).catch(() => null);
  if (!shown || rest(shown) !== rest(before)) return 'changed';
  return answering.keys.isTyped ? 'typing' : shown;
}

/** Sends the choosing key; resolves with the question that it was sent to. */
async function choose(answering: Answering, shown: Compared, hasText: boolean): Promise<Compared> {
  const { terminal, answer } = answering;
  if (typeof shown === 'string') return shown;
  if (answer.option === 'next') return sent(answering, { press: (keys) => keys.choose('\t'), isMet: () => true });
  const compare = hasText ? () => comparedRest(answering, shown) : () => compared(answering);
  return sent(answering, {
    isMet: ({ dialog }) => dialog.pointed === answer.option,
    compare,
    press: (keys) => {
      terminal.agents.run?.pointed(Number(answer.option));
      keys.choose('\r');
    },
  });
}

function has({ options, hasNext }: AgentQuestion, option: AgentAnswer['option']): boolean {
  return option === 'next' ? hasNext : option < options.length;
}

/** Returns the question on the screen if it is the one that the person saw and the person has not typed since. */
async function compared(answering: Answering): Promise<Compared> {
  const { terminal, answer, clock, keys } = answering;
  const shown = await shownQuestion(terminal, clock);
  if (!terminal.view.agent) return 'gone';
  if (shown?.question.id !== answer.questionId) return 'changed';
  return keys.isTyped ? 'typing' : shown;
}

/**
 * Sends the keys once the question was compared and neither output nor a key has arrived since its screen was read. `MAX_LOOKS` limits how often new
 * output causes another comparison.
 */
async function sent(
  answering: Answering,
  { isMet, compare = () => compared(answering), press }: Sending,
): Promise<Compared> {
  const { terminal } = answering;
  for (let looks = 1; ; looks += 1) {
    const { rawSize } = terminal;
    const shown = await compare();
    if (typeof shown === 'string') return shown;
    if (!isMet(shown)) return 'pointer';
    if (terminal.rawSize !== rawSize && looks < MAX_LOOKS) continue;
    if (answering.keys.isTyped) return 'typing';
    press(answering.keys);
    return shown;
  }
}

/** Sends one arrow towards the option; resolves when the pointer has moved by one. */
async function stepped(answering: Answering, option: number, before: ShownDialog): Promise<Compared> {
  const { pointed, isAcross } = before.dialog;
  if (pointed === null) return 'pointer';
  const { applicationCursor } = await answering.terminal.screen.input();
  const by = option > pointed ? 1 : -1;
  const isMet = ({ dialog }: ShownDialog) => dialog.pointed === pointed;
  const key = (by: 1 | -1) => arrow(by, isAcross, applicationCursor);
  const back = { keys: key(by > 0 ? -1 : 1), shown: before };
  const shown = await sent(answering, { press: (keys) => keys.move(key(by), back), isMet });
  if (typeof shown === 'string') return shown;
  for await (const _ of screenChanges(answering, POINTER_MS)) {
    const after = await compared(answering);
    if (typeof after === 'string') return after;
    if (after.dialog.pointed === pointed + by) return after;
    if (after.dialog.pointed !== pointed) return 'pointer';
  }
  return 'pointer';
}

/**
 * True if a later screen of the agent, or its end, shows that this question is over. An agent that ignores a key may erase its rows and draw them
 * again.
 */
async function hasGone(terminal: PtyInstance, clock: Clock, { question }: ShownDialog): Promise<boolean> {
  const isOver = async (): Promise<boolean> => {
    const shown = await readQuestion(terminal).catch(() => undefined); // a screen that cannot be read shows nothing
    return shown !== undefined && shown?.question.id !== question.id;
  };
  const staysOver = async (): Promise<boolean> => {
    for await (const _ of screenChanges({ terminal, clock }, REDRAWN_MS)) if (!(await isOver())) return false;
    return true;
  };
  for await (const _ of screenChanges({ terminal, clock }, GONE_MS))
    if ((await isOver()) && (await staysOver())) return true;
  return false;
}

function arrow(by: 1 | -1, isAcross: boolean, isApplication: boolean): string {
  const [back, forward] = isAcross ? ['D', 'C'] : ['A', 'B'];
  return `\x1b${isApplication ? 'O' : '['}${by > 0 ? forward : back}`;
}

function refused(reason: AnswerRefusal): AnswerVerdict {
  return { ok: false, reason };
}
