import type { NextPage } from '../../services/streaming/streamed-json.ts';

/**
 * Returns a `Link` header (https://www.rfc-editor.org/rfc/rfc8288) to the next page. It is a reference to the same path
 * with another query, because behind a proxy the path of the client may be another one.
 */
export function nextLink(url: string, next: NextPage): string {
  const question = url.indexOf('?');
  const query = new URLSearchParams(question === -1 ? '' : url.slice(question));
  for (const [name, value] of Object.entries(next)) query.set(name, value);
  return `<?${query}>; rel="next"`;
}
