import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_POLICY, STRICTEST_POLICY } from '../../src-main/contract/mcp/policy.ts';
import { PolicyFile } from '../../src-main/store/instance/policyFile.ts';
import { EXAMPLE } from './allow.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-policy-file-'));
  path = join(folder, 'policy.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string | Uint8Array): void {
  writeFileSync(path, text, { mode: 0o600 });
}

const read = () => new PolicyFile(folder).read();

const SPEC = `// what my agents may do
{ "version": 1,
  "clients": { "*": {"scopes":["observe"]}, "some-agent": {"scopes":["observe","exec"]} },   // observe < … < manage
  "ptys": { "default":"visible", "private":["tag:secrets"] },
  "exec": { "default":"ask",
    "allow":[ {"argv":["git",["status","diff","log"]], "flags_deny":["-c","-C","--exec-path","--output"]}, {"argv":["ls"]}, ],
    /* never */
    "deny": [ {"argv":["rm"],"flags_any":["-rf","-fr","--recursive"]}, {"raw_regex":"curl[^|]*\\\\|\\\\s*(ba|z)?sh"} ],
    "redirects":"ask", "substitution":"ask", "multiline":"ask", "network_redirect":"deny" },
  "input": { "default":"deny", "agent_dialogs":"deny", "own_pty":"deny", "typing_hold_ms":15000 },
  "limits": { "exec_per_min":10, "reads_per_min":240, "waits_concurrent":4, "bytes_per_min":8388608, "queue_len":8 } }
`;

describe('the policy file', () => {
  test('with comments and trailing commas is the policy', () => {
    write(SPEC);
    const { policy, ...rest } = read();
    expect(rest).toEqual({ source: 'file', problem: null });
    expect(policy.exec).toEqual(EXAMPLE.exec);
    expect(policy.clients['some-agent']).toEqual({ scopes: ['observe', 'exec'] });
  });

  test('may be absent: anybody may look, nobody may act', () => {
    expect(read()).toEqual({ policy: DEFAULT_POLICY, source: 'none', problem: null });
    expect(DEFAULT_POLICY).toMatchObject({
      clients: { '*': { scopes: ['observe'] } },
      exec: { default: 'ask', allow: [] },
    });
  });

  test('has the numbers of the specification as defaults', () => {
    write(SPEC);
    const { input, limits, ptys } = read().policy;
    expect({ input, limits, ptys: { ...ptys, private: [] } }).toEqual({
      input: DEFAULT_POLICY.input,
      limits: DEFAULT_POLICY.limits,
      ptys: DEFAULT_POLICY.ptys,
    });
  });

  test.for([
    [
      '{\n  "exec": {\n    "alow": []\n  }\n}',
      3,
      13,
      'exec: unknown key alow; allowed here: default, allow, trust, deny, redirects, substitution, multiline, network_redirect',
    ],
    ['{ "exec": { "default": "allow" } }', 1, 24, 'exec.default: Invalid option: expected one of "ask"|"deny"'],
    [
      '{ "exec": { "substitution": "allow" } }',
      1,
      29,
      'exec.substitution: Invalid option: expected one of "ask"|"deny"',
    ],
    [
      '{\n "exec": { "deny": [\n  {"raw_regex": "("} ] } }',
      3,
      17,
      'exec.deny.0.raw_regex: no pattern that can be read',
    ],
    ['{ "exec": { "deny": [ {} ] } }', 1, 23, 'exec.deny.0: either argv or raw_regex'],
    ['{ "exec": { "deny": [ {"argv":["rm"],"raw_regex":"x"} ] } }', 1, 23, 'exec.deny.0: either argv or raw_regex'],
    [
      '{ "exec": { "allow": [ {"argv":[]} ] } }',
      1,
      32,
      'exec.allow.0.argv: Too small: expected array to have >=1 items',
    ],
    [
      '{ "exec": { "allow": [ {"argv":["ls"], "flags_deny":["x"]} ] } }',
      1,
      54,
      'exec.allow.0.flags_deny.0: a flag begins with "-"',
    ],
    [
      '{ "clients": { "*": {"scopes":["root"]} } }',
      1,
      32,
      'clients.*.scopes.0: Invalid option: expected one of "observe"|"suggest"|"exec"|"input"|"manage"|"raw"',
    ],
    ['{ "version": 2 }', 1, 14, 'version: Invalid input: expected 1'],
    ['{ "version": 1, "version": 1 }', 1, 17, 'the key "version" stands here twice'],
    ['{ "version": 1', 1, 15, 'a comma or } is expected'],
    ['{ version: 1 }', 1, 3, 'what stands here is neither a value nor a name in double quotes'],
    ['{}\n}', 2, 1, 'something stands behind the end of the JSON'],
    ['', 1, 1, 'a value is expected'],
    ['[]', 1, 1, 'Invalid input: expected object, received array'],
  ] as const)(
    'that cannot be used is refused with its place, and the strictest holds: %s',
    ([text, line, column, reason]) => {
      write(text);
      expect(read()).toEqual({ policy: STRICTEST_POLICY, source: 'refused', problem: { path, line, column, reason } });
    },
  );

  test('that cannot be used is not replaced by the one before', () => {
    const file = new PolicyFile(folder);
    write(SPEC);
    expect(file.read().source).toBe('file');
    write(SPEC.replace('"ask"', '"aks"'));
    expect(file.read()).toMatchObject({ source: 'refused', policy: STRICTEST_POLICY });
    write(SPEC);
    expect(file.read()).toMatchObject({ source: 'file', problem: null });
    rmSync(path);
    expect(file.read().source).toBe('none');
  });

  test('is read anew after a change that leaves its size and its time as they were', () => {
    const file = new PolicyFile(folder);
    const then = new Date('2026-01-01');
    const scopeAfter = (scope: string): unknown => {
      write(`{ "clients": { "*": {"scopes":["${scope}"]} } }`);
      utimesSync(path, then, then);
      return file.read().policy.clients['*']?.scopes;
    };
    const scopes = ['observe', 'suggest', 'observe'];
    expect(scopes.map(scopeAfter)).toEqual(scopes.map((scope) => [scope]));
  });

  test('that others may write, or that a link leads to, is refused', () => {
    write(SPEC);
    for (const mode of [0o620, 0o602, 0o666]) {
      chmodSync(path, mode);
      expect(read().problem?.reason).toBe('it can be written by others (chmod go-w)');
    }
    rmSync(path);
    writeFileSync(join(folder, 'elsewhere.json'), SPEC, { mode: 0o600 });
    symlinkSync('elsewhere.json', path);
    expect(read()).toMatchObject({
      policy: STRICTEST_POLICY,
      problem: { reason: 'it is a symbolic link; the policy has to stand here itself' },
    });
  });

  test('whose folder others may write is refused', () => {
    write(SPEC);
    chmodSync(folder, 0o777);
    expect(read().problem?.reason).toBe('its folder can be written by others (chmod go-w)');
  });

  test.skipIf(process.geteuid?.() !== 0)('of another user is refused', () => {
    write(SPEC);
    chownSync(path, 65_534, 65_534);
    expect(read().problem?.reason).toBe('it belongs to another user (uid 65534, we are 0)');
  });

  test('that is a folder, too large or no UTF-8 is refused', () => {
    write(`{}${' '.repeat(256 * 1024)}`);
    expect(read().problem?.reason).toBe('it is larger than 256 KiB');
    write(Uint8Array.of(0x7b, 0xff, 0x7d));
    expect(read().problem?.reason).toBe('it is not UTF-8');
    rmSync(path);
    mkdirSync(path);
    expect(read().problem?.reason).toBe('it is not a file');
  });
});
