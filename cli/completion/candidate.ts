import { printable } from '../output/text.ts';

/** A word that may come next, and what a person should know of it. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/**
 * The candidates that can be offered in a shell: one line each. A key or an e-mail may hold anything, and what a
 * terminal or a shell would act on never leaves here; a word that begins with a dash would be taken for an option.
 */
export function offerable(found: readonly Candidate[]): Candidate[] {
  return found
    .filter(({ value }) => value !== '' && !value.startsWith('-') && printable(value) === value)
    .map(({ value, description = '' }) => ({ value, description: printable(description) }));
}
