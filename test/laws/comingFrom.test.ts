import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const DOCS = join(import.meta.dirname, '../../docs');
const KBD = /<kbd>(.+?)<\/kbd>/g;

/** Title of each action → its Linux keys, from the key reference. */
function keysByTitle(): Map<string, string[]> {
  const rows = readFileSync(join(DOCS, 'reference/keys.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return new Map(
    rows.map((row) => {
      const [, title = '', linux = ''] = row.split('|').map((cell) => cell.trim());
      return [title, [...linux.matchAll(KBD)].map(([, keys = '']) => keys)];
    }),
  );
}

describe('the page for those who come from Warp', () => {
  const page = readFileSync(join(DOCS, 'guide/coming-from-warp.md'), 'utf8');
  const named = [...page.matchAll(/(?:[|,;:] |or )([A-Z][^|<>,;:]*?) <kbd>(.+?)<\/kbd>/g)];
  const known = keysByTitle();

  test('names the action of each key that it shows', () => {
    expect(named).toHaveLength([...page.matchAll(KBD)].length);
  });

  test.each(named.map(([, title = '', keys = '']) => [title, keys]))(
    'says of %s that it has %s, as it does',
    (title, keys) => {
      expect(known.get(title)).toContain(keys);
    },
  );
});
