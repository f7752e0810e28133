import type { Project } from '../../src-main/contract/project.ts';
import { strings } from '../app/strings.ts';

/** `main ↑2 ±5`, without unknown and zero counts. */
export function projectFacts({ branch, ahead, behind, dirty }: Project): string {
  const { sidebar } = strings;
  return [branch, ahead && sidebar.ahead(ahead), behind && sidebar.behind(behind), dirty && sidebar.changed(dirty)]
    .filter(Boolean)
    .join(' ');
}

/** The same in words, and why a count is unknown. */
export function projectWords({ branch, ahead, behind, dirty, unknown }: Project): string[] {
  const { facts } = strings.sidebar;
  return [
    branch && facts.branch(branch),
    ahead && facts.ahead(ahead),
    behind && facts.behind(behind),
    dirty && facts.changed(dirty),
    unknown && facts[unknown],
  ].filter((part) => typeof part === 'string' && part !== '') as string[];
}

/** The last folder of a path; the path itself if it has none. */
export function folderName(root: string, home: string): string {
  if (root === home) return '~';
  return (
    root
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) || root
  );
}
