const WRAPPED =
  /^<untrusted_context>\nOutput: ([\s\S]*?)(?:\nExit Code: .*)?(?:\nProcess Group PGID: .*)?\n<\/untrusted_context>$/;

/** Extracts a command's output from the text for the model. */
export function commandOutput(told: string): string {
  return WRAPPED.exec(told)?.[1] ?? told;
}
