import { findHost, hostName } from '../../hosts/runningHost.ts';

/** Continues the sentence "Hansard is not running." with the PTY host whose shells survived a crash; '' if there is no host. */
export async function leftShells(dataFolder: string): Promise<string> {
  const host = await findHost(dataFolder);
  if (!host) return '';
  return ` Its shells run on in ${hostName(host)}: \`hansard serve start\` takes them over, and \`hansard serve stop\` ends them then.`;
}
