// `npm start`: sets up missing parts, then opens Hansard. Arguments after `--` go to `hansard open`.
import { spawn } from 'node:child_process';
import { build, env, install, node, root } from './setup.mjs';

install();
build();
const child = spawn(node, [`${root}out/main/cli.js`, 'open', ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? root,
  env,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
