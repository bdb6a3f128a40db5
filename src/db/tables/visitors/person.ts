import { domainToASCII, domainToUnicode } from 'node:url';
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
const addressForm = /^([^\s@]+)@([^\s@]+)$/;

/** Returns the person with an e-mail address. */
export function personWith(email: string): Person {
  const trimmed = email.trim();
  const [, local, domain] = addressForm.exec(trimmed) ?? [];
  if (local === undefined || domain === undefined) return { email: trimmed, like: null, pattern: null };
  const domains = formsOfDomain(domain);
  const address = `${patternOf(local)}${patternOf('@')}(?:${domains.map(patternOf).join('|')})`;
  return {
    email: trimmed,
    like: `%${likeOf(`${local}@`)}%${domains.length === 1 ? `${likeOf(domain)}%` : ''}`,
    pattern: withBoundaries(address, { isLatin: isLatin(trimmed), hasDot: domain.includes('.') }),
  };
}

/** A character before the address in escaped form: a separator in a URL, a line break or a separator in JSON. */
const escapedBefore = '%(?:[01][0-9a-f]|2[0-689acf]|3[a-f]|5[b-e]|60|7[b-f])|\\\\[nrt]|\\\\u00[0-7][0-9a-f]';
/** Latin letters with and without accents, and digits: the same ones whatever the locale of the database is. */
const latin =
  'a-z0-9\\u00aa\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0300-\\u036f\\u1e00-\\u1eff';
/** Letters of scripts that are written without spaces, such as Thai and Japanese, and of Korean, which joins endings. */
const unspaced =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u2e80-\\ua4cf\\uac00-\\ud7ff\\uf900-\\ufaff\\U00020000-\\U0003ffff';

const isLatin = (text: string) => /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u.test(text);

/**
 * Adds to the pattern of an address what must not stand beside it, because it would continue the address. One in Latin
 * letters ends where another script begins, because there is no space between them in many scripts, and hardly any address
 * mixes two. One in another script may go on with any letter, but a domain with none of a script without spaces.
 */
function withBoundaries(address: string, { isLatin, hasDot }: { isLatin: boolean; hasDot: boolean }): string {
  const before = isLatin ? `[${latin}]` : `[${latin}[:alnum:]]`;
  const after = isLatin ? before : `(?:(?![${unspaced}])${before})`;
  // A hyphen joins words to a domain, as in Hungarian and German. It continues the domain if that has no dot yet.
  const hyphen = hasDot ? `-(?:${after}|-)*\\.${after}` : '-';
  return (
    `(?:(?<=${escapedBefore})|(?<!${before}|${before}[._'+-]+))${address}` +
    `(?!${after}|\\.${after}|${hyphen})`
  );
}

/** Returns a domain as it is, and with international letters as Unicode and as ASCII have them. */
function formsOfDomain(domain: string): readonly string[] {
  if (/^[\x21-\x7e]+$/.test(domain) && !/xn--/i.test(domain)) return [domain];
  const forms = [domain, domainToUnicode(domain), domainToASCII(domain)];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** Returns the regular expression of a text whose characters may be decomposed, or escaped as in URLs and JSON. */
function patternOf(text: string): string {
  return [...text.normalize()].map(formsOf).join('');
}

function formsOf(character: string): string {
  const plain = [character, character.normalize('NFD')];
  const forms = new Set([...plain, ...plain.map(encodeURIComponent), JSON.stringify(character).slice(1, -1)]);
  const patterns = [...forms].map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return patterns.length === 1 ? patterns.join('') : `(?:${patterns.join('|')})`;
}

/** Returns the LIKE pattern of such a text. A character that may be escaped matches anything. */
function likeOf(text: string): string {
  return [...text.normalize()]
    .map((character) => (encodeURIComponent(character) === character ? escapeLike(character) : '%'))
    .join('');
}

/** Returns the LIKE pattern of the texts that contain a text. */
export function containing(text: string): string {
  return `%${escapeLike(text)}%`;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** What JavaScript trims. The `btrim` of Postgres trims spaces only. */
const whiteSpace =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** Matches rows whose e-mail column is that of the person: it may have a name, `mailto:` or other addresses beside it. */
export function isOf(person: Person, column: FragmentSqlToken): FragmentSqlToken {
  return person.pattern === null
    ? sql.fragment`lower(btrim(${column}, ${whiteSpace})) = lower(${person.email})`
    : mentions(person, column);
}

/** Matches texts that contain the address. */
export function mentions({ like, pattern }: Person, text: FragmentSqlToken): FragmentSqlToken {
  return like === null || pattern === null
    ? sql.fragment`false`
    : sql.fragment`(${isLike(text, like)} and ${text} ~* ${pattern})`;
}

/** Matches texts by a LIKE pattern, in which only ASCII letters have a case: to fold those of all scripts takes far longer. */
export function isLike(text: FragmentSqlToken, like: string): FragmentSqlToken {
  return sql.fragment`${text} collate "C" ilike ${like}`;
}

/** Matches JSON of which a text contains the address. */
export function jsonMentions(person: Person, json: FragmentSqlToken): FragmentSqlToken {
  return person.like === null
    ? sql.fragment`false`
    : sql.fragment`(${isLike(sql.fragment`${json}::text`, person.like)} and exists (
        select from jsonb_path_query(${json}, 'strict $.** ? (@.type() == "string")') as found (value)
        where ${mentions(person, sql.fragment`(value #>> '{}')`)}
      ))`;
}
