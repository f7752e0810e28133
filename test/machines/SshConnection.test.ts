import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { SshConnection } from '../../src-main/machines/ssh/SshConnection.ts';
import { soon } from '../support/soon.ts';

/** Replaces `ssh`: prints the length of each piece that it reads. */
const MEASURES = `#!${process.execPath}
process.stdout.write('HANSARD-STDIO {"type":"failed","reason":""}\\n');
process.stdin.on('data', (piece) => process.stdout.write(piece.length + ' '));
`;

test('a message reaches ssh in one piece, so that it goes in one packet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-pipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ssh'), MEASURES, { mode: 0o700 });
  const ssh = new SshConnection([], { PATH: folder });
  onTestFinished(() => ssh.dispose());
  await ssh.hello();
  const pipe = ssh.pipe().on('error', () => undefined); // the end of the test cuts the pipe
  let said = '';
  pipe.on('data', (bytes) => {
    said += bytes;
  });
  for (let message = 1; message <= 20; message += 1) {
    pipe.cork();
    pipe.write('12345678');
    pipe.write('x'.repeat(100));
    pipe.uncork();
    await soon(() => said).toBe('108 '.repeat(message));
  }
});
