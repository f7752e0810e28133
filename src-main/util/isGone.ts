/** What a person can do when a part of the program is missing. */
export const GONE = {
  text: 'Hansard was updated while it runs, and a part of it that was not loaded yet is gone.',
  action: 'Restart it with `hansard serve restart`. Shells and agents continue.',
} as const;

/** Whether a file of the program could not be loaded because it is not there any more: its names change with each build. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}
