import type { Block } from '../../contract/block.ts';
import { escapeLine, escapeText } from '../../util/escapeControls.ts';

/**
 * One block as Markdown: the command and its output in fences longer than any run of backticks in them. Invisible characters become
 * escapes, as in exported conversations; a block's plain text stays unchanged.
 */
export function blockMarkdown(block: Block, output: string, isTruncated: boolean): string {
  const cmd = block.cmd ?? '(command text not known)';
  const exit = block.exitCode === null ? null : `exit ${block.exitCode}`;
  const facts = [block.cwd, block.gitBranch, exit].flatMap((fact) => fact || []);
  const rest = isTruncated ? '\n\n_The output goes on; this is its beginning._' : '';
  const body = output === '' ? '' : `\n\n${fenced(output.replace(/\n+$/, ''), 'text')}${rest}`;
  const known = facts.length > 0 ? `\n\n${facts.map(escapeInline).join(' · ')}` : '';
  const shown = block.images === undefined ? '' : `\n\n_${imageNote(block.images)}_`;
  return `${fenced(cmd, 'sh')}${known}${body}${shown}\n`;
}

function imageNote(images: number): string {
  return images === 1
    ? 'The output shows an image, which is not in this text.'
    : `The output shows ${images} images, which are not in this text.`;
}

function fenced(raw: string, language: string): string {
  const text = escapeText(raw);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function escapeInline(text: string): string {
  return escapeLine(text).replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');
}
