import { bridgeHere, readBridgeArguments } from './bridge.ts';

// The bundle that the command line's entry loads for `hansard mcp`. Other arguments are left to the command line.

const LAST_BYTES_MS = 1_000;

const options = readBridgeArguments(process.argv.slice(3), process.env);
if (options) {
  await bridgeHere(options);
  await new Promise<void>((resolve) => {
    // the last answers; does not wait for a client that does not read them
    setTimeout(resolve, LAST_BYTES_MS).unref();
    process.stdout.write('', () => resolve());
  });
  process.exit();
} else await import('../main.ts');
