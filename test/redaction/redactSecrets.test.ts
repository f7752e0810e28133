import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactSecrets } from '../../src-main/redaction/redactSecrets.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const FIXTURES = new URL('../fixtures/security/', import.meta.url);
const synthetic = readFileSync(new URL('secrets-synthetic.jsonl', FIXTURES), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { kind: string; text: string; must_redact: boolean | string });

/** A key that was never issued: letters and digits in turn. */
const RUN = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A7b8C9d0E1f2';
const run = (length: number): string => RUN.slice(0, length);

describe('redactSecrets', () => {
  test.each(synthetic)('$kind: redacted only if it is a secret', ({ text, must_redact }) => {
    const { text: redacted, count } = redactSecrets(`before ${text} after`);
    if (must_redact === false) expect(redacted).toBe(`before ${text} after`);
    else {
      expect(count).toBe(1);
      expect(redacted).toMatch(/^before .*\[redacted: [a-z ]+\].* after$/);
      for (const secret of text.match(/hunter2|\w{16,}/g) ?? []) expect(redacted).not.toContain(secret);
    }
  });

  test.each([
    [`sk-ant-api03-${run(40)}-x_${run(20)}`, '[redacted: api key]'],
    [`"key": "sk-proj-${run(48)}",`, '"key": "[redacted: api key]",'],
    [`AIza${run(35)}`, '[redacted: google key]'],
    [`xoxp-1234567890-${run(24)}`, '[redacted: slack token]'],
    [`sk_live_${run(24)}`, '[redacted: stripe key]'],
    [`npm_${run(36)}`, '[redacted: npm token]'],
    [`github_pat_${run(22)}_${run(59)}`, '[redacted: github token]'],
    [`a "\\nghp_${run(36)}\\n" b`, 'a "\\n[redacted: github token]\\n" b'],
    ['Authorization: Basic dXNlcjpodW50ZXIy', 'Authorization: Basic [redacted: credentials]'],
    [`-H "Authorization: Bearer ${run(20)}"`, '-H "Authorization: Bearer [redacted: credentials]"'],
    ['postgres://app:s3cr3t@db:5432/x', 'postgres://app:[redacted: password]@db:5432/x'],
    ['postgres://app:p@ss@db/x', 'postgres://app:[redacted: password]@db/x'],
    ['curl -s -u admin:opensesame https://x', 'curl -s -u admin:[redacted: password] https://x'],
    ['export DB_PASSWORD=hunter2', 'export DB_PASSWORD=[redacted: password]'],
    ["MY_API_KEY='abc123def456'", "MY_API_KEY='[redacted: secret]'"],
    [`AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`, 'AWS_SECRET_ACCESS_KEY=[redacted: aws key]'],
    ['"password": "correct-horse"', '"password": "[redacted: password]"'],
    ['password: hunter2', 'password: [redacted: password]'],
    ['clientSecret = "8f14e45fceea167a"', 'clientSecret = "[redacted: secret]"'],
    ['x-api-key: 0123456789abcdef', 'x-api-key: [redacted: secret]'],
    ['tool --token abc123def456 run', 'tool --token [redacted: secret] run'],
    ['mysql --password=geheim99', 'mysql --password=[redacted: password]'],
  ])('takes the secret out of %j and leaves what is around it', (text, redacted) => {
    expect(redactSecrets(text)).toEqual({ text: redacted, count: 1 });
  });

  test.each([
    'commit 44b39c7f0e0b8b7d6a5c4d3e2f1a0b9c8d7e6f5a',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="',
    'const token = lexer.next();',
    'const token = getToken(request, 42);',
    'if (token.kind === "identifier1") return;',
    'max_tokens: 4096, "total_tokens": 81920, tokens=12k3',
    'function login(password: string, token: Token1) {}',
    'PASSWORD=$DB_PASSWORD TOKEN="$GITHUB_TOKEN2" KEY=<your-key-1>',
    '"password": "your-password" and password: "********"',
    'SSH_KEY_PATH=/home/u/.ssh/id_ed25519',
    'KEYBOARD=us104abcd MONKEY=george1234 TOKENIZERS_PARALLELISM=false1234',
    'cache-key: build-2026-11-21-abcdef12',
    'idempotency-key: 123e4567-e89b-12d3-a456-426614174000',
    'apiKey: process.env.API_KEY2',
    'docker run -u 1000:1000 image',
    'https://example.com:8080/@scope/package',
    'npm i @scope/package@1.2.3 && open http://localhost:5173/@vite/client',
    'the bearer of bad news, Bearer authentication',
    'Authorization: Bearer $TOKEN',
    'class="sk-circle-fade-dot sk-chase-dot-before"',
    'task-A1b2C3d4E5f6G7h8I9j0K1l2',
    '-----BEGIN PRIVATE KEY-----\nis how such a file begins.',
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
  ])('leaves %j alone', (text) => {
    expect(redactSecrets(text)).toEqual({ text, count: 0 });
  });

  test.each([
    ['as it is', (key: string) => key],
    ['in a string', (key: string) => key.replaceAll('\n', '\\n')],
    ['with line numbers left of it', (key: string) => key.replaceAll('\n', '\n   │ ')],
    ['cut off', (key: string) => key.replace(/\n-+END.*/, '')],
  ])('takes out a private key whole, %s', (_, form) => {
    const lines = Array.from({ length: 12 }, () => run(64));
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, 'Zm9v', '-----END RSA PRIVATE KEY-----'].join('\n');
    const { text, count } = redactSecrets(`key:\n${form(key)}\n\nand so on.`);
    expect({ text: text.replace('Zm9v\n', ''), count }).toEqual({
      text: expect.stringMatching(/^key:\n\[redacted: private key\](?:\nZm9v)?\s+and so on\.$/),
      count: 1,
    });
  });

  test('a token that a narrow screen broke is taken out whole, and no word of the next line with it', () => {
    const token = `ghp_${run(36)}`;
    for (let at = 5; at < token.length; at += 1) {
      const broken = `${token.slice(0, at)}\n  ${token.slice(at)}`;
      expect(redactSecrets(`is ${broken}\nDone.`).text).toBe('is [redacted: github token]\nDone.');
    }
    expect(redactSecrets(`${token}\nstep2 follows`).text).toBe('[redacted: github token]\nstep2 follows');
  });

  test('a second pass finds nothing more (law)', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...synthetic.map(({ text }) => text),
        'API_KEY=',
        'password: ',
        '"token": "',
        'Bearer ',
        'https://u:',
        '@h',
        '"',
        "'",
        '\n',
        ' ',
        '-----BEGIN PRIVATE KEY-----\n',
        '-----END PRIVATE KEY-----',
        run(40),
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = redactSecrets(parts.join('')).text;
        expect(redactSecrets(once)).toEqual({ text: once, count: 0 });
      }),
      fuzzRuns(3000),
    );
  });

  test('no repeated piece makes it slow: twice the text takes about twice the time (law)', () => {
    const pieces = [
      'sk-', 'ghp_', 'eyJ', 'eyJa.eyJb.', 'AIza', 'a:', '://a:', 'http://', 'https://a:b', 'curl ', 'curl -u ', 'API_KEY=',
      'KEY="', "token: '", 'Bearer ', 'authorization:', '-----BEGIN PRIVATE KEY-----\n', '-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n',
      '"\\', 'a\n', 'sk-ant-\n', 'A', '1', '_', '-', '\n', '  ', '=', '"a":"', '--token ', 'x-', 'password', '1:AA', 'a.', '\\n', '│ ', '"',
    ]; // biome-ignore format: a list
    for (const piece of pieces) {
      const started = performance.now();
      redactSecrets(piece.repeat(400_000 / piece.length));
      expect(performance.now() - started, JSON.stringify(piece)).toBeLessThan(4000);
    }
  });
});
