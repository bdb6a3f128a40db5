export const auditFilterNote = 'actor:grace@example.com  event:issue.updated  door:tui  subject:7';

const parameters: Readonly<Record<string, string>> = {
  actor: 'actor',
  event: 'event',
  door: 'door',
  operation: 'operation',
  subject: 'subject_id',
  id: 'subject_id',
};

/** Returns the parameters of `audit.list` for a filter such as `event:issue.updated door:tui grace`. */
export function parseAuditFilter(text: string): Readonly<Record<string, string>> {
  const words: string[] = [];
  const filter: Record<string, string> = {};
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, name = '', value = ''] = /^(\w+):(.+)$/.exec(word) ?? [];
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) words.push(word);
    else filter[parameter] = value;
  }
  return words.length === 0 ? filter : { ...filter, q: words.join(' ') };
}
