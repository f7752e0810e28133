import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RecordGap } from '../../src-main/contract/notice.ts';
import type { RecordedOutput } from '../../src-main/pty/PtyProcess.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { RecordedBytes } from '../../src-main/terminal/RecordedBytes.ts';
import { Emitter } from '../../src-main/util/Emitter.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { FakeClock } from '../support/FakeClock.ts';

test('offsets stay exact behind a PTY host that ended before the disk took all, and its gap is told once', async () => {
  const folder = new SessionFolder(suiteFolder('recorded'), 't1-aa');
  mkdirSync(folder.root, { recursive: true });
  const clock = new FakeClock();
  const told: RecordGap[] = [];
  const bytes = new RecordedBytes(folder, 0, {
    ...{ log: silentLog, clock, makeFolder: () => undefined, onFault: () => undefined },
    onGap: (gap) => told.push(gap),
  });
  bytes.writeHere();
  bytes.append(Buffer.from('abc'));
  const hostGap = new Emitter<RecordGap>();
  bytes.follow({ onFault: new Emitter<never>().on, onGap: hostGap.on } as unknown as RecordedOutput);
  bytes.append(Buffer.from('lost'));
  hostGap.fire({ type: 'gap', fromOffset: 3, toOffset: 7, reason: 'the disk is full', atMs: 1 });
  bytes.writeHere();
  expect(bytes.append(Buffer.from('def'))).toBe(7);
  clock.advance(100);
  await bytes.close();
  expect(readFileSync(folder.raw, 'latin1')).toBe('abc\0\0\0\0def');
  expect(told).toMatchObject([{ fromOffset: 3, toOffset: 7, reason: 'the disk is full' }]);
});
