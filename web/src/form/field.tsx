import {
  Autocomplete,
  Checkbox,
  NumberInput,
  PasswordInput,
  Select,
  TagsInput,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { FunctionComponent, ReactNode } from 'react';
import type { Noun, Field as NounField } from '../../../src/contract/fields/field.ts';
import { client } from '../app/data/client.ts';
import { emailInput } from '../parts/inputs.ts';
import { Mark } from '../parts/mark.tsx';
import { wordIn } from '../parts/words.ts';

export type Value = string | number | boolean | readonly string[];

/** The query of words in use, for fields whose words are people's own. */
export interface Suggestions {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: {
    readonly signal: AbortSignal;
  }) => Promise<readonly string[]> | readonly string[];
}

/** The labels in use, of issues and conversations. */
export const labelWords: Suggestions = {
  queryKey: ['labels', 'words'],
  queryFn: async ({ signal }) =>
    (await client.call('labels.list', {}, signal)).labels.map(({ name }) => name),
};

/** A field of a form. */
export interface Field {
  readonly label: string;
  /** Which of `inputs` it has; `own` has one of its own. */
  readonly kind: keyof typeof inputs | 'own';
  readonly about?: ReactNode;
  readonly isRequired?: boolean;
  /** Refuses a value, by what is wrong with it. */
  readonly check?: (value: Value) => string | undefined;
  /** What one chooses from. Other words are allowed in an open set. */
  readonly words?: readonly (string | { readonly value: string; readonly label: string })[];
  readonly isOpen?: boolean;
  readonly suggest?: Suggestions;
  /** What is before it in its input, such as `/`. */
  readonly prefix?: string;
  /** What password managers and browsers take it for. */
  readonly autoComplete?: string;
  /** Whether it only shows its value: `about` says why. */
  readonly isFixed?: boolean;
  /** Whether two of them stand side by side. */
  readonly isHalf?: boolean;
  /** Returns a value in words, where somebody else's is shown. */
  readonly say?: (value: Value) => string;
  readonly input?: FunctionComponent<InputProps>;
}

const kinds: Partial<Record<NounField['kind'], keyof typeof inputs>> = {
  text: 'text',
  word: 'word',
  labels: 'labels',
  flag: 'flag',
  choice: 'flag',
  secret: 'password',
};

/** The field for one's own password, which is asked for again before what only the owner of an account may do. */
export const ownPassword = { kind: 'password', autoComplete: 'current-password' } as const;

/** Returns the fields of a noun for a form: those of the catalogue, with what only the form knows. */
export function fieldsOf<
  N extends Noun,
  const Own extends { readonly [Name in keyof N['fields'] & string]?: Partial<Field> },
>({ fields }: N, own: Own): Record<keyof Own & string, Field> {
  const entries = Object.entries(own as Readonly<Record<string, Partial<Field>>>).map(
    ([name, more]) => [name, { ...fieldOf(fields[name]), ...more }] as const,
  );
  return Object.fromEntries(entries) as Record<keyof Own & string, Field>;
}

/** Returns a field of the catalogue for a form. */
export function fieldOf(field: NounField | undefined): Field {
  const { label = '', kind = 'line', words, isOpen, create } = field ?? {};
  return {
    label,
    kind: kinds[kind] ?? 'line',
    isRequired: create === 'required',
    ...(field && words && { words: words.map((value) => ({ value, label: wordIn(field, value) })) }),
    ...(isOpen && { isOpen }),
    ...(kind === 'labels' && { suggest: labelWords }),
  };
}

export interface InputProps {
  readonly field: Field;
  readonly value: Value;
  readonly error?: ReactNode;
  readonly isFirst?: boolean;
  readonly onChange: (value: Value) => void;
}

/** The input of a field. */
export function FieldInput(props: InputProps) {
  const { kind, input } = props.field;
  const Input = kind === 'own' ? input : inputs[kind];
  return Input && <Input {...props} />;
}

/** Returns what all inputs have. The first field of a form gets the focus. */
export function commonOf({
  field: { label, about, isRequired = false },
  error,
  isFirst = false,
}: InputProps) {
  return {
    label,
    description: about,
    error,
    withAsterisk: isRequired,
    ...(isFirst && { autoFocus: true, 'data-autofocus': true }),
  };
}

/** Returns the input of a text. */
const typed = (Part: typeof TextInput, more: TextInputProps = {}) =>
  function Typed(props: InputProps) {
    const { autoComplete, prefix, isFixed = false } = props.field;
    return (
      <Part
        {...commonOf(props)}
        {...more}
        {...(autoComplete && { autoComplete })}
        leftSection={prefix}
        readOnly={isFixed}
        value={String(props.value)}
        onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      />
    );
  };

/** The inputs, by the kind of the field. */
const inputs = {
  line: typed(TextInput, { autoComplete: 'off' }),
  email: typed(TextInput, { ...emailInput, maxLength: 254, autoComplete: 'off' }),
  password: typed(PasswordInput as typeof TextInput, { autoComplete: 'new-password' }),
  text: (props) => (
    <Textarea
      {...commonOf(props)}
      autosize
      minRows={3}
      maxRows={14}
      value={String(props.value)}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  ),
  number: (props) => (
    <NumberInput {...commonOf(props)} value={props.value as string | number} onChange={props.onChange} />
  ),
  flag: (props) => (
    <Checkbox
      label={props.field.label}
      description={props.field.about}
      error={props.error}
      checked={props.value === true}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
  ),
  word: Word,
  labels: Labels,
} as const satisfies Record<string, FunctionComponent<InputProps>>;

function Word(props: InputProps) {
  const { field, value, onChange } = props;
  const { words, isOpen = false } = field;
  const text = String(value);
  const suggested = useSuggestions(field.suggest);
  if (words === undefined || (isOpen && field.suggest !== undefined))
    return (
      <Autocomplete
        {...commonOf(props)}
        data={[...suggested]}
        limit={20}
        openOnFocus={false}
        value={text}
        onChange={onChange}
      />
    );
  const options = words.map((word) =>
    typeof word === 'string' ? { value: word, label: word.charAt(0).toUpperCase() + word.slice(1) } : word,
  );
  const isKnown = options.some(({ value }) => value === text);
  const labels = options.map(({ label }) => label);
  return (
    <Select
      {...commonOf(props)}
      data={isKnown ? options : [{ value: text, label: text }, ...options]}
      allowDeselect={false}
      readOnly={field.isFixed ?? false}
      renderOption={({ option }) => <Mark word={option.label} among={labels} />}
      value={text}
      onChange={(word) => word !== null && onChange(word)}
    />
  );
}

function Labels(props: InputProps) {
  const labels = props.value as readonly string[];
  return (
    <TagsInput
      {...commonOf(props)}
      data={[...useSuggestions(props.field.suggest)]}
      value={[...labels]}
      placeholder={labels.length === 0 ? 'None' : ''}
      onChange={props.onChange}
    />
  );
}

/** Returns the words in use of a field, once they are loaded. */
export function useSuggestions(suggest: Suggestions | undefined): readonly string[] {
  // Read each time that a list of them is opened: a word may be a moment old.
  const { data = [] } = useQuery({
    queryKey: ['no-suggestions'],
    queryFn: skipToken,
    ...suggest,
    staleTime: 0,
  });
  return data.filter((word) => word !== '');
}
