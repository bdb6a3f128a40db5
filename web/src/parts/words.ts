import type { Field } from '../../../src/contract/fields/field.ts';
import { counted } from './numbers.ts';

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Says how many rows of a noun there are. */
export const countOf = (count: number, { one, many }: { readonly one: string; readonly many: string }) =>
  counted(count, one, many);

/** The words that people call otherwise. */
const names: Readonly<Record<string, string>> = {
  http: 'Web or API',
  cli: 'Command line',
  tui: 'Terminal',
  mcp: 'Agent',
  job: 'Service',
};

/** Returns a word of the API as people read it, such as `Saved reply created` for `saved_reply.created`. */
export const inWords = (word: string): string =>
  names[word] ?? capital(word.replaceAll(/(?<=\w)[._](?=\w)/g, ' '));

/** Returns a word of a field as people read it. A word of somebody's own stays as it is. */
export const wordIn = ({ isOpen }: Field, word: string): string => (isOpen ? word : inWords(word));
