import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectionLimit } from '../../../src-main/mcp/server/ConnectionLimit.ts';
import type { IDisposable } from '../../../src-main/util/Disposables.ts';

test('whoever comes and goes: never more than there are seats, of all doors and of one, and each is given back once', () => {
  const step = fc.record({ door: fc.constantFrom('socket', 'http'), leaves: fc.boolean(), which: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const all = new ConnectionLimit(8);
      const http = new ConnectionLimit(3, all);
      const held: { door: string; seat: IDisposable }[] = [];
      for (const { door, leaves, which } of steps) {
        if (leaves) {
          const [gone] = held.splice(which % Math.max(1, held.length), 1);
          gone?.seat.dispose();
          gone?.seat.dispose(); // a socket may report its close twice
          continue;
        }
        const ofHttp = held.filter((one) => one.door === 'http').length;
        const hasRoom = held.length < 8 && (door === 'socket' || ofHttp < 3);
        const seat = (door === 'http' ? http : all).take();
        expect(seat !== null).toBe(hasRoom);
        if (seat) held.push({ door, seat });
      }
      expect(all.taken).toBe(held.length);
    }),
  );
});
