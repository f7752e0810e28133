/** Node's names for what is under way with a file. */
const OF_FILES = /^(?:FSReq|CloseReq)/;

/** Resolves when no operation on a file is under way in this process, nor one that follows from it. */
export async function filesAtRest(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (process.getActiveResourcesInfo().some((kind) => OF_FILES.test(kind)));
}
