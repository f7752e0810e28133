import { readFile, stat } from 'node:fs/promises';
import { MAX_SAVED_COMMANDS, SavedCommandsFile } from '../contract/savedCommand.ts';
import { asDiskError } from '../store/files/Disk.ts';

/** All commands at their longest would be more; a list that people made is far from it. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The person's list, empty when there is no file. `problem`: a sentence that says why the file is not used; it is left as it is. Rejects when
 * the disk refuses.
 */
export async function readOwnFile(path: string): Promise<{ file: SavedCommandsFile; problem: string | null }> {
  const file: SavedCommandsFile = { version: 1, commands: [] };
  let text: string;
  try {
    if ((await stat(path)).size > MAX_BYTES)
      return { file, problem: `commands.json is larger than a list of ${MAX_SAVED_COMMANDS} commands.` };
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return { file, problem: null };
    throw thrown;
  }
  return parse(text, file);
}

function parse(text: string, empty: SavedCommandsFile): { file: SavedCommandsFile; problem: string | null } {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { file: empty, problem: `commands.json is not valid JSON: ${why}.` };
  }
  const parsed = SavedCommandsFile.safeParse(json);
  if (parsed.success) return { file: parsed.data, problem: null };
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  return {
    file: empty,
    problem: `commands.json cannot be used: ${where}${issue?.message ?? 'not a list of commands'}.`,
  };
}
