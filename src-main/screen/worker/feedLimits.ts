/** More waiting bytes when the worker is idle may be the start of a flood; a key's echo is smaller. */
export const ECHO_BYTES = 2 * 1024;
/** Bytes gather for this long to find out whether it is a flood … */
export const GATHER_MS = 4;
/** … which it is from this many bytes on. */
export const FLOOD_BYTES = 64 * 1024;
/**
 * A flood is sent in pieces of this size: a message costs as much as parsing some KiB, and the worker skips most of a
 * long piece (see `skim`).
 */
export const BATCH_BYTES = 1024 * 1024;
/** … but bytes wait no longer than this, so that a query among them is answered in time. */
export const BATCH_MS = 30;
/** When several terminals flood, each waits up to this many times as long, so that its pieces are as large as those of a single one. */
export const MAX_BATCHES_JOINED = 4;
