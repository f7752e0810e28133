import { describe, expect, test } from 'vitest';
import { isComposing } from '../../../../src-renderer/ui/browser/isComposing.ts';

describe('whether an input method has a key', () => {
  test.each([
    ['Return that accepts a word', { isComposing: true, keyCode: 229 }, true],
    ['Return that accepted a word, as Safari reports it', { isComposing: false, keyCode: 229 }, true],
    ['Return', { isComposing: false, keyCode: 13 }, false],
  ])('%s', (_, event, expected) => {
    expect(isComposing(event)).toBe(expected);
  });
});
