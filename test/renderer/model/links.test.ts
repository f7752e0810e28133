import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLinks, judgeUrl } from '../../../src-renderer/app/links.ts';

interface Schemes {
  never: string[];
}

const schemes = JSON.parse(
  readFileSync(new URL('../../fixtures/security/url-schemes.json', import.meta.url), 'utf8'),
) as Schemes;

describe('what may be opened', () => {
  test.each(schemes.never)('never: %j', (start) => {
    const addresses = [start, `${start}//host/path`, `${start}alert(1)`];
    expect(addresses.map((address) => judgeUrl(address).verdict)).toEqual(['never', 'never', 'never']);
  });

  test.each([
    ['https://example.com/a?b=c#d', 'open'],
    ['http://127.0.0.1:3000/', 'open'],
    ['HTTPS://EXAMPLE.COM', 'open'],
    ['mailto:ada@example.com', 'ask'],
    ['https://аррӏе.com/', 'ask'],
    ['https://xn--80ak6aa92e.com/', 'ask'],
    ['https://example.com/\u202egnp.exe', 'never'],
    ['https://exam\u200bple.com', 'never'],
    [`https://example.com/${'a'.repeat(2083)}`, 'never'],
    ['example.com', 'never'],
    ['', 'never'],
  ])('%j: %s', (address, verdict) => {
    expect(judgeUrl(address).verdict).toBe(verdict);
  });

  test('a host in another script is named as the network knows it', () => {
    expect(judgeUrl('https://аррӏе.com/')).toMatchObject({ host: 'xn--80ak6aa92e.com' });
  });

  test('only http, https and mail ever leave, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.string()), (text) => {
        const found = judgeUrl(text);
        if (found.verdict === 'never') return;
        expect(['http:', 'https:', 'mailto:']).toContain(new URL(found.url).protocol);
      }),
    );
  });
});

describe('links in a line', () => {
  test.each([
    ['see https://example.com/a_(b)?x=1.', ['https://example.com/a_(b)?x=1']],
    ['(https://example.com/x)', ['https://example.com/x']],
    ['[docs](https://example.com/x).', ['https://example.com/x']],
    ['<https://example.com> "http://a.b/c"', ['https://example.com', 'http://a.b/c']],
    ['at src/berths.ts:14:3, then ./a.py:7', ['src/berths.ts:14:3', './a.py:7']],
    ['/etc/nginx/nginx.conf:12: unexpected', ['/etc/nginx/nginx.conf:12']],
    ['--> src/main.rs:3:5', ['src/main.rs:3:5']],
    ['Tests 12:34:56 and 10.0.0.1:8080 and a:b', []],
    ['https://example.com/a.ts:14', ['https://example.com/a.ts:14']],
    ['javascript:alert(1) file:///etc/passwd', []],
    ['no links here', []],
  ])('%s', (text, targets) => {
    expect(findLinks(text).map(({ target }) => target)).toEqual(targets);
  });

  test('links stand in order, never overlap, and are the text at their place', () => {
    const word = fc.oneof(
      fc.webUrl(),
      fc.constantFrom('a.ts:1', 'x/y.c:2:3', '(', ').', 'plain', '://', ':1'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join(' ');
        let last = 0;
        for (const { start, end, target } of findLinks(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end)).toBe(target);
          last = end;
        }
      }),
    );
  });

  test('a line as long as a file costs nothing', () => {
    expect(findLinks(`${'a/'.repeat(500_000)}x.ts:1`)).toEqual([]);
  });
});
