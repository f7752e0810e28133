import { statSync } from 'node:fs';
import { type PolicyRules, rulesOf } from '../../contract/mcp/policyRules.ts';
import { readPolicyFile } from './policyFile.ts';

/**
 * The rules of the policy file at `path`, and since when they have stood in it: any write to it, or another file put in its place, is a change.
 * Null where there is no file, where it is not in force, or where it changes this very moment.
 */
export function readPolicyRules(path: string): PolicyRules | null {
  const before = changedMs(path);
  const { policy, source } = readPolicyFile(path);
  if (source !== 'file' || before === null || changedMs(path) !== before) return null;
  return rulesOf(policy, before);
}

/** By the system's own time of the last change, which a program cannot set; and the one it can, where that is later. */
function changedMs(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? Math.max(stat.ctimeMs, stat.mtimeMs) : null;
}
