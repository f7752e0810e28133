import { statSync } from 'node:fs';
import { type PolicyRules, rulesOf } from '../../contract/mcp/policyRules.ts';
import { readPolicyFile } from './policyFile.ts';

/**
 * The rules of the policy file at `path`, and the time of its last change: a write, or another file in its place.
 * Null if there is no file, if it is not in force, or if it changes during the read.
 */
export function readPolicyRules(path: string): PolicyRules | null {
  const before = changedMs(path);
  const { policy, source } = readPolicyFile(path);
  if (source !== 'file' || before === null || changedMs(path) !== before) return null;
  return rulesOf(policy, before);
}

/** The system's time of the last change, which a program cannot set, or the modification time, which it can, if that is later. */
function changedMs(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? Math.max(stat.ctimeMs, stat.mtimeMs) : null;
}
