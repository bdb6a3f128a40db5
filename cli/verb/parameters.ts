import type { Field } from '../../src/contract/fields/field.ts';
import {
  oneOf,
  oneText,
  seconds,
  someOf,
  textsWith,
  time as toTime,
  wholeNumber,
} from '../input/arguments.ts';

/** Where completion finds values: rows of the data, known contexts, or files, which the shell completes itself. */
export type Source =
  | 'admins'
  | 'assignees'
  | 'categories'
  | 'comments'
  | 'contexts'
  | 'conversations'
  | 'files'
  | 'invitations'
  | 'issues'
  | 'labels'
  | 'operations'
  | 'saved replies'
  | 'setting keys'
  | 'severities'
  | 'signed-in admins'
  | 'tokens'
  | 'webhooks';

/** A word that may come next on a command line, with its description. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** Something that a verb takes. Its key in `params` is its name: `fromConversation` is `--from-conversation`. */
export interface Parameter<Value = unknown> {
  /** `last` is the last of several words: `set-status 1 2 3 Closed`. */
  readonly place: 'option' | 'word' | 'words' | 'last';
  readonly about: string;
  /** What stands for its value in a usage, by default its name. A flag has no value. */
  readonly term?: string | null;
  /** Its value may be left out: `--json` and `--json id,title`. */
  readonly mayBeBare?: true;
  readonly isRequired?: boolean;
  readonly fallback?: Value;
  readonly choices?: readonly string[];
  /** It takes several choices with commas between them. */
  readonly isSeveral?: true;
  /** `-` stands for the text of standard input. */
  readonly isText?: true;
  readonly source?: Source;
  /** The names within its value: `status` of `status:open`. */
  readonly parts?: readonly string[];
  /** Help and completion leave it out. */
  readonly isHidden?: true;
  /** The names of options that it cannot be combined with. */
  readonly excludes?: readonly string[];
  parse?(text: string, before?: Value): Value;
}

export type Parameters = Readonly<Record<string, Parameter>>;

type ValueOf<P> = P extends Parameter<infer Value> ? Value : never;

/** What the user has given. */
export type Given<P extends Parameters> = { readonly [Name in keyof P]: ValueOf<P[Name]> };

/** Returns what the user has given to these parameters. */
export function givenTo<P extends Parameters>(parameters: P | undefined, given: Given<Parameters>): Given<P> {
  return Object.fromEntries(Object.keys(parameters ?? {}).map((name) => [name, given[name]])) as Given<P>;
}

type Optional<Value> = Parameter<Value | undefined>;

/** What a field holds, as people write it. */
type Written<F extends Field> = F extends { kind: 'labels' }
  ? string[]
  : F extends { isOpen: true }
    ? string
    : F extends { kind: 'word'; words: readonly (infer Word)[] }
      ? Word
      : string;

// Options by the kind of their value.

export const flag = (about: string): Optional<true> => ({ place: 'option', about, term: null });

/** @param source - where completion finds its values */
export const text = (about: string, term = 'text', source?: Source): Optional<string> => ({
  place: 'option',
  about,
  term,
  ...(source && { source }),
});

/** Takes a text, or that of standard input for `-`. */
export const longText = (about: string): Optional<string> => ({
  ...text(`${about}; - for standard input`),
  isText: true,
});

/** Takes a value that is parsed. */
export const parsed = <Value>(
  about: string,
  term: string,
  parse: (text: string) => Value,
): Optional<Value> => ({ place: 'option', about, term, parse });

export const number = (about: string, min: number, max?: number) =>
  parsed(about, 'number', wholeNumber(min, max));

export const time = (about: string) => parsed(about, 'time', toTime);

/** Takes a length of time, and gives its seconds. */
export const span = (about: string) => parsed(about, 'time', seconds);

/** Takes one of the words, in upper or lower case. */
export const word = <const Word extends string>(about: string, choices: readonly Word[]): Optional<Word> => ({
  place: 'option',
  about,
  choices,
  parse: oneOf(choices),
});

/** Takes one of the words, or several: with commas between them, or by repeating the option. */
export const words = (about: string, choices: readonly string[]): Optional<string> => ({
  place: 'option',
  about: `${about}, or several: a,b`,
  choices,
  isSeveral: true,
  parse: addingUp(someOf(choices)),
});

/** Adds a value to those of the same option before it. */
const addingUp =
  (parse: (text: string) => string) =>
  (text: string, before?: string): string =>
    before === undefined ? parse(text) : `${before},${parse(text)}`;

/** Takes labels, with commas between them or by repeating the option. */
const newLabels = (about: string): Optional<string[]> => ({
  place: 'option',
  about: `${about}, or several: a,b`,
  term: 'labels',
  source: 'labels',
  isSeveral: true,
  parse: (given, before = []) => [...before, ...given.split(',').flatMap((each) => each.trim() || [])],
});

// Options by the field of a noun, which says what they take.

/** Takes a value of a field. */
export function option<F extends Field>(field: F, about = `the new ${labelOf(field)}`): Optional<Written<F>> {
  return parameterOf(field, about) as Optional<Written<F>>;
}

function parameterOf(field: Field, about: string): Optional<unknown> {
  const { kind, words: known = [], isOpen, inUse } = field;
  const term = kind === 'text' ? 'text' : labelOf(field);
  if (kind === 'labels') return newLabels(about);
  if (kind === 'admin') return text(`the e-mail or ID of ${about}, me, or none`, term, 'assignees');
  if (kind === 'word' && isOpen) return { ...text(about, term, inUse), parse: oneText(known) };
  if (kind === 'word') return { ...word(about, known), term };
  return text(about, term);
}

const labelOf = ({ label }: Field) => label.toLowerCase();

/** Selects rows by a field. */
export function filterBy(field: Field): Optional<string> {
  const { kind, words: known = [], filter, isOpen, inUse } = field;
  const label = labelOf(field);
  if (kind === 'admin')
    return text('only assigned to this admin: its e-mail or ID, me, or none', label, 'assignees');
  if (kind === 'labels')
    return {
      ...text('only with this label, or one of several: a,b; none for those without', 'label', 'labels'),
      isSeveral: true,
      parse: addingUp((label) => label),
    };
  const about = `only with this ${label}`;
  if (!isOpen && known.length > 0) return words(about, known);
  if (filter === 'one') return text(about, label, inUse);
  const several = text(`${about}, or several: a,b`, label, inUse);
  return { ...several, isSeveral: true, parse: addingUp(textsWith(known)) };
}

// What is no option.

type Present<P> = Parameter<NonNullable<ValueOf<P>>>;

/** Makes an option that must be given. */
export const required = <P extends Parameter>(parameter: P) =>
  ({ ...parameter, isRequired: true }) as Present<P>;

/** Gives an option the value that it has without being given. */
export const or = <P extends Parameter>(parameter: P, fallback: NonNullable<ValueOf<P>>) =>
  ({ ...parameter, fallback }) as Present<P>;

/** Makes an argument of an option. */
export const argument = <P extends Parameter>(parameter: P) =>
  ({ ...parameter, place: 'word', isRequired: true }) as Present<P>;

/** Makes an argument of an option that may be left out. */
export const maybe = <P extends Parameter>(parameter: P) =>
  ({ ...parameter, place: 'word', isRequired: false }) as Parameter<ValueOf<P> | undefined>;

/** Makes the last of several words of an option. */
export const last = <P extends Parameter>(parameter: P) =>
  ({ ...parameter, place: 'last', isRequired: true }) as Present<P>;

/** Takes a text as an argument, which the verb reads by `withText` once it knows what the text is about. */
export const maybeWritten = (about: string): Optional<string> => ({
  place: 'word',
  about: `${about}; omit it to write it in your editor, or use - for standard input`,
  term: 'text',
});
