import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextKeysTo } from '../../../src-renderer/composer/keysTo.ts';
import { HistoryWalk } from '../../../src-renderer/composer/line/HistoryWalk.ts';

describe('walking through history', () => {
  test('goes back through what starts so, each once, and down again to what was typed', () => {
    const walk = new HistoryWalk(['git log', 'ls', 'git log', 'git add', 'git'], 'git');
    expect([walk.older(), walk.older(), walk.older()]).toEqual(['git log', 'git add', undefined]);
    expect([walk.newer(), walk.newer(), walk.newer()]).toEqual(['git log', 'git', undefined]);
  });

  test('as many steps down as up end at what was typed', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat({ max: 20 }), (commands, steps) => {
        const walk = new HistoryWalk(commands, '');
        let ups = 0;
        for (let step = 0; step < steps; step++) if (walk.older() !== undefined) ups += 1;
        let last: string | undefined = '';
        for (let step = 0; step < ups; step++) last = walk.newer();
        expect(last).toBe('');
        expect(walk.newer()).toBeUndefined();
      }),
    );
  });
});

describe('who gets the keys', () => {
  test.each([
    ['a command that goes on gets them', 'composer', 'settled', false, 'program'],
    ['but not in the middle of a line', 'composer', 'settled', true, 'composer'],
    ['a full-screen program always does', 'composer', 'screen', true, 'program'],
    ['the composer has them back at the prompt', 'program', 'ended', false, 'composer'],
    ['the person’s key turns it', 'program', 'toggle', true, 'composer'],
    ['and back', 'composer', 'toggle', true, 'program'],
  ] as const)('%s', (_, now, event, isDrafting, next) => {
    expect(nextKeysTo(now, event, isDrafting)).toBe(next);
  });
});
