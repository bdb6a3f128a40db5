import { type Field, leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import { wrap } from '../../terminal/cells.ts';
import { grouped, printable } from '../../terminal/text.ts';
import { age, dateTime } from '../../terminal/time.ts';
import { severityTone, statusTone } from '../../terminal/tones.ts';
import type { App } from '../app/app.ts';
import { keyHint } from '../app/keys.ts';
import { style, toned } from './style.ts';

/** What an empty screen says of a website that sends nothing yet. */
export const connectHint = '`backoffice connect` says how to connect your website.';

/** Says that there are no rows yet, by which key somebody makes one, and how the website sends them. */
export const noneYet = (app: App, sentence: string, id: string, does: string): string =>
  [sentence, keyHint(app, id, does), connectHint].filter(Boolean).join(' ');

type AnyRow = Readonly<Record<string, unknown>>;

/** Returns what a row is, in a few words: its severity, status, assignee, labels. Those of the noun come as it names them. */
export function factsOf(noun: Noun, row: AnyRow): string {
  const { fields, lead = [] } = noun;
  const names = [...new Set([...lead, ...Object.keys(fields)])];
  return names.flatMap((name) => factOf(name, fields[name], row)).join(style.quiet(' · '));
}

function factOf(name: string, field: Field | undefined, row: AnyRow): readonly string[] {
  const value = row[name];
  switch (field?.kind) {
    case 'word': {
      if (typeof value !== 'string' || value === '') return [];
      const tone = name === 'severity' ? severityTone(value) : statusTone(value);
      return [toned(tone)(printable(value))];
    }
    case 'admin': {
      const assignee = row.assignee as { readonly username: string } | null | undefined;
      return [assignee ? printable(`@${assignee.username}`) : style.quiet('not assigned')];
    }
    case 'labels':
      return ((row.labels ?? []) as readonly string[]).map((label) => style.accent(`#${printable(label)}`));
    case 'count':
      return [`${field.label.toLowerCase()} ${grouped(Number(value))}`];
    case 'flag':
      return [value === 1 ? field.label.toLowerCase() : style.quiet(`not ${field.label.toLowerCase()}`)];
    default:
      return [];
  }
}

/** Returns the times of a row: `created 2026-01-31 09:30 (3h), updated …`, in UTC. */
export function timesOf({ fields }: Noun, row: AnyRow, now: number): string {
  const times = Object.entries(fields).flatMap(([name, { kind, label }]) => {
    const time = row[name];
    if (kind !== 'time' || typeof time !== 'string') return [];
    return [`${label.toLowerCase()} ${dateTime(time)} (${age(time, now)})`];
  });
  return style.quiet(times.join(', '));
}

/** Returns the long texts of a row, each below its heading; the first without one. */
export function textsOf(noun: Noun, row: AnyRow, cells: number): readonly string[] {
  const texts = leadingFields(noun, 'edit').filter(([, field]) => isLongText(field));
  return texts.flatMap(([name, { label }], at) => {
    const text = String(row[name] ?? '');
    const none = style.quiet(`No ${label.toLowerCase()}.`);
    return [
      '',
      ...(at === 0 ? [] : [style.title(label)]),
      ...(text.trim() === '' ? [none] : wrap(text, cells)),
    ];
  });
}

/** Reports whether a field is a text of several lines. */
export const isLongText = ({ kind, isTrimmed }: Field): boolean => kind === 'text' && isTrimmed !== true;
