import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { BackgroundCore } from './BackgroundCore.ts';
import { connectTo } from './coreClient.ts';
import { soon } from './soon.ts';

/** A core with a PTY host, and a client that connects to it again after each restart. The caller disposes it. */
export class ConnectedCore {
  readonly core = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
  #link: CoreConnection | null = null;

  /** Starts the core if it does not run, and connects to it. */
  async start(): Promise<this> {
    await this.core.start();
    return this.reconnect();
  }

  reconnect(): this {
    this.#link?.dispose();
    this.#link = connectTo(this.core.home);
    return this;
  }

  get api(): CoreConnection['api'] {
    if (!this.#link) throw new Error('the core was not started');
    return this.#link.api;
  }

  get dataFolder(): string {
    return this.core.home;
  }

  give<T>(act: () => Promise<T>): Promise<T> {
    return act();
  }

  async open(): Promise<string> {
    const where = { cwd: this.core.home, cols: 80, rows: 24 };
    return (await this.api.terminal.open.mutate({ ...where, shell: '/bin/bash' })).id;
  }

  write(path: string, text: string): void {
    writeFileSync(this.path(path), text);
  }

  /** A file in the working directory of the shells. */
  path(name: string): string {
    return join(this.core.home, name);
  }

  async rows(terminalId: string): Promise<string[]> {
    const reading = await this.api.screen.read.query({ terminalId });
    return reading.full ? reading.frame.rows.map(({ text }) => text.trimEnd()) : [];
  }

  /** Starts a command; resolves once it runs. */
  async begin(id: string, text: string): Promise<void> {
    const before = (await this.lastBlock(id))?.id;
    const isBegun = async () => {
      const block = await this.lastBlock(id);
      return block?.cmd === text && block.id !== before;
    };
    await soon(async () => (await this.api.terminal.submit.mutate({ id, text })).ok).toBe(true);
    await soon(isBegun).toBe(true);
  }

  /** Expects this as the last block, once a new core has read the output since the last prompt again. */
  async hasBlock(terminalId: string, block: Partial<Block>): Promise<void> {
    await expect.poll(() => this.lastBlock(terminalId), { timeout: 120_000 }).toMatchObject(block);
  }

  async lastBlock(terminalId: string) {
    return (await this.api.block.page.query({ terminalId, limit: 1 })).blocks.at(-1);
  }

  async dispose(): Promise<void> {
    this.#link?.dispose();
    await this.core.run('serve', 'stop', '--force');
    await this.core.dispose();
  }
}
