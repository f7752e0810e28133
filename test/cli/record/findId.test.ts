import { describe, expect, test } from 'vitest';
import { findId } from '../../../src-main/cli/record/findId.ts';

const known = ['b1-aa', 'b12-ab', 'b12-cd', 'b2-ee', 'b20-ff'].map((id) => ({ id, label: `label of ${id}` }));

describe('findId', () => {
  test.each([
    ['its whole id', 'b12-cd', 'b12-cd'],
    ['its number, although a longer one starts so too', 'b2', 'b2-ee'],
    ['a start that no other has', 'b12-c', 'b12-cd'],
    ['a start of its number that no other has', 'b20', 'b20-ff'],
  ])('finds one by %s', (_, wanted, id) => {
    expect(findId(wanted, known, 'block').id).toBe(id);
  });

  test('lists the candidates of what is not unique', () => {
    expect(() => findId('b12', known, 'block')).toThrow(
      '"b12" could be any of 2 blocks:\n  b12-ab  label of b12-ab\n  b12-cd  label of b12-cd',
    );
  });

  test.each(['zz', '', 'B1-aa'])('lists what there is when %j is not known', (wanted) => {
    expect(() => findId(wanted, known, 'block')).toThrow(`no block "${wanted}". There are:\n  b1-aa  label of b1-aa`);
  });

  test('shortens the list and its labels', () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ id: `t${at}`, label: 'x'.repeat(200) }));
    expect(() => findId('zz', many, 'terminal')).toThrow(/t7 {2}x{59}…\n {2}… and 12 more$/);
  });
});
