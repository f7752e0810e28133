import { Option } from 'commander';
import { PROFILES } from '../../contract/mcp/mcpWire.ts';

export function profileOption(): Option {
  return new Option('--profile <name>', 'which tools are listed; policy.json alone decides what is allowed')
    .choices(PROFILES)
    .default('standard');
}

/** Option of the bridge, and of the setup that writes the bridge's configuration. */
export function channelOption(): Option {
  return new Option(
    '--channel',
    'announce what a pty_notify watch found in the session of a client that supports channels',
  );
}
