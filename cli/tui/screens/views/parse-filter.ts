import { matchingWord } from '../../../input/matching-word.ts';
import { parseMoment } from '../../../input/moments.ts';

/** A field of a filter, such as `status:` with its values. */
export interface FilterField {
  /** The parameter that it sets. */
  readonly parameter: string;
  /** Reads a value. Returns undefined for one that cannot be used, and what is wrong with it. */
  readonly read: (value: string) => {
    readonly value: string | undefined;
    readonly problem?: string | undefined;
  };
}

/** A filter, understood as far as possible. */
export interface ParsedFilter {
  readonly search: Readonly<Record<string, string>>;
  /** The words that are searched for. */
  readonly words: readonly string[];
  /** Why no row can match, in a sentence; undefined if rows can. */
  readonly problem: string | undefined;
}

/** Parses a filter such as `severity:high checkout`. A field without a value is still being typed. */
export function parseFilter(text: string, fields: Readonly<Record<string, FilterField>>): ParsedFilter {
  const words: string[] = [];
  const search: Record<string, string> = {};
  let problem: string | undefined;
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, name = '', value = ''] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
    const field = Object.hasOwn(fields, name.toLowerCase()) ? fields[name.toLowerCase()] : undefined;
    if (field === undefined) words.push(word);
    else if (value !== '') {
      const found = field.read(value);
      problem ??= found.problem;
      if (found.value !== undefined) search[field.parameter] = found.value;
    }
  }
  return { search, words, problem };
}

/**
 * Returns a field whose values are words of a set. The value may be the start of a word, in any case and without its
 * spaces; several are separated by commas.
 *
 * @param isChecked - any other word is a mistake
 */
export function wordField(name: string, words: readonly string[], isChecked = true): FilterField {
  return {
    parameter: name,
    read(value) {
      const found = value.split(',').map((each) => matchingWord(name, each, words));
      return {
        value: found.map(({ word }) => word).join(','),
        problem: isChecked ? found.find(({ problem }) => problem !== undefined)?.problem : undefined,
      };
    },
  };
}

const timeField = (parameter: 'since' | 'until'): FilterField => ({
  parameter,
  read(text) {
    const value = parseMoment(text);
    const problem = value === undefined ? `No time “${text}”. Use 30d, yesterday or 2026-01-31.` : undefined;
    return { value, problem };
  },
});

/** The fields whose value is a time. */
export const timeFields: Readonly<Record<string, FilterField>> = {
  older: timeField('until'),
  until: timeField('until'),
  newer: timeField('since'),
  since: timeField('since'),
};

/** Who works on a row. */
export const assigneeField = wordField('assignee', ['me', 'none']);
