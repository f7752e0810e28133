import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../util/isSameSecret.ts';

/** A printed URL is used within minutes or not at all. */
const CODE_LIFETIME_MS = 30 * 60_000;
const MAX_CODES = 20;

/**
 * The token of this start (or of the previous one, if its shells still run or it ended just now), and the one-time codes that a page exchanges for it. URLs contain only
 * codes, so a browser's history contains nothing of value.
 */
export class Keys {
  /** 256 bits, base64url. */
  readonly token: string;
  readonly #nowMs: () => number;
  #codes: { code: string; atMs: number }[] = [];

  /** `token`: that of the previous core, whose pages stay connected. */
  constructor(nowMs: () => number, token: string | null = null) {
    this.#nowMs = nowMs;
    this.token = token ?? randomBytes(32).toString('base64url');
  }

  newCode(): string {
    const code = randomBytes(16).toString('base64url');
    this.#codes = [...this.#codes, { code, atMs: this.#nowMs() }].slice(-MAX_CODES);
    return code;
  }

  /** The token for an unused code; null otherwise. */
  exchange(code: string): string | null {
    const valid = this.#codes.find(
      (known) => isSameSecret(code, known.code) && this.#nowMs() - known.atMs < CODE_LIFETIME_MS,
    );
    this.#codes = this.#codes.filter((known) => known !== valid);
    return valid ? this.token : null;
  }
}
