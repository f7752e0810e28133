import { rmSync, writeFileSync } from 'node:fs';
import { processStart } from '../../store/files/processIdentity.ts';
import { folderKey, hostFilePath } from '../protocol/hostFile.ts';

/** Writes the process of this host to a file, which may outlive it: `start` differs for a later process with the same number. Throws on a disk error. */
export function announce(dataFolder: string, socketPath: string): void {
  const path = hostFilePath(dataFolder);
  const { pid } = process;
  rmSync(path, { force: true }); // of an earlier host; a link is removed, not followed
  const host = { pid, start: processStart(pid) ?? '', socketPath, folder: folderKey(dataFolder) };
  writeFileSync(path, JSON.stringify(host), { flag: 'wx', mode: 0o600 });
}
