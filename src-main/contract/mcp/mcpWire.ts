// In its own file, because a bridge must answer its client before a schema library could load.

/** Limits of the first line on the socket: bytes including its end, and time until it must have come. */
export const MAX_PREFACE_BYTES = 4096;
export const PREFACE_MS = 2000;

export const PROTOCOL_VERSIONS: readonly string[] = ['2025-11-25', '2026-07-28'];

/** Tool lists of a bridge: fewer tools cost a model fewer words. */
export const PROFILES = ['observe', 'standard', 'full'] as const;
export type Profile = (typeof PROFILES)[number];
