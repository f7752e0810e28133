import { join } from 'node:path';
import { readChangeLines } from './ChangesFile.ts';
import { runGit } from './git.ts';
import { plainEnv, repositoryArgs } from './Shadow.ts';
import { REFS } from './takeSnapshot.ts';

const LIMIT_MS = 20_000;

/**
 * Removes the refs of the conversations of a terminal whose folder is about to be deleted, from every repository that its changes.jsonl names. A
 * repository that is gone, or that cannot be written, does not stop the deletion.
 */
export async function forgetSnapshots(terminalFolder: string): Promise<void> {
  const lines = await readChangeLines(join(terminalFolder, 'changes.jsonl')).catch(() => []); // no refs are known if the file cannot be read
  const found = new Map<string, Set<string>>();
  for (const { repository, conversationId, taken } of lines) {
    if (!repository || !taken) continue;
    found.set(repository.common, (found.get(repository.common) ?? new Set()).add(conversationId));
  }
  for (const [common, conversations] of found) await removeRefs(common, [...conversations]).catch(() => undefined); // the repository may be gone
}

/** Removes every ref below `refs/hansard/<conversation>`. */
export async function removeRefs(common: string, conversations: readonly string[]): Promise<void> {
  const call = { env: plainEnv(process.env), cwd: common, limitMs: LIMIT_MS };
  const args = repositoryArgs(common);
  const folders = conversations.map((id) => `${REFS}/${id}/`);
  const listed = await runGit({ ...call, args: [...args, 'for-each-ref', '--format=%(refname)', ...folders] });
  const refs = listed.toString().split('\n').filter(Boolean);
  if (refs.length === 0) return;
  const input = Buffer.from(refs.map((ref) => `delete ${ref}\n`).join(''));
  await runGit({ ...call, args: [...args, 'update-ref', '--stdin'], input });
}
