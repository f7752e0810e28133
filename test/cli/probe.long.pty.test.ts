import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { eventually } from './Installation.ts';
import { ended, runCli, startCli } from './runCli.ts';

interface Checked {
  id: string;
  status: string;
  text: string;
  fix: string | null;
}

async function probe(userHome: string, shell = '/bin/bash'): Promise<Checked[]> {
  const home = join(userHome, 'record');
  const { stdout } = await runCli(['doctor', '--json'], {
    home,
    env: { HOME: userHome, SHELL: shell, TMPDIR: mkdtempSync(join(userHome, 'tmp-')) },
  });
  return (JSON.parse(stdout) as { checks: Checked[] }).checks.filter(({ id }) => id.startsWith('shells.'));
}

test('doctor starts each shell that has a hook and says that its marks come', async () => {
  const userHome = suiteFolder('probe');
  const bash = (await probe(userHome)).find(({ id }) => id === 'shells.bash');
  expect(bash).toMatchObject({ status: 'ok', text: expect.stringMatching(/^bash \(\/.*\): rich, /), fix: null });
  const left = readdirSync(userHome, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('hansard-doctor'),
  );
  expect(left, 'the folder of the trial is removed').toEqual([]);
});

test('doctor says what to look at when the start-up files keep the hook from loading', async () => {
  const userHome = suiteFolder('probe-bad');
  writeFileSync(join(userHome, '.bashrc'), 'exec cat\n');
  const bash = (await probe(userHome)).find(({ id }) => id === 'shells.bash');
  expect(bash).toMatchObject({ status: 'bad', fix: expect.stringContaining('-i -x 2>&1 | tail') });
});

test('doctor names what the shell printed when the hook did not load', async () => {
  const userHome = suiteFolder('probe-cause');
  writeFileSync(join(userHome, '.bashrc'), 'echo "broken here"; exec cat\n');
  const bash = (await probe(userHome)).find(({ id }) => id === 'shells.bash');
  expect(bash).toMatchObject({ status: 'bad', text: expect.stringContaining('It printed: broken here') });
});

test('a shell without a hook is told as one card, not as a fault', async () => {
  const userHome = suiteFolder('probe-none');
  const shell = join(userHome, 'oddsh');
  writeFileSync(shell, '#!/bin/sh\nexec /bin/sh "$@"\n');
  chmodSync(shell, 0o755);
  const odd = (await probe(userHome, shell)).find(({ id }) => id === 'shells.oddsh');
  expect(odd).toMatchObject({
    status: 'note',
    text: expect.stringContaining('no hook, so everything it prints is one card'),
    fix: null,
  });
});

test('a trial that is broken off leaves nothing behind', async () => {
  const userHome = suiteFolder('probe-broken-off');
  writeFileSync(join(userHome, '.bashrc'), 'exec cat\n');
  const trials = () => readdirSync(userHome).filter((name) => name.startsWith('hansard-doctor-'));
  const doctor = startCli(['doctor'], { home: join(userHome, 'record'), env: { HOME: userHome, TMPDIR: userHome } });
  const gone = ended(doctor);
  await eventually('the first shell of the trial', () =>
    readdirSync(userHome, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('output.raw'))
      ? true
      : undefined,
  );
  doctor.kill('SIGINT');
  expect([await gone, trials()]).toEqual([[null, 'SIGINT'], []]);
});
