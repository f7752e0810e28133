import { describe, expect, test } from 'vitest';
import { gemini } from '../../../../../src-main/conversations/extraction/extractors/agents/gemini.ts';
import { FIXTURES, promise, runOf } from '../truthRun.ts';

const INLINE = 'gemini/gemini-0.61.0-inline-100x30.cast';
const PROMPT = { '01-welcome': 'idle', '02-typed': 'idle', '04-reply': 'idle', '09-after-edit': 'idle' } as const;
const ASKED = { '06-permission-shell': 'needs_approval', '08-permission-edit': 'needs_approval' } as const;
const ENDS = { '03-busy': 'working', '15b-denied': 'idle', '17-exit': 'exited' } as const;
const STATES = { ...PROMPT, ...ASKED, ...ENDS };

describe('Gemini CLI, against what was typed and scripted', () => {
  promise({ cast: INLINE, users: 7, models: 9, states: STATES }, gemini);
  const tbuf = 'gemini-0.61.0-tbuf-100x30.cast';
  promise({ cast: tbuf, users: 7, models: 9, states: STATES, hasRowsTwice: true }, gemini);
});

describe('what else its screens tell', () => {
  const run = runOf(new URL(INLINE, FIXTURES), gemini);
  const told = (marker: string, kinds: readonly string[]) =>
    (run.last.get(marker) ?? [])
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ text, tool }) => [text, tool?.status]);

  test('tools have name, input and how they ended; what came of them follows', () => {
    expect(told('09-after-edit', ['toolCall', 'toolResult'])).toEqual([
      ['ReadFile greet.ts', 'done'],
      ['Shell printf "alpha\\nbeta\\n" && touch made-by-agent.txt', 'done'],
      ['alpha\nbeta', undefined],
      ['WriteFile note.md', 'done'],
      ['Accepted (+3, -0)\n\n      1 # Note\n      2\n      3 hello', undefined],
    ]);
    expect(told('15b-denied', ['toolCall', 'notice'])).toEqual([
      ['Shell echo oops >&2; exit 3', 'denied'],
      ['Request cancelled.', undefined],
    ]);
  });

  test('a question has its tool and its options', () => {
    expect(run.last.get('08-permission-edit')?.at(-1)).toMatchObject({
      kind: 'permission',
      text: 'WriteFile  Writing to note.md\n1 # Note\n2\n3 hello\nApply this change?\n1. Allow once\n2. Allow for this session\n3. Modify with external editor\n4. No, suggest changes (esc)',
      tool: { name: 'WriteFile', input: 'Writing to note.md' },
    });
  });

  test('the input box tells what is typed, the last box how to go on', () => {
    expect(run.drafts.get('01-welcome')).toBe('');
    expect(run.drafts.get('02-typed')).toBe('hello there');
    expect(run.drafts.get('06-permission-shell')).toBeUndefined();
    expect(run.resumeId).toBe('7bbfbc04-01c3-4d24-b068-b99ab6a2ec53');
  });
});
