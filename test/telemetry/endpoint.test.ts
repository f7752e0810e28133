import { describe, expect, test } from 'vitest';
import { parseEndpoint } from '../../src-main/telemetry/endpoint.ts';
import { headerFault } from '../../src-main/telemetry/headerRules.ts';
import { type Answer, judgeAnswer } from '../../src-main/telemetry/judgeAnswer.ts';

describe('an endpoint', () => {
  test.each([
    ['https://c.example:4318', 'https://c.example:4318/v1/traces'],
    ['https://c.example:4318/', 'https://c.example:4318/v1/traces'],
    ['https://c.example/api/public/otel', 'https://c.example/api/public/otel/v1/traces'],
    ['https://c.example/v1/traces', 'https://c.example/v1/traces'],
    ['  https://c.example/v1/traces/ ', 'https://c.example/v1/traces'],
    ['http://localhost:4318', 'http://localhost:4318/v1/traces'],
    ['http://127.1.2.3:4318', 'http://127.1.2.3:4318/v1/traces'],
    ['http://[::1]:4318', 'http://[::1]:4318/v1/traces'],
    ['http://otel.localhost', 'http://otel.localhost/v1/traces'],
  ])('%s is posted to %s', (endpoint, url) => {
    expect(parseEndpoint(endpoint, false)).toEqual({ url });
  });

  test.each([
    ['', 'No collector'],
    ['collector', 'not an address'],
    ['c.example:4318', 'not an address'],
    ['ftp://c.example', 'begins with ftp:'],
    ['file:///etc/passwd', 'not an address'],
    ['javascript:alert(1)', 'not an address'],
    ['https://me:secret@c.example', 'a name or a password'],
    ['https://c.example/?key=abc', 'a ? or #'],
    ['https://c.example/#key', 'a ? or #'],
    ['http://c.example:4318', 'not encrypted'],
    ['http://10.0.0.1:4318', 'not encrypted'],
    ['http://127.0.0.1.evil.example', 'not encrypted'],
    ['http://localhost.evil.example', 'not encrypted'],
    ['http://0.0.0.0:4318', 'not encrypted'],
  ])('%j is refused: %s', (endpoint, words) => {
    const parsed = parseEndpoint(endpoint, false);
    expect('fault' in parsed && parsed.fault).toContain(words);
    expect(JSON.stringify(parsed)).not.toMatch(/secret|key=abc/);
  });

  test('is allowed without encryption where the person said so', () => {
    expect(parseEndpoint('http://c.example:4318', true)).toEqual({ url: 'http://c.example:4318/v1/traces' });
  });
});

describe('a header', () => {
  test.each(['Authorization', 'x-honeycomb-team', 'X-Scope-OrgID'])('%s is taken', (name) => {
    expect(headerFault(name, 'Bearer abc.def')).toBeNull();
  });

  test.each([
    ['', 'x'],
    ['a b', 'x'],
    ['a:', 'x'],
    ['é', 'x'],
    ['x', ''],
    ['x', ' padded'],
    ['x', 'two\r\nEvil: yes'],
    ['x', 'snow ☃'],
    ['x', 'nul\0'],
    ['x', 'v'.repeat(10_000)],
    ['Host', 'x'],
    ['content-LENGTH', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Expect', '100-continue'],
  ])('%j: %j is refused, without its value', (name, value) => {
    const fault = headerFault(name, value);
    expect(fault).not.toBeNull();
    if (value.length > 4) expect(fault).not.toContain(value.slice(0, 4));
  });

  test('that is taken is taken by fetch too', () => {
    for (let code = 0; code < 0x200; code += 1) {
      const value = `a${String.fromCharCode(code)}a`;
      if (headerFault('x', value) === null) expect(() => new Headers({ x: value })).not.toThrow();
    }
  });
});

describe('an answer', () => {
  const http = (status: number, retryAfter: string | null = null): Answer => ({
    ...{ kind: 'http', status, retryAfter, partial: null, message: '' },
  });
  const NOW = Date.UTC(2026, 10, 25);

  test('is one of four things for every status there is: only four are tried again', () => {
    const kinds = new Map<string, number[]>();
    for (let status = 200; status < 600; status += 1) {
      const { kind } = judgeAnswer(http(status), NOW);
      kinds.set(kind, [...(kinds.get(kind) ?? []), status]);
    }
    expect(kinds.get('retry')).toEqual([429, 502, 503, 504]);
    expect(kinds.get('refused')).toEqual([400, 413, 422]);
    expect(kinds.get('sent')).toEqual([...Array(100).keys()].map((at) => 200 + at));
    expect(kinds.get('pause')).toHaveLength(400 - 4 - 3 - 100);
  });

  test.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    [new Date(NOW + 90_000).toUTCString(), 90_000],
    [new Date(NOW - 90_000).toUTCString(), 0],
    ['99999999999999', null],
    ['999999999', 86_400_000],
    ['-3', null],
    ['soon', null],
    ['', null],
  ])('with Retry-After %j is tried again after %s ms', (header, afterMs) => {
    const verdict = judgeAnswer(http(503, header), NOW);
    expect(verdict.kind === 'retry' ? verdict.afterMs : verdict).toBe(afterMs);
  });
});
