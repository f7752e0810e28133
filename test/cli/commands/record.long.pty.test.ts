import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spawnNodePty } from '../../../src-main/pty/NodePty.ts';
import { readBlocks } from '../../../src-main/store/record/readBlocks.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { CLI } from '../../support/builtProgram.ts';
import { eventually } from '../Installation.ts';
import { Recorder } from '../Recorder.ts';
import { cliEnv, runCli, runShell } from '../runCli.ts';

const home = suiteFolder('cli-record');
const SHELLS = ['/bin/bash', '/usr/bin/zsh', '/usr/bin/fish'].filter((path) => existsSync(path));

/** After the recorded bytes, only sequences that reset modes may follow. */
function expectExact({ shown, raw }: Recorder): void {
  expect(shown.subarray(0, raw.length).equals(raw)).toBe(true);
  expect(shown.subarray(raw.length).toString()).toMatch(/^(?:\x1b\[[?0-9;]*[a-z])*$/);
}

describe('hansard record', () => {
  test.each(SHELLS)('%s in its own terminal: what is shown is what is recorded, with cards', async (shell) => {
    const recorder = new Recorder([], { home, env: { SHELL: shell } });
    await recorder.sees(/;PROMPT;/);
    recorder.pty.write('echo one; false\r');
    await recorder.sees(/BLOCK_END;seq=1;exit=1/);
    recorder.pty.resize(120, 40);
    recorder.pty.write('stty size\r');
    await recorder.sees(/40 120\r\n/);
    // The block begins before its program, and the shell itself takes a Ctrl-C in between.
    const sleeper = "sh -c 'echo $((40 + 2)); sleep 100'";
    recorder.pty.write(`${sleeper}\r`);
    await recorder.sees(/42\r\n/);
    recorder.pty.write('\x03');
    await recorder.sees(/BLOCK_END;seq=3;exit=130/);
    recorder.pty.write('exit 7\r');
    expect(await recorder.ended).toEqual({ exitCode: 7, signal: null });
    expectExact(recorder);
    const { blocks } = await readBlocks(recorder.folder, { limit: 10 });
    expect(blocks.slice(0, 3).map(({ cmd, exitCode, trusted }) => [cmd, exitCode, trusted])).toEqual([
      ['echo one; false', 1, true],
      ['stty size', 0, true],
      [sleeper, 130, true],
    ]);
    expect(readFileSync(recorder.folder.out(blocks[0]?.id ?? ''), 'utf8')).toBe('one\n');
    expect(readFileSync(recorder.folder.raw, 'latin1')).not.toMatch(/Zj[0-9a-f]{32}/);
    expect(readFileSync(recorder.folder.meta, 'utf8')).toContain('"origin":"record"');
    expect(existsSync(join(recorder.folder.root, 'writer.json'))).toBe(false);
  });

  test.skipIf(!existsSync('/usr/bin/vim'))(
    'vim with its queries: the outer terminal answers, and gets every byte',
    async () => {
      const recorder = new Recorder(['--name', 'notes', '--', 'vim', '-u', 'NONE', '-i', 'NONE', 'notes.txt'], {
        home,
      });
      await recorder.sees(/notes\.txt/);
      recorder.pty.write('ihello\x1b:wq\r');
      expect(await recorder.ended).toEqual({ exitCode: 0, signal: null });
      expectExact(recorder);
      expect(readFileSync(join(home, 'notes.txt'), 'utf8')).toBe('hello\n');
      const { blocks } = await readBlocks(recorder.folder, { limit: 10 });
      expect(blocks.map(({ kind, exitCode, usedAltScreen }) => [kind, exitCode, usedAltScreen])).toEqual([
        ['session', 0, true],
      ]);
      const listed = await runCli(['ls', '--all'], { home });
      expect(listed.stdout).toContain('notes');
    },
  );

  test('a program that asks gets one answer, that of the outer terminal', async () => {
    const script = join(home, 'ask.sh');
    writeFileSync(
      script,
      "stty raw -echo; printf '\\033[6n'; sleep 0.5; head -c 6 | od -An -c; stty sane; echo; echo over",
    );
    const recorder = new Recorder(['--', 'sh', script], { home });
    await recorder.sees(/\x1b\[6n/);
    recorder.pty.write('\x1b[9;9R');
    await recorder.sees(/over/);
    await recorder.ended;
    expect(recorder.raw.toString().replace(/\s+/g, ' ')).toContain('033 [ 9 ; 9 R');
  });

  test('a signal to the recorder ends the program, and the record is whole', async () => {
    const recorder = new Recorder(['--', 'sh', '-c', 'echo begun; exec sleep 100'], { home });
    await recorder.sees(/begun/);
    process.kill(recorder.pty.pid, 'SIGTERM');
    expect(await recorder.ended).toEqual({ exitCode: 143, signal: null });
    const { blocks } = await readBlocks(recorder.folder, { limit: 10 });
    expect(blocks.map(({ status, signal }) => [status, signal])).toEqual([['completed', 'SIGHUP']]);
  });

  test('a program that is killed is told as by a shell, and what it left on is taken back', async () => {
    const recorder = new Recorder(['--', 'sh', '-c', "printf '\\033[?1049h\\033[?1000h'; kill -9 $$"], { home });
    expect(await recorder.ended).toEqual({ exitCode: 137, signal: null });
    expect(recorder.shown.subarray(recorder.raw.length).toString()).toBe('\x1b[?1000l\x1b[?1049l');
  });

  test('the terminal is cooked again after the end', async () => {
    const main = CLI;
    const line = `'${process.execPath}' '${main}' record -q -- true; stty -a`;
    const spec = { cwd: home, env: cliEnv({ home }), cols: 80, rows: 24 };
    const pty = spawnNodePty({ file: '/bin/sh', argv: ['-c', line], ...spec });
    let shown = '';
    pty.onBytes((bytes) => {
      shown += Buffer.from(bytes).toString();
    });
    await new Promise((resolve) => pty.onExit(resolve));
    pty.dispose();
    expect(shown.match(/-?\b(?:icanon|opost|echo)\b/g)?.sort()).toEqual(['echo', 'icanon', 'opost']);
  });

  test('in a script, without any terminal: exit code, output, and an asciicast beside it', async () => {
    const cast = join(home, 'made.cast');
    const ran = await runShell(`hansard record -o '${cast}' -- sh -c 'cat; exit 3' <<< typed`, { home });
    expect(ran).toMatchObject({ code: 3, stdout: expect.stringContaining('typed') });
    expect(ran.stderr).toMatch(/recorded as t/);
    expect(readFileSync(cast, 'utf8').split('\n')[0]).toMatch(/^{"version":2,"width":80,"height":24/);
  });

  test('a program that is not there is a sentence, and nothing is recorded', async () => {
    const before = (await runCli(['ls', '--all', '--json'], { home })).stdout;
    const ran = await runCli(['record', '--', 'no-such-program'], { home });
    expect(ran).toMatchObject({ code: 69, stdout: '' });
    expect(ran.stderr).toContain('"no-such-program" cannot be run');
    expect((await runCli(['ls', '--all', '--json'], { home })).stdout).toBe(before);
  });

  test('while it records it is listed as such', async () => {
    const recorder = new Recorder(['--', 'sh', '-c', 'echo on; exec sleep 100'], { home });
    await recorder.sees(/on\r\n/);
    const listed = await eventually('the recording', async () => {
      const { stdout } = await runCli(['ls', '--json'], { home });
      const { terminals } = JSON.parse(stdout) as { terminals: { id: string; state: string }[] };
      return terminals.find(({ id }) => id === recorder.folder.id);
    });
    expect(listed.state).toBe('recording');
    recorder.pty.kill('SIGTERM');
    await recorder.ended;
  });
});
