import type { AgentIntegration } from '../conversations/tracking/AgentIntegration.ts';
import type { McpReadService } from '../mcp/server/McpReadService.ts';
import { childEnv } from '../pty/childEnv.ts';
import type { TerminalDeps } from '../terminal/TerminalDeps.ts';
import type { CoreOptions } from './CoreOptions.ts';

export interface ShellLauncherSpec extends Pick<CoreOptions, 'env' | 'files' | 'randomId'> {
  readonly hookLoader: TerminalDeps['hookLoader'];
  /** Its gate has the words of the policy's rules, which shells look up. */
  readonly outside: Pick<McpReadService, 'gate'>;
  readonly agents: Pick<AgentIntegration, 'admit'>;
}

/** Starts the shell of a terminal with its own nonce, hook and environment. */
export function shellLauncher({ env, files, randomId, ...spec }: ShellLauncherSpec): TerminalDeps['launch'] {
  return (meta) => {
    const nonce = `Zj${randomId(16)}`;
    const own = childEnv(env, files.version);
    const { words, policy } = spec.outside.gate;
    words.write(policy);
    const { plan, nonceFile } = spec.hookLoader.plan(meta.argv[0], nonce, { ...own, HANSARD_WORDS: words.path });
    return { nonce, nonceFile, plan, env: { ...own, ...plan.env, ...spec.agents.admit(meta.id) } };
  };
}
