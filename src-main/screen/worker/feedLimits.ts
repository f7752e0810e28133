/** More than this waiting when the worker has done all it had may be the start of a flood; a key's echo is less. */
export const ECHO_BYTES = 2 * 1024;
/** So long it is looked whether it is one … */
export const GATHER_MS = 4;
/** … if so much came in that time. */
export const FLOOD_BYTES = 64 * 1024;
/**
 * A flood is sent in pieces of this size: a message costs as much as parsing some KiB, and the worker leaves out most of a
 * long piece (see `skim`).
 */
export const BATCH_BYTES = 1024 * 1024;
/** … but waits no longer than this, so that a query inside of it is answered in time. */
export const BATCH_MS = 30;
/** Terminals that flood together get their bytes slower: each waits up to so many times as long, for pieces as long as one alone has. */
export const MAX_BATCHES_JOINED = 4;
