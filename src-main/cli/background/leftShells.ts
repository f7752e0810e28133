import { findHost, hostName } from '../../hosts/runningHost.ts';

/** After a crash, shells run on in the PTY host; this names the process, behind a sentence that says that Hansard does not run. Else ''. */
export async function leftShells(dataFolder: string): Promise<string> {
  const host = await findHost(dataFolder);
  if (!host) return '';
  return ` Its shells run on in ${hostName(host)}: \`hansard serve start\` takes them over, and \`hansard serve stop\` ends them then.`;
}
