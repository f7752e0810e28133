import { bridgeHere, readBridgeArguments } from './bridge.ts';

// The bundle that the command line's door loads for `hansard mcp`. What is not plainly the bridge is left to the command line.

const LAST_BYTES_MS = 1_000;

const options = readBridgeArguments(process.argv.slice(3), process.env);
if (options) {
  await bridgeHere(options);
  await new Promise<void>((resolve) => {
    // the last answers; a client that does not read them is not waited for
    setTimeout(resolve, LAST_BYTES_MS).unref();
    process.stdout.write('', () => resolve());
  });
  process.exit();
} else await import('../main.ts');
