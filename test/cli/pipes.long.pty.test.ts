import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { recordTerminal } from './recordFolder.ts';
import { runShell } from './runCli.ts';

const home = suiteFolder('cli-pipes');
const garbage = randomBytes(3_000_000).toString('latin1');
const text = `${Array.from({ length: 400_000 }, (_, n) => `line ${n} é`).join('\n')}\n`;

beforeAll(async () => {
  await recordTerminal(home, 't1', [{ id: 'b1-aa', cmd: 'seq', raw: garbage, text, outputLines: 400_000 }]);
});

describe('into a pipe', () => {
  test('every byte of text and of raw comes through', async () => {
    const { stdout } = await runShell('hansard block last | sha256sum; hansard block last --raw | sha256sum', { home });
    const sums = [Buffer.from(text), Buffer.from(garbage)].map(
      (bytes) => `${createHash('sha256').update(bytes).digest('hex')}  -`,
    );
    expect(stdout.trimEnd().split('\n')).toEqual(sums);
  });

  test.each([
    'hansard block last',
    'hansard block last --raw',
    'hansard block last --json',
    'hansard blocks',
    'hansard ls --all',
    'hansard doctor --no-probe',
    'hansard --help',
  ])('a reader that goes away ends it quietly: %s | head -c 1', async (command) => {
    const { stdout, stderr } = await runShell(`set -o pipefail; { ${command}; echo "code $?" >&2; } | head -c 1`, {
      home,
    });
    expect(stdout).toHaveLength(1);
    expect(stderr).toMatch(/code 0\n$/);
    expect(stderr).not.toMatch(/EPIPE|at .*\.ts|Error/);
  });

  test('a reader that never was ends it quietly too', async () => {
    const { stderr } = await runShell('{ sleep 0; hansard block last; echo "code $?" >&2; } | true', { home });
    expect(stderr).toBe('code 0\n');
  });

  test('a full disk is an error with its own exit code', async () => {
    const { code, stderr } = await runShell('hansard block last > /dev/full', { home });
    expect([code, stderr]).toEqual([
      74,
      expect.stringMatching(/^hansard: the output could not be written: .*ENOSPC.*\n$/),
    ]);
  });

  test('closed standard streams are no reason to fail', async () => {
    const { code, stdout } = await runShell('hansard block last <&- 2>&- | wc -l', { home });
    expect([code, stdout.trim()]).toEqual([0, '400000']);
  });

  test('a JSON document has a limit, and says when it was reached', async () => {
    const own = suiteFolder('cli-long');
    await recordTerminal(own, 't1', [{ id: 'b1-aa', text: 'é'.repeat(9 * 1024 * 1024), outputLines: 1 }]);
    const { stdout } = await runShell('hansard block last --json', { home: own });
    const { output, truncated } = JSON.parse(stdout) as { output: string; truncated: boolean };
    expect([Buffer.byteLength(output), truncated]).toEqual([16 * 1024 * 1024, true]);
  });

  test('no colours are sent', async () => {
    const { stdout } = await runShell('hansard blocks; hansard ls --all; hansard doctor --no-probe', { home });
    expect(stdout).not.toContain('\x1b');
  });
});
