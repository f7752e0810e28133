import type { MachineName } from '../../contract/machines.ts';

/** Silence of the line after which ssh gives it up: 3 × 5 s. */
const ALIVE_SECONDS = 5;
const ALIVE_TRIES = 3;
/** For the TCP connection; a machine that is off would else be waited for over two minutes. */
const CONNECT_SECONDS = 20;

/**
 * The person's own ssh with their config, keys, agent and jump hosts. The first connection is the master of a control socket, so that ports, files and
 * set-up need no second login. No X11, no agent forwarding beyond what the config asks for, no terminal, nothing forwarded that the config lists: a
 * port that is taken already would be reported at each connection.
 */
export function connectArguments(name: MachineName, controlPath: string, command: string): string[] {
  return [
    ...['-T', '-x', '-M', '-S', controlPath, '-o', 'ControlPersist=no', '-o', 'ClearAllForwardings=yes'],
    ...['-o', 'EscapeChar=none', '-o', 'RequestTTY=no', '-o', 'RemoteCommand=none', '-o', 'PermitLocalCommand=no'],
    ...['-o', 'Compression=yes', '-o', `ConnectTimeout=${CONNECT_SECONDS}`],
    ...['-o', `ServerAliveInterval=${ALIVE_SECONDS}`, '-o', `ServerAliveCountMax=${ALIVE_TRIES}`],
    ...['--', name, command],
  ];
}

/**
 * A command over the connection that is open. Without it, it fails at once and asks nothing. No config is read: one with RemoteCommand would refuse, and
 * the forwardings of one would be asked of the master.
 */
export function besideArguments(name: MachineName, controlPath: string, command: string): string[] {
  return [
    ...['-F', 'none', '-T', '-S', controlPath, '-o', 'ControlMaster=no', '-o', 'BatchMode=yes'],
    ...['-o', 'ProxyCommand=false', '--', name, command],
  ];
}

/** Asks the master to forward a port of 127.0.0.1 to one of the machine's loopback, or with `cancel` to stop that: that one alone, none of a config. */
export function forwardArguments(
  name: MachineName,
  controlPath: string,
  { port, localPort, isCancelled = false }: { port: number; localPort: number; isCancelled?: boolean },
): string[] {
  const wish = isCancelled ? 'cancel' : 'forward';
  return ['-F', 'none', '-S', controlPath, '-O', wish, '-L', `127.0.0.1:${localPort}:127.0.0.1:${port}`, '--', name];
}
