// Apart from the schemas: a bridge answers its client before a schema library would be loaded.

/** The first line on the socket, with its end; and the time in which it must have come. */
export const MAX_PREFACE_BYTES = 4096;
export const PREFACE_MS = 2000;

export const PROTOCOL_VERSIONS: readonly string[] = ['2025-11-25', '2026-07-28'];

/** What a bridge can be told to list: fewer tools cost a model fewer words. */
export const PROFILES = ['observe', 'standard', 'full'] as const;
export type Profile = (typeof PROFILES)[number];
