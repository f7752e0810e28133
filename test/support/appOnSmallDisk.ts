import { expect, onTestFinished, vi } from 'vitest';
import { hostPid } from './hostProcess.ts';
import { SmallDisk } from './SmallDisk.ts';
import { ServedApp } from './WebApp.ts';

/** An app, not started yet, whose data folder is a disk of 4 MiB. Both end with the test. `host`: whether it has a PTY host. */
export function appOnSmallDisk(host: string): { app: ServedApp; disk: SmallDisk } {
  const disk = new SmallDisk(4 * 1024 * 1024);
  const app = new ServedApp({ home: disk.path, env: { HANSARD_PTY_HOST: host } });
  onTestFinished(async () => {
    await app.stop();
    await vi.waitFor(() => expect(hostPid(app.home)).toBe(null), 20_000); // the host uses the disk until then
    disk.dispose();
  });
  return { app, disk };
}
