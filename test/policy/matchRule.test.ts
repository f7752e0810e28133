import { describe, expect, test } from 'vitest';
import { hasInOrder, isAllowedBy, isDeniedBy, isProgram } from '../../src-main/policy/matchRule.ts';

describe('an allow rule', () => {
  test('lets no option of a program through that nobody has reviewed, but those that the rule names', () => {
    expect(isAllowedBy({ argv: ['unknown-tool', 'status'] }, ['unknown-tool', 'status', '--exec=x'])).toBe(false);
    expect(isAllowedBy({ argv: ['unknown-tool', 'status'] }, ['unknown-tool', 'status', 'a'])).toBe(true);
    expect(isAllowedBy({ argv: ['unknown-tool', '--exec=x'] }, ['unknown-tool', '--exec=x'])).toBe(true);
  });
});

describe('a deny rule', () => {
  test('of several programs is about each of them', () => {
    const rule = { argv: [['rm', 'shred'], 'x'] };
    expect(['rm', 'shred', 'ls'].map((program) => isDeniedBy(rule, [program, 'x']))).toEqual([true, true, false]);
  });

  test('of a path is about that path alone, and of a bare name about the program in any folder', () => {
    expect([isProgram('/opt/rm', '/opt/rm'), isProgram('/bin/rm', '/opt/rm'), isProgram('/bin/rm', 'rm')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('wants its words in their order, each by a word of its own', () => {
    expect(hasInOrder(['a', 'x', 'b'], ['a', 'b'])).toBe(true);
    expect(hasInOrder(['b', 'a'], ['a', 'b'])).toBe(false);
    expect(hasInOrder(['a'], ['a', 'a'])).toBe(false);
  });
});
