import type { MachineName } from '../../contract/machines.ts';

/** ssh gives up after 15 s of silence: two questions to sshd, and as much time again for the answer to the second. */
const ALIVE_SECONDS = 5;
const ALIVE_TRIES = 2;
/** Timeout of the TCP connection; otherwise ssh would wait over two minutes for a machine that is off. */
const CONNECT_SECONDS = 20;

/**
 * Runs the person's own ssh with their config, keys, agent and jump hosts. The first connection is the master of a control socket, so that ports,
 * files and set-up need no second login. No X11, no terminal, no agent forwarding beyond the config, and none of the config's port forwardings: a
 * port already in use would be reported at each connection.
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
 * Runs a command over the open connection; without one it fails at once and asks nothing. Reads no config: ssh would refuse the command if one had
 * RemoteCommand, and its forwardings would be requested from the master.
 */
export function besideArguments(name: MachineName, controlPath: string, command: string): string[] {
  return [
    ...['-F', 'none', '-T', '-S', controlPath, '-o', 'ControlMaster=no', '-o', 'BatchMode=yes'],
    ...['-o', 'ProxyCommand=false', '--', name, command],
  ];
}

/**
 * Asks the master to forward a port of 127.0.0.1 to one of the machine's loopback, or with `cancel` to stop this forwarding only; ignores those of a
 * config.
 */
export function forwardArguments(
  name: MachineName,
  controlPath: string,
  { port, localPort, isCancelled = false }: { port: number; localPort: number; isCancelled?: boolean },
): string[] {
  const wish = isCancelled ? 'cancel' : 'forward';
  return ['-F', 'none', '-S', controlPath, '-O', wish, '-L', `127.0.0.1:${localPort}:127.0.0.1:${port}`, '--', name];
}
