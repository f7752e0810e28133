import type { IExtractor } from '../../../contract/chat/extractor.ts';
import { simpleCommands } from './simpleCommands.ts';

/** The agent that runs in a terminal, and how it was found. */
export interface AgentFound {
  /** Name of the extractor. */
  readonly name: string;
  readonly by: 'process' | 'command';
  /** The words by which it was found. */
  readonly argv: readonly string[];
}

type Known = Pick<IExtractor, 'name' | 'isProgram'>;

/**
 * Finds the agent that has a terminal. `argvs`: the words of the processes between the shell and the foreground group, the nearest to the
 * shell first, because an agent that another agent called is a tool of the other one. `command`: the block's command line, used only if
 * the processes have no agent, because the command may have ended or may never have started.
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
