import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FollowedOutput } from '../../src-main/ptyHost/client/FollowedOutput.ts';
import { HostTerminal } from '../../src-main/ptyHost/host/HostTerminal.ts';
import type { OpenTerminal, ToCore } from '../../src-main/ptyHost/protocol/messages.ts';
import type { Disk } from '../../src-main/store/files/Disk.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { HeldShell } from './HeldShell.ts';

export const NONCE = `Zj${'0123456789abcdef'.repeat(2)}`;

interface Told {
  readonly message: ToCore;
  readonly bytes: Uint8Array;
}

/** One terminal of a host in its own folder, with the messages for its core. */
export class HostedHere {
  readonly folder = mkdtempSync(join(tmpdir(), 'hansard-host-'));
  readonly shell = new HeldShell();
  readonly clock = new FakeClock();
  readonly told: Told[] = [];
  readonly terminal: HostTerminal;
  hasCore = true;

  constructor(disk?: Disk) {
    const spec: OpenTerminal = {
      ...{ type: 'open', id: 't1', file: '/bin/sh', argv: [], cwd: '/', env: {}, cols: 80, rows: 24 },
      ...{ folder: this.folder, offset: 0, nonce: NONCE, note: '{}' },
    };
    this.terminal = new HostTerminal(spec, {
      clock: this.clock,
      log: silentLog,
      ...(disk && { disk }),
      spawnPty: () => this.shell,
      hasCore: () => this.hasCore,
      tell: (message, bytes = new Uint8Array(0)) => this.told.push({ message, bytes: Uint8Array.from(bytes) }) > 0,
      ended: () => undefined,
    });
  }

  get raw(): Buffer {
    return readFileSync(join(this.folder, 'output.raw'));
  }

  /** Bytes and nonces of a core that reads the file as far as the messages say. */
  follow(): { bytes: Buffer; nonceAt: number[] } {
    const output = new FollowedOutput(join(this.folder, 'output.raw'));
    let from = 0;
    for (const { message, bytes } of this.told) {
      if (message.type !== 'grew') continue;
      const { end, nonceAt, atMs } = message;
      output.add({ from, end, nonceAt, atMs, ...(bytes.length > 0 && { unwritten: bytes }) });
      from = end;
    }
    const chunks: Uint8Array[] = [];
    const nonceAt: number[] = [];
    for (let chunk = output.next(); chunk; chunk = output.next()) {
      chunks.push(chunk.bytes);
      nonceAt.push(...chunk.nonceAt);
    }
    output.close();
    return { bytes: Buffer.concat(chunks), nonceAt };
  }

  async dispose(): Promise<void> {
    await this.terminal.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
