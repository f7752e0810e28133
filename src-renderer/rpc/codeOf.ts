/** The core's code of a refusal (`NOT_FOUND`, …); undefined if the core did not answer, so that the connection failed. */
export function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth += 1) {
    const { code } = (('data' in at ? at.data : undefined) as { code?: unknown } | undefined) ?? {};
    if (typeof code === 'string') return code;
  }
  return undefined;
}

/** The bridge of the desktop app has its own copy of tRPC's error class, and tRPC wraps errors of other classes. */
const MAX_CAUSES = 3;

/** A tRPC error without a code of the core: the connection broke. Any other error is a refusal or a bug. */
export function isOfTheLine(error: unknown): boolean {
  return error instanceof Error && error.name === 'TRPCClientError' && codeOf(error) === undefined;
}
