import type { Block } from '../contract/block.ts';

/** One block as Markdown: the command and its output in fences longer than any run of backticks in them. */
export function blockMarkdown(block: Block, output: string, isTruncated: boolean): string {
  const cmd = block.cmd ?? '(command text not known)';
  const facts = [block.cwd, block.gitBranch, block.exitCode === null ? null : `exit ${block.exitCode}`].filter(
    (fact) => fact,
  );
  const rest = isTruncated ? '\n\n_The output goes on; this is its beginning._' : '';
  const body = output === '' ? '' : `\n\n${fenced(output.replace(/\n+$/, ''), 'text')}${rest}`;
  return `${fenced(cmd, 'sh')}${facts.length > 0 ? `\n\n${facts.map((fact) => escapeInline(fact as string)).join(' · ')}` : ''}${body}\n`;
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function escapeInline(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');
}
