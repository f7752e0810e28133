import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StreamItem } from '../../../src-main/contract/terminal.ts';
import type { PtyExit, PtyProcess } from '../../../src-main/pty/PtyProcess.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { Emitter } from '../../../src-main/util/Emitter.ts';
import type { Log } from '../../../src-main/util/Log.ts';
import { screenRows } from '../../support/screenState.ts';
import { runCommand, TestCore, until } from '../../support/TestCore.ts';

const SIZE = { cols: 60, rows: 15 };

/** Views a terminal as a window does: draws the items of its stream in its own emulator. */
class Looker {
  readonly model = new ScreenModel({ ...SIZE, scrollbackLines: 1000 });
  readonly #terminal: PtyInstance;
  readonly #name: { clientId: string; viewerId: string };
  readonly #stop = new AbortController();
  readonly #seen = new Emitter<void>();
  readonly items: StreamItem['type'][] = [];
  offset = 0;
  readonly ended: Promise<void>;

  constructor(
    terminal: PtyInstance,
    clientId: string,
    { acks = true, replay = 'state' as 'state' | 'raw' | 'none' } = {},
  ) {
    this.#terminal = terminal;
    this.#name = { clientId, viewerId: 'v' };
    this.ended = this.#read(replay, acks);
  }

  /** Resolves when everything before `offset` has been shown. */
  reached(offset: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.offset < offset || this.items.length === 0) return;
        listening.dispose();
        resolve();
      };
      const listening = this.#seen.on(look);
      look();
    });
  }

  ack(): void {
    this.#terminal.viewers.ack(this.#name, this.offset);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended;
    this.model.dispose();
  }

  async #read(replay: 'state' | 'raw' | 'none', acks: boolean): Promise<void> {
    for await (const item of this.#terminal.viewers.view(this.#name, { replay }, this.#stop.signal)) {
      this.items.push(item.type);
      if (item.type === 'state') {
        this.model.reset();
        this.model.resize(item);
        this.model.write(Buffer.from(item.data));
        this.offset = item.offset;
      } else if (item.type === 'replay') {
        this.model.write(Buffer.from(item.data, 'base64'));
        this.offset = item.offset;
      } else if (item.type === 'bytes') {
        const bytes = Buffer.from(item.data, 'base64');
        this.model.write(bytes);
        this.offset = item.offset + bytes.length;
      } else if (item.type === 'resize') this.model.resize(item);
      if (acks) this.ack();
      this.#seen.fire();
    }
  }
}

describe('viewers', () => {
  const logged: Record<string, unknown>[] = [];
  const log: Log = (event, fields) => logged.push({ event, ...fields });
  let test_: TestCore;
  let terminal: PtyInstance;

  beforeAll(async () => {
    test_ = await TestCore.start({ log });
    terminal = await test_.open('bash', SIZE);
  });

  afterAll(() => test_.dispose());

  /** Ends the program that a failed test leaves running, so that the next tests do not fail too. */
  afterEach(async () => {
    if (terminal.view.atPrompt) return;
    terminal.type('\x03');
    await until(terminal, ({ view }) => view.atPrompt);
  });

  const raw = (): Buffer => readFileSync(new SessionFolder(test_.dataFolder, terminal.id).raw);

  /** The rows of a viewer that has seen everything from the start. */
  async function straight(offset: number): Promise<string[]> {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: 1000 });
    await expect.poll(() => raw().length).toBeGreaterThanOrEqual(offset);
    model.write(raw().subarray(0, offset));
    const rows = screenRows(model);
    model.dispose();
    return rows;
  }

  /** Runs a flood of known bytes; resolves with its block and time. */
  const flood = async () => {
    const startedMs = performance.now();
    const block = await runCommand(terminal, 'seq 1000000 1400000');
    return { block, tookMs: performance.now() - startedMs };
  };
  const floodBytes = 400_001 * ('1000000'.length + 2);

  test('that never acknowledge, are hidden or many slow neither the program nor the record', async () => {
    const alone = await flood();
    const silent = new Looker(terminal, 'silent', { acks: false });
    const others = ['one', 'two', 'three'].map((name) => new Looker(terminal, name));
    await silent.reached(0);
    const watched = await flood();
    for (const { block } of [alone, watched]) expect(block.outputBytes).toBe(floodBytes);
    // As fast as without viewers, with tolerance for other load.
    expect(watched.tookMs).toBeLessThan(alone.tookMs * 3 + 2_000);
    const { rawStart, rawEnd } = watched.block;
    const lines = Array.from({ length: 400_001 }, (_, n) => `${1_000_000 + n}\r\n`).join('');
    await expect.poll(() => raw().length).toBeGreaterThanOrEqual(rawEnd ?? 0);
    expect(
      raw()
        .subarray(rawStart, rawStart + lines.length)
        .equals(Buffer.from(lines)),
    ).toBe(true);
    for (const other of others) await other.reached(terminal.rawSize);
    for (const other of others) expect(screenRows(other.model)).toEqual(await straight(other.offset));
    // The silent viewer stops after a megabyte, and gets the state after its acknowledgement.
    expect(silent.items.filter((type) => type === 'state')).toHaveLength(1);
    silent.ack();
    await silent.reached(terminal.rawSize);
    expect(silent.items.filter((type) => type === 'state')).toHaveLength(2);
    expect(screenRows(silent.model)).toEqual(await straight(silent.offset));
    for (const looker of [silent, ...others]) await looker.stop();
  });

  test.each([0, 1, 3])('with %i of them each query is answered once', async (count) => {
    const lookers = Array.from({ length: count }, (_, n) => new Looker(terminal, `asked${n}`));
    for (const looker of lookers) await looker.reached(0);
    // A DSR follows each query, and its answer ends the read. So no deadline decides which query an answer belongs to.
    const ask = 'ask() { printf "$1\\e[5n"; IFS= read -rsd n a; printf \'%q\\n\' "$a"; }; stty -echo';
    const queries: [string, RegExp][] = [
      ['\\e[c', /^\$'\\E\[\?[0-9;]+c\\E\[0'$/],
      ['\\e[6n', /^\$'\\E\[\d+;\d+R\\E\[0'$/],
      ['\\e]10;?\\e\\\\', /^\$'\\E\]10;rgb:[0-9a-f/]+\\E\\\\\\E\[0'$/],
      ['\\e]11;?\\a', /^\$'\\E\]11;rgb:[0-9a-f/]+(?:\\a|\\E\\\\)\\E\[0'$/],
      ['\\e[>q', /^\$'\\E\[0'$/],
      ['\\e[?2004$p', /^\$'\\E\[\?2004;\d\$y\\E\[0'$/],
      ['', /^\$'\\E\[0'$/],
    ];
    const late = "IFS= read -rsd '' -t 0.5 a; printf '%q\\n' \"$a\"; stty echo";
    const block = await runCommand(
      terminal,
      `${ask}; ${queries.map(([query]) => `ask '${query}'`).join('; ')}; ${late}`,
    );
    const { lines } = await terminal.book.reader.lines(block.id, 0, 20);
    const answers = lines.map(({ spans }) => spans.map(({ text }) => text).join('')).filter(Boolean);
    expect(answers.slice(0, -1)).toEqual(queries.map(([, answer]) => expect.stringMatching(answer)));
    expect(answers.at(-1), 'nothing more').toBe("''");
    for (const looker of lookers) await looker.stop();
  });

  test('fifty that come and go leave a full-screen program what was typed and nothing else', async () => {
    const typed = join(test_.home, 'typed');
    const count = 50;
    const cmd = `printf '\\e[?1049h\\e[2J\\e[c'; stty raw -echo; head -c ${count} > ${typed}; stty sane; printf '\\e[?1049l'`;
    const running = runCommand(terminal, `IFS= read -rsd c -t 1 _; ${cmd.replace('\\e[c', '')}`);
    await until(terminal, ({ view }) => view.altScreen);
    let keys = '';
    for (let n = 0; n < count; n++) {
      const looker = new Looker(terminal, `guest${n}`, { replay: n % 5 === 0 ? 'none' : 'state' });
      await looker.reached(0);
      const key = String.fromCharCode(0x61 + (n % 26));
      keys += key;
      terminal.type(key);
      await looker.stop();
    }
    await running;
    expect(readFileSync(typed, 'utf8')).toBe(keys);
  });

  test('fifty that come and go while a full-screen program draws each show what was drawn', async () => {
    const draw =
      "printf '\\e[?1049h'; for ((n = 0; n < 4000; n++)); do printf '\\e[%d;%dH\\e[3%dm%d é漢 \\e[K' $((n % 15 + 1)) $((n * 7 % 50 + 1)) $((n % 8)) $n; done; read -rsn 1; printf '\\e[?1049l'";
    const running = runCommand(terminal, draw);
    await until(terminal, ({ view }) => view.altScreen);
    for (let n = 0; n < 50; n++) {
      const looker = new Looker(terminal, `guest${n}`);
      await looker.reached(terminal.rawSize);
      const { offset } = looker;
      const rows = screenRows(looker.model);
      await looker.stop();
      if (n % 10 === 0) expect(rows).toEqual(await straight(offset));
    }
    terminal.type('x');
    await running;
  });

  test('that want no state make a full-screen program draw again by a change of size, and it is logged', async () => {
    // The trap only sets a variable, because bash 5.2 loses a WINCH that comes while the trap of the previous one runs.
    const winch =
      "trap w=1 WINCH; w=0; printf '\\e[?1049h\\e[2Jdrawn'; while ! read -rsn 1 -t 0.05; do if ((w)); then w=0; printf '\\e[H%s' \"$(stty size)\"; fi; done; printf '\\e[?1049l'; trap - WINCH";
    const running = runCommand(terminal, winch);
    await until(terminal, ({ view }) => view.altScreen);
    logged.length = 0;
    const looker = new Looker(terminal, 'bare', { replay: 'raw' });
    await expect.poll(() => screenRows(looker.model)[0]).toBe('15 60');
    expect(looker.items[0]).toBe('replay');
    expect(logged).toContainEqual({
      event: 'pty_attach_jiggle_resize',
      terminalId: terminal.id,
      rows: 15,
      cols: 60,
      jiggle_rows: 15,
      jiggle_cols: 59,
    });
    expect(terminal.view, 'nobody else has seen another size').toMatchObject(SIZE);
    terminal.type('x');
    await running;
    await looker.stop();
    expect(logged.map(({ event }) => event)).toContain('pty_alt_screen_off');
  });

  test('that want bytes get the end of the output, sanitised, and it is logged', async () => {
    await runCommand(terminal, "printf '10%%\\r20%%\\n\\e[31mred\\e[m\\e]52;c;aGk=\\a\\n'");
    logged.length = 0;
    const items = terminal.viewers.view({ clientId: 'bytes', viewerId: 'v' }, { replay: 'raw' });
    const { value } = await items.next();
    await items.return(undefined);
    const item = value as Extract<StreamItem, { type: 'replay' }>;
    const text = Buffer.from(item.data, 'base64').toString();
    expect(text).toContain('10%\n20%\r\n\x1b[31mred\x1b[m\r\n');
    expect(text).not.toContain('\x1b]52');
    expect(item.offset).toBe(terminal.rawSize);
    expect(logged[0]).toMatchObject({ event: 'pty_attach_replay_prefill', replay_bytes: Buffer.byteLength(text) });
  });

  test('of different sizes: the last that used it decides, and each change is one resize', async () => {
    const { viewers } = terminal;
    const [a, b] = [new Looker(terminal, 'a'), new Looker(terminal, 'b')];
    await a.reached(0);
    await b.reached(0);
    const sizes: number[] = [];
    const listening = terminal.onChanged(({ cols }) => sizes.at(-1) !== cols && sizes.push(cols));
    viewers.want('a', { cols: 70, rows: 20 }, true);
    viewers.want('b', { cols: 40, rows: 10 }, true);
    for (let n = 0; n < 100; n++) viewers.want('a', { cols: 70 + (n % 3), rows: 20 }, false);
    viewers.want('b', { cols: 40, rows: 10 }, false);
    viewers.used('a');
    viewers.used('a');
    await a.stop();
    await b.stop();
    viewers.want('nobody', { cols: SIZE.cols, rows: SIZE.rows }, false);
    listening.dispose();
    expect(sizes).toEqual([70, 40, 70, 40, 60]);
  });

  test('storms of sizes down to two by two, and one by one, leave the screen as the program drew it last', async () => {
    for (let n = 0; n < 200; n++) terminal.resize({ cols: 1 + ((n * 7) % 90), rows: 1 + ((n * 5) % 30) });
    terminal.resize({ cols: 1, rows: 1 });
    terminal.resize({ cols: 2, rows: 2 });
    terminal.resize(SIZE);
    const block = await runCommand(terminal, 'clear; stty size; echo 漢字 after the storm');
    expect(block.exitCode).toBe(0);
    const looker = new Looker(terminal, 'after');
    await expect.poll(() => screenRows(looker.model).slice(0, 2)).toEqual(['15 60', '漢字 after the storm']);
    await looker.stop();
  });
});

/** A program that prints when the test says, and counts its pauses. */
class FakePty implements PtyProcess {
  readonly pid = 0;
  readonly #bytes = new Emitter<Uint8Array>();
  readonly #exit = new Emitter<PtyExit>();
  readonly onBytes = this.#bytes.on;
  readonly onExit = this.#exit.on;
  pauses = 0;
  resumes = 0;
  writes = 0;

  print(bytes: Uint8Array): void {
    this.#bytes.fire(bytes);
  }

  write(): void {
    this.writes += 1;
  }
  resize(): void {
    this.writes += 1;
  }
  pause(): void {
    this.pauses += 1;
  }
  resume(): void {
    this.resumes += 1;
  }
  kill(): void {
    this.#exit.fire({ exitCode: 0, signal: null });
  }
  foregroundArgv(): string[] {
    return [];
  }

  foregroundProcesses(): [] {
    return [];
  }
  keyTaker(): null {
    return null;
  }
  runningPrograms(): string[] {
    return [];
  }
  dispose(): void {
    this.#bytes.dispose();
  }
}

test('a program is made to wait for the screen only, never for a viewer', async () => {
  const pty = new FakePty();
  const test_ = await TestCore.start({ spawnPty: () => pty });
  const { id } = await test_.core.open({ shell: 'bash', ...SIZE });
  const terminal = test_.core.terminal(id);
  const silent = new Looker(terminal, 'silent', { acks: false });
  await silent.reached(0);
  const piece = Buffer.from('x'.repeat(1022).concat('\r\n').repeat(64));
  for (let n = 0; n < 128; n++) {
    pty.print(piece);
    const ping = new Looker(terminal, 'ping'); // gets its state once the screen has all output
    await ping.reached(terminal.rawSize);
    await ping.stop();
  }
  expect([terminal.rawSize, pty.pauses]).toEqual([128 * piece.length, 0]);
  for (let n = 0; n < 256; n++) pty.print(piece);
  expect(pty.pauses).toBe(1);
  await expect.poll(() => pty.resumes).toBe(1);
  await silent.stop();
  await test_.dispose();
});
