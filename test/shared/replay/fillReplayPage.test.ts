import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillReplayPage } from '../../../src-main/shared/replay/fillReplayPage.ts';

const PAGE = '<title>Replay</title><script type="x"><!--hansard:recording--></script><script>run()</script>';

async function fill(page: string, pieces: string[]): Promise<string> {
  let all = '';
  for await (const piece of fillReplayPage(page, pieces)) all += piece;
  return all;
}

test('what was printed ends no element, and is read back as it was, however it is cut', async () => {
  const hostile = fc.constantFrom(
    '</script>',
    '<!--',
    '-->',
    '</SCRIPT x',
    '<script',
    '<!--hansard:recording-->',
    '$&',
    '\u2028',
  );
  const printed = fc.array(fc.oneof(hostile, fc.string()), { maxLength: 6 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(printed, fc.nat(200), async (text, at) => {
      const line = `[0.1, "o", ${JSON.stringify(text)}]\n`;
      const page = await fill(PAGE, [line.slice(0, at), line.slice(at)]);
      const inside = page.slice(page.indexOf('"x">') + 4, page.indexOf('</script><script>run()'));
      expect(inside).not.toContain('<');
      expect(JSON.parse(inside)).toEqual([0.1, 'o', text]);
    }),
  );
});

test('a page without a place for it is refused', async () => {
  await expect(fill('<html></html>', ['x'])).rejects.toThrow('no place for a recording');
});
