import { sign } from 'cookie-signature';
import type { Request, Response } from 'express';
import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';
import { contactKinds, isPageUrl } from '../../contract/operations/contact.ts';
import { operationOf } from '../../contract/registry.ts';
import { cleanInput, fieldsOf } from '../../services/call/validate.ts';
import { bodyLimitOf, readBodyText } from '../requests/body.ts';
import { signedText } from '../sessions/cookie.ts';

/** The fields that a visitor fills in, in the order of the form, and what errors call them. */
export const fieldLabels = {
  name: 'Your name',
  email: 'Your e-mail',
  message: 'Your message',
  steps: 'The steps',
} as const;

export type FieldName = keyof typeof fieldLabels;

/** What is in the form: what was typed, and what the page itself sends. */
export interface Typed extends Readonly<Record<FieldName, string>> {
  readonly kind: (typeof contactKinds)[number];
  /** The page of the website that led to the form, or empty. */
  readonly page: string;
  /** Says when the form was shown. */
  readonly shown: string;
}

/** The field that people do not see. Programs that fill in every field give themselves away. */
export const trapName = 'website';

/** Of a form in another encoding than the page asks for. */
export const wrongEncoding: DocumentedError = {
  code: 'unsupported_encoding',
  text: 'The form must be sent as the page asks for: URL-encoded, in UTF-8.',
};

/** Reads a sent form. */
export async function readForm(
  req: Request,
  res: Response,
): Promise<{ readonly typed: Typed; readonly isTrapped: boolean }> {
  if (!req.is('application/x-www-form-urlencoded')) throw new BackofficeError(wrongEncoding);
  const sent = new URLSearchParams(await readBodyText(req, res, bodyLimitOf(operationOf('contact.create'))));
  // Postgres keeps no NUL. Browsers send line breaks with a carriage return.
  const text = (name: string) => (sent.get(name) ?? '').replaceAll('\0', '').replaceAll('\r\n', '\n');
  return {
    typed: {
      name: text('name'),
      email: text('email'),
      message: text('message'),
      steps: text('steps'),
      kind: kindIn(text('kind')),
      page: pageIn(text('page')),
      shown: text('shown'),
    },
    isTrapped: text(trapName) !== '',
  };
}

/** Returns an empty form. A link to it may choose the kind and name the page that it is on. */
export function emptyForm({ query, headers, host }: Request, shown: string): Typed {
  const { referer = '' } = headers;
  const cameFrom = URL.parse(referer)?.host === host ? '' : referer;
  return {
    name: '',
    email: '',
    message: '',
    steps: '',
    shown,
    kind: kindIn(query.kind),
    page: pageIn(query.page ?? cameFrom),
  };
}

const kindIn = (given: unknown) => contactKinds.find((kind) => kind === given) ?? 'question';
const pageIn = (given: unknown) => (typeof given === 'string' && isPageUrl(given) ? given : '');

/** Returns a sentence for each field that is wrong. */
export function problemsIn(typed: Typed): Readonly<Partial<Record<FieldName, string>>> {
  const { error } = operationOf('contact.create').input.safeParse(fieldsOf(cleanInput({ ...typed })));
  const problems: Partial<Record<FieldName, string>> = {};
  for (const { path, message } of error?.issues ?? []) {
    const name = path[0] as FieldName;
    problems[name] ??= message.replace(/^\w+/, fieldLabels[name]);
  }
  return problems;
}

/** A form that is sent faster was not filled in by a person. */
const leastMs = 3_000;
/** A form that was shown once cannot be sent for ever. */
const mostMs = 24 * 60 * 60_000;

/** Signs when a form is shown, so that it needs no cookie. The secrets are newest first. */
export function formClock(secrets: readonly string[]) {
  // The word keeps it apart from session ids, which the same secrets sign.
  const word = 'shown:';
  return {
    start: (now = Date.now()) => sign(word + now, secrets[0] ?? ''),
    /** Returns why a form cannot be sent now: it is new, or too old, or not of this service. */
    problemOf(shown: string, now = Date.now()): 'early' | 'old' | undefined {
      const signed = signedText(shown, secrets);
      const age = signed?.startsWith(word) ? now - Number(signed.slice(word.length)) : Number.NaN;
      if (!(age <= mostMs)) return 'old';
      return age < leastMs ? 'early' : undefined;
    },
  };
}
