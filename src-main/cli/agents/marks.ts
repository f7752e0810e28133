/** A kind of mark for a moment of a recorded agent, chosen by its key. */
export interface MarkKind {
  readonly key: string;
  /** Label in the row of keys. */
  readonly label: string;
  /** Prompt for the mark's text. */
  readonly asks: string;
  /** State of the agent at that moment; absent for a mark without a state. */
  readonly state?: 'idle' | 'working' | 'needs_approval' | 'needs_input';
  /** Kind of message in the text; absent if the text is a note. */
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
  /** Empty without a text. */
  readonly text: string;
  /** Offset in the recorded bytes. */
  readonly at: number;
  /** Time of the key, ms since 1970. */
  readonly atMs: number;
  /** Time since which the rows are as at the mark, ms since 1970. */
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
  /** Start of the recording, ms since 1970. */
  readonly baseMs: number;
  readonly endMs: number;
}

/** Tests check a state this long after its beginning; a mark is the moment of the check. */
const LOOK_MS = 500;

/**
 * The contents of expected.json, as `test/agents/compare/expected.ts` describes them. A state is certain from the last change of the screen before
 * its mark up to the mark; other times are unknown.
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

/** The marked screens as text: each row with its number, as an extractor counts it. */
export function screensText(marks: readonly Mark[], baseMs: number): string {
  return marks.map((mark, at) => screenText(mark, { at, baseMs })).join('\n');
}

function screenText({ kind, text, atMs, rows }: Mark, { at, baseMs }: { at: number; baseMs: number }): string {
  const seconds = ((atMs - baseMs) / 1000).toFixed(3);
  const head = `# ${markName(at, kind)} at ${seconds} s${text === '' ? '' : `: ${text.replaceAll('\n', ' ⏎ ')}`}`;
  return `${[head, ...rows.map((row, n) => `${String(n).padStart(3)} ${row}`.trimEnd())].join('\n')}\n`;
}

/** Name of the `at`-th mark, as the recording's marker has it after `snap:`. */
export function markName(at: number, { label }: MarkKind): string {
  return `${at + 1} ${label}`;
}
