const WRAPPED =
  /^<untrusted_context>\nOutput: ([\s\S]*?)(?:\nExit Code: .*)?(?:\nProcess Group PGID: .*)?\n<\/untrusted_context>$/;

/** A command's own output out of what the model is told of it. */
export function commandOutput(told: string): string {
  return WRAPPED.exec(told)?.[1] ?? told;
}
