import { expect, test } from 'vitest';
import { chatOfSteps, stepsOfCast, type TypedAt } from '../../../support/chatOfCast.ts';

const FIXTURES = new URL('../../../fixtures/agents/', import.meta.url);

/** Each question of a recording with its recorded answer. */
function verdictsOf(cast: string, agent: string): string[] {
  const typed: TypedAt[] = [];
  const steps = stepsOfCast(new URL(cast, FIXTURES), typed);
  const { session } = chatOfSteps(steps, agent, typed);
  return session.messages.flatMap(({ kind, text, question }) => {
    if (kind !== 'permission') return [];
    const asked = text.split('\n').find((line) => line.endsWith('?')) ?? text.split('\n')[0];
    return [`${asked} ${question?.verdict?.choice ?? 'not seen'}`];
  });
}

test.each([
  ['claude/claude-2.1.329-fullscreen-askperm-100x30.cast', 'claude'],
  ['claude/claude-2.1.329-classic-100x30.cast', 'claude'],
  ['codex/codex-0.169.0-alt-100x30.cast', 'codex'],
  ['gemini/gemini-0.61.0-inline-100x30.cast', 'gemini'],
  ['copilot/copilot-1.0.102-default-100x30.cast', 'copilot'],
])('%s: each question has the answer that was typed', (cast, agent) => {
  expect(verdictsOf(cast, agent)).toMatchSnapshot();
});

test('a recording without keys says that the choice was not seen', () => {
  expect(verdictsOf('found/dialogs-claude-2.1.329-36.cast', 'claude').every((line) => line.endsWith('not seen'))).toBe(
    true,
  );
});
