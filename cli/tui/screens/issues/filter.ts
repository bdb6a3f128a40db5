import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';

export const issueFilterNote = 'words, or severity:high  status:open  category:payments';

/** The parameters of `issues.list` that a filter sets. */
export interface IssueSearch {
  readonly q?: string;
  readonly status?: string;
  readonly severity?: string;
  readonly category?: string;
}

/** Returns the service's spelling of a name, ignoring case and spaces. */
const canonical = (names: readonly string[], text: string) =>
  names.find((name) => name.toLowerCase().replaceAll(' ', '') === text.toLowerCase()) ?? text;

/** Returns the parameters for a filter such as `severity:high checkout`. A category is case-sensitive after its first letter. */
export function parseIssueFilter(text: string): IssueSearch {
  const words: string[] = [];
  const filter: { status?: string; severity?: string; category?: string } = {};
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, name, value] = /^(status|severity|category):(.+)$/i.exec(word) ?? [];
    if (name === undefined || value === undefined) words.push(word);
    else if (name.toLowerCase() === 'status') filter.status = canonical(issueStatuses, value);
    else if (name.toLowerCase() === 'severity') filter.severity = canonical(severities, value);
    else filter.category = (value[0]?.toUpperCase() ?? '') + value.slice(1);
  }
  return words.length === 0 ? filter : { ...filter, q: words.join(' ') };
}
