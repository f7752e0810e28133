import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { AgentChoice } from '../contract/api.ts';
import type { IExtractor } from '../contract/chat/extractor.ts';

/** File extensions of programs on Windows; elsewhere names have none. */
const WINDOWS_ENDS = ['.exe', '.cmd', '.bat'];

/** The agents whose command is in a folder of `path`, in the order of `extractors`. Runs no program. */
export function agentChoices(
  extractors: readonly Pick<IExtractor, 'name' | 'label' | 'start'>[],
  path: string,
  platform: NodeJS.Platform = process.platform,
): AgentChoice[] {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder)); // '.' would be the core's folder
  const ends = platform === 'win32' ? WINDOWS_ENDS : [''];
  return extractors
    .map(({ name, label, start = name }) => ({ name, label, command: start }))
    .filter(({ command }) => {
      const [program = ''] = command.split(' ');
      return folders.some((folder) => ends.some((end) => isProgram(join(folder, `${program}${end}`))));
    });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // missing or not executable for this person
  }
}
