import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { Policy } from '../../../src-main/contract/mcp/policy.ts';
import { Accounts } from '../../../src-main/mcp/access/Accounts.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const { limits } = Policy.parse({ limits: { reads_per_min: 10 } });
const started: ReturnType<typeof spawn>[] = [];

afterEach(() => Promise.all(started.splice(0).map(end)));

/** Starts a child of this process. */
function child(): ReturnType<typeof spawn> & { pid: number } {
  const made = spawn('sleep', ['60']);
  started.push(made);
  return made as ReturnType<typeof spawn> & { pid: number };
}

async function end(made: ReturnType<typeof spawn>): Promise<void> {
  if (made.exitCode !== null || made.signalCode !== null) return;
  const gone = once(made, 'exit');
  made.kill('SIGKILL');
  await gone;
}

function book() {
  const clock = new FakeClock();
  const accounts = new Accounts(
    () => limits,
    () => clock.monotonicMs(),
  );
  const read = (id: string): boolean => accounts.rates(id).take('reads', limits, clock.monotonicMs()).ok;
  const readAll = (id: string): number => {
    let count = 0;
    while (read(id)) count += 1;
    return count;
  };
  return { clock, accounts, readAll };
}

test('all connections of one process share a budget, at once and one after the other', () => {
  const { accounts, readAll } = book();
  const first = accounts.open(process.pid);
  expect(readAll(first.id)).toBe(10);
  expect(readAll(accounts.open(process.pid).id)).toBe(0);
  first.dispose();
  for (let n = 0; n < 500; n++) {
    const again = accounts.open(process.pid);
    expect(readAll(again.id)).toBe(0);
    again.dispose();
  }
  expect(accounts.count).toBe(1);
});

test('processes that are there together have a budget each', () => {
  const { accounts, readAll } = book();
  expect(readAll(accounts.open(child().pid).id)).toBe(10);
  expect(readAll(accounts.open(child().pid).id)).toBe(10);
});

test('a process that comes after another child of the same process goes on with its budget', async () => {
  const { clock, accounts, readAll } = book();
  const first = child();
  const account = accounts.open(first.pid);
  expect(readAll(account.id)).toBe(10);
  account.dispose();
  expect(readAll(accounts.open(child().pid).id), 'the first may still come back').toBe(10);
  await end(first);
  const next = accounts.open(child().pid);
  expect([next.id, readAll(next.id)]).toEqual([account.id, 0]);
  clock.advance(60_000);
  expect(readAll(next.id)).toBe(10);
});

test('without a process each connection has a budget, and the next one takes over the emptiest that was left', () => {
  const { accounts, readAll } = book();
  const [full, empty, held] = [accounts.open(null), accounts.open(null), accounts.open(null)];
  expect([readAll(empty.id), readAll(held.id)]).toEqual([10, 10]);
  full.dispose();
  empty.dispose();
  expect(accounts.open(null).id, 'the emptiest').toBe(empty.id);
  expect(accounts.open(null).id, 'then the other').toBe(full.id);
  expect(readAll(accounts.open(null).id), 'then its own, since the third is still there').toBe(10);
});

test('accounts of those who have left are forgotten after hours', () => {
  const { clock, accounts } = book();
  for (const one of [accounts.open(null), accounts.open(null), accounts.open(process.pid)]) one.dispose();
  expect(accounts.count).toBe(3);
  clock.advance(3 * 3_600_000);
  accounts.open(null);
  expect(accounts.count).toBe(1);
});
