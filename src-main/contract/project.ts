/** The folder by which terminals are grouped: a git work tree's root, or else the terminal's own folder. */
export interface Project {
  root: string;
  isRepository: boolean;
  /** The branch, or the first digits of the commit if HEAD is detached; null if unknown. */
  branch: string | null;
  /** Number of commits that the upstream lacks; null without an upstream, or if unknown. */
  ahead: number | null;
  /** Number of commits that only the upstream has. */
  behind: number | null;
  /** Number of files that differ from HEAD, including untracked ones; null if unknown. */
  dirty: number | null;
  /** Reason why the counts are unknown. */
  unknown: 'unsafe' | 'slow' | 'failed' | null;
}

/** Marks of a project beside its name. */
export const PROJECT_COLORS = ['green', 'blue', 'amber', 'red'] as const;
export type ProjectColor = (typeof PROJECT_COLORS)[number];

/** The person's choices for a project. */
export interface ProjectLook {
  /** Replaces the folder's name. */
  name: string | null;
  color: ProjectColor | null;
  isCollapsed: boolean;
}

/** Item of `project.onChange`: always everything. */
export interface ProjectsView {
  projects: Project[];
  /** Root by terminal. */
  rootOf: Record<string, string>;
  /** TCP ports on which processes of a terminal listen, ascending; absent for a terminal without one. */
  portsOf: Record<string, number[]>;
}
