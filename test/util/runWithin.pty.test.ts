import { spawn } from 'node:child_process';
import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { runWithin } from '../../src-main/util/runWithin.ts';

test('the value of a script that ends', () => {
  expect(runWithin(new Script('a + 1'), createContext({ a: 1 }), 50)).toEqual({ isDone: true, value: 2 });
});

test('one that never ends is ended', () => {
  const beganMs = process.cpuUsage().user;
  expect(runWithin(new Script('for (;;);'), createContext({}), 50)).toEqual({ isDone: false });
  expect((process.cpuUsage().user - beganMs) / 1000).toBeGreaterThan(30);
});

test('what it throws is thrown', () => {
  expect(() => runWithin(new Script('missing'), createContext({}), 50)).toThrow('missing is not defined');
});

test('one whose time went by without a core is begun anew, and ends', async () => {
  const child = spawn(process.execPath, [new URL('./heldUp.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const closed = new Promise((resolve) => child.on('close', resolve));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      printed += String(text);
      resolve();
    });
  });
  await ready;
  let isHeld = false;
  const hold = setInterval(() => {
    isHeld = !isHeld;
    child.kill(isHeld ? 'SIGSTOP' : 'SIGCONT');
  }, 90);
  await closed;
  clearInterval(hold);
  const ran = JSON.parse(printed.split('\n')[1] as string);
  expect(ran.begun).toBeGreaterThan(ran.given);
  expect(ran.done).toBe(ran.given);
});
