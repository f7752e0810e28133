import { programName } from './programs.ts';

/** Lines selected by number, or one substitution with "/": sed's other commands can run programs (e) and write files (w). */
const PLAIN_SCRIPT = /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?[pdq=]|(?:\d+(?:,\d+)?)?s\/[^/\\\n]*\/[^/\\\n]*\/[gpI\d]*)$/;
const PLAIN_OPTION = /^(?:-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate|--unbuffered|--null-data)$/;

/** True for any command except sed with a script that does more than read and print. */
export function isPlainSed([program = '', ...words]: readonly string[]): boolean {
  if (!/^g?sed$|^ssed$/.test(programName(program))) return true;
  const [script = '', ...files] = words.filter((word) => !PLAIN_OPTION.test(word));
  return PLAIN_SCRIPT.test(script) && files.every((file) => !file.startsWith('-'));
}
