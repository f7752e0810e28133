import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPolicyRules } from '../../../src-main/store/instance/readPolicyRules.ts';
import { suiteFolder } from '../suiteFolder.ts';

const home = suiteFolder('policy-rules');
const path = join(home, 'policy.json');
const write = (to: string, program: string) => {
  mkdirSync(home, { recursive: true });
  writeFileSync(to, JSON.stringify({ exec: { allow: [{ argv: [program] }] } }), { mode: 0o600 });
};

test('without a file, or with one that is not in force, there are no rules to tell', () => {
  expect(readPolicyRules(path)).toBeNull();
  mkdirSync(home, { recursive: true });
  writeFileSync(path, '{', { mode: 0o600 });
  expect(readPolicyRules(path)).toBeNull();
});

test('rules stand there since the file was put in its place, whatever time it carries', () => {
  write(path, 'ls');
  const beforeMs = Date.now() - 1000; // file times are coarse
  write(`${path}.new`, 'cat');
  utimesSync(`${path}.new`, 1, 1);
  renameSync(`${path}.new`, path);
  const rules = readPolicyRules(path);
  expect(rules?.words).toEqual({ 'allow[0]': 'cat' });
  expect(rules?.sinceMs).toBeGreaterThan(beforeMs);
});
