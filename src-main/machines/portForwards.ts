import { createServer } from 'node:net';
import type { MachineLink } from './MachineLink.ts';
import { plainText } from './ssh/AskPass.ts';
import { runSsh } from './ssh/SshConnection.ts';
import { forwardArguments } from './ssh/sshArguments.ts';

type Env = NodeJS.ProcessEnv;
type Refusal = { ok: false; reason: string };

/** Makes a port of the machine's loopback reachable at the same port here, or at a free one. Asked twice, it answers the same. */
export async function forwardPort(
  link: MachineLink,
  port: number,
  env: Env,
): Promise<{ ok: true; localPort: number } | Refusal> {
  const known = link.view.forwards.find((one) => one.port === port);
  if (known) return { ok: true, localPort: known.localPort };
  const localPort = (await freePort(port)) ?? (await freePort(0));
  if (localPort === null) return { ok: false, reason: 'No port is free here.' };
  const { exitCode, stderr } = await runSsh(forwardArguments(link.view.name, link.controlPath, { port, localPort }), {
    env,
  });
  if (exitCode !== 0) return { ok: false, reason: `ssh could not forward port ${port}: ${plainText(stderr)}` };
  link.setForwards([...link.view.forwards, { port, localPort }]);
  return { ok: true, localPort };
}

export async function unforwardPort(link: MachineLink, port: number, env: Env): Promise<{ ok: true } | Refusal> {
  const known = link.view.forwards.find((one) => one.port === port);
  if (!known) return { ok: true };
  const args = forwardArguments(link.view.name, link.controlPath, { ...known, isCancelled: true });
  const { exitCode, stderr } = await runSsh(args, { env });
  if (exitCode !== 0) return { ok: false, reason: `ssh could not end the forwarding: ${plainText(stderr)}` };
  link.setForwards(link.view.forwards.filter((one) => one.port !== port));
  return { ok: true };
}

/** Null when that port is taken. */
function freePort(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
