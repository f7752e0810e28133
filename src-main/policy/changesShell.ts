import { readLoosely } from './conservativeTokens.ts';
import { parseCommand } from './parseCommand.ts';
import { isBuiltin } from './programs/programs.ts';

/** Builtins after which all words keep their meaning: they change folders, wait, exit or print. */
const HARMLESS = new Set(
  ': bg cd chdir dirs disown exit fg history jobs kill logout popd printf pushd pwd return suspend test times umask ulimit wait whence where'.split(
    ' ',
  ),
);
/** `-v` takes the name of a variable to set, or a subscript to compute. */
const VARIABLE = '-v';
const ASSIGNMENT = /(?:^|[\s;&|(){}`])[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
const ONLY_ASSIGNMENTS = /^(?:[A-Za-z_]\w*\+?=\S*\s*)+$/;
const FUNCTION = /\(\s*\)|(?:^|[\s;&|{])function\s/;

/**
 * Whether a command may change the meaning of words in the shell that runs it (by an alias, a function, a variable such as PATH, or a sourced file),
 * so that a rule on words would no longer match what runs. Errs towards true: text that is not understood is read loosely, as for deny rules. Does
 * not apply to a subshell, which the caller has to know.
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

/** `A=b` alone; `A=b program` applies only to that program. */
function assignsForGood(cmd: string): boolean {
  if (!ASSIGNMENT.test(cmd)) return false;
  if (/["'\\$`]/.test(cmd)) return true; // the end of the assignment is uncertain
  return cmd.split(/[;&|\n(){}]+/).some((part) => ONLY_ASSIGNMENTS.test(part.trim()));
}
