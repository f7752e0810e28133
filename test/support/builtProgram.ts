import { join } from 'node:path';
import { findAppFiles } from '../../src-main/hosts/appFiles.ts';
import { ROOT } from './sourceFiles.ts';

/** The command line as users get it. `resources/dev/buildOnce.mjs` builds it before the suites that start it. */
export const CLI = join(ROOT, 'out/main/quick.js');
/** Workers among them start five times as fast as from their sources, which Node has to strip of types in each thread. */
export const BUILT_FILES = findAppFiles(CLI);
