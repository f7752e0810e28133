/** The list of projects and their terminals at the side. */
export const sidebar = {
  ahead: (commits: number) => `↑${commits}`,
  behind: (commits: number) => `↓${commits}`,
  changed: (files: number) => `±${files}`,

  facts: {
    branch: (branch: string) => `Branch ${branch}`,
    ahead: (commits: number) => `${commits} ahead of the upstream`,
    behind: (commits: number) => `${commits} behind the upstream`,
    changed: (files: number) => `${files} changed`,
    unsafe: 'Changes unknown: the repository’s config may start programs, so Hansard does not run git here',
    slow: 'Changes unknown: git did not answer in time',
    failed: 'Changes unknown: git failed here',
  },

  menu: {
    rename: 'Rename',
    collapse: 'Collapse',
    expand: 'Expand',
    moveUp: 'Move up',
    moveDown: 'Move down',
    colors: { green: 'Green', blue: 'Blue', amber: 'Amber', red: 'Red' },
    noColor: 'No colour',
  },
  nameField: 'Project name; leave empty to reset',
  collapsedCount: (count: number) => `${count}`,
  drawer: {
    open: 'Terminals and more',
    close: 'Close the list of terminals',
    more: 'More',
    palette: 'Commands',
  },
  edge: { tip: 'Drag to resize, or use ← →. Double-click to reset.', label: 'Tab list width in pixels' },
} as const;
