import type { IExtractor } from '../../../contract/chat/extractor.ts';
import { simpleCommands } from './simpleCommands.ts';

/** Which agent runs in a terminal, by what was it told. */
export interface AgentFound {
  /** Name of the extractor. */
  readonly name: string;
  readonly by: 'process' | 'command';
  /** The words that told. */
  readonly argv: readonly string[];
}

type Known = Pick<IExtractor, 'name' | 'isProgram'>;

/**
 * The agent that has a terminal. `argvs` are those of the processes between the shell and the foreground group, the nearest
 * to the shell first: an agent that another one has called is that one's tool, not the terminal's. `command` is the line of
 * the block, asked only when no process tells: it may have ended, or never have started.
 */
export function findAgent(
  argvs: readonly (readonly string[])[],
  command: string | null,
  extractors: readonly Known[],
): AgentFound | null {
  return among(argvs, 'process', extractors) ?? among(simpleCommands(command ?? ''), 'command', extractors);
}

function among(
  argvs: readonly (readonly string[])[],
  by: AgentFound['by'],
  extractors: readonly Known[],
): AgentFound | null {
  for (const argv of argvs) {
    const found = argv.length > 0 && extractors.find((extractor) => extractor.isProgram?.(argv) === true);
    if (found) return { name: found.name, by, argv };
  }
  return null;
}
