// `hansard mcp` with a fixed catalog, so that tests do not depend on the product's current tools.
import { homedir } from 'node:os';
import { readBridgeArguments } from '../../../src-main/cli/mcp/bridge.ts';
import { runBridge } from '../../../src-main/mcp/bridge/runBridge.ts';
import { endpointPlace, readEndpoints } from '../../../src-main/store/instance/mcpEndpoint.ts';
import { systemClock } from '../../../src-main/util/Clock.ts';

const options = readBridgeArguments(process.argv.slice(3), {});
if (!options) throw new Error('not the options of a bridge');
const place = endpointPlace({}, process.platform, homedir());
process.on('SIGINT', () => undefined);
await runBridge({
  stdin: process.stdin,
  stdout: process.stdout,
  complain: (sentence) => process.stderr.write(`${sentence}\n`),
  clock: systemClock,
  locate: () => readEndpoints(options.home, place),
  uid: place.uid,
  self: { pid: process.pid, ppid: process.ppid, cwd: process.cwd() },
  profile: options.profile,
  hasChannel: options.hasChannel,
  version: 'catalog',
  loadCatalog: async () => ({
    tools: [{ name: 'echo', description: `catalog ${options.profile}`, inputSchema: { type: 'object' } }],
    prompts: [],
    resourceTemplates: [],
    instructions: 'from the catalog',
    serverInfo: { name: 'small', version: 'catalog' },
  }),
  ownPrefix: 'own-',
});
process.exit();
