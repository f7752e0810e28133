import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MACHINE_PROTOCOL, type MachineView } from '../../src-main/contract/machines.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { runIn } from '../mcp/runIn.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { CLI } from '../support/builtProgram.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';
import { SSHD } from './rig/findProgram.ts';
import { OtherBuild } from './rig/OtherBuild.ts';
import { SshClient } from './rig/SshClient.ts';
import { type Sshd, startSshd } from './rig/startSshd.ts';

const OURS = '0.1.0';
const THEIRS = '0.2.0';
const PATIENCE_MS = 120_000;
const started: { dispose(): unknown }[] = [];
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

/** A core of this machine, of either version, and what it says of the other machine. */
class Near {
  readonly core: BackgroundCore;
  #connection!: CoreConnection;
  #view: MachineView | null = null;

  private constructor(client: SshClient) {
    this.core = new BackgroundCore(client.env);
  }

  static async start(client: SshClient, cli: string): Promise<Near> {
    const near = new Near(client);
    started.push(near);
    const { code, stderr } = await near.core.runBy(cli, 'serve', 'start');
    if (code !== 0) throw new Error(stderr);
    near.#connection = connectTo(near.core.home);
    near.api.machine.onChange.subscribe(undefined, {
      onData: ({ machines: [view = null] }) => {
        near.#view = view;
      },
    });
    return near;
  }

  #see(view: MachineView | null): void {
    this.#view = view;
  }

  get key(): string {
    return this.#view?.key ?? '';
  }

  get api(): CoreConnection['api'] {
    return this.#connection.api;
  }

  /** Connects and answers the question of the set-up, which is returned; null if there was none. Resolves when it is connected or has failed. */
  async connect(
    answer: 'yes' | null = null,
  ): Promise<{ asked: string | null; state: string; reason: string; version: string }> {
    this.#see(null); // its state is that of the last time
    const verdict = await this.api.machine.connect.mutate({ name: 'box' });
    if (!verdict.ok) throw new Error(verdict.reason);
    let asked: string | null = null;
    const isOver = async (): Promise<boolean> => {
      const question = this.#view?.question ?? null;
      if (question !== null && asked === null) {
        asked = question.text;
        await this.api.machine.answer.mutate({ key: verdict.key, questionId: question.id, answer });
      }
      return this.#view?.state === 'connected' || this.#view?.state === 'failed';
    };
    await expect.poll(isOver, { timeout: PATIENCE_MS, interval: 50 }).toBe(true);
    const { state = '', reason = null, info = null } = this.#view ?? {};
    return { asked, state, reason: reason ?? '', version: info?.version ?? '' };
  }

  /** Opens a terminal there and runs something in it. */
  async open(): Promise<string> {
    const { key } = this;
    const { id } = await this.api.terminal.open.mutate({ cols: 80, rows: 24, shell: 'bash', machine: key });
    await runIn(this.api, id, 'echo from there');
    return id;
  }

  async dispose(): Promise<void> {
    this.#connection?.dispose();
    await this.core.dispose();
  }
}

describe.skipIf(SSHD === null)('two versions that speak different protocols', () => {
  let theirs: OtherBuild;
  beforeAll(() => {
    theirs = new OtherBuild({ version: THEIRS, protocol: MACHINE_PROTOCOL + 1 });
  }, 300_000);
  afterAll(() => theirs?.dispose());

  /** A machine with that version as its own command. */
  async function machine(cli: string): Promise<Sshd> {
    const client = new SshClient();
    started.push(client);
    const sshd = await startSshd({ client, isBare: true });
    started.push(sshd);
    sshd.write('.local/bin/hansard', `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, 0o755);
    return sshd;
  }
  const copies = (sshd: Sshd): string[] => readdirSync(join(sshd.home, '.local/share/hansard/server')).sort();
  const shells = async (sshd: Sshd, cli: string): Promise<number> =>
    (await sshd.run(`${cli} ls --json`)).match(/"state":"live"/g)?.length ?? 0;

  test('of which the newer one is here: it copies itself beside the older, and takes over when that is restarted', {
    timeout: 480_000,
  }, async () => {
    const sshd = await machine(CLI);
    await sshd.run('.local/bin/hansard serve start');
    const olderPid = sshd.corePid;
    const older = connectTo(sshd.dataFolder);
    started.push(older);
    const { id } = await older.api.terminal.open.mutate({ cols: 80, rows: 24, shell: 'bash' });
    await runIn(older.api, id, 'echo of the older');
    const near = await Near.start(sshd.client, theirs.cli);

    const declined = await near.connect(null);
    expect(declined.asked).toContain(`Hansard ${OURS} there cannot be used by this version. Copy this version`);
    expect([declined.state, declined.reason]).toEqual([
      'failed',
      `Hansard ${OURS} there cannot be used by this version, which was not copied there.`,
    ]);

    const copied = await near.connect('yes');
    expect([copies(sshd), copied.state]).toEqual([[THEIRS], 'failed']);
    expect(copied.reason).toContain(
      `Hansard ${OURS} runs there, which is older than this one and speaks another protocol.`,
    );
    expect(sshd.corePid).toBe(olderPid); // nothing of it was ended
    const command = [...copied.reason.matchAll(/`([^`]+)`/g)].at(-1)?.[1] ?? '';
    expect(command).toBe(`~/.local/share/hansard/server/${THEIRS}/bin/hansard serve restart`);
    await sshd.run(command);

    expect(await near.connect()).toMatchObject({ asked: null, state: 'connected', version: THEIRS });
    await near.open();
    expect(await shells(sshd, `.local/share/hansard/server/${THEIRS}/bin/hansard`)).toBe(2); // the older one's goes on
    expect(await sshd.run('.local/bin/hansard --version')).toBe(`${OURS}\n`);

    const other = await Near.start(sshd.client, CLI);
    const refused = await other.connect('yes');
    expect([refused.asked, refused.state, refused.reason]).toEqual([
      ...[null, 'failed'],
      `Hansard ${THEIRS} runs there, which is newer than this one and speaks another protocol. Update Hansard here.`,
    ]);
    expect(copies(sshd)).toEqual([THEIRS]);
    await near.open(); // undisturbed
  });

  test('of which the older one is here: it runs from a copy beside the newer, which takes over when that is restarted', {
    timeout: 480_000,
  }, async () => {
    const sshd = await machine(theirs.cli);
    const near = await Near.start(sshd.client, CLI);
    const copied = await near.connect('yes');
    expect(copied.asked).toContain(`Hansard ${THEIRS} there cannot be used by this version. Copy this version`);
    expect(copied).toMatchObject({ state: 'connected', version: OURS });
    await near.open();
    expect([copies(sshd), await sshd.run('.local/bin/hansard --version')]).toEqual([[OURS], `${THEIRS}\n`]);

    const newer = await Near.start(sshd.client, theirs.cli);
    const refused = await newer.connect('yes');
    expect([refused.asked, refused.state]).toEqual([null, 'failed']);
    expect(refused.reason).toContain('Run `hansard serve restart` there');
    await sshd.run('.local/bin/hansard serve restart');
    expect(await newer.connect()).toMatchObject({ asked: null, state: 'connected', version: THEIRS });
    expect(await shells(sshd, '.local/bin/hansard')).toBe(1);
    await soon(async () => (await near.connect()).reason).toContain('Update Hansard here.');
    expect(await newer.api.machine.forget.mutate({ key: newer.key, server: true })).toEqual({ ok: true });
    expect(readdirSync(join(sshd.home, '.local/share/hansard')).includes('server')).toBe(false);
    expect(await shells(sshd, '.local/bin/hansard')).toBe(1); // it runs from its own installation
  });
});
