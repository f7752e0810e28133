import fc from 'fast-check';
import { fuzzRuns } from './fuzzRuns.ts';

// Also of the laws that name no number of runs (fast-check's own is 100).
fc.configureGlobal(fuzzRuns(100));
