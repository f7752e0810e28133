import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditEntry, AuditLog, type AuditOpened, type AuditOptions } from '../../src-main/store/audit/auditLog.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';

/** A temporary folder with an audit log, and ways to write, read and change it. */
export class AuditFolder {
  readonly folder = mkdtempSync(join(tmpdir(), 'hansard-audit-'));
  readonly path = join(this.folder, 'audit.jsonl');

  open(options: Partial<AuditOptions> = {}): Promise<AuditOpened> {
    return AuditLog.open(this.path, { clock: systemClock, log: silentLog, clean: (text) => text, ...options });
  }

  /** Opens the log, writes entries and closes it, as a core does. */
  async write(whats: readonly string[], options: Partial<AuditOptions> = {}): Promise<AuditOpened> {
    const opened = await this.open(options);
    for (const what of whats) await opened.log.write(anEntry({ what }));
    await opened.log.close();
    return opened;
  }

  /** Names of the log's files, oldest first, head last. */
  get names(): string[] {
    const rank = (name: string): number => (name.startsWith('audit-') ? 0 : name === 'audit.jsonl' ? 1 : 2);
    return readdirSync(this.folder)
      .filter((name) => /^audit.*\.jsonl?(on)?$/.test(name))
      .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  }

  bytes(name: string): Buffer {
    return readFileSync(join(this.folder, name));
  }

  put(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.folder, name), content);
  }

  lines(name = 'audit.jsonl'): string[] {
    return this.bytes(name).toString().trimEnd().split('\n');
  }

  /** The content of all files, for `restore`. */
  save(): Map<string, Buffer> {
    return new Map(this.names.map((name) => [name, this.bytes(name)]));
  }

  restore(saved: ReadonlyMap<string, Buffer>): void {
    for (const name of readdirSync(this.folder)) rmSync(join(this.folder, name));
    for (const [name, content] of saved) this.put(name, content);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function anEntry(change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    client: 'cli',
    callerPty: null,
    pty: 't1',
    tool: 'pty_exec',
    what: 'ls',
    args: { cmd: change.what },
    decision: 'allowed',
    rule: 'allow[0]',
    bytes: 3,
    ...change,
  };
}
