import {
  type CardId,
  cardIds,
  connectCards,
  linesOf,
  type SampleLanguage,
  sampleLanguages,
  sampleOf,
  withAddress,
} from '../../src/contract/connect.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { targetOf } from '../access/with-access.ts';
import { UsageError } from '../errors.ts';
import { emit, emitChange, emitTable } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { flag, maybe, or, word } from '../verb/parameters.ts';
import { calling } from '../verb/verb.ts';

/** Says how to connect a website, and what it has sent so far. */
export const connect = calling(['connect.show', 'tokens.create'], {
  params: {
    card: maybe(word('what to connect', cardIds)),
    language: or(word('the language of the sample', sampleLanguages), 'curl'),
    newToken: flag('create a token that only sends data in, and put it into the sample'),
  },
  notes: 'Without a card, it shows what the website has sent so far.',
  examples: [
    'backoffice connect',
    'backoffice connect issues --new-token',
    'backoffice connect usage --language python',
  ],
  async run({ given: { card, language, newToken = false }, format, access, command }) {
    if (newToken && (card === undefined || !connectCards[card].sends.token))
      throw new UsageError(
        '--new-token needs a card whose sample has a token: mail, issues, usage or scraping.',
      );
    // Of the server that the command works on, or of the one on this machine.
    const { readConfig } = await import('../../src/config.ts');
    const address = (await targetOf(command))?.server ?? readConfig().publicUrl;
    const shown = await access.call('connect.show', {});
    if (card === undefined) return await emit(stateOf(shown), format, undefined, () => printCards(shown));
    const rights = { role: 'user', expires_days: null, scope: 'intake' } as const;
    const created = newToken && (await access.call('tokens.create', { name: 'website', ...rights }));
    const token = created ? created.secret : 'TOKEN';
    const guide = guideOf(card, shown, { language, address, token });
    const show = () => print(textOf(guide, shown));
    await (newToken ? emitChange(guide, format, show) : emit(guide, format, undefined, show));
  },
});

type Shown = OutputOf<'connect.show'>;

const stateOf = ({ connected }: Shown) => ({
  cards: cardIds.map((card) => ({
    card,
    title: connectCards[card].title,
    connected: connected[card],
  })),
});

async function printCards(shown: Shown): Promise<void> {
  await emitTable(
    [
      { heading: 'card', value: ({ card }) => card },
      { heading: 'title', value: ({ title }) => title },
      { heading: 'state', value: ({ connected }) => wordOf(connected) },
    ],
    stateOf(shown).cards,
  );
  print('\n`backoffice connect <card>` says how.');
}

const wordOf = (connected: boolean) => (connected ? '✓ connected' : '○ nothing yet');

/** What is said of a card. */
type Guide = ReturnType<typeof guideOf>;

function guideOf(
  card: CardId,
  { connected, mailbox }: Shown,
  { language, address, token }: { language: SampleLanguage; address: string; token: string },
) {
  const { title, light, markup = {}, sends } = connectCards[card];
  const filled = (text: string) => withAddress(text, address);
  return {
    card,
    title,
    connected: connected[card],
    lines: linesOf(card, address, mailbox),
    light,
    markup: Object.fromEntries(Object.entries(markup).map(([name, text]) => [name, filled(text)])),
    sample: sampleOf(card, language, address, token),
    token: sends.token ? token : null,
  };
}

/** Returns a guide as text: the sample stands at the margin, so that it can be copied. */
function textOf(
  { card, title, connected, lines, light, markup, sample, token }: Guide,
  shown: Shown,
): string {
  const notes = [
    ...(card === 'contact' && !shown.contact_page
      ? ['The contact page is off: backoffice settings set contact_page 1']
      : []),
    ...(card === 'contact'
      ? ['For a frame or a form: backoffice settings set contact_origins https://example.com']
      : []),
    ...(token === 'TOKEN' ? [`Put a token in place of TOKEN: backoffice connect ${card} --new-token`] : []),
  ];
  return [
    `${title}: ${wordOf(connected)}`,
    lines.map((line) => `  ${line}`).join('\n'),
    ...Object.values(markup),
    sample,
    [...notes, light].join('\n'),
  ].join('\n\n');
}
