import { findWorkTree } from '../store/record/gitBranch.ts';

/** The git folder of a linked work tree: `<repository>/.git/worktrees/<name>`. */
const LINKED = /^(.+)\/\.git\/worktrees\/[^/]+$/;

/** The folder of the repository to which `cwd` belongs, also from a linked work tree; null outside of git. Never rejects. */
export async function projectOf(cwd: string | null): Promise<string | null> {
  const tree = cwd === null ? null : await findWorkTree(cwd);
  if (!tree) return null;
  return LINKED.exec(tree.gitFolder)?.[1] ?? tree.root;
}
