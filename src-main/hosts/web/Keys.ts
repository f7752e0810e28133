import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../util/isSameSecret.ts';

/** A printed URL is used within minutes or not at all. */
const CODE_LIFETIME_MS = 30 * 60_000;
const MAX_CODES = 20;

/**
 * The token of this launch (or of the one before, if its shells run on), and the one-time codes that a page exchanges for it. A URL only ever holds a code, so what
 * stays behind in a browser's history is worth nothing.
 */
export class Keys {
  /** 256 bits, base64url. */
  readonly token: string;
  readonly #nowMs: () => number;
  #codes: { code: string; atMs: number }[] = [];

  /** `token`: of the core before this one, whose pages go on. */
  constructor(nowMs: () => number, token: string | null = null) {
    this.#nowMs = nowMs;
    this.token = token ?? randomBytes(32).toString('base64url');
  }

  newCode(): string {
    const code = randomBytes(16).toString('base64url');
    this.#codes = [...this.#codes, { code, atMs: this.#nowMs() }].slice(-MAX_CODES);
    return code;
  }

  /** The token for a code that was not used before; null otherwise. */
  exchange(code: string): string | null {
    const valid = this.#codes.find(
      (known) => isSameSecret(code, known.code) && this.#nowMs() - known.atMs < CODE_LIFETIME_MS,
    );
    this.#codes = this.#codes.filter((known) => known !== valid);
    return valid ? this.token : null;
  }
}
