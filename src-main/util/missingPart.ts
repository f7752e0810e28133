/** What a person can do when a part of the program is missing. */
export const PART_MISSING = {
  text: 'A part of Hansard that was not loaded yet is missing: it was probably updated or removed while it runs.',
  action: 'Restart it with `hansard serve restart`, or quit the desktop app and start it again.',
} as const;

/** Of an import, and of a worker. */
const CODES: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** Whether a file of the program could not be loaded because it is not there, as after an update: the names change with each build. */
export function isPartMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(error.code);
}
