import { readLoosely } from './conservativeTokens.ts';
import { parseCommand } from './parseCommand.ts';
import { isBuiltin } from './programs/programs.ts';

/** Builtins after which every word means what it meant before: they move about, wait, end or tell. */
const HARMLESS = new Set(
  ': bg cd chdir dirs disown exit fg history jobs kill logout popd printf pushd pwd return suspend test times umask ulimit wait whence where'.split(
    ' ',
  ),
);
/** `-v` names a variable to be set, or a subscript to be computed. */
const VARIABLE = '-v';
const ASSIGNMENT = /(?:^|[\s;&|(){}`])[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
const ONLY_ASSIGNMENTS = /^(?:[A-Za-z_]\w*\+?=\S*\s*)+$/;
const FUNCTION = /\(\s*\)|(?:^|[\s;&|{])function\s/;

/**
 * Whether a command may give words another meaning in the shell that reads it (an alias, a function, a variable such as PATH, a file that is
 * read in), so that what a rule allows by its words would not be what runs. Too often rather than too rarely: what is not understood is read
 * loosely, as deny rules do it. In a subshell nothing of this matters; that is for the caller to know.
 */
export function changesShell(cmd: string): boolean {
  const parsed = parseCommand(cmd);
  if ('commands' in parsed) return parsed.commands.some(({ words }) => changes(words.map(({ text }) => text)));
  const { cuts, wild } = readLoosely(cmd);
  if (wild.some(({ isFirst }) => isFirst) || FUNCTION.test(cmd) || assignsForGood(cmd)) return true;
  return cuts.some((words) => words.some((word) => changes([word])) || words.includes(VARIABLE));
}

function changes([first = '', ...rest]: readonly string[]): boolean {
  return isBuiltin(first) && (!HARMLESS.has(first) || rest.some((word) => word.startsWith(VARIABLE)));
}

/** `A=b` alone, and not `A=b program`, which is for that program only. */
function assignsForGood(cmd: string): boolean {
  if (!ASSIGNMENT.test(cmd)) return false;
  if (/["'\\$`]/.test(cmd)) return true; // where it ends is not sure
  return cmd.split(/[;&|\n(){}]+/).some((part) => ONLY_ASSIGNMENTS.test(part.trim()));
}
