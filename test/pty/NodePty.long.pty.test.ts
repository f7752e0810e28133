import { execFileSync } from 'node:child_process';
import { createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { NodePty } from '../../src-main/pty/NodePty.ts';
import type { PtyExit, PtySpec } from '../../src-main/pty/PtyProcess.ts';

const SPEC: PtySpec = {
  file: '/bin/sh',
  argv: [],
  cwd: '/',
  env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' },
  cols: 80,
  rows: 24,
};

function sh(command: string, whileRunning?: (pty: NodePty) => void): Promise<{ bytes: Buffer; exit: PtyExit }> {
  const pty = new NodePty({ ...SPEC, argv: ['-c', command] });
  const chunks: Uint8Array[] = [];
  pty.onBytes((chunk) => chunks.push(Uint8Array.from(chunk)));
  whileRunning?.(pty);
  return new Promise((resolve) => {
    pty.onExit((exit) => {
      pty.dispose();
      resolve({ bytes: Buffer.concat(chunks), exit });
    });
  });
}

describe('NodePty', () => {
  test('500 programs that print and end at once lose no byte, at sizes around the kernel’s buffers', async () => {
    const sizes = [1, 4095, 4096, 4097, 8192, 16_384, 20_479, 20_480, 20_481, 65_536];
    const wrong: string[] = [];
    const next = Array.from({ length: 500 }, (_, run) => sizes[run % sizes.length] as number);
    const worker = async (): Promise<void> => {
      for (let size = next.pop(); size !== undefined; size = next.pop()) {
        const { bytes } = await sh(`head -c ${size} /dev/zero | tr '\\0' x`);
        if (bytes.length !== size) wrong.push(`${bytes.length} of ${size}`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    expect(wrong).toEqual([]);
  }, 120_000);

  test('an exit is known without a timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] }); // node-pty would wait 200 ms
    try {
      expect(await sh('printf done; exit 3')).toEqual({
        bytes: Buffer.from('done'),
        exit: { exitCode: 3, signal: null },
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test.runIf(process.platform === 'linux')('output of a program that the shell leaves behind still comes', async () => {
    const { bytes } = await sh("trap '' HUP; (sleep 0.05; printf late) & printf 'now '");
    expect(bytes.toString()).toBe('now late');
  });

  test('bytes that are no UTF-8 come as they are', async () => {
    const { bytes } = await sh("stty -opost; printf '\\377\\376\\000\\200A\\303'");
    expect([...bytes]).toEqual([0xff, 0xfe, 0, 0x80, 0x41, 0xc3]);
  });

  test('a key does not wait for a free thread, which may be syncing files', async () => {
    const pty = new NodePty({ ...SPEC, argv: ['-c', 'stty -echo; printf ready; head -c 1'] });
    const ended = new Promise((resolve) => pty.onExit(resolve));
    let printed = '';
    pty.onBytes((bytes) => {
      printed += Buffer.from(bytes).toString();
    });
    await expect.poll(() => printed).toBe('ready');
    let busy = 4; // threads of Node's pool
    const all = Array.from({ length: busy }, async () => {
      await promisify(pbkdf2)('key', 'salt', 2_000_000, 64, 'sha512');
      busy -= 1;
    });
    pty.write('x\n');
    await expect.poll(() => printed, { interval: 5 }).toBe('readyx');
    expect(busy).toBe(4);
    await Promise.all([...all, ended]);
    pty.dispose();
  });

  test('keys and pastes of all sizes arrive in their order', async () => {
    const pieces = [1, 70_000, 3, 1_024, 1_025, 20_000, 1, 1].map((size, at) => String(at).repeat(size));
    const text = pieces.join('');
    const typed = sh(`stty raw -echo; printf ready; head -c ${text.length} | cksum`, (pty) => {
      const ready = pty.onBytes(() => {
        ready.dispose();
        for (const piece of pieces) pty.write(piece);
      });
    });
    expect((await typed).bytes.toString()).toBe(`ready${execFileSync('cksum', { input: text })}`);
  });

  test('a reader that paused right before the exit still gets everything', async () => {
    const { bytes } = await sh('head -c 20000 /dev/zero | tr "\\0" y', (pty) => {
      pty.pause();
      setTimeout(() => pty.resume(), 600);
    });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      createHash('sha256').update('y'.repeat(20_000)).digest('hex'),
    );
  });

  test.each([
    ['exit 0', { exitCode: 0, signal: null }],
    ['exit 7', { exitCode: 7, signal: null }],
    ['kill -9 $$', { exitCode: null, signal: 'SIGKILL' }],
    ['kill -TERM $$', { exitCode: null, signal: 'SIGTERM' }],
  ])('%s is told as it was', async (command, exit) => {
    expect((await sh(command)).exit).toEqual(exit);
  });

  test('the kernel erases whole characters (IUTF8), not bytes', async () => {
    const { bytes } = await sh('stty -a');
    expect(bytes.toString()).toMatch(/(?<!-)\biutf8\b/);
  });

  test('after the exit nothing throws: resize, write, pause and kill are ignored', async () => {
    let kept: NodePty | undefined;
    await sh('true', (pty) => {
      kept = pty;
    });
    expect(() => {
      kept?.resize(10, 10);
      kept?.write('x');
      kept?.pause();
      kept?.resume();
      kept?.kill('SIGTERM');
      kept?.dispose();
    }).not.toThrow();
  });

  test('names the programs that would be lost, and not the shell', async () => {
    let seen: string[] = [];
    await sh('sleep 30 & sleep 31', (pty) => {
      const look = setInterval(() => {
        seen = pty.runningPrograms({ copies: true }) ?? [];
        if (seen.filter((one) => one.startsWith('sleep')).length < 2) return; // a fork is the shell until it runs its program
        clearInterval(look);
        execFileSync('pkill', ['-s', String(pty.pid)]);
      }, 20);
    });
    expect(seen).toEqual(['sleep 30', 'sleep 31']);
  });
});
