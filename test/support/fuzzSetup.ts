import fc from 'fast-check';
import { fuzzRuns } from './fuzzRuns.ts';

// Applies to properties without their own number of runs (fast-check's default is 100).
fc.configureGlobal(fuzzRuns(100));
