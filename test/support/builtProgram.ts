import { join } from 'node:path';
import { findAppFiles } from '../../src-main/hosts/appFiles.ts';
import { ROOT } from './sourceFiles.ts';

/** The command line as users get it. `resources/dev/buildOnce.mjs` builds it before the suites that need it. */
export const CLI = join(ROOT, 'out/main/quick.js');
/** Built workers start five times as fast as workers from sources, whose types Node has to strip in each thread. */
export const BUILT_FILES = findAppFiles(CLI);
