import { type FragmentSqlToken, sql } from 'slonik';
import { unprepared } from '../connection/statements.ts';

/** Where a list finds the texts that it searches. */
export interface SearchedTexts {
  /** A table, or what else has an index on the texts. */
  readonly table: FragmentSqlToken;
  /** Its column with the id of the row in the list. */
  readonly id: FragmentSqlToken;
  /** The texts after `search_text`, as the index has them. */
  readonly text: FragmentSqlToken;
}

/** A search of a list: the rows that contain all words, in any order. Case and accents are ignored. */
export interface Search {
  /** Absent if rows are found by something else than words, which an index always serves. */
  readonly q?: string;
  readonly condition: FragmentSqlToken;
  /** The same condition, for one row after the other: an index cannot serve it. Absent if none serves the condition either. */
  readonly probe?: FragmentSqlToken;
}

/** Returns the search of a list whose texts are indexed, or undefined if there is nothing to search for. */
export function searchIndexed(
  q: string | undefined,
  { table, id, text }: SearchedTexts,
  rowId: FragmentSqlToken,
): Search | undefined {
  if (q === undefined) return undefined;
  const matches = matchesAll(text, q);
  return {
    q,
    // An array rather than a join: the planner has no estimates for words, and could choose a join that takes seconds.
    condition: sql.fragment`${rowId} = any(array(select ${id} from ${table} where ${matches} ${pairsOf(text, q)}))`,
    // Postgres does not turn a subquery with an offset into a join.
    probe: sql.fragment`exists (select from ${table} where ${id} = ${rowId} and ${matches} offset 0)`,
  };
}

/** Returns the search of a short list, which reads all of its rows, or undefined if there is nothing to search for. */
export function searchShort(
  q: string | undefined,
  columns: readonly FragmentSqlToken[],
): (Search & { readonly q: string }) | undefined {
  if (q === undefined) return undefined;
  // Words have no line breaks, so none is found across two columns.
  const text = sql.fragment`search_text(concat_ws(E'\n', ${sql.join([...columns], sql.fragment`, `)}))`;
  return { q, condition: matchesAll(text, q) };
}

/** Texts that several rows of a list may have in common. */
export interface JoinedTexts extends SearchedTexts {
  /** The column of the list with their id. */
  readonly key: FragmentSqlToken;
}

/**
 * Returns the search of a list whose texts are in several tables, or undefined if there is nothing to search for. The
 * words of a row may be in different tables, so the indexes look for the longest one only, which is often the rarest.
 *
 * @param columns - the texts of a row
 * @param joined - where the indexes find them; their texts may have more words
 */
export function searchJoined(
  q: string | undefined,
  columns: readonly FragmentSqlToken[],
  joined: readonly JoinedTexts[],
): Search | undefined {
  const search = searchShort(q, columns);
  if (search === undefined) return undefined;
  const [longest = ''] = wordsOf(search.q);
  const candidates = joined.map(
    ({ table, id, text, key }) => sql.fragment`
      ${key} = any(array(select ${id} from ${table} where ${matchesAll(text, longest)} ${pairsOf(text, longest)}))
    `,
  );
  return {
    q: search.q,
    condition: sql.fragment`(${sql.join(candidates, sql.fragment` or `)}) and ${search.condition}`,
    probe: search.condition,
  };
}

/** Not prepared, because a plan for all words would not suit all words. */
function matchesAll(text: FragmentSqlToken, q: string): FragmentSqlToken {
  const conditions = wordsOf(q).map((word) => sql.fragment`${text} like search_pattern(${word})`);
  return sql.fragment`${sql.and(conditions)} ${unprepared}`;
}

/** A word of at most so many characters may have only two letters next to each other once it is folded. */
const maxPairCharacters = 3;
/** Each is compared with the texts that are found too, which takes longer than it does for the pattern of the word. */
const maxPairs = 2;

/**
 * Returns the condition by which the index finds two letters: they stand after some character or at the beginning. The
 * index finds a longer word without it.
 */
function pairsOf(text: FragmentSqlToken, q: string): FragmentSqlToken {
  const words = wordsOf(q);
  if (words.some((word) => [...word].length > maxPairCharacters)) return sql.fragment``;
  const conditions = words.slice(0, maxPairs).map((word) => sql.fragment`and ${text} ~ search_pair(${word})`);
  return sql.fragment`${sql.join(conditions, sql.fragment` `)}`;
}

/** Returns the words of a search, longest first, because a long one rules out most rows. */
function wordsOf(q: string): readonly string[] {
  const words = q.split(/\s+/u).filter((word) => word !== '');
  const longestFirst = [...new Set(words)].sort((a, b) => b.length - a.length);
  return longestFirst.filter(
    (word, index) => !longestFirst.slice(0, index).some((longer) => longer.includes(word)),
  );
}
