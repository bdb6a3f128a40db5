import type { ServerResponse } from 'node:http';

/** Adds a request header to `Vary`: caches keep one response for each of its values. */
export function addVary(res: ServerResponse, name: string): void {
  const names = String(res.getHeader('Vary') ?? '')
    .split(', ')
    .filter((each) => each !== '');
  if (!names.includes(name)) res.setHeader('Vary', [...names, name].join(', '));
}
