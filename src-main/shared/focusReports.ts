/** Sent by an emulator on a focus change; the person did not type them. */
export const FOCUS_REPORTS: ReadonlySet<string | Uint8Array> = new Set(['\x1b[I', '\x1b[O']);
