import type { Conversation } from './chat.ts';

/** The agent with its version, for people: `Gemini CLI 0.34.0: not checked` if no test compares its screens with the real messages. */
export function versionWords({ agent, label, state, version, isVersionChecked }: Conversation): string {
  // During its start, its version may still become known.
  if (!version) return agent === '' || state === 'starting' ? label : `${label}, version unknown: not checked`;
  return isVersionChecked ? `${label} ${version}` : `${label} ${version}: not checked`;
}

const DOUBTS = {
  unread: 'nothing could be read: the agent worked, and no message was found on its screen',
  unasked: 'may be incomplete: the agent answered where no prompt was seen',
} as const;

/** Why messages of the conversation may be missing, for people; null without a sign of that. */
export function readingWords({ doubt }: Pick<Conversation, 'doubt'>): string | null {
  return doubt === undefined ? null : DOUBTS[doubt];
}
