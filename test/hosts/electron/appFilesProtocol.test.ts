import { describe, expect, test } from 'vitest';
import { answerAppRequest } from '../../../src-main/hosts/electron/appFilesProtocol.ts';
import { securityHeaders } from '../../../src-main/hosts/http/securityHeaders.ts';

const page = { bytes: Buffer.from('<!doctype html>'), type: 'text/html; charset=utf-8' };
const script = { bytes: Buffer.from('1'), type: 'text/javascript; charset=utf-8' };
const files = new Map([
  ['/', page],
  ['/index.html', page],
  ['/assets/a.js', script],
]);
const ask = (url: string, method = 'GET') => answerAppRequest({ method, url }, files);

describe('app://bundle', () => {
  test.each([
    ['app://bundle/index.html', page],
    ['app://bundle/', page],
    ['app://bundle/assets/a.js?v=1#x', script],
  ])('%s is served with its type and the headers', (url, file) => {
    expect(ask(url)).toEqual({
      status: 200,
      headers: { ...securityHeaders([]), 'Content-Type': file.type },
      body: file.bytes,
    });
  });

  test.each([
    'app://bundle/../package.json',
    'app://bundle/%2e%2e/package.json',
    'app://bundle/..%2fpackage.json',
    'app://bundle/assets/../../package.json',
    'app://bundle/assets\\..\\..\\package.json',
    'app://bundle//index.html',
    'app://bundle/index.html/',
    'app://bundle/index.html%00',
    'app://bundle/INDEX.HTML',
    'app://bundle/assets/',
    'app://bundle/assets/%61.js',
    'app://bundle/__proto__',
    'app://bundle/constructor',
    'app://bundle//etc/passwd',
    'app://bundle/file:///etc/passwd',
    'nonsense',
    '',
  ])('%s is not found', (url) => {
    expect(ask(url)).toMatchObject({ status: 404, body: null });
  });

  test.each([
    'app://other/index.html',
    'app://bundle.evil/index.html',
    'https://bundle/index.html',
    'file:///index.html',
    'app://bundle:80/index.html',
  ])('%s is none of ours', (url) => {
    expect(ask(url)).toMatchObject({ status: 403, body: null });
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'get'])('%s is not allowed', (method) => {
    expect(ask('app://bundle/index.html', method)).toMatchObject({ status: 405, body: null });
  });

  test('a HEAD has no body', () => {
    expect(ask('app://bundle/index.html', 'HEAD')).toMatchObject({ status: 200, body: null });
  });

  test('every refusal carries the headers too', () => {
    for (const answer of [ask('app://bundle/none'), ask('app://other/'), ask('app://bundle/', 'POST')])
      expect(answer.headers).toMatchObject(securityHeaders([]));
  });
});
