/** What a person can say of a moment of a recorded agent, by the key that says it. */
export interface MarkKind {
  readonly key: string;
  /** In the row of keys. */
  readonly label: string;
  /** What is asked for then. */
  readonly asks: string;
  /** The state of the agent in that moment; absent for a mark that says no state. */
  readonly state?: 'idle' | 'working' | 'needs_approval' | 'needs_input';
  /** What the text is a message of; absent where it is a note. */
  readonly says?: 'user' | 'model' | 'toolCall';
}

export const MARK_KINDS: readonly MarkKind[] = [
  { key: 'w', label: 'working', asks: 'working. What did you send?', state: 'working', says: 'user' },
  { key: 'u', label: 'sent', asks: 'What did you send?', says: 'user' },
  { key: 'i', label: 'idle', asks: 'idle. What was its last answer?', state: 'idle', says: 'model' },
  { key: 'a', label: 'asks', asks: 'asks. What is the question?', state: 'needs_approval' },
  { key: 'q', label: 'input', asks: 'asks. What is the question?', state: 'needs_input' },
  { key: 'd', label: 'answered', asks: 'answered. What did you choose?', state: 'working' },
  { key: 'm', label: 'says', asks: 'What did the agent say?', says: 'model' },
  { key: 't', label: 'tool', asks: 'Which command did it run?', says: 'toolCall' },
];

/** A moment that a person marked. */
export interface Mark {
  readonly kind: MarkKind;
  /** Empty where nothing was said. */
  readonly text: string;
  /** Offset in the recorded bytes. */
  readonly at: number;
  /** When the key was pressed, ms since 1970. */
  readonly atMs: number;
  /** Since when the rows were as they are at the mark, ms since 1970. */
  readonly stillMs: number;
  /** Rows of the screen, and its width. */
  readonly rows: readonly string[];
  readonly cols: number;
}

export interface CaptureFacts {
  readonly agent: string;
  readonly version: string;
  readonly case: string;
  readonly about: string;
  readonly cols: number;
  readonly rows: number;
  /** The recording's zero, ms since 1970. */
  readonly baseMs: number;
  readonly endMs: number;
}

/** Late tests of a state look so long behind its beginning: a mark is the moment at which they look. */
const LOOK_MS = 500;

/**
 * The contents of expected.json, as `test/agents/compare/expected.ts` describes them. A state is certain from the moment since which the screen was
 * as it is at its mark, up to the mark; the rest is not known.
 */
export function expectedOf(marks: readonly Mark[], facts: CaptureFacts) {
  const { agent, version, about, cols, rows, baseMs, endMs } = facts;
  const messages = marks.flatMap(({ kind, text }) => messageOf(kind, text) ?? []);
  let beforeMs = 0;
  const states = marks.flatMap(({ kind: { state, label }, text, ...mark }) => {
    if (state === undefined) return [];
    const untilMs = mark.atMs - baseMs;
    const atMs = Math.max(beforeMs, Math.min(mark.stillMs - baseMs, untilMs - LOOK_MS));
    beforeMs = atMs;
    return [{ atMs, untilMs, state, because: text === '' ? label : `${label}: ${text}` }];
  });
  return {
    ...{ about, agent, version, variant: 'default', case: facts.case, cols, rows },
    conversations: [{ agent, isAfterClear: false, messages }],
    runs: [{ agent, fromMs: 0, toMs: endMs - baseMs }],
    states,
  };
}

function messageOf({ says }: MarkKind, text: string) {
  if (says === undefined || text === '') return null;
  if (says !== 'toolCall') return { kind: says, text };
  return { kind: says, text, tool: { does: 'shell' as const, name: 'shell' } };
}

/** The marked screens, for reading: each row with its number, as an extractor counts it. */
export function screensText(marks: readonly Mark[], baseMs: number): string {
  return marks.map((mark, at) => screenText(mark, { at, baseMs })).join('\n');
}

function screenText({ kind, text, atMs, rows }: Mark, { at, baseMs }: { at: number; baseMs: number }): string {
  const seconds = ((atMs - baseMs) / 1000).toFixed(3);
  const head = `# ${markName(at, kind)} at ${seconds} s${text === '' ? '' : `: ${text.replaceAll('\n', ' ⏎ ')}`}`;
  return `${[head, ...rows.map((row, n) => `${String(n).padStart(3)} ${row}`.trimEnd())].join('\n')}\n`;
}

/** Of the `at`-th mark, as the recording's marker has it behind `snap:`. */
export function markName(at: number, { label }: MarkKind): string {
  return `${at + 1} ${label}`;
}
