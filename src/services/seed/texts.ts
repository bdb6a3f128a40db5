import type { Random } from './random.ts';

/** What visitors of a web shop report as issues and write to the chat about. `{browser}` stands for one of its words. */
export interface Problem {
  readonly category: string;
  /** The weights of the severities, worst first. */
  readonly severities: readonly number[];
  /** Also subjects of conversations. */
  readonly titles: readonly string[];
  readonly details: readonly string[];
  readonly steps: readonly string[];
  /** Settles a conversation. */
  readonly answer: string;
}

const minor = [1, 7, 32, 60];
const moderate = [4, 21, 47, 28];
const grave = [20, 44, 30, 6];

/** The most frequent first. */
export const problems: readonly Problem[] = [
  {
    category: 'Payments',
    severities: grave,
    titles: ['Checkout does nothing in {browser}', 'Cannot pay with {payment}', 'Checkout hangs on {device}'],
    details: [
      'After "Pay now" nothing happens, and no mail comes.',
      'The page goes grey. I tried it {times}.',
    ],
    steps: ['Put a {product} into the basket.', 'Choose {payment}.', 'Press "Pay now".', 'Wait a minute.'],
    answer: 'The bank had refused our requests. Payments work again, and you were not charged.',
  },
  {
    category: 'Delivery',
    severities: moderate,
    titles: ['Parcel with a {product} has not arrived', 'No delivery to {country} can be chosen'],
    details: ['The carrier says the number does not exist.', 'It worked for an earlier order to {city}.'],
    steps: ['Open the order of the {product}.', 'Press "Track".', 'Look at the page of the carrier.'],
    answer: 'It was held in {city}. It is on the van now and comes on {day}.',
  },
  {
    category: 'Accounts',
    severities: moderate,
    titles: ['Signed out after every page in {browser}', 'Cannot stay signed in on {device}'],
    details: ['I open the {page} and must sign in again.', '"Stay signed in" makes no difference.'],
    steps: ['Sign in with "Stay signed in".', 'Open the {page}.', 'Look at the top right corner.'],
    answer: 'We have ended your old sessions. Please sign in once more; it will last.',
  },
  {
    category: 'Search',
    severities: moderate,
    titles: ['Search finds nothing for "{word}"', 'Search for "{product}" shows unrelated things'],
    details: ['It worked last week.', 'What I look for is on the third page of the results.'],
    steps: ['Search for "{word}".', 'Look at the number of results.', 'Search for it without the accent.'],
    answer: 'The search is rebuilt and finds it now. Please try again.',
  },
  {
    category: 'Performance',
    severities: moderate,
    titles: [
      'Loading the {page} takes {seconds} seconds',
      'Pictures of the {product} load slowly on {device}',
    ],
    details: ['Other sites are fast on the same connection.', 'It is worst in the evening.'],
    steps: ['Open the {page}.', 'Count the seconds until it can be scrolled.', 'Try an empty cache.'],
    answer: 'We have made the pictures smaller. It should be fast on {device}, too.',
  },
  {
    category: 'Payments',
    severities: moderate,
    titles: ['Invoice shows the wrong currency for {country}', 'Invoice in {currency} has a wrong total'],
    details: [
      'I paid in {currency}, the invoice says EUR.',
      'The total is off by {amount}, the lines are right.',
    ],
    steps: ['Order from {country}.', 'Open "Invoices".', 'Compare the total with the confirmation.'],
    answer: 'You are right. The corrected invoice is in your inbox.',
  },
  {
    category: 'Content',
    severities: minor,
    titles: ['Picture of the {product} shows another colour', 'Wrong opening hours of the store in {city}'],
    details: ['I noticed it too late.', 'The page says one thing and the mail another.'],
    steps: ['Open the page in {browser}.', 'Compare it with the confirmation.'],
    answer: 'Well spotted. It is put right, and a voucher for {amount} is in your account.',
  },
  {
    category: 'Performance',
    severities: grave,
    titles: ['Site does not answer', 'Error 502 on the {page}', 'Nothing loads since this morning'],
    details: ['Only the logo appears.', 'It comes and goes. {browser} and {device} are the same.'],
    steps: ['Open the {page}.', 'Wait {seconds} seconds.'],
    answer: 'One of our servers was down. All pages answer again.',
  },
  {
    category: 'Accessibility',
    severities: moderate,
    titles: ['Keyboard focus is lost in the menu', 'Screen reader says "button" on the {page}'],
    details: ['I work without a mouse, in {browser}.', 'The text of the buttons is a picture.'],
    steps: ['Open the {page} in {browser}.', 'Press Tab until the menu opens.', 'Press Tab once more.'],
    answer: 'The next release has it fixed. It is out on {day}.',
  },
  {
    category: 'Other',
    severities: minor,
    titles: ['Newsletter comes {times} a day', 'Cookie banner is back on each page in {browser}'],
    details: ['I have only one account.', 'The link at its foot opens the front page.'],
    steps: ['Open the site on {device}.', 'Refuse all cookies.', 'Open the {page}.'],
    answer: 'I have switched it off for you by hand.',
  },
];

/** A message of the team, and the answer of the visitor. They fit any problem, in any order. */
export const exchanges: readonly (readonly [admin: string, visitor: string])[] = [
  ['Which browser do you use, and on which device?', '{browser} on {device}.'],
  ['Since when do you see this?', 'Since {day}. Last week everything was fine.'],
  ['Which order is it about?', 'It is {order}, with the {product}.'],
  ['Could you send me a screenshot?', 'Of course, it is attached to the mail that I have just sent.'],
  ['Does it help to reload the page?', 'For a minute, then it is the same again.'],
  ['Could you try it in a private window?', 'No difference. My colleague in {city} has the same.'],
  ['Which address is in your account?', 'The one that I write from.'],
  ['I have asked my colleagues, who answer by {day}. Can you wait?', 'If it must be. I need it soon.'],
  ['Which amount do you see?', 'It says {amount}, next to the {product}.'],
  ['We have changed something. Is it better now?', 'A little, but not on {device}.'],
  ['Would a voucher for {amount} help for now?', 'It would, thank you. But please look into it.'],
  ['Thank you, that helps. May I call you on {day}?', 'Please do, any time after nine.'],
];

/** What is said around them. */
export const phrases = {
  greetings: ['Hello!', 'Hi!', 'Good morning.', 'Sorry to bother you.', 'Hello, order {order} here.'],
  nudges: ['Is anybody there?', 'Any news on this?', 'Please answer soon, it is urgent.'],
  thanks: ['Thank you, {agent}!', 'Perfect, that was quick.', 'Many thanks and greetings from {city}.'],
  closings: ['You are welcome, {visitor}. Have a good {day}!', 'Happy to help. Best, {agent}'],
} as const;

/** The words for the placeholders. */
const words: Readonly<Record<string, readonly string[]>> = {
  browser: ['Safari 18', 'Safari 17', 'Chrome 138', 'Chrome 131', 'Firefox 140', 'Firefox ESR', 'Edge 137'],
  device: [
    'an iPhone 15',
    'an iPhone SE',
    'a Pixel 8',
    'a Galaxy S23',
    'an iPad',
    'a laptop',
    'a desktop PC',
  ],
  product: ['desk lamp', 'rain jacket', 'water bottle', 'tea set', 'bike light', 'backpack', 'wool blanket'],
  country: ['Ireland', 'Switzerland', 'Norway', 'Portugal', 'Austria', 'Canada', 'Denmark', 'Poland'],
  currency: ['CHF', 'NOK', 'DKK', 'PLN', 'CAD', 'GBP'],
  payment: ['a Visa card', 'a Mastercard', 'PayPal', 'Apple Pay', 'a gift card', 'direct debit'],
  page: ['product page', 'order history', 'front page', 'basket', 'category page', 'wish list', 'help page'],
  word: ['café', 'Öl', 'naïve', 'jalapeño', 'smörgås', 'crème'],
  seconds: ['6', '8', '11', '15', '20', '30'],
  amount: ['12.90', '24.00', '49.95', '87.50', '129.00', '310.00'],
  city: ['Dublin', 'Zürich', 'Oslo', 'Porto', 'Graz', 'Gdańsk', 'Aarhus', 'Lyon'],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  times: ['twice', 'three times', 'five times'],
};

/** Returns a function that replaces the placeholders of texts, each always by the same word. */
export function createFiller(random: Random, known: Readonly<Record<string, string>> = {}) {
  const chosen: Record<string, string> = { ...known };
  return (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
      chosen[name] ??= random.pick(words[name] ?? [placeholder]);
      return chosen[name];
    });
}

const firstNames = (
  'Aisling Amara Ana Astrid Beatriz Björn Camille Chiara Daniel Diego Elif Emma Erik Fatima Freya ' +
  'Gabriel Hannah Hugo Ines Ivan Jakub Jana Kaito Karim Lars Léa Liam Lucía Magda Mateo Mei Milan ' +
  'Nadia Niamh Noah Olga Oscar Priya Rafael Sara Sean Sofie Tariq Theo Tomás Wanjiru Yasmin Zoë'
).split(' ');
const lastNames = (
  'Ahmed Almeida Andersen Baker Becker Bianchi Brennan Byrne Carvalho Chen Dahl Demir Dubois ' +
  'Evans Fernández Fischer García Gruber Haddad Hansen Horváth Hughes Ivanova Kamau Keller Kelly ' +
  'Kowalska Larsen Lindqvist López Mori Müller Murphy Nguyen Novák Okafor Pereira Petit Quinn ' +
  'Rossi Santos Sato Sharma Silva Svensson Tanaka Walsh Weber Wójcik Yilmaz'
).split(' ');
const mailHosts = ['example.com', 'example.org', 'example.net', 'mail.example.com'];

/** The support team. */
export const agents = ['Ruth', 'Sam', 'Joan', 'Omar', 'Lena'] as const;

/** Returns the e-mail that an agent signs in with. */
export function agentEmail(agent: string): string {
  return `${agent.toLowerCase()}@example.com`;
}

/** Makes a visitor of the website. The e-mail uses a reserved domain (RFC 2606). */
export function makeVisitor(random: Random) {
  const firstName = random.pick(firstNames);
  const lastName = random.pick(lastNames);
  const mailbox = random.pick([`${firstName}.${lastName}`, `${firstName.charAt(0)}.${lastName}`]);
  // An e-mail has plain letters: without their accents.
  const plain = mailbox.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  const number = random.chance(0.4) ? String(random.integer(1, 99)) : '';
  return {
    firstName,
    name: `${firstName} ${lastName}`,
    email: `${plain}${number}@${random.pick(mailHosts)}`,
  };
}
