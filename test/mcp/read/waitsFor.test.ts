import { expect, test } from 'vitest';
import { type WaitFacts, waitsFor } from '../../../src-main/mcp/read/waitsFor.ts';

const RUNNING = { state: 'live', agent: null, atPrompt: false, runningBlockId: 'b1', keyTaker: null } as const;
const LINE = { isCanonical: true, hasEcho: true };
const facts = (more: Partial<WaitFacts> = {}, view: object = {}): WaitFacts => ({
  ...{ view: { ...RUNNING, ...view } as WaitFacts['view'], modes: LINE, before: 'Continue? [y/N] ', quietMs: 1000 },
  ...more,
});

test.each<[string, WaitFacts, ReturnType<typeof waitsFor>]>([
  ['a question behind which nothing came', facts(), 'line'],
  ['a name and a colon', facts({ before: 'Name: ' }), 'line'],
  ['a progress text without a line end', facts({ before: 'Compiling module_3.c' }), 'unknown'],
  ['a progress bar', facts({ before: '[####      ] 40%' }), 'unknown'],
  ['a build that is quiet', facts({ before: '' }), 'unknown'],
  ['a question that was just printed', facts({ quietMs: 100 }), 'unknown'],
  ['a question where the kernel says nothing', facts({ modes: null }), 'unknown'],
  ['a screen that is not known', facts({ before: null }), 'unknown'],
  ['a password', facts({ modes: { isCanonical: true, hasEcho: false }, before: '' }), 'secret'],
  ['a program that reads keys', facts({ modes: null }, { keyTaker: { name: 'fzf', words: [] } }), 'keys'],
  ['a prompt of the shell', facts({}, { runningBlockId: null, atPrompt: true }), 'command'],
  ['a shell without a hook', facts({}, { runningBlockId: null }), 'unknown'],
  ['an agent that asks', facts({}, { agent: { state: 'needs_approval' } }), 'answer'],
  ['an agent that is idle', facts({}, { agent: { state: 'idle' } }), 'prompt'],
  ['an agent that works', facts({}, { agent: { state: 'working' } }), 'nothing'],
  ['an agent of which nothing is known', facts({}, { agent: { state: 'unknown' } }), 'unknown'],
  ['a shell that has ended', facts({}, { state: 'exited' }), 'nothing'],
])('of %s it is said what it waits for', (_, given, expected) => {
  expect(waitsFor(given)).toBe(expected);
});
