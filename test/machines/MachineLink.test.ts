import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MachineLink } from '../../src-main/machines/MachineLink.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';

/** A link whose ssh writes a line to `runs`, and ends. */
function linkWithSsh(): { link: MachineLink; folder: string; runs: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-link-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const runs = join(folder, 'runs');
  writeFileSync(join(folder, 'ssh'), `#!/bin/sh\necho run >>'${runs}'\nexit 1\n`, { mode: 0o700 });
  let ids = 0;
  const link = new MachineLink({
    ...{ key: 'abc123', name: 'box', folder, clock: new FakeClock(), env: { PATH: `${folder}:/usr/bin:/bin` } },
    randomId: () => `id${ids++}`,
    openApi: () => expect.unreachable(),
    listed: () => expect.unreachable(),
    shownAs: () => null,
    remote: { command: 'true', offer: () => expect.unreachable(), install: () => expect.unreachable() },
  });
  onTestFinished(() => link.dispose());
  return { link, folder, runs };
}

test('a connection that is given up before ssh runs starts none; the next one does', async () => {
  const { link, folder, runs } = linkWithSsh();
  link.connect();
  link.disconnect();
  link.connect();
  await soon(() => link.view.state).toBe('failed');
  await soon(() => readdirSync(folder).filter((name) => name.startsWith('ask-'))).toEqual([]); // both attempts have ended
  expect(readFileSync(runs, 'utf8')).toBe('run\n');
});
