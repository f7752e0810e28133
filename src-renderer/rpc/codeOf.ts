/** The core's own code for a refusal (`NOT_FOUND`, …); undefined when it did not answer: then the error is the line's. */
export function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth += 1) {
    const { code } = (('data' in at ? at.data : undefined) as { code?: unknown } | undefined) ?? {};
    if (typeof code === 'string') return code;
  }
  return undefined;
}

/** The bridge to the desktop app has a copy of tRPC's error class of its own, and tRPC wraps what is not of its class. */
const MAX_CAUSES = 3;
