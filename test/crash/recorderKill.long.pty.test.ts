import { chmodSync, copyFileSync, existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ChatLine, ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { livingWriter, wasAbandoned } from '../../src-main/store/instance/writerMark.ts';
import { readBlocks } from '../../src-main/store/record/readBlocks.ts';
import { readChat } from '../../src-main/store/record/readChat.ts';
import { prune, surveyRecord } from '../../src-main/store/record/retention.ts';
import { eventually } from '../cli/Installation.ts';
import { Recorder } from '../cli/Recorder.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { runCommand, TestCore } from '../support/TestCore.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/agents/', import.meta.url));
const isMessage = (line: ChatLine): line is ChatMessage => 'kind' in line;

describe('`hansard record` and the core on one data folder', () => {
  test('a core that starts, works and ends leaves a living recording alone', async () => {
    const home = suiteFolder('recorder-beside');
    const recorder = new Recorder([], { home, env: { SHELL: '/bin/bash' } });
    await recorder.sees(/;PROMPT;/);
    recorder.pty.write('echo before; cat\r');
    await recorder.sees(/before\r\n/);
    const { folder } = recorder;
    expect(livingWriter(folder)).toBe(recorder.pty.pid);

    const core = await TestCore.start({ dataFolder: home });
    const terminal = await core.open();
    await runCommand(terminal, 'echo in the core');
    await expect(core.core.openRecorded(folder.id)).rejects.toThrow(/recorded by another process/);
    const [entry] = (await surveyRecord(home, new Set())).filter(({ id }) => id === folder.id);
    expect(entry?.isOpen).toBe(true);
    await prune(home, { removals: [], day: 0 });
    await core.stop();

    recorder.pty.write('typed while the core ran\r\x04');
    await recorder.sees(/BLOCK_END;seq=1;exit=0/);
    recorder.pty.write('exit\r');
    await recorder.ended;
    expect(recorder.shown.subarray(0, recorder.raw.length).equals(recorder.raw)).toBe(true);
    const { blocks, badLines } = await readBlocks(folder, { limit: 10 });
    expect(badLines).toBe(0);
    expect(blocks[0]).toMatchObject({ cmd: 'echo before; cat', status: 'completed', exitCode: 0, trusted: true });
    expect(readFileSync(folder.events, 'utf8')).not.toMatch(/interrupted|recovery|torn/);
  });

  test('kill -9 of the recorder: the next start closes its block, with all of its text, and nothing is lost', async () => {
    const home = suiteFolder('recorder-killed');
    const recorder = new Recorder([], { home, env: { SHELL: '/bin/bash' } });
    await recorder.sees(/;PROMPT;/);
    recorder.pty.write('seq 1 5000; printf %s unfinished; sleep 100\r');
    await recorder.sees(/unfinished/);
    const { folder } = recorder;
    await eventually('all of it on disk', () => readFileSync(folder.raw, 'latin1').endsWith('unfinished') || undefined);
    process.kill(recorder.pty.pid, 'SIGKILL');
    await recorder.ended;
    expect({ living: livingWriter(folder), abandoned: wasAbandoned(folder) }).toEqual({
      living: null,
      abandoned: true,
    });
    const rawSize = statSync(folder.raw).size;

    const core = await TestCore.start({ dataFolder: home });
    const { blocks } = await readBlocks(folder, { limit: 10 });
    expect(blocks).toMatchObject([{ status: 'interrupted', endedBy: 'recovery', rawEnd: rawSize, outputLines: 5001 }]);
    const text = readFileSync(folder.out(blocks[0]?.id ?? ''), 'utf8');
    expect(text).toBe(`${Array.from({ length: 5000 }, (_, n) => `${n + 1}\n`).join('')}unfinished`);
    expect(existsSync(join(folder.root, 'writer.json'))).toBe(false);

    const view = await core.core.openRecorded(folder.id);
    expect(view).toMatchObject({ state: 'exited', quality: { level: 'none' } });
    await expect(core.core.terminal(folder.id).restart()).rejects.toThrow(/recording/);
    await core.stop();

    const again = await TestCore.start({ dataFolder: home });
    expect(again.core.terminal(folder.id).view.state).toBe('exited');
    expect(statSync(folder.raw).size).toBe(rawSize);
    await again.stop();
  });

  test('kill -9 of the recorder: the conversation with its agent ends where it was last heard of', async () => {
    const home = suiteFolder('recorder-agent');
    const [cast = ''] = globSync('codex/*-short-turns/session.cast', { cwd: FIXTURES });
    const program = join(home, 'codex');
    copyFileSync(fileURLToPath(new URL('../support/playedAgent.mjs', import.meta.url)), program);
    chmodSync(program, 0o755);
    const recorder = new Recorder([], { home, env: { SHELL: '/bin/bash' } });
    await recorder.sees(/;PROMPT;/);
    recorder.pty.write(`${program} ${join(FIXTURES, cast)} 1\r`);
    const { folder } = recorder;
    await eventually('a message on disk', () =>
      readChat(folder).then(({ lines }) => lines.some(isMessage) || undefined),
    );
    const beside = await TestCore.start({ dataFolder: home });
    expect(await beside.core.chats.list({ limit: 9 }), 'it goes on').toMatchObject([{ endedMs: null }]);
    await beside.core.stop();
    process.kill(recorder.pty.pid, 'SIGKILL');
    await recorder.ended;
    const before = (await readChat(folder)).lines;
    const lastMs = Math.max(...before.map((line) => ('kind' in line ? line.updatedMs : line.atMs)));

    const core = await TestCore.start({ dataFolder: home });
    const { lines } = await readChat(folder);
    expect(lines.filter((line) => 'type' in line).at(-1)).toMatchObject({
      type: 'cli:exit',
      isUnseen: true,
      atMs: lastMs,
    });
    expect(lines.filter((line) => isMessage(line) && !line.final)).toEqual([]);
    expect(await core.core.chats.list({ limit: 9 })).toMatchObject([{ endedMs: lastMs, state: 'exited' }]);
    await core.stop();
  });
});
