import { timingSafeEqual } from 'node:crypto';

/** Takes the same time for a wrong secret as for a right one; its length is not secret. */
export function isSameSecret(given: string | Uint8Array, expected: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
