import type { Words } from './placeholders.ts';

/** A kind of problem that visitors of a web shop report. */
export interface IssueKind {
  readonly category: string;
  /** How often it is reported, relative to the others. */
  readonly weight: number;
  /** The weights of Low, Medium, High and Critical. */
  readonly severities: readonly [number, number, number, number];
  readonly titles: readonly string[];
  readonly details: readonly string[];
  readonly steps: readonly string[];
}

const minor = [60, 32, 7, 1] as const;
const moderate = [28, 47, 21, 4] as const;
const grave = [6, 30, 44, 20] as const;

/** The words for the placeholders. */
export const issueWords: Words = {
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
  size: ['8 MB', '10 MB', '14 MB', '25 MB'],
  city: ['Dublin', 'Zürich', 'Oslo', 'Porto', 'Graz', 'Gdańsk', 'Aarhus'],
  times: ['twice', 'three times', 'every time', 'about every second time'],
  often: ['twice', 'three times', 'five times'],
};

export const issueKinds: readonly IssueKind[] = [
  {
    category: 'Payments',
    weight: 9,
    severities: grave,
    titles: [
      'Checkout button does nothing in {browser}',
      'Cannot pay with {payment}',
      'Checkout hangs on {device}',
    ],
    details: [
      'After "Pay now" nothing happens, and no mail arrives.',
      'The page goes grey and stays so. I tried it {times}.',
      'It worked last week. Since then every payment with {payment} stops at the last step.',
    ],
    steps: ['Put a {product} into the basket.', 'Choose {payment}.', 'Press "Pay now".', 'Wait a minute.'],
  },
  {
    category: 'Payments',
    weight: 5,
    severities: moderate,
    titles: ['Invoice shows the wrong currency for {country}', 'Invoice in {currency} has a wrong total'],
    details: [
      'The order was paid in {currency}, the invoice says EUR.',
      'The total is off by {amount}, the lines are right.',
    ],
    steps: [
      'Order from {country}.',
      'Open "Invoices".',
      'Download the PDF.',
      'Compare it with the confirmation.',
    ],
  },
  {
    category: 'Payments',
    weight: 4,
    severities: grave,
    titles: ['Charged twice for a {product}', 'Card was charged {amount} a second time'],
    details: [
      'My bank shows {amount} two times, a minute apart.',
      'I reloaded the page because it did not go on, and was charged again.',
    ],
    steps: ['Pay with {payment}.', 'Reload while the page says "One moment".', 'Look at the bank statement.'],
  },
  {
    category: 'Payments',
    weight: 4,
    severities: moderate,
    titles: ['Discount code is taken off twice after a reload', 'Discount code is refused on {device}'],
    details: ['The summary changes by {amount} with each reload.', 'The same code works in {browser}.'],
    steps: ['Put a {product} into the basket.', 'Enter the code of the newsletter.', 'Reload the summary.'],
  },
  {
    category: 'Accounts',
    weight: 7,
    severities: moderate,
    titles: ['Signed out after every page in {browser}', 'Cannot stay signed in on {device}'],
    details: [
      'I sign in, open the {page}, and am asked for my password again.',
      '"Stay signed in" makes no difference.',
    ],
    steps: ['Sign in with "Stay signed in".', 'Open the {page}.', 'Look at the top right corner.'],
  },
  {
    category: 'Accounts',
    weight: 6,
    severities: minor,
    titles: ['Password reset mail arrives {often}', 'Link in the password mail has expired at once'],
    details: [
      'The second mail makes the link in the first one invalid.',
      'I opened it within a minute, on {device}.',
    ],
    steps: ['Press "Forgot password".', 'Enter the address.', 'Read the inbox.', 'Open the first link.'],
  },
  {
    category: 'Accounts',
    weight: 4,
    severities: moderate,
    titles: ['Picture of {size} fails without a message', 'Upload stops halfway on {device}'],
    details: ['The bar goes to the end, then the old picture is back.', 'Smaller pictures work.'],
    steps: ['Open "Account", then "Picture".', 'Choose a picture of {size}.', 'Press "Save".'],
  },
  {
    category: 'Accounts',
    weight: 3,
    severities: grave,
    titles: ["Somebody else's address in my account", 'Old address comes back after it was changed'],
    details: [
      'A parcel went to {city}, where I have never lived.',
      'I changed it {times}, and each time the old one is back the next day.',
    ],
    steps: ['Open "Account", then "Addresses".', 'Change the address and save.', 'Sign out and in again.'],
  },
  {
    category: 'Search',
    weight: 6,
    severities: moderate,
    titles: ['Search finds nothing for "{word}"', 'Search for "{product}" shows unrelated things'],
    details: [
      'Without the accent it finds what I want.',
      'What I look for is on the third page of the results.',
    ],
    steps: ['Search for "{word}".', 'Look at the number of results.', 'Search for it without the accent.'],
  },
  {
    category: 'Search',
    weight: 4,
    severities: minor,
    titles: ['Filter by price is forgotten on page two', 'Sorting by price ignores discounts'],
    details: [
      'The filter is still shown, the results do not respect it.',
      'A {product} at {amount} comes last.',
    ],
    steps: ['Search for "{product}".', 'Filter up to {amount}.', 'Go to the second page.'],
  },
  {
    category: 'Performance',
    weight: 7,
    severities: moderate,
    titles: ['{page} takes {seconds} seconds', 'Page with the {product} is very slow on {device}'],
    details: [
      'Other sites are fast on the same connection.',
      'It is worst in the evening, and worse with many reviews.',
    ],
    steps: [
      'Open the {page}.',
      'Count the seconds until it can be scrolled.',
      'Do the same with an empty cache.',
    ],
  },
  {
    category: 'Performance',
    weight: 4,
    severities: grave,
    titles: ['Site does not answer', 'Error 502 on the {page}', 'Nothing loads since this morning'],
    details: ['Only the logo appears.', 'It comes and goes. {browser} and {device} are the same.'],
    steps: ['Open the {page}.', 'Wait {seconds} seconds.'],
  },
  {
    category: 'Content',
    weight: 5,
    severities: minor,
    titles: ['Wrong opening hours of the store in {city}', 'Map is empty in the store finder for {country}'],
    details: ['I stood in front of a closed door.', 'The list below the map is right, the map is grey.'],
    steps: ['Open the store finder.', 'Enter {city}.', 'Compare it with the sign at the door.'],
  },
  {
    category: 'Content',
    weight: 5,
    severities: minor,
    titles: ['Picture of the {product} shows another colour', 'Text about the {product} is cut off'],
    details: ['I have sent it back because of this.', 'It ends in the middle of a sentence in {browser}.'],
    steps: [
      'Open the page of the {product}.',
      'Choose another colour.',
      'Compare the picture with the text.',
    ],
  },
  {
    category: 'Delivery',
    weight: 6,
    severities: moderate,
    titles: [
      'Tracking link leads nowhere',
      'No delivery to {country} can be chosen',
      'Parcel is shown as delivered',
    ],
    details: [
      'The carrier says the number does not exist.',
      'It worked for an earlier order to {city}.',
      'Neither I nor a neighbour has it.',
    ],
    steps: ['Open the order of the {product}.', 'Press "Track".', 'Look at the page of the carrier.'],
  },
  {
    category: 'Accessibility',
    weight: 4,
    severities: moderate,
    titles: [
      'Keyboard focus is lost in the menu',
      'Screen reader says "button" for everything on the {page}',
    ],
    details: ['I cannot use the site without a mouse in {browser}.', 'The text of the buttons is a picture.'],
    steps: ['Open the {page} in {browser}.', 'Press Tab until the menu opens.', 'Press Tab once more.'],
  },
  {
    category: 'Other',
    weight: 4,
    severities: minor,
    titles: [
      'Newsletter comes {often} a day',
      'Cannot leave the newsletter',
      'Cookie banner is back on each page',
    ],
    details: ['I have only one account.', 'The link at its foot opens the front page.', 'Seen in {browser}.'],
    steps: ['Open the site on {device}.', 'Refuse all cookies.', 'Open the {page}.'],
  },
];
