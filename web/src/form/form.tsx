import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { ResponseError } from '../../../src/contract/client/typed-client.ts';
import { useKept } from '../app/kept.ts';
import { sentenceOf } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { isTaken } from './dialog-keys.ts';
import { type Field, FieldInput, type Value } from './field.tsx';
import { useUnsaved } from './unsaved.ts';

export type Values = Readonly<Record<string, Value>>;

/** What the browser keeps of a form. */
export interface Draft<V> {
  readonly values: V;
  readonly start: V;
}

/** Returns the name under which the browser keeps the draft of a form. */
export const draftNameOf = (keep: string) => `form.${keep}`;

export interface FormProps<V extends Values, Answer> {
  /** The fields that are shown, in their order. */
  readonly fields: { readonly [Name in keyof V]?: Field };
  /** What the fields begin with. */
  readonly start: V;
  /** What they are now, of something that there is already: then only what was changed is sent. */
  readonly now?: V;
  /** Loads `now` again after a refusal. Resolves with what the person sees then. */
  readonly reread?: () => Promise<V | undefined>;
  /** The name under which the browser keeps what is typed, over a closed tab and an ended session. */
  readonly keep?: string;
  /** Sends what was changed, with what was seen of it. The same content has the same key. */
  readonly send: (set: Partial<V>, expected: Partial<V>, key: string) => Promise<Answer>;
  /** Called once it is sent, or if there is nothing to send; by default `onCancel` closes it. */
  readonly onDone?: (answer: Answer | undefined) => void;
  readonly onCancel: () => void;
  /** The label of the button that sends. */
  readonly action?: string;
  /** The label of the other button; by default `Cancel`. */
  readonly cancel?: string;
  readonly isDangerous?: boolean;
  /** Whether it asks before what was typed is lost; by default it does. */
  readonly isGuarded?: boolean;
  /** What it is, such as `issue 7`, for the question before it is discarded. */
  readonly what?: string;
  /** The parts of the address that it depends on. */
  readonly at?: readonly string[];
  /** What it is about, before the fields. */
  readonly text?: ReactNode;
  /** Puts it into a dialog, whose `close` asks before what was typed is lost. */
  readonly frame?: (form: ReactNode, close: () => void) => ReactNode;
}

/**
 * The form of anything. What is typed is never lost unasked: by an error, a colleague's change, Escape, the back button or
 * the palette. A colleague's value stands below one's own, and replaces it or is replaced only when one says so.
 */
export function Form<V extends Values, Answer>(props: FormProps<V, Answer>) {
  const {
    now,
    reread,
    keep,
    send,
    onCancel,
    onDone = onCancel,
    action = 'Save',
    cancel = 'Cancel',
    isGuarded = true,
    isDangerous,
    what,
    at,
    text,
    frame,
  } = props;
  const fields = props.fields as { readonly [Name in keyof V]: Field };
  const names = Object.keys(fields) as (keyof V & string)[];
  const [draft, keepDraft] = useKept<Draft<V>>(draftNameOf(keep ?? ''));
  const [isRestored] = useState(draft !== undefined);
  const [start] = useState<V>({ ...props.start, ...draft?.start });
  // A draft of an older version may lack a field.
  const [values, setValues] = useState<V>({ ...start, ...draft?.values });
  const [errors, setErrors] = useState<Readonly<Record<string, string | undefined>>>({});
  /** What the person knows to be there. Only a refusal because of it makes it newer. */
  const [seen, setSeen] = useState(start);
  const [isGone, setIsGone] = useState(false);
  const key = useRef(newIdempotencyKey());
  const form = useRef<HTMLFormElement>(null);
  const isTyped = names.some((name) => !isSame(values[name], start[name]));
  /** Another tab may have the same form, and have replaced or discarded what was kept of this one. */
  const isKept = keep !== undefined && isSame(draftOf({ ...start, ...draft?.values }), draftOf(values));
  const discard = () => isKept && keepDraft(undefined);

  function draftOf(values: V): Draft<V> {
    // A password is kept nowhere.
    const kept = names.filter((name) => fields[name].kind !== 'password');
    return { values: { ...start, ...pick(values, kept) }, start };
  }

  function set(name: string, value: Value): void {
    const next = { ...values, [name]: value };
    setValues(next);
    setErrors({ ...errors, [name]: undefined });
    key.current = newIdempotencyKey();
    if (keep !== undefined) keepDraft(draftOf(next));
  }

  /** Says what is wrong, and gives the first field at fault the focus. */
  function refuse(wrong: typeof errors): void {
    flushSync(() => setErrors(wrong));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  const sending = useMutation({
    mutationFn: (set: Partial<V>) => send(set, pick(seen, Object.keys(set)), key.current),
    onSuccess: done,
    onError: async (error) => {
      const name = fieldOf(error, names);
      if (name !== undefined) refuse({ [name]: sentenceOf(error) });
      if (!(error instanceof ResponseError)) return;
      // What was refused has done nothing, and may be right later.
      if (error.status < 500 && error.code !== 'idempotency_key_in_use') key.current = newIdempotencyKey();
      if (error.code !== 'changed') return;
      const fresh = await reread?.().catch(() => null);
      if (fresh) setSeen(fresh);
      setIsGone(reread !== undefined && fresh === undefined);
    },
  });
  const { leave, release } = useUnsaved({
    isUnsaved: isGuarded && isTyped && !sending.isSuccess,
    question: {
      title: what === undefined ? 'Discard what you typed?' : `Discard your changes to ${what}?`,
      text: 'It has not been saved.',
      action: 'Discard',
    },
    isKept,
    onDiscard: discard,
    onLost: () => keep !== undefined && draft === undefined && keepDraft(draftOf(values)),
    ...(at && { at }),
  });

  function done(answer?: Answer): void {
    discard();
    release();
    onDone(answer);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    // React also tells the form around the dialog that this one is in.
    event.stopPropagation();
    if (sending.isPending) return;
    const wrong = names.map((name) => [name, wrongOf(fields[name], values[name])] as const);
    refuse(Object.fromEntries(wrong));
    if (wrong.some(([, why]) => why !== undefined)) return;
    const changed = names.filter(
      (name) => !isSame(values[name], start[name]) && !isSame(values[name], now?.[name]),
    );
    if (now !== undefined && changed.length === 0) done();
    else sending.mutate(now === undefined ? values : pick(values, changed));
  }

  function close(): void {
    if (!sending.isPending) void leave(onCancel);
  }

  const isElsewhere = sending.error !== null && fieldOf(sending.error, names) === undefined;
  const content = (
    <form
      ref={form}
      className={sheet.stack}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        // What is around the form, such as the drawer of a record, stays open. A dialog asks for itself.
        if (event.key !== 'Escape' || frame !== undefined || isTaken(event)) return;
        event.preventDefault();
        close();
      }}
    >
      {text !== undefined && <div className={sheet.prose}>{text}</div>}
      {isRestored && <Alert>Your unsaved text was kept. Cancel discards it.</Alert>}
      {isElsewhere && (
        <Alert color="red" role="alert">
          {isGone ? 'Somebody has deleted it.' : sentenceOf(sending.error)}{' '}
          {isChanged(sending.error) && !isGone && 'Save again to replace it.'}
        </Alert>
      )}
      <div className={sheet.fields}>
        {names.map((name, index) => (
          <div key={name} className={fields[name].isHalf ? `${sheet.list} ${sheet.half}` : sheet.stack}>
            <FieldInput
              field={fields[name]}
              value={values[name] as Value}
              error={errors[name]}
              isFirst={index === 0}
              onChange={(value) => set(name, value)}
            />
            {now !== undefined && !isSame(now[name], start[name]) && !isSame(now[name], values[name]) && (
              <Overtaken
                text={fields[name].say?.(now[name] as Value) ?? String(now[name])}
                onTake={() => set(name, now[name] as Value)}
              />
            )}
          </div>
        ))}
      </div>
      <div className={sheet.buttons}>
        <Button variant="default" disabled={sending.isPending} onClick={close}>
          {cancel}
        </Button>
        <Button type="submit" color={isDangerous ? 'red' : 'blue'} loading={sending.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
  return frame ? frame(content, close) : content;
}

interface OvertakenProps {
  readonly text: string;
  readonly onTake: () => void;
}

/** What somebody else has made of a field while it was edited. */
function Overtaken({ text, onTake }: OvertakenProps) {
  return (
    <div className={sheet.aside} role="note">
      <span className={sheet.quiet}>Somebody has changed it to:</span>
      <p className={sheet.text} dir="auto">
        {text || 'Empty'}
      </p>
      <Button size="compact-xs" variant="default" onClick={onTake}>
        Take this
      </Button>
    </div>
  );
}

const isChanged = (error: Error) => error instanceof ResponseError && error.code === 'changed';
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function pick<V extends Values>(values: V, names: readonly string[]): Partial<V> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<V>;
}

function wrongOf({ label, isRequired, check }: Field, value: Value | undefined): string | undefined {
  if (isRequired && String(value).trim() === '') return `${label} is required`;
  return value === undefined ? undefined : check?.(value);
}

/** Returns the field at fault. The API names that of a change `set.title`. */
function fieldOf<Name extends string>(error: Error, names: readonly Name[]): Name | undefined {
  if (!(error instanceof ResponseError) || error.code === 'changed') return undefined;
  return names.find((name) => name === error.param?.replace(/^set\./, ''));
}
