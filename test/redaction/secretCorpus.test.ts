import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactSecrets } from '../../src-main/redaction/redactSecrets.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const of = (chars: string, length: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...chars), { minLength: length, maxLength: length }).map((all) => all.join(''));
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const password = fc
  .tuple(of(LETTERS, 5), fc.nat(99), of('!%+,_@', 1), of(LETTERS, 6))
  .map(([a, n, sign, b]) => `p${a}${n}${sign}${b}9`);
const token = (length: number): fc.Arbitrary<string> => of(LETTERS, length).map((text) => `${text.slice(0, -3)}aZ7`);

/** Lines that contain a secret value, by kind. */
const PLACES: Record<string, { value: fc.Arbitrary<string>; line: (value: string) => string }[]> = {
  cookies: [
    { value: token(24), line: (value) => `Cookie: theme=dark; sid=${value}` },
    { value: token(24), line: (value) => `< set-cookie: sid=${value}; Path=/; HttpOnly; Secure` },
    { value: token(24), line: (value) => `curl -s -b 'sid=${value}' https://a.example/x` },
    { value: token(24), line: (value) => `curl --cookie sid=${value} https://a.example/x` },
    { value: token(24), line: (value) => `-H "Cookie: sid=${value}" https://a.example` },
    { value: token(24), line: (value) => `#HttpOnly_a.example\tFALSE\t/\tTRUE\t1790000000\tsid\t${value}` },
  ],
  files: [
    { value: password, line: (value) => `machine a.example login ada password ${value}` },
    { value: password, line: (value) => `machine a.example\n  login ada\n  password ${value}` },
    { value: password, line: (value) => `db.example:5432:app:ada:${value}` },
    { value: password, line: (value) => `*:*:*:ada:${value}` },
  ],
  options: [
    { value: password, line: (value) => `mysql -u root -p${value} app` },
    { value: password, line: (value) => `mysqldump -h db -p'${value}' app > x.sql` },
    { value: password, line: (value) => `mariadb-dump -p"${value}" app` },
    { value: password, line: (value) => `docker login -u ada -p ${value} registry.example` },
    { value: password, line: (value) => `docker login --username ada --password=${value}` },
    { value: password, line: (value) => `podman login -p ${value} a.example` },
    { value: password, line: (value) => `sshpass -p ${value} ssh ada@a.example` },
    { value: password, line: (value) => `sshpass -p'${value}' scp x a:` },
    { value: password, line: (value) => `redis-cli -h db -a ${value} ping` },
  ],
  tokens: [
    {
      value: of('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 32),
      line: (value) => `otpauth://totp/A:ada?secret=${value}&issuer=A`,
    },
    {
      value: fc.tuple(token(23), token(6), token(38)).map(([a, b, c]) => `M${a}.${b}.${c}`),
      line: (value) => `client.login("${value}")`,
    },
    { value: token(90).map((text) => `hvs.CAESI${text}`), line: (value) => `token                ${value}` },
    { value: fc.tuple(token(90), token(5)).map(([a, b]) => `hvs.${a}.${b}`), line: (value) => `VAULT ${value}` },
    { value: token(24).map((text) => `s.${text}`), line: (value) => `vault login ${value}` },
  ],
};

describe.each(Object.entries(PLACES))('%s', (_, places) => {
  test.each(places.map((place) => [place.line('VALUE'), place] as const))('%j', (_line, { value, line }) => {
    fc.assert(
      fc.property(value, (secret) => {
        const shown = line(secret);
        for (const text of [shown, `$ ${shown}`, `first\n${shown}\nlast`, `${shown}\r\n`]) {
          const { text: redacted, count } = redactSecrets(text);
          expect(count, text).toBeGreaterThan(0);
          for (const part of [secret, secret.slice(0, 10), secret.slice(-10)])
            expect(redacted, text).not.toContain(part);
          expect(redactSecrets(redacted).text).toBe(redacted);
        }
      }),
      fuzzRuns(100),
    );
  });
});

test.each([
  'commit 3f786850e387550fdab836ed7e6dc881de23001b (HEAD -> main, origin/main)',
  'a1b2c3d 2026-11-23 record: write bytes before showing them',
  '123e4567-e89b-12d3-a456-426614174000',
  '├── @types/node@24.10.1 deduped',
  '│ ├─┬ vite-plugin-x@5.1.4 -> ./packages/x',
  'src/app.ts:1042:17: error TS2339: Property x does not exist',
  'src/a.ts:12:foo:bar:bazqux',
  'root:x:0:0:root:/root:/bin/bash',
  '-rw-r--r-- 1 ada ada 4096 Nov 23 10:00 password.txt',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
  '0.0.0.0:8080->80/tcp, :::8080->80/tcp   web',
  'mysql -u root -p app',
  'docker login --password-stdin registry.example',
  'docker run -p 8080:80 nginx',
  'mkdir -p a/b && cp -p x y',
  'ssh -p 2222 a.example',
  'Your login name and password are needed.',
  'cookies are stored in the browser; see cookie policy',
  'otpauth is a URI scheme',
  '2026-11-23T10:00:00.000Z [info] listening on localhost:5432',
  'const s = this.state; b.render(document)',
  'PASS test/a.test.ts (12.345 s)',
])('ordinary text stays as it is: %j', (text) => {
  expect(redactSecrets(text)).toEqual({ text, count: 0 });
});
