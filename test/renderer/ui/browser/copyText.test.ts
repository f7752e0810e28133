import { afterEach, describe, expect, test, vi } from 'vitest';
import { copyText } from '../../../../src-renderer/ui/browser/copyText.ts';

/** A clipboard that has an item from the moment at which the page gives it, and its text once that arrives. */
function useClipboard(): { given: number; texts: string[] } {
  const seen = { given: 0, texts: [] as string[] };
  vi.stubGlobal('navigator', {
    clipboard: {
      write: async ([item]: [Record<string, Promise<Blob>>]) => {
        seen.given += 1;
        seen.texts.push((await (await item['text/plain'])?.text()) ?? 'no text');
      },
      writeText: async (text: string) => void seen.texts.push(text),
    },
  });
  vi.stubGlobal(
    'ClipboardItem',
    class {
      constructor(types: object) {
        Object.assign(this, types);
      }
    },
  );
  return seen;
}

afterEach(() => vi.unstubAllGlobals());

describe('a copied text', () => {
  test('reaches the clipboard at once if it is there', async () => {
    const seen = useClipboard();
    await copyText('low tide');
    expect(seen.texts).toEqual(['low tide']);
  });

  test('is promised within the click if it is still being read', async () => {
    const seen = useClipboard();
    const text = Promise.withResolvers<string>();
    const copied = copyText(text.promise);
    expect(seen).toEqual({ given: 1, texts: [] });
    text.resolve('high tide');
    await copied;
    expect(seen.texts).toEqual(['high tide']);
  });

  test('that cannot be read fails with the reason of the reader', async () => {
    useClipboard();
    await expect(copyText(Promise.reject(new Error('the core is gone')))).rejects.toThrow('the core is gone');
  });
});
