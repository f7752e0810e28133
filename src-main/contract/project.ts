/** The folder that terminals are grouped by: a git work tree's root, else the terminal's own folder. */
export interface Project {
  root: string;
  isRepository: boolean;
  /** The branch, or the first digits of the commit when HEAD is detached; null when it is not known. */
  branch: string | null;
  /** Commits that the upstream lacks; null without an upstream, or when it is not known. */
  ahead: number | null;
  /** Commits that only the upstream has. */
  behind: number | null;
  /** Files that differ from HEAD, untracked ones included; null when it is not known. */
  dirty: number | null;
  /** Why the counts are not known. */
  unknown: 'unsafe' | 'slow' | 'failed' | null;
}

/** Marks of a project beside its name. */
export const PROJECT_COLORS = ['green', 'blue', 'amber', 'red'] as const;
export type ProjectColor = (typeof PROJECT_COLORS)[number];

/** What the person chose for a project. */
export interface ProjectLook {
  /** In place of the folder's name. */
  name: string | null;
  color: ProjectColor | null;
  isCollapsed: boolean;
}

/** What `project.onChange` yields: always everything. */
export interface ProjectsView {
  projects: Project[];
  /** Root by terminal. */
  rootOf: Record<string, string>;
  /** TCP ports on which processes of a terminal listen, ascending; terminals without one are left out. */
  portsOf: Record<string, number[]>;
}
