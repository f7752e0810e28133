import { createServer } from 'node:net';
import { KeyedQueue } from '../util/KeyedQueue.ts';
import type { MachineLink } from './MachineLink.ts';
import { plainText } from './ssh/AskPass.ts';
import { runSsh } from './ssh/SshConnection.ts';
import { forwardArguments } from './ssh/sshArguments.ts';

type Refusal = { ok: false; reason: string };

/** Forwards ports of machines to this one, through the connected ssh. */
export class PortForwards {
  readonly #env: NodeJS.ProcessEnv;
  /** One call at a time per port: two concurrent calls would both find it free. */
  readonly #queue = new KeyedQueue();

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** Forwards a port of the machine's loopback to the same port here, or to a free one. A repeated call returns the same result. */
  add(link: MachineLink, port: number): Promise<{ ok: true; localPort: number } | Refusal> {
    return this.#queue.run(String(port), async () => {
      const known = link.view.forwards.find((one) => one.port === port);
      if (known) return { ok: true, localPort: known.localPort };
      const localPort = (await freePort(port)) ?? (await freePort(0));
      if (localPort === null) return { ok: false, reason: 'No port is free here.' };
      const args = forwardArguments(link.view.name, link.controlPath, { port, localPort });
      const { exitCode, stderr } = await runSsh(args, { env: this.#env });
      if (exitCode !== 0) return { ok: false, reason: `ssh could not forward port ${port}: ${plainText(stderr)}` };
      link.setForwards([...link.view.forwards, { port, localPort }]);
      return { ok: true, localPort };
    });
  }

  remove(link: MachineLink, port: number): Promise<{ ok: true } | Refusal> {
    return this.#queue.run(String(port), async () => {
      const known = link.view.forwards.find((one) => one.port === port);
      if (!known) return { ok: true };
      const args = forwardArguments(link.view.name, link.controlPath, { ...known, isCancelled: true });
      const { exitCode, stderr } = await runSsh(args, { env: this.#env });
      if (exitCode !== 0) return { ok: false, reason: `ssh could not end the forwarding: ${plainText(stderr)}` };
      link.setForwards(link.view.forwards.filter((one) => one.port !== port));
      return { ok: true };
    });
  }
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
