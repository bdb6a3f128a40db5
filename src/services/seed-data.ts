import type { SeedConversation, SeedIssue, SeedMessage, SeedRun, SeedUsage } from '../db/seed.ts';
import { newId } from './ids.ts';

const hour = 60;
const day = 24 * hour;

/** Titles, categories and severities of what visitors of a website report. */
const reports = [
  ['Checkout button does nothing on Safari', 'Payments', 'Critical', 'Press "Pay now" in Safari 18.'],
  [
    'Invoice PDF shows the wrong currency',
    'Payments',
    'High',
    'Download an invoice of an order paid in CHF.',
  ],
  ['Password reset mail arrives twice', 'Accounts', 'Low', 'Ask for a reset once, read the inbox.'],
  ['Search finds nothing for words with accents', 'Search', 'Medium', 'Search for "café".'],
  ['Images stay blurred after loading', 'Performance', 'Low', 'Open the gallery on a slow connection.'],
  ['Signed out after every page', 'Accounts', 'High', 'Sign in, open any second page.'],
  ['Product page takes eight seconds', 'Performance', 'High', 'Open a product with more than 20 reviews.'],
  ['Newsletter form accepts any text', 'Other', 'Low', 'Enter "abc" and send.'],
  ['Cart loses its items overnight', 'Payments', 'Medium', 'Fill the cart, come back the next day.'],
  ['Map is empty in the store finder', 'Content', 'Medium', 'Open the store finder, allow the location.'],
  ['Discount applied a second time on reload', 'Payments', 'Critical', 'Enter a code, reload the summary.'],
  ['Keyboard focus is lost in the menu', 'Accessibility', 'Medium', 'Press Tab in the open menu.'],
  ['Wrong opening hours on holidays', 'Content', 'Low', 'Look at 1 January.'],
  [
    'Upload fails without a message above 10 MB',
    'Accounts',
    'Medium',
    'Upload a large picture as an avatar.',
  ],
] as const;

const statuses = ['Resolved', 'Closed', 'In Progress', 'Open'] as const;

/** Some hundred issues over half a year: the older, the more likely done with. */
export function seedIssues(): SeedIssue[] {
  return Array.from({ length: 120 }, (_, index) => {
    const [title, category, severity, steps] = reports[(index * 5) % reports.length] ?? reports[0];
    const age = Math.round(12 + 180 * day * (index / 119) ** 2);
    const done = age > 21 * day ? index % 2 : age > 4 * day ? index % 4 : 2 + (index % 2);
    return {
      title,
      category,
      severity,
      description: `Reported by a visitor: ${title.toLowerCase()}.`,
      steps_to_reproduce: steps,
      status: statuses[done] ?? 'Open',
      age,
    };
  });
}

/** Who wrote about what, in which state it is, how many hours ago the last message was, and the messages in turn. */
const threads = [
  ['Ada Byron', 'An invoice for March', 'open', 1, ['Could you send the invoice for March again?']],
  [
    'Alan Mathison',
    'Delivery to Ireland',
    'open',
    3,
    ['Do you deliver to Ireland?', 'We do, within five days.', 'And on Saturdays?'],
  ],
  [
    'Grace Murray',
    'Change of address',
    'pending',
    9,
    ['I have moved. Where do I change my address?', 'Under "Account", then "Addresses". Did it work?'],
  ],
  [
    'Edsger Wybe',
    'Refund',
    'resolved',
    30,
    ['The parcel never came.', 'I am sorry. The refund is on its way.', 'Thank you!', 'You are welcome.'],
  ],
  ['Barbara Jane', 'Your newsletter', 'closed', 90, ['Please take me off the list.', 'Done.']],
  [
    'Donald Ervin',
    'Typo on the front page',
    'resolved',
    200,
    ['It says "recieve" in the second paragraph.', 'Well spotted. It is mended.'],
  ],
  ['Margaret Heafield', 'Bulk order', 'open', 2, ['We need 400 pieces. Is there a discount?']],
  [
    'Tim John',
    '',
    'open',
    26,
    ['Hello?', 'Hello! How can we help?', 'I forgot my password and the mail does not come.'],
  ],
] as const;

/** A handful of conversations in every state, with and without unread messages. */
export function seedConversations(): { conversations: SeedConversation[]; messages: SeedMessage[] } {
  const conversations: SeedConversation[] = [];
  const messages: SeedMessage[] = [];
  for (const [visitor_name, subject, status, hoursAgo, texts] of threads) {
    const id = newId('conv', 7);
    const newest = hoursAgo * hour;
    const ageOf = (index: number) => newest + (texts.length - 1 - index) * 25;
    const visitor_email = `${visitor_name.toLowerCase().replace(' ', '.')}@example.com`;
    conversations.push({
      id,
      visitor_email,
      visitor_name,
      subject,
      status,
      age: ageOf(0),
      updated_age: newest,
    });
    for (const [index, content] of texts.entries()) {
      const unread = index === texts.length - 1 && index % 2 === 0;
      messages.push({
        conversation_id: id,
        sender_type: index % 2 === 0 ? 'visitor' : 'admin',
        content,
        ai_draft: null,
        status: unread || index % 2 === 1 ? 'sent' : 'read',
        age: ageOf(index),
      });
    }
  }
  return { conversations, messages };
}

/** Six weeks of requests to two models, with some that failed. */
export function seedUsage(): SeedUsage[] {
  return Array.from({ length: 42 * 6 }, (_, index) => ({
    provider: 'example-ai',
    model: index % 3 === 0 ? 'large-1' : 'small-1',
    input_tokens: 800 + ((index * 137) % 2400),
    output_tokens: 150 + ((index * 61) % 700),
    cached_input_tokens: (index * 53) % 600,
    succeeded: index % 29 !== 7,
    age: 30 + index * 4 * hour,
  }));
}

const sources = ['news.example.com', 'shop.example.org', 'jobs.example.net'] as const;

/** A month of daily scraping runs of three sources, a few of them failed. */
export function seedRuns(): SeedRun[] {
  return Array.from({ length: 30 * sources.length }, (_, index) => {
    const source = sources[index % sources.length] ?? sources[0];
    const failed = index % 11 === 5;
    const pages = 40 + ((index * 17) % 60);
    return {
      run_id: `run_${source}_${String(index).padStart(3, '0')}`,
      source,
      status: failed ? 'failed' : index % 41 === 3 ? 'cancelled' : 'succeeded',
      seconds: 60 + ((index * 31) % 400),
      pages_succeeded: failed ? 3 : pages,
      pages_failed: failed ? 4 : index % 3,
      pages_blocked: index % 7 === 0 ? 2 : 0,
      items_scraped: failed ? 12 : pages * 9,
      age: 2 * hour + Math.floor(index / sources.length) * day + (index % sources.length) * 20,
      errors: failed
        ? [
            {
              url: `https://${source}/page/${index}`,
              code: 'TIMEOUT',
              http_status: null,
              message: 'No answer in 30 s.',
            },
          ]
        : [],
    };
  });
}
