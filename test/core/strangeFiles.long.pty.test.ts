import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { recordTerminal } from '../cli/recordFolder.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { runCommand, TestCore } from '../support/TestCore.ts';

const FILES = {
  meta: ({ meta }: SessionFolder) => meta,
  raw: ({ raw }: SessionFolder) => raw,
  times: ({ times }: SessionFolder) => times,
  shell: ({ shellJson }: SessionFolder) => shellJson,
  blocks: ({ blocksJsonl }: SessionFolder) => blocksJsonl,
  events: ({ events }: SessionFolder) => events,
  snapshot: ({ snapshot }: SessionFolder) => snapshot,
  screen: ({ screenJsonl }: SessionFolder) => screenJsonl,
  chat: ({ chatJsonl }: SessionFolder) => chatJsonl,
  changes: ({ changesJsonl }: SessionFolder) => changesJsonl,
  text: (folder: SessionFolder) => folder.out('b1'),
  index: (folder: SessionFolder) => folder.idx('b1'),
  writer: ({ root }: SessionFolder) => join(root, 'writer.json'),
} as const;

/** Files of the data folder that a core reads at its start. */
const STATE = [
  'settings.json',
  'days.json',
  'catalog.json',
  'commands.json',
  'core.json',
  'core.lock',
  'machines.json',
  'notifications.json',
  'replies.json',
  'trusted.json',
  'web.json',
  'mcp-http.json',
  'policy.json',
];

const PLACED = {
  FIFOs: (path: string) => execFileSync('mkfifo', [path]),
  folders: (path: string) => mkdirSync(path),
} as const;

test.for(Object.keys(PLACED) as (keyof typeof PLACED)[])(
  'a core opens every terminal with %s in place of its files',
  async (kind, { skip }) => {
    if (process.platform === 'win32') skip('Windows has no FIFOs');
    const home = join(suiteFolder('strange'), 'home');
    const order = Object.keys(FILES);
    for (const [id, pathOf] of Object.entries(FILES)) {
      const folder = await recordTerminal(home, id, [{ id: 'b1', raw: 'one\r\n', text: 'one\n', outputLines: 1 }]);
      rmSync(pathOf(folder), { force: true });
      PLACED[kind](pathOf(folder));
    }
    writeFileSync(join(home, 'workspace.json'), JSON.stringify({ version: 1, order, active: 'raw' }), { mode: 0o600 });
    for (const name of STATE) if (kind === 'FIFOs' || name !== 'core.lock') PLACED[kind](join(home, name));
    const own = await TestCore.start({ dataFolder: home });
    onTestFinished(() => own.stop());
    const open = await Promise.all(
      order.map(async (id) => [id, (await runCommand(own.core.terminal(id), 'echo again')).exitCode]),
    );
    expect(open).toEqual(order.map((id) => [id, 0]));
    for (const id of ['raw', 'events', 'blocks', 'chat', 'screen', 'changes', 'times']) {
      const { events } = new SessionFolder(home, id);
      expect(readFileSync(events, 'utf8'), id).toMatch(/was not a regular file, and was kept as [\w.]+\.bad-\d+/);
    }
  },
);
