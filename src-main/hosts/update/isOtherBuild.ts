import { readProgram } from './readProgram.ts';

/** Whether a core of this build runs another program than the installation of this process; false if unknown. */
export function isOtherBuild(build: string, { isBuilt, root }: { isBuilt: boolean; root: string }): boolean {
  const installed = build !== '' && isBuilt ? readProgram(root) : null;
  return installed !== null && installed.id !== build;
}
