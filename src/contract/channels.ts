import type { channels } from './vocabulary.ts';

/** How a conversation began, for people. */
const channelNames: Readonly<Record<(typeof channels)[number], string>> = {
  api: 'API',
  contact: 'contact page',
  mail: 'e-mail',
};

interface Origin {
  readonly channel?: (typeof channels)[number] | undefined;
  readonly page?: string | null | undefined;
}

/** Returns where a conversation came from, or undefined if there is nothing to say: most come by the API. */
export function channelOf({ channel = 'api', page }: Origin): string | undefined {
  return channel === 'api' && !page ? undefined : channelNames[channel];
}
