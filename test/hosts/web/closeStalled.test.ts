import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { closeStalled, MAX_WAITING_BYTES } from '../../../src-main/hosts/web/closeStalled.ts';
import { FakeClock } from '../../support/FakeClock.ts';

function setUp() {
  const clock = new FakeClock();
  const client = { bufferedAmount: 0, isClosed: false, terminate: () => (client.isClosed = true) };
  const clients = [client];
  const sockets = Object.assign(new EventEmitter(), { clients });
  const watching = closeStalled(sockets, clock);
  const connect = () => sockets.emit('connection');
  const waits = (bytes: number): boolean => {
    client.bufferedAmount = bytes;
    clock.advance(1_000);
    return client.isClosed;
  };
  return { clock, clients, connect, waits, watching };
}

test('a connection on which more and more waits is closed', () => {
  const { connect, waits } = setUp();
  connect();
  expect(waits(MAX_WAITING_BYTES)).toBe(false);
  expect(waits(MAX_WAITING_BYTES + 1)).toBe(true);
});

test('one that is read stays, even if much still waits', () => {
  const { connect, waits } = setUp();
  connect();
  expect(waits(MAX_WAITING_BYTES / 2)).toBe(false);
  for (const left of [0.4, 0.2, 0]) expect(waits(MAX_WAITING_BYTES * left)).toBe(false);
});

test('nothing is looked at without a connection, nor after the end', () => {
  const { clock, clients, connect, watching } = setUp();
  expect(clock.pending).toBe(0);
  connect();
  connect();
  expect(clock.pending).toBe(1);
  clients.pop();
  clock.advance(1_000);
  expect(clock.pending).toBe(0);
  connect();
  watching.dispose();
  expect(clock.pending).toBe(0);
});
