import { asFields, asString, type Fields } from './jsonFields.ts';

/** Arguments that show alone what a tool is about, the most specific first. */
const SUBJECTS = ['command', 'cmd', 'file_path', 'absolute_path', 'path', 'pattern', 'query', 'url', 'prompt', 'input'];
/** Arguments that describe the call and are not its content. */
const REMARKS = new Set(['description', 'timeout', 'justification', 'sandbox_permissions', 'workdir', 'yield_time_ms']);

/** A tool's arguments as text: only the subject if there is nothing else, or `name: value` lines. */
export function toolInput(args: unknown): { input: string; subject: string } {
  if (typeof args === 'string') return { input: args, subject: args };
  const fields = asFields(args);
  if (!fields) return { input: '', subject: '' };
  const key = SUBJECTS.find((name) => shown(fields[name]) !== '') ?? '';
  const subject = shown(fields[key]);
  const others = Object.keys(fields).filter((name) => name !== key && !REMARKS.has(name));
  if (subject !== '' && others.length === 0) return { input: subject, subject };
  return { input: (key === '' ? others : [key, ...others]).map((name) => fieldLine(fields, name)).join('\n'), subject };
}

function fieldLine(fields: Fields, name: string): string {
  const text = shown(fields[name]) || JSON.stringify(fields[name]);
  return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return value.join(' ');
  return asString(value) ?? '';
}
