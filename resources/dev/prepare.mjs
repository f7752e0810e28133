// npm runs this before it packs the package and when it links this folder with `npm i -g .`: both need a build.
// In a plain `npm ci` it does nothing; `npm start` and `npm test` build on their own.
import { build, env, install } from './setup.mjs';

if (env.npm_command === 'pack' || env.npm_command === 'publish' || env.npm_config_global === 'true') {
  install();
  build();
}
