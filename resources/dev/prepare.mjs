// npm runs this before it packs the package, and when it links this folder with `npm i -g .`. Both need a build.
// It does nothing in a plain `npm ci`; `npm start` and `npm test` build on their own.
import { build, env, install } from './setup.mjs';

if (env.npm_command === 'pack' || env.npm_command === 'publish' || env.npm_config_global === 'true') {
  install();
  build();
}
