import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAppMessage, readMessage } from '../../../src-main/mcp/bridge/messages.ts';
import { Relay, unreachable } from '../../../src-main/mcp/bridge/Relay.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

type Json = Record<string, unknown>;

/** A relay between a client and an app that the test plays. */
class Play {
  readonly clock = new FakeClock();
  readonly toClient: Json[] = [];
  readonly toApp: Json[] = [];
  isLinked = false;
  isSought = false;
  readonly relay = new Relay({
    clock: this.clock,
    ownPrefix: 'own-',
    catalogVersion: 'catalog',
    toClient: (message) => this.toClient.push(asJson(message)),
    toApp: (message) => {
      if (!this.isLinked) throw new Error('written to an app that is not there');
      this.toApp.push(asJson(message));
    },
    seekApp: () => {
      if (this.isLinked) throw new Error('sought although it is there');
      this.isSought = true;
    },
    dropApp: () => {
      this.isLinked = false;
    },
    answerWithoutApp: ({ id }, { code }) => this.toClient.push({ id, code }),
  });

  client(message: Json): void {
    const read = readMessage({ type: 'line', bytes: Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })) });
    if (read.kind !== 'bad') this.relay.fromClient(read);
  }

  app(message: Json): void {
    const read = readAppMessage({ type: 'line', bytes: Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })) });
    if (read) this.relay.fromApp(read);
  }

  up(): void {
    if (this.isLinked) return;
    this.isLinked = true;
    this.isSought = false;
    this.toApp.length = 0;
    this.relay.appOpened();
  }

  down(): void {
    this.isLinked = false;
    this.isSought = false;
    this.relay.appLost(unreachable('Hansard was closed'));
  }

  /** Answers all open requests to the app. */
  answerAll(): void {
    for (let at = 0; at < this.toApp.length; at += 1) {
      const { id, method } = this.toApp[at] ?? {};
      if (id !== undefined && method !== undefined) this.app({ id, result: { serverInfo: { version: '1' } } });
    }
    this.toApp.length = 0;
  }
}

function asJson(message: Uint8Array | object): Json {
  return message instanceof Uint8Array ? (JSON.parse(Buffer.from(message).toString()) as Json) : (message as Json);
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('call', 'list', 'subscribe', 'initialize', 'initialized') },
  { weight: 3, arbitrary: fc.constantFrom('up', 'down', 'answer') },
  { weight: 1, arbitrary: fc.constantFrom('late', 'wait', 'ask') },
);

describe('whatever happens in whatever order', () => {
  test('each request of the client is answered exactly once, and nothing is said to an app that is not there', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const play = new Play();
        let asked = 0;
        const request = (method: string, params: Json): void => {
          asked += 1;
          play.client({ id: asked, method, params });
        };
        for (const what of steps) {
          if (what === 'call') request('tools/call', { name: 'x' });
          else if (what === 'list') request('tools/list', {});
          else if (what === 'subscribe') request('resources/subscribe', { uri: 'u' });
          else if (what === 'initialize') request('initialize', { clientInfo: { name: 'c' } });
          else if (what === 'initialized') play.client({ method: 'notifications/initialized' });
          else if (what === 'up') play.up();
          else if (what === 'down') play.down();
          else if (what === 'answer') play.answerAll();
          else if (what === 'late') play.app({ id: 1, result: {} });
          else if (what === 'ask') play.app({ id: 0, method: 'ping' });
          else play.clock.advance(10_000);
        }
        play.down();
        const answers = play.toClient.filter(({ id, method }) => typeof id === 'number' && method === undefined);
        expect(answers.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(
          Array.from({ length: asked }, (_, at) => at + 1),
        );
        expect(play.relay.isBusy).toBe(false);
      }),
      fuzzRuns(500),
    );
  });
});

describe('the greeting', () => {
  test('is the handshake of the client, and its answer is the answer to the client', () => {
    const play = new Play();
    play.client({ id: 'i', method: 'initialize', params: { protocolVersion: 'v', clientInfo: { name: 'c' } } });
    play.up();
    expect(play.toApp).toEqual([
      {
        jsonrpc: '2.0',
        id: 'own-greeting-1',
        method: 'initialize',
        params: { protocolVersion: 'v', clientInfo: { name: 'c' } },
      },
    ]);
    play.app({ id: 'own-greeting-1', result: { serverInfo: { version: '1' } } });
    expect(play.toClient).toEqual([{ jsonrpc: '2.0', id: 'i', result: { serverInfo: { version: '1' } } }]);
  });

  test('that is not answered in five seconds is an app that is not there', () => {
    const play = new Play();
    play.client({ id: 1, method: 'tools/call', params: {} });
    play.up();
    play.clock.advance(4_999);
    expect([play.isLinked, play.relay.isWaiting]).toEqual([true, true]);
    play.clock.advance(1);
    expect([play.isLinked, play.relay.isWaiting, play.toClient]).toEqual([
      false,
      false,
      [{ id: 1, code: 'APP_NOT_RUNNING' }],
    ]);
  });

  test('introduces the client to an app that was started since: what it had said, once', () => {
    const play = new Play();
    play.client({ id: 'i', method: 'initialize', params: { clientInfo: { name: 'c' } } });
    play.up();
    play.answerAll();
    play.client({ method: 'notifications/initialized' });
    play.client({ id: 1, method: 'resources/subscribe', params: { uri: 'kept' } });
    play.client({ id: 2, method: 'resources/subscribe', params: { uri: 'left' } });
    play.client({ id: 3, method: 'resources/unsubscribe', params: { uri: 'left' } });
    play.client({ id: 4, method: 'logging/setLevel', params: { level: 'debug' } });
    play.answerAll();
    play.down();
    play.up();
    play.answerAll();
    play.client({ id: 5, method: 'ping' });
    expect(play.toApp).toEqual([{ jsonrpc: '2.0', id: 5, method: 'ping' }]);
    const told = play.toClient.filter(({ method }) => method !== undefined);
    expect(told).toEqual([{ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'kept' } }]);
  });

  test('a call that was cancelled is not answered any more', () => {
    const play = new Play();
    play.client({ id: 1, method: 'tools/call', params: {} });
    play.client({ method: 'notifications/cancelled', params: { requestId: 1 } });
    play.up();
    play.answerAll();
    play.down();
    expect(play.toClient).toEqual([]);
  });
});
