import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cardLink, parseCardLink } from '../../../src-renderer/app/cardLink.ts';

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

test('the link of a card leads back to it, in the browser and on the desktop', () => {
  fc.assert(
    fc.property(id, id, fc.constantFrom(null, 'http://127.0.0.1:4711'), (terminalId, blockId, origin) => {
      const link = cardLink({ terminalId, blockId }, origin);
      expect(parseCardLink(origin === null ? link : new URL(link).hash)).toEqual({ terminalId, blockId });
    }),
  );
});

test.each([
  ['hansard://terminal/t1', { terminalId: 't1', blockId: null }],
  ['hansard://terminal/t1/block/b1/', { terminalId: 't1', blockId: 'b1' }],
  ['hansard://terminal/../block/b1', null],
  ['#/terminal/t1/block/', null],
  ['#a-one-time-code', null],
  ['https://terminal/t1', null],
  [`#/terminal/${'x'.repeat(65)}`, null],
])('%s names %j', (link, place) => {
  expect(parseCardLink(link)).toEqual(place);
});
