import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formsOf, readPatterns, runRule } from '../../resources/dev/secretRules.mjs';
import { redactSecrets } from '../../src-main/redaction/redactSecrets.ts';
import { SECRETLINT_FORMS } from '../../src-main/redaction/secretlintForms.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const ROOT = new URL('../../', import.meta.url);
const patterns = await readPatterns();
const ruleOf = (name: string) => rules.find(({ meta }) => meta.id.endsWith(`secretlint-rule-${name}`)) ?? rules[0];

/** Rules that find no secrets, or nothing that can be redacted in a text. */
const NOT_OURS = new Set(['filter-comments']);

const WORD = 'A-Za-z0-9';
const text = (form: string): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^${form}$`));
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Samples for rules that check more than their expression. */
const REAL: Readonly<Record<string, fc.Arbitrary<string>>> = {
  privatekey: fc.constant(privateKey),
  sendgrid: text(`SG\\.[${WORD}_]{22}\\.[${WORD}_]{43}`),
  aws: text(
    `(AWS_|aws_)?(SECRET_ACCESS_KEY|secret_access_key|SecretAccessKey|secretKey)("?: "|=| = '|=>)[${WORD}/+]{38}[0-9]a`,
  ),
  '1password': fc
    .record({ signInAddress: fc.domain(), muk: text(`[${WORD}]{90}`) })
    .map((account) => `ops_${Buffer.from(JSON.stringify(account)).toString('base64')}`)
    .filter((token) => /fQ={0,2}$/.test(token)),
  'database-connection-string': text(
    `(mongodb(\\+srv)?|mysql|postgres(ql)?)://[a-z]{3,12}:[${WORD}_!*.-]{8,20}[0-9]@[a-z]{3,12}\\.example(:[0-9]{4})?/[a-z]{3,12}`,
  ),
};

/** Matches of a pattern without its conditions on the surroundings. If a secret may have digits, every sample has some, as real ones do. */
function samples({ rule, source }: { rule: string; source: string }): fc.Arbitrary<string> {
  const real = REAL[rule];
  if (real) return real;
  const inner = source
    .replaceAll('(?<!\\p{L})', '')
    .replaceAll(/\(\?!(?:\[[^\]]*\]|\\w)\)/g, '')
    .replaceAll('\\b', '');
  const hasDigits = /0-9|\\[dw]/.test(inner);
  return text(`(?:${inner})`).filter((sample) => !hasDigits || /\d/.test(sample.slice(8)));
}

describe('secretlint', () => {
  test('has given the table as it is: after a new version run `node resources/dev/secretRules.mjs`', () => {
    expect(SECRETLINT_FORMS).toEqual(formsOf(patterns));
    const { version } = JSON.parse(
      readFileSync(new URL('node_modules/@secretlint/secretlint-rule-preset-recommend/package.json', ROOT), 'utf8'),
    );
    const table = readFileSync(new URL('src-main/redaction/secretlintForms.ts', ROOT), 'utf8');
    expect(table).toContain(`secretlint-rule-preset-recommend ${version} `);
  });

  test.each(patterns.filter(({ rule }) => !NOT_OURS.has(rule)))(
    '$rule: $source finds nothing in what was redacted',
    async (pattern) => {
      await fc.assert(
        fc.asyncProperty(samples(pattern), async (secret) => {
          const printed = `output: ${secret} and more`;
          const rule = ruleOf(pattern.rule);
          fc.pre((await runRule(rule, printed)).length > 0);
          const { text: redacted, count } = redactSecrets(printed);
          expect(count, printed).toBeGreaterThan(0);
          expect(await runRule(rule, redacted), redacted).toEqual([]);
        }),
        fuzzRuns(60),
      );
    },
  );
});
