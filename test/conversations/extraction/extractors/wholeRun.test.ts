import { describe, expect, test } from 'vitest';
import { chatOfCast } from '../../../support/chatOfCast.ts';
import { asShown, FIXTURES, MODELS, USERS } from './truthRun.ts';

const CASES = [
  { cast: 'opencode-1.18.33-110x34.cast', asked: ['fail please'] },
  { cast: 'copilot/copilot-1.0.102-default-100x30.cast', asked: [] as string[] },
];

describe('whole sessions on the alternate screen, from bytes to the log', () => {
  test.each(CASES)(
    '$cast: every prompt and every reply once, in order and whole, nothing beside',
    ({ cast, asked }) => {
      const { session } = chatOfCast(new URL(cast, FIXTURES));
      const told = (kind: string) => session.messages.filter((message) => message.kind === kind);
      // This run ended before one prompt and its only reply.
      const users = USERS.filter((text) => !asked.includes(text));
      const models = MODELS.filter((text) => asked.length === 0 || text !== 'Trying a failing command.');
      expect(told('user').map(({ text }) => text)).toEqual(users);
      expect(told('model').map(({ text }) => asShown(text))).toEqual(models.map(asShown));
      expect(session.messages.some(({ hasGap }) => hasGap)).toBe(false);
      expect(session.messages.every(({ final }) => final)).toBe(true);
    },
  );
});
