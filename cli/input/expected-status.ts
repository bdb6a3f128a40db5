import type { Option } from 'commander';
import type { Format } from '../output/emit.ts';
import { oneWord } from './words.ts';

/** The options of a command that changes a status. */
export interface ExpectedStatus extends Format {
  readonly expected?: string;
}

/** Returns the option that makes a change depend on the status before. */
export function expectedStatus(statuses: readonly string[]): Option {
  return oneWord('--expected <status>', 'only if it still has this status', statuses);
}

/** Returns the field of the input for that option. */
export function withExpected(status: string | undefined): { expected?: { status: string } } {
  return status === undefined ? {} : { expected: { status } };
}
