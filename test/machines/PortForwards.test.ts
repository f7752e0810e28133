import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MachineForward } from '../../src-main/contract/machines.ts';
import type { MachineLink } from '../../src-main/machines/MachineLink.ts';
import { PortForwards } from '../../src-main/machines/PortForwards.ts';

/** A connected machine whose ssh appends its arguments to `runs`. */
function connected(): { link: MachineLink; forwards: PortForwards; runs: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-ports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ssh'), `#!/bin/sh\nsleep 0.1; echo "$@" >>'${folder}/runs'\n`, { mode: 0o700 });
  const view = { name: 'box', forwards: [] as readonly MachineForward[] };
  const setForwards = (forwards: readonly MachineForward[]): void => {
    view.forwards = forwards;
  };
  const link = { view, controlPath: join(folder, 'control'), setForwards } as unknown as MachineLink;
  const forwards = new PortForwards({ PATH: `${folder}:/usr/bin:/bin` });
  return { link, forwards, runs: () => readFileSync(join(folder, 'runs'), 'utf8') };
}

test('a port that two windows open at once is forwarded once, to one port here', async () => {
  const { link, forwards, runs } = connected();
  const [first, second] = await Promise.all([forwards.add(link, 5173), forwards.add(link, 5173)]);
  expect(first).toMatchObject({ ok: true });
  expect(second).toEqual(first);
  expect(link.view.forwards).toHaveLength(1);
  expect(runs().match(/-O forward/g)).toHaveLength(1);
});

test('a port that is closed while it is being opened is closed in the end', async () => {
  const { link, forwards } = connected();
  await Promise.all([forwards.add(link, 5173), forwards.remove(link, 5173)]);
  expect(link.view.forwards).toEqual([]);
});
