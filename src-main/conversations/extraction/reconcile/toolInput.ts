import { asFields, asString, type Fields } from './jsonFields.ts';

/** Arguments that say by themselves what a tool is about, most telling first. */
const SUBJECTS = ['command', 'cmd', 'file_path', 'absolute_path', 'path', 'pattern', 'query', 'url', 'prompt', 'input'];
/** Arguments about the call and not of it. */
const REMARKS = new Set(['description', 'timeout', 'justification', 'sandbox_permissions', 'workdir', 'yield_time_ms']);

/** A tool's arguments as text: the subject alone where there is no more to tell, else `name: value` lines. */
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
