import { type Dirent, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { BlockId, TerminalId } from '../../contract/ids.ts';
import { ensurePrivateFolder } from '../instance/dataFolder.ts';

/**
 * All paths of one terminal's record. Checks ids, so that no path leaves the folder; an invalid id throws.
 * Creates nothing on disk before `create`.
 */
export class SessionFolder {
  readonly id: TerminalId;
  readonly dataFolder: string;
  readonly root: string;
  readonly meta: string;
  readonly raw: string;
  /** When the bytes of `raw` came. */
  readonly times: string;
  /** What the running shell reported about itself. */
  readonly shellJson: string;
  readonly blocksJsonl: string;
  readonly events: string;
  readonly blocksDir: string;
  readonly snapshot: string;
  readonly screenJsonl: string;
  readonly chatJsonl: string;
  /** Snapshots of the folders in which its agents worked. */
  readonly changesJsonl: string;
  /** An empty file that exists after part of the terminal was exported; retention keeps the terminal then. */
  readonly exportedMark: string;

  constructor(dataFolder: string, id: TerminalId) {
    this.id = TerminalId.parse(id);
    this.dataFolder = dataFolder;
    this.root = join(terminalsFolder(dataFolder), this.id);
    this.meta = join(this.root, 'meta.json');
    this.raw = join(this.root, 'output.raw');
    this.times = join(this.root, 'output.times');
    this.shellJson = join(this.root, 'shell.json');
    this.blocksJsonl = join(this.root, 'blocks.jsonl');
    this.events = join(this.root, 'events.jsonl');
    this.blocksDir = join(this.root, 'blocks');
    this.snapshot = join(this.root, 'screen.snapshot.json');
    this.screenJsonl = join(this.root, 'screen.jsonl');
    this.chatJsonl = join(this.root, 'chat.jsonl');
    this.changesJsonl = join(this.root, 'changes.jsonl');
    this.exportedMark = join(this.root, 'exported');
  }

  /** The block's output as plain text. */
  out(id: BlockId): string {
    return join(this.blocksDir, `${BlockId.parse(id)}.out`);
  }

  /** The sparse line index. */
  idx(id: BlockId): string {
    return join(this.blocksDir, `${BlockId.parse(id)}.idx`);
  }

  /** Rendered lines with SGR, for a block that addressed the cursor. */
  ren(id: BlockId): string {
    return join(this.blocksDir, `${BlockId.parse(id)}.ren`);
  }

  /** Creates the folders with mode 0700. Throws if the disk refuses or something else is at one of the paths. */
  create(): void {
    for (const folder of [this.dataFolder, terminalsFolder(this.dataFolder), this.root, this.blocksDir])
      ensurePrivateFolder(folder);
  }

  /**
   * Call this before a closed terminal is written again, and after it closes: it invalidates the entry that lists keep of it. Ignores
   * errors of the disk.
   */
  touch(): void {
    const now = new Date();
    try {
      utimesSync(this.root, now, now);
    } catch {
      // missing or read-only: then nothing can be written in it either
    }
  }

  /** Ids of the recorded terminals, in any order; empty if there is no folder yet. Skips links and foreign names. */
  static list(dataFolder: string): TerminalId[] {
    return entriesOf(dataFolder)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  }

  /** Paths with a terminal's name that are not folders: files or links. */
  static listOdd(dataFolder: string): string[] {
    return entriesOf(dataFolder)
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(terminalsFolder(dataFolder), entry.name));
  }
}

function entriesOf(dataFolder: string): Dirent[] {
  try {
    const entries = readdirSync(terminalsFolder(dataFolder), { withFileTypes: true });
    return entries.filter(({ name }) => TerminalId.safeParse(name).success);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
}

export function terminalsFolder(dataFolder: string): string {
  return join(dataFolder, 'terminals');
}
