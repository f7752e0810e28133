import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The hook's text; these tests check it without running PowerShell. */
const HOOK = readFileSync(fileURLToPath(new URL('../../shell-hooks/hansard.ps1', import.meta.url)), 'utf8');

/** Code without comments and without the text of strings, except the code in `$( … )`. */
function bareCode(text: string): string {
  const code = text.replace(/^\s*#.*$/gm, '').replace(/'[^']*'/g, "''");
  const literal = /"((?:[^"$]|\$(?!\()|\$\((?:[^()]|\([^()]*\))*\))*)"/g;
  return code.replace(literal, (_, inner: string) =>
    Array.from(inner.matchAll(/\$\((?:[^()]|\([^()]*\))*\)/g)).join(' '),
  );
}

test('closes every bracket it opens, in order', () => {
  const open: string[] = [];
  const closes: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
  for (const char of bareCode(HOOK)) {
    if ('([{'.includes(char)) open.push(char);
    else if (closes[char]) expect(open.pop()).toBe(closes[char]);
  }
  expect(open).toEqual([]);
});

test('empties the file with the nonce before it defines anything that runs later', () => {
  const removed = HOOK.indexOf("[IO.File]::WriteAllText($env:HANSARD_NONCE_FILE, '')");
  expect(removed).toBeGreaterThan(0);
  expect(removed).toBeLessThan(HOOK.indexOf('function Global:'));
});

test('prints the three markers with the fields of the specification', () => {
  for (const name of ["'BLOCK_BEGIN'", "'BLOCK_END' \"seq=", "'PROMPT' \"cwd_b64="])
    expect(HOOK).toContain(`& $state.Mark ${name}`);
  for (const field of ['cwd_b64=', 'cmd_b64=', 'exit=', 'shell=pwsh', 'version=', ';degraded='])
    expect(HOOK).toContain(field);
});
