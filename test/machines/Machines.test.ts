import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Machines } from '../../src-main/machines/Machines.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';

test('a name that could not be connected is not tried when Hansard starts again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-machines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ssh'), '#!/bin/sh\nexit 255\n', { mode: 0o700 });
  let ids = 0;
  const spec = {
    ...{
      dataFolder: folder,
      folder,
      hostName: 'here',
      coreId: 'c0',
      clock: new FakeClock(),
      env: { PATH: `${folder}:/usr/bin:/bin` },
    },
    randomId: (bytes: number) => String(ids++).padStart(2 * bytes, '0'),
    openApi: () => expect.unreachable(),
    removeServer: () => expect.unreachable(),
    remote: { command: 'true', offer: () => expect.unreachable(), install: () => expect.unreachable() },
  };
  const first = await Machines.open(spec);
  onTestFinished(() => first.dispose());
  await first.connect('tpyo');
  await soon(() => first.view.machines.map(({ state }) => state)).toEqual(['failed']);
  const kept = () => JSON.parse(readFileSync(join(folder, 'machines.json'), 'utf8')).machines[0].isOn;
  await soon(kept).toBe(false);
  const second = await Machines.open(spec);
  onTestFinished(() => second.dispose());
  expect(second.view.machines.map(({ state }) => state)).toEqual(['off']);
});
