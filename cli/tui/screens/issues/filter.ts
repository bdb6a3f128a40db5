import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';

export const filterNote = 'words, or severity:high  status:open  category:payments';

/** What `issues.list` is asked for. */
export interface IssueSearch {
  readonly q?: string;
  readonly status?: string;
  readonly severity?: string;
  readonly category?: string;
}

/** A name as the service has it, whatever its capitals. */
const known = (names: readonly string[], text: string) =>
  names.find((name) => name.toLowerCase().replaceAll(' ', '') === text.toLowerCase()) ?? text;

/** `severity:high checkout` as the service is asked it. A category is compared as it is, with its capitals. */
export function parseFilter(text: string): IssueSearch {
  const words: string[] = [];
  const filter: { status?: string; severity?: string; category?: string } = {};
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, name, value] = /^(status|severity|category):(.+)$/i.exec(word) ?? [];
    if (name === undefined || value === undefined) words.push(word);
    else if (name.toLowerCase() === 'status') filter.status = known(issueStatuses, value);
    else if (name.toLowerCase() === 'severity') filter.severity = known(severities, value);
    else filter.category = (value[0]?.toUpperCase() ?? '') + value.slice(1);
  }
  return words.length === 0 ? filter : { ...filter, q: words.join(' ') };
}
