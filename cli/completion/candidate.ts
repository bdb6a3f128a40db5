import { printable } from '../output/text.ts';

/** A word that may come next, with its description. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/**
 * Returns the candidates that are safe to offer in a shell, each on one line. Keys and e-mails may contain anything: this
 * drops those with characters that a terminal or shell would act on, and those with a leading dash, which would be parsed
 * as options.
 */
export function offerable(found: readonly Candidate[]): Candidate[] {
  return found
    .filter(({ value }) => value !== '' && !value.startsWith('-') && printable(value) === value)
    .map(({ value, description = '' }) => ({ value, description: printable(description) }));
}
