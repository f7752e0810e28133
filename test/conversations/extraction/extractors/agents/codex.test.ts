import { describe, expect, test } from 'vitest';
import { codex } from '../../../../../src-main/conversations/extraction/extractors/agents/codex.ts';
import { playCast } from '../../../../support/snapshots.ts';
import { FIXTURES, promise, runOf } from '../truthRun.ts';

const INLINE = 'codex-0.169.0-noalt-100x30.cast';
const ALT = 'codex/codex-0.169.0-alt-100x30.cast';
const PROMPT = { '01-welcome': 'idle', '02-typed': 'idle', '04-reply': 'idle', '09-after-edit': 'idle' } as const;
const ASKED = { '06-permission-shell': 'needs_approval', '08-permission-edit': 'needs_approval' } as const;
const ENDS = { '03-busy': 'working', '15-denied': 'idle', '17-after-clear': 'idle', '19-exit': 'exited' } as const;
const STATES = { ...PROMPT, ...ASKED, ...ENDS };

describe('Codex, against what was typed and scripted', () => {
  promise({ cast: INLINE, users: 7, models: 9, states: STATES }, codex);
  promise({ cast: ALT, users: 6, models: 8, states: STATES, slips: ['qfail please'] }, codex);
  promise({ cast: 'codex/codex-tall-sweep.cast', users: 1, models: 1, states: {} }, codex);
});

describe('what else its screens tell', () => {
  const run = runOf(new URL(INLINE, FIXTURES), codex);
  const told = (marker: string, kinds: readonly string[]) =>
    (run.last.get(marker) ?? [])
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ text, tool }) => [text, tool?.status]);

  test('calls have name, input and how they ended; a refusal is none of theirs', () => {
    expect(told('15-denied', ['toolCall', 'toolResult'])).toEqual([
      ['Explore Read greet.ts', 'done'],
      ['Run printf "alpha\\nbeta\\n" && touch made-by-agent.txt', 'done'],
      ['alpha\nbeta', undefined],
      ['Add note.md', undefined],
      ['1 +# Note\n2 +\n3 +hello', undefined],
      ['Run echo oops >&2; exit 3', 'denied'],
      ['(no output)', undefined],
    ]);
  });

  test('the long form of a call on the alternate screen tells the same', () => {
    const alt = runOf(new URL(ALT, FIXTURES), codex);
    const calls = (alt.last.get('15-denied') ?? []).filter(({ kind }) => kind === 'toolCall');
    expect(calls.map(({ tool }) => tool)).toEqual([{ name: 'Run', input: 'echo oops >&2; exit 3', status: 'denied' }]);
  });

  test('a question has its command and its options', () => {
    expect(run.last.get('06-permission-shell')?.at(-1)).toMatchObject({
      kind: 'permission',
      tool: { name: 'Run', input: 'printf "alpha\\nbeta\\n" && touch made-by-agent.txt' },
    });
    expect(run.last.get('08-permission-edit')?.at(-1)?.text).toBe(
      "Would you like to make the following edits?\nDescription: Apply proposed file edits\nDestination: /home/u/repos/ws2/note.md\n1. Yes, proceed (y)\n2. Yes, and don't ask again for these files (a)\n3. No, and tell Codex what to do differently (esc)",
    );
  });

  test('the input box tells what is typed, the last lines how to go on', () => {
    expect(run.drafts.get('01-welcome')).toBe('');
    expect(run.drafts.get('02-typed')).toBe('hello there');
    expect(run.drafts.get('16-slash-menu')).toBe('/clear');
    expect(run.drafts.get('06-permission-shell')).toBeUndefined();
    expect(run.resumeId).toBe('01a1f984-c5e8-74e0-b8b2-f59a4547f0ed');
  });

  test('a prompt held at the top of the screen while its answer scrolls is no second prompt, and no part of what scrolls', () => {
    const bodies = new Map<string, number>();
    playCast(new URL(ALT, FIXTURES), ({ snapshot, marker }) => bodies.set(marker, codex.body?.(snapshot).from ?? -1));
    expect([bodies.get('snap:04-reply'), bodies.get('snap:10-long')]).toEqual([0, 1]);
    const alt = runOf(new URL(ALT, FIXTURES), codex);
    expect(alt.last.get('10-long')?.map(({ kind, isHeadCut }) => [kind, isHeadCut])).toEqual([['model', true]]);
  });
});
