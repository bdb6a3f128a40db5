import fc from 'fast-check';
import { isSlowRun } from '../slow-run.ts';

// A failure of `npm test` is that of the change, so its random inputs are the same each time. The slow run looks for others.
if (!isSlowRun) fc.configureGlobal({ seed: 7 });
