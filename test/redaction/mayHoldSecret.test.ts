import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayHoldSecret, signOf } from '../../src-main/redaction/mayHoldSecret.ts';
import { blankSecrets } from '../../src-main/redaction/redactSecrets.ts';
import { TOKEN_FORMS } from '../../src-main/redaction/tokenForms.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const FIXTURES = new URL('../fixtures/security/', import.meta.url);
const synthetic = readFileSync(new URL('secrets-synthetic.jsonl', FIXTURES), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { text: string }).text);
const NAMED = [
  'Authorization: Basic dXNlcjpodW50ZXIy',
  'authorization=Token dXNlcjpodW50ZXIy',
  'bearer a1B2c3D4e5F6g7H8i9J0',
  'postgres://app:s3cr3t@db:5432/x',
  'curl -s -u admin:opensesame https://x',
  'curl --user=admin:opensesame https://x',
  'export DB_PASS=hunter2',
  'X_PW = hunter2',
  "MY_API_KEY='abc123def456'",
  'clientSecret => "8f14e45fceea167a"',
  'tool --token abc123def456 run',
  'Set-Cookie: sid=a1b2c3d4; Path=/',
  "curl -b 'sid=a1b2c3d4' https://x",
  'a.example\tFALSE\t/\tTRUE\t0\tsid\ta1b2c3d4',
  'machine x login y\n  password geheim',
  'db.example:5432:app:me:geheim99',
  'mysql -u root -pgeheim99 app',
  'sshpass -p geheim99 ssh x',
  'docker login -u me -p geheim99 x',
  'otpauth://totp/a:b?secret=JBSWY3DPEHPK3PXP&issuer=a',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
];

/** Generators of a match for each form. */
const tokens = TOKEN_FORMS.map(({ form }) => fc.stringMatching(new RegExp(`^${form.replaceAll(/(\d+),\}/g, '$1}')}$`)));
const secret = fc.oneof(fc.oneof(...tokens), fc.constantFrom(...NAMED, ...synthetic));
const around = fc.string({ maxLength: 20 });

describe('a line', () => {
  test.each(TOKEN_FORMS.map((form) => [form.kind, form] as const))(
    'of a %s is known by two characters at least',
    (_, form) => {
      expect(signOf(form).length).toBeGreaterThan(1);
    },
  );

  test('that may hold no secret has none, nor has a text of such lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(around, fc.option(secret), around), { maxLength: 6 }),
        fc.nat(200),
        (parts, cut) => {
          const text = parts.map(([before, own, after]) => `${before}${own ?? ''}${after}`).join('\n');
          // Also with a line break at the edge of a narrow screen, and without any.
          for (const shown of [text, `${text.slice(0, cut)}\n${text.slice(cut)}`, text.replaceAll('\n', '')])
            if (!shown.split('\n').some(mayHoldSecret)) expect(blankSecrets(shown).count).toBe(0);
        },
      ),
      fuzzRuns(3000),
    );
  });

  test('with a secret may hold one', () => {
    fc.assert(
      fc.property(secret, around, (own, after) => {
        if (blankSecrets(`${own} ${after}`).count > 0)
          expect(`${own} ${after}`.split('\n').some(mayHoldSecret)).toBe(true);
      }),
      fuzzRuns(3000),
    );
  });

  test.each(['', '$ ls -l', '12:04:11 INFO request id=7919 took 12 ms', '│ Do you want to proceed? │'])(
    'as %j may hold none',
    (line) => {
      expect(mayHoldSecret(line)).toBe(false);
    },
  );
});
