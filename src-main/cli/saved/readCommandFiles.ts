import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_COMMANDS_FILE_BYTES } from '../../contract/savedCommand.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';

const IS_LIST = /\.(?:ya?ml|json)$/i;
/** A folder with more files was probably given by mistake. */
const MAX_FILES = 5000;

/**
 * The text of each file, and of all YAML and JSON files in each folder and its subfolders, in the order of their names. Reads one byte more than the
 * limit of a larger file. Skips links in a folder. Throws `CliError`.
 */
export async function readCommandFiles(paths: readonly string[]): Promise<{ name: string; text: string }[]> {
  const names: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => null); // an error is reported below
    if (!found) throw new CliError(`${path} is not there. Name a file or a folder.`, EXIT.noInput);
    names.push(...(found.isDirectory() ? await listsIn(path) : [path]));
  }
  const files: { name: string; text: string }[] = [];
  for (const name of names) files.push({ name, text: await readText(name) });
  return files;
}

async function listsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile() && IS_LIST.test(entry.name));
  if (found.length === 0)
    throw new CliError(`${folder} has no .yaml or .json file. Name another folder.`, EXIT.noInput);
  if (found.length > MAX_FILES)
    throw new CliError(`${folder} has more than ${MAX_FILES} files. Name a smaller folder.`, EXIT.usage);
  return found.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

async function readText(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_COMMANDS_FILE_BYTES + 1));
    return buffer.toString('utf8', 0, bytesRead);
  } catch (thrown) {
    throw new CliError(`${path} cannot be read: ${thrown instanceof Error ? thrown.message : thrown}.`, EXIT.noInput);
  }
}
