import type { HostControl } from '../../src-main/api/trpc.ts';
import type { PtyChatClient } from '../../src-main/core/PtyChatClient.ts';

/** A core with only its description, for tests of the guards in front of it. */
export function stubCore(url = 'http://127.0.0.1:1/#code'): PtyChatClient {
  const core = {
    info: {
      version: '0.0.0',
      home: '/home/tester',
      platform: 'linux',
      shells: [],
      defaultShell: '',
      dataFolder: '/nowhere',
      hostName: 'here',
    },
    newUrl: () => url,
    screenReader: { waits: 0 },
    async *followTerminals() {
      yield { type: 'all', terminals: [] };
    },
  };
  return core as unknown as PtyChatClient;
}

/** Controls of a process that reports its address and never ends. */
export const stubControl: HostControl = {
  status: () => ({
    startedMs: 1,
    front: 'web',
    isBackground: true,
    keepsShells: false,
    origin: 'http://127.0.0.1:1/',
    publicOrigin: null,
    connections: 0,
  }),
  end: () => undefined,
};
