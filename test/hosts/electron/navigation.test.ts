import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebContents } from 'electron';
import { describe, expect, test } from 'vitest';
import { judgeExternal } from '../../../src-main/hosts/electron/externalUrl.ts';
import { openOutside } from '../../../src-main/hosts/electron/guardApp.ts';
import { guardContents } from '../../../src-main/hosts/electron/guardContents.ts';
import { ROOT } from '../../support/sourceFiles.ts';

interface Schemes {
  open_after_modifier_click: string[];
  open_after_confirm: string[];
  never: string[];
}
const schemes = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/security/url-schemes.json'), 'utf8')) as Schemes;
/** The list has bare schemes and whole addresses; the test tries every form of a bare one. */
const never = schemes.never.flatMap((item) =>
  item.endsWith(':') ? [item, `${item}//host/path`, `${item}alert(1)`] : [item],
);

class Contents extends EventEmitter {
  openWindow: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  setWindowOpenHandler(handler: Contents['openWindow']): void {
    this.openWindow = handler;
  }
}

function guarded(): { contents: Contents; asked: string[]; isStopped: (event: string, details?: object) => boolean } {
  const contents = new Contents();
  const asked: string[] = [];
  guardContents(contents as unknown as WebContents, (url) => asked.push(url));
  const isStopped = (event: string, details: object = {}): boolean => {
    let prevented = false;
    contents.emit(event, {
      ...details,
      preventDefault: () => {
        prevented = true;
      },
    });
    return prevented;
  };
  return { contents, asked, isStopped };
}

describe('a page stays where it is', () => {
  const { contents, asked, isStopped } = guarded();
  const elsewhere = [
    ...never,
    'https://example.org/',
    'http://127.0.0.1:1/',
    'app://other/',
    'app://bundle:1/',
    'app://x@bundle/',
    'mailto:a@b.c',
  ];

  test.each(elsewhere)('no navigation to %j', (url) => {
    expect(isStopped('will-navigate', { url, isMainFrame: true })).toBe(true);
    expect(isStopped('will-frame-navigate', { url, isMainFrame: false })).toBe(true);
    expect(isStopped('will-redirect', { url, isMainFrame: true })).toBe(true);
  });

  test('it may load itself again, but not in a frame, and no redirect leads anywhere', () => {
    const url = 'app://bundle/index.html';
    expect([
      isStopped('will-navigate', { url, isMainFrame: true }),
      isStopped('will-frame-navigate', { url, isMainFrame: true }),
      isStopped('will-frame-navigate', { url, isMainFrame: false }),
      isStopped('will-redirect', { url, isMainFrame: true }),
    ]).toEqual([false, false, true, true]);
  });

  test('no web view is attached', () => {
    expect(isStopped('will-attach-webview')).toBe(true);
  });

  test('no second window is opened; the address is judged instead', () => {
    expect(contents.openWindow({ url: 'https://example.org/' })).toEqual({ action: 'deny' });
    expect(asked).toEqual(['https://example.org/']);
  });
});

describe('an address for the system', () => {
  test.each(schemes.open_after_modifier_click)('%s opens', (scheme) => {
    expect(judgeExternal(`${scheme}//example.org/a?b=c#d`)).toEqual({
      verdict: 'open',
      url: `${scheme}//example.org/a?b=c#d`,
    });
  });

  test.each(schemes.open_after_confirm)('%s asks', (scheme) => {
    expect(judgeExternal(`${scheme}a@example.org`)).toEqual({ verdict: 'ask', url: `${scheme}a@example.org` });
  });

  test.each([
    ...never,
    'https:',
    'https:host',
    'https:/host',
    'http://',
    '',
    'x',
    'https://a b',
    'https://a/\u202e%0d',
    'app://bundle/',
  ])('%j never opens', (address) => {
    expect(judgeExternal(address).verdict).toBe('never');
  });

  test('2,083 characters open, one more does not', () => {
    const address = (length: number): string => 'https://example.org/'.padEnd(length, 'a');
    expect([judgeExternal(address(2083)).verdict, judgeExternal(address(2084)).verdict]).toEqual(['open', 'never']);
  });

  test('what opens is what was written, as a browser writes it', () => {
    expect(judgeExternal('HTTPS://EXAMPLE.org:443/%7Ea/../b')).toEqual({
      verdict: 'open',
      url: 'https://example.org/b',
    });
  });
});

describe('the system is asked', () => {
  async function outcome(address: string, response: number): Promise<{ opened: string[]; questions: number }> {
    const opened: string[] = [];
    let questions = 0;
    const shell = { openExternal: async (url: string) => void opened.push(url) };
    const dialog = {
      showMessageBox: async () => {
        questions += 1;
        return { response, checkboxChecked: false };
      },
    };
    await openOutside({ shell, dialog } as unknown as Parameters<typeof openOutside>[0], address);
    return { opened, questions };
  }

  test.each([
    ['https://example.org/', 1, { opened: ['https://example.org/'], questions: 0 }],
    ['mailto:a@example.org', 0, { opened: ['mailto:a@example.org'], questions: 1 }],
    ['mailto:a@example.org', 1, { opened: [], questions: 1 }],
    ['file:///etc/passwd', 0, { opened: [], questions: 0 }],
  ])('%s with answer %i', async (address, response, expected) => {
    expect(await outcome(address, response)).toEqual(expected);
  });
});
