import { HOST_SOCKET } from '../ptyHost/protocol/messages.ts';
import { isListenedAt, socketPath } from '../store/instance/privateSocket.ts';

export function hostSocketPath(dataFolder: string): string {
  return socketPath(dataFolder, HOST_SOCKET);
}

/** Whether a PTY host runs on this data folder. It may have been left by a core that was killed. */
export function isHostRunning(dataFolder: string): Promise<boolean> {
  return isListenedAt(hostSocketPath(dataFolder));
}
