import type { Conversation } from './chat.ts';

/** The agent with its version, as people read it: `Gemini CLI 0.34.0: not checked` where its screens were never compared with the truth. */
export function versionWords({ label, version, isVersionChecked }: Conversation): string {
  if (!version) return label;
  return isVersionChecked ? `${label} ${version}` : `${label} ${version}: not checked`;
}
