import { describe, expect, test } from 'vitest';
import { parsePublicUrl } from '../../../src-main/cli/print/options.ts';
import { shownUrl } from '../../../src-main/cli/print/publicUrl.ts';

describe('parsePublicUrl', () => {
  test.each([
    ['https://box.example.net', 'https://box.example.net'],
    ['https://box.example.net/', 'https://box.example.net'],
    ['https://BOX.example.net:443/', 'https://box.example.net'],
    ['https://box.example.net:8443', 'https://box.example.net:8443'],
  ])('reads %s as the origin that a browser names', (text, origin) => {
    expect(parsePublicUrl(text)).toBe(origin);
  });

  test.each([
    'http://box.example.net',
    'box.example.net',
    'https://box.example.net/path',
    'https://box.example.net/?q',
    'https://box.example.net/#code',
    'https://box.example.net?',
    'https://me:secret@box.example.net',
    'https://@box.example.net',
    'https://',
    'ftp://box.example.net',
    'https://a https://b',
    '*',
    '',
  ])('refuses %j', (text) => {
    expect(() => parsePublicUrl(text)).toThrow('an address like');
  });
});

test.each([
  ['the tunnel, for another device', { qr: true }, 'https://box.example.net', 'https://box.example.net/#code'],
  ['loopback, for this machine', {}, 'https://box.example.net', 'http://127.0.0.1:81/#code'],
  ['loopback, without a tunnel', { qr: true }, null, 'http://127.0.0.1:81/#code'],
])('the URL leads to %s', (_, options, publicOrigin, url) => {
  expect(shownUrl({ url: 'http://127.0.0.1:81/#code', publicOrigin }, options)).toBe(url);
});
