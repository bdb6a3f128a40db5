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
/** Separators in percent-encoding: all of ASCII but letters, digits and what addresses have: `'+-._@`. */
const encodedSeparator = '%(?:[01][0-9a-f]|2[0-689acf]|3[a-f]|5[b-e]|60|7[b-f])';
/** What must not be before the address: a longer address would end with it. What separates texts may be, as in `?email=`. */
const notBefore = `(?:(?<=${encodedSeparator})|(?<![[:alnum:]]|[[:alnum:]][._'+-]+))`;
const notAfter = '(?![[:alnum:]-]|\\.[[:alnum:]])';

/** Returns the person with an e-mail address. */
export function personWith(email: string): Person {
  const trimmed = email.trim();
  if (!addressForm.test(trimmed)) return { email: trimmed, like: null, pattern: null };
  const characters = [...trimmed];
  return {
    email: trimmed,
    like: `%${characters.map((character) => (isEncoded(character) ? '%' : escapeLike(character))).join('')}%`,
    pattern: `${notBefore}${characters.map(plainOrEncoded).join('')}${notAfter}`,
  };
}

/** Reports whether URLs have a character in percent-encoding. */
function isEncoded(character: string): boolean {
  return encodeURIComponent(character) !== character;
}

/** Returns the regular expression of a character as texts and as URLs have it. */
function plainOrEncoded(character: string): string {
  const literal = character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  return isEncoded(character) ? `(?:${literal}|${encodeURIComponent(character)})` : literal;
}

/** Returns the LIKE pattern of the texts that contain a text. */
export function containing(text: string): string {
  return `%${escapeLike(text)}%`;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
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

/** Matches JSON whose texts contain the address. What stands for a line break in it is no letter before the address. */
export function jsonMentions({ like, pattern }: Person, json: FragmentSqlToken): FragmentSqlToken {
  return like === null || pattern === null
    ? sql.fragment`false`
    : sql.fragment`(
        ${json}::text ilike ${like}
        and regexp_replace(${json}::text, '\\\\([bfnrt]|u[0-9a-f]{4})', ' ', 'g') ~* ${pattern}
      )`;
}
