import { type FragmentSqlToken, sql } from 'slonik';

/** A visitor, as far as we know one: an e-mail address. Case and spaces around it don't matter. */
export interface Person {
  readonly email: string;
  /** Matches texts that contain the address, and more. Null for what is no address: then no text is searched for it. */
  readonly like: string | null;
  /** The regular expression of the address within a text: not of a longer address that ends or starts like it. */
  readonly pattern: string | null;
}

/** An address with characters on both sides of its @. */
const addressForm = /^[^\s@]+@[^\s@]+$/;

/** Returns the person with an e-mail address. */
export function personWith(email: string): Person {
  const trimmed = email.trim();
  if (!addressForm.test(trimmed)) return { email: trimmed, like: null, pattern: null };
  const literal = trimmed.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return {
    email: trimmed,
    like: containing(trimmed),
    pattern: `(?<![[:alnum:].!#$%&'*+/=?^_\`{|}~-])${literal}(?![[:alnum:]-]|\\.[[:alnum:]])`,
  };
}

/** Returns the LIKE pattern of the texts that contain a text. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** Matches rows whose e-mail column is that of the person. */
export function isOf({ email }: Person, column: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`lower(btrim(${column})) = lower(${email})`;
}

/** Matches texts that contain the address. */
export function mentions({ like, pattern }: Person, text: FragmentSqlToken): FragmentSqlToken {
  return like === null || pattern === null
    ? sql.fragment`false`
    : sql.fragment`(${text} ilike ${like} and ${text} ~* ${pattern})`;
}
