import type { Actor } from '../../call/actor.ts';
import type { MailBlock } from '../message.ts';

/** Who did something, and from where. A call's context has both. */
export interface Circumstances {
  readonly actor: Pick<Actor, 'kind' | 'name'>;
  /** The network address, or empty. */
  readonly address: string;
}

/** Made on demand: it takes 5 ms. */
let format: Intl.DateTimeFormat | undefined;

/** Returns a time as people read it, such as `31 January 2026 at 09:30 UTC`. */
export function readableTime(time: Date): string {
  format ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time)} UTC`;
}

/** Returns the lines that say who did it, when and from which address. */
export function circumstancesBlock({ actor, address }: Circumstances, at = new Date()): MailBlock {
  return {
    facts: [
      ['By', describeActor(actor)],
      ['When', readableTime(at)],
      ...(address === '' ? [] : [['From', address] as const]),
    ],
  };
}

function describeActor({ kind, name }: Circumstances['actor']): string {
  if (kind === 'token') return `the API token “${name.replace(/^token:/, '')}”`;
  if (kind === 'operator') return `${name}, on the server's command line`;
  return name;
}
