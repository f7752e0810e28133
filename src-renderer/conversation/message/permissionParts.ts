/** The parts of an agent's question. Text without the expected form stays in `about`. */
export interface PermissionParts {
  title: string;
  /** The subject of the question: a command, a file, a diff. */
  about: string[];
  question: string;
  options: { key: string; label: string }[];
}

const OPTION = /^\s*(?:[❯›●>]\s*)?(\d{1,2})[.)]\s+(\S.*)$/;
const MORE_OF_OPTION = /^\s{3,}\S/;

/** Splits off numbered options at the end and the question right before them; the lines between the first one and the question are `about`. */
export function permissionParts(text: string): PermissionParts {
  const lines = text.split('\n');
  const firstOption = lines.findIndex((line) => OPTION.test(line));
  const head = firstOption < 0 ? lines : lines.slice(0, firstOption);
  const [title = '', ...rest] = head;
  const isAsked = firstOption >= 0 && (rest.at(-1) ?? '').trimEnd().endsWith('?');
  const question = isAsked ? (rest.pop() ?? '') : '';
  return { title, about: rest, question, options: firstOption < 0 ? [] : optionsOf(lines.slice(firstOption)) };
}

function optionsOf(lines: readonly string[]): PermissionParts['options'] {
  const options: PermissionParts['options'] = [];
  for (const line of lines) {
    const found = OPTION.exec(line);
    const last = options.at(-1);
    if (found) options.push({ key: found[1] ?? '', label: found[2] ?? '' });
    else if (last && MORE_OF_OPTION.test(line)) last.label += ` ${line.trim()}`;
  }
  return options;
}
