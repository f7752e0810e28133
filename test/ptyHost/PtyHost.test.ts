import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { HostLink } from '../../src-main/ptyHost/client/HostLink.ts';
import { renewKey } from '../../src-main/ptyHost/client/renewKey.ts';
import { PtyHost } from '../../src-main/ptyHost/host/PtyHost.ts';
import { encodeFrame, FrameReader } from '../../src-main/ptyHost/protocol/frames.ts';
import {
  type HeldTerminal,
  keyPath,
  type OpenTerminal,
  SERVED_VERSIONS,
  type ToCore,
} from '../../src-main/ptyHost/protocol/messages.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';
import { HeldShell } from './HeldShell.ts';

const NONCE = `Zj${'0'.repeat(32)}`;

let folder: string;
let clock: FakeClock;
let shells: HeldShell[];
let socketPath: string;
let hasEnded: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-host-'));
  clock = new FakeClock();
  shells = [];
  socketPath = join(folder, 'run', 's');
  const spawnPty = (): HeldShell => {
    const shell = new HeldShell();
    shells.push(shell);
    return shell;
  };
  const host = new PtyHost({ clock, log: silentLog, spawnPty, socketPath, keyPath: keyPath(folder) });
  await host.listen();
  const links: HostLink[] = [];
  hasEnded = false;
  void host.ended.then(() => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    for (const link of links) link.dispose();
    for (const shell of shells) shell.exit({ exitCode: 0, signal: null });
    await soon(() => {
      clock.advance(600_000); // longer than the host keeps an ended shell for a core
      return hasEnded;
    }).toBe(true);
    rmSync(folder, { recursive: true, force: true });
  });
});

const openOf = (id: string): OpenTerminal => ({
  ...{ type: 'open', id, file: '/bin/sh', argv: [], cwd: '/', env: {}, cols: 80, rows: 24 },
  ...{ folder, offset: 0, nonce: NONCE, note: '{}' },
});

/** Connects, says hello with `key`, and collects the types (or reasons) of the answers. */
async function connected(key: string, says: { countsAnswers?: true } = {}) {
  const link = await HostLink.connect(socketPath);
  onTestFinished(() => link.dispose());
  const told: string[] = [];
  const held: HeldTerminal[] = [];
  const notes: (string | null)[] = [];
  link.onReceived(({ message }) => {
    if (message.type === 'welcome') {
      held.push(...message.terminals);
      notes.push(message.note);
    }
    told.push(message.type === 'refused' || message.type === 'denied' ? message.reason : message.type);
  });
  link.send({ type: 'hello', versions: SERVED_VERSIONS, key, ...says });
  return { link, told, held, notes, isUp: () => link.isUp };
}

test('two shells never write one record: the second starts when the first has ended', async () => {
  const { link, told } = await connected(await renewKey(keyPath(folder)));
  const open = openOf('t1');
  link.send(open);
  link.send(open);
  await soon(() => told).toEqual(['welcome', 'opened', 'the shell before it has not ended yet']);
  shells[0]?.exit({ exitCode: 0, signal: null });
  link.send(open);
  await soon(() => told.slice(3)).toEqual(['exited', 'opened']);
  expect(shells.length).toBe(2);
});

test.each([
  ['that counts them', { countsAnswers: true }, 0],
  ['of a build before the counts', {}, 8],
] as const)('a next core answers none of the queries of a core %s twice', async (_, says, at) => {
  const first = await connected(await renewKey(keyPath(folder)), says);
  first.link.send(openOf('t1'));
  await soon(() => first.told).toEqual(['welcome', 'opened']);
  shells[0]?.print(Buffer.from('ask \x1b[6n'));
  clock.advance(100);
  await soon(() => first.told.at(-1)).toBe('grew');
  first.link.dispose();
  const { held } = await connected(await renewKey(keyPath(folder)));
  await soon(() => held[0]).toMatchObject({ end: 8, answered: { at, count: 0 } });
});

describe('which process is the core', () => {
  test('the key is in a file that only this user can read', async () => {
    const key = await renewKey(keyPath(folder));
    expect(readFileSync(keyPath(folder), 'utf8')).toBe(key);
    expect([statSync(keyPath(folder)).mode & 0o777, statSync(join(folder, 'run')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await renewKey(keyPath(folder))).not.toBe(key);
  });

  test.each([
    ['without the key', () => ''],
    ['with a guessed key', () => '0'.repeat(64)],
    ['with the key of a core that ran before', (keys: string[]) => keys[0] ?? ''],
    ['with the key of the living core', (keys: string[]) => keys[1] ?? ''],
    ['with something that is no text', () => ({}) as string],
  ])('a process %s is refused with a reason, and the core stays', async (_, keyOf) => {
    const keys = [await renewKey(keyPath(folder)), await renewKey(keyPath(folder))];
    const core = await connected(keys[1] ?? '');
    await soon(() => core.told).toEqual(['welcome']);
    const stray = await connected(keyOf(keys));
    await soon(() => stray.told).toEqual([expect.stringMatching(/key/)]);
    await soon(() => stray.isUp()).toBe(false);
    core.link.send(openOf('t1'));
    await soon(() => core.told).toEqual(['welcome', 'opened']);
  });

  test('the core that has the lock now takes the place of one before it', async () => {
    const before = await connected(await renewKey(keyPath(folder)));
    await soon(() => before.told).toEqual(['welcome']);
    const core = await connected(await renewKey(keyPath(folder)));
    await soon(() => core.told).toEqual(['welcome']);
    await soon(() => before.isUp()).toBe(false);
  });

  test('without a key file no key is right', async () => {
    writeFileSync(keyPath(folder), '');
    const stray = await connected('');
    await soon(() => stray.told).toEqual(['its key is not the current one']);
  });
});

describe('before its hello a connection', () => {
  /** A raw connection without a hello, and the messages that it receives. */
  async function raw(): Promise<{ socket: Socket; told: ToCore[] }> {
    const reader = new FrameReader();
    const told: ToCore[] = [];
    const socket = createConnection(socketPath);
    socket.on('error', () => undefined);
    socket.on('data', (data) => told.push(...reader.push(data).map(({ header }) => header as ToCore)));
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
    return { socket, told };
  }

  const DENIED = [{ type: 'denied', reason: 'a message is not of this protocol' }];

  test.each([
    ['says more than a hello has', Buffer.from([0, 0, 1, 0])],
    ['speaks another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    ['asks for a shell', encodeFrame(openOf('t1'))],
    ['says nothing that is a message', encodeFrame([])],
  ])('that %s is closed with a reason', async (_, bytes) => {
    const { socket, told } = await raw();
    socket.write(Buffer.concat([bytes, Buffer.alloc(8)]));
    await soon(() => told).toEqual(DENIED);
    await soon(() => socket.closed).toBe(true);
    expect(shells).toEqual([]);
  });

  test('that says nothing is closed after five seconds', async () => {
    const { socket } = await raw();
    const first = await connected(await renewKey(keyPath(folder))); // afterwards the host has accepted the earlier connection
    await soon(() => first.told).toEqual(['welcome']);
    clock.advance(4_900);
    expect(socket.closed).toBe(false);
    clock.advance(200);
    await soon(() => socket.closed).toBe(true);
    expect(first.isUp()).toBe(true);
  });
});

/** A core that says hello, opens a shell, and then reads only after `read`. */
async function sleepingCore(): Promise<{ read: () => void; grew: Extract<ToCore, { type: 'grew' }>[] }> {
  const key = await renewKey(keyPath(folder));
  const reader = new FrameReader();
  const grew: Extract<ToCore, { type: 'grew' }>[] = [];
  const socket = createConnection(socketPath).pause();
  onTestFinished(() => void socket.destroy());
  socket.on('data', (data) => {
    for (const { header } of reader.push(data)) if ((header as ToCore).type === 'grew') grew.push(header as never);
  });
  socket.pause();
  socket.write(encodeFrame({ type: 'hello', versions: SERVED_VERSIONS, key }));
  socket.write(encodeFrame(openOf('t1')));
  await soon(() => shells.length).toBe(1);
  return { read: () => void socket.resume(), grew };
}

describe('a core that does not read', () => {
  test('gets the length of the file when it reads again, not each length on the way, and every nonce', async () => {
    const { read, grew } = await sleepingCore();
    const nonces: number[] = [];
    for (let n = 0; n < 20_000; n += 1) {
      if (n % 5_000 === 4_999) {
        nonces.push(readFileSync(join(folder, 'output.raw')).length + 2);
        shells[0]?.print(Buffer.from(`ab${NONCE}`));
      } else shells[0]?.print(Buffer.from('some output\r\n'));
      clock.advance(10);
    }
    expect(shells[0]?.paused).toBe(0);
    read();
    const written = readFileSync(join(folder, 'output.raw')).length;
    await soon(() => grew.at(-1)?.end).toBe(written);
    expect(grew.flatMap(({ nonceAt }) => nonceAt)).toEqual(nonces);
    expect(grew.length).toBeLessThan(10_000); // the messages that filled the system's buffers, and five more
    expect(grew.map(({ end }) => end)).toEqual(grew.map(({ end }) => end).sort((a, b) => a - b));
  });

  test('makes the program wait when what must be kept for it is too much, until it reads', async () => {
    const { read, grew } = await sleepingCore();
    let printed = 0;
    for (; printed < 40_000 && shells[0]?.paused === 0; printed += 1) {
      shells[0]?.print(Buffer.from(NONCE));
      clock.advance(10);
    }
    expect([shells[0]?.paused, shells[0]?.resumed]).toEqual([1, 0]);
    expect(printed).toBeLessThan(20_000);
    read();
    await soon(() => shells[0]?.resumed).toBe(1);
    await soon(() => grew.length).toBe(printed);
  });

  test('keeps no program waiting when a newer core has taken its place', async () => {
    await sleepingCore();
    for (let printed = 0; printed < 40_000 && shells[0]?.paused === 0; printed += 1) {
      shells[0]?.print(Buffer.from(NONCE));
      clock.advance(10);
    }
    expect([shells[0]?.paused, shells[0]?.resumed]).toEqual([1, 0]);
    const newer = await connected(await renewKey(keyPath(folder)));
    await soon(() => newer.told).toEqual(['welcome']);
    expect([shells[0]?.paused, shells[0]?.resumed]).toEqual([1, 1]);
  });
});

describe('the note of a core without shells', () => {
  const come = async () => {
    const core = await connected(await renewKey(keyPath(folder)));
    await soon(() => core.told).toEqual(['welcome']);
    return core;
  };

  test('is given to a core that comes soon, after a restart or a crash', async () => {
    const first = await come();
    first.link.send({ type: 'remember', note: 'its token' });
    first.link.dispose();
    for (let core = 0; core < 3; core += 1) {
      await soon(() => clock.pending).toBeGreaterThan(0);
      clock.advance(20_000);
      const next = await come();
      expect(next.notes).toEqual(['its token']);
      next.link.dispose();
    }
  });

  test('does not keep the host for long', async () => {
    const { link } = await come();
    link.send({ type: 'remember', note: 'its token' });
    link.dispose();
    await soon(() => {
      clock.advance(10_000);
      return hasEnded;
    }).toBe(true);
  });

  test('ends with a core that expects no other after it', async () => {
    const { link } = await come();
    link.send({ type: 'remember', note: 'its token' });
    link.send({ type: 'last' });
    link.dispose();
    await soon(() => {
      clock.advance(0);
      return hasEnded;
    }).toBe(true);
  });
});
