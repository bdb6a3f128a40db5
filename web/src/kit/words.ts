import { counted } from '../parts/numbers.ts';

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Says how many rows of a noun there are. */
export const countOf = (count: number, { one, many }: { readonly one: string; readonly many: string }) =>
  counted(count, one, many);
