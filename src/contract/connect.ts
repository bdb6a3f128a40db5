/** How a website is connected: plain data that the web dashboard and the command line show. */

export const cardIds = ['contact', 'mail', 'issues', 'usage', 'scraping'] as const;
export type CardId = (typeof cardIds)[number];

export const sampleLanguages = ['curl', 'node', 'python'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

export interface ConnectCard {
  readonly title: string;
  /** What to do, a line each, at most six. `{address}` stands for the URL of the service. */
  readonly lines: readonly string[];
  /** What to do instead where the service reads a mailbox. */
  readonly linesWithMailbox?: readonly string[];
  /** When it counts as connected. */
  readonly light: string;
  /** What the samples send. Its strings and numbers mean the same in JSON, JavaScript and Python. */
  readonly sends: {
    readonly path: string;
    /** Whether it needs a token of the scope `intake`. */
    readonly token: boolean;
    /** An object is sent as JSON, a text as a mail. It has no quotes, backslashes or dollars for a shell to read. */
    readonly body: string | Readonly<Record<string, string | number>>;
  };
  /** What to put into a page of the website, by its name. */
  readonly markup?: Readonly<Record<string, string>>;
}

const form = `<form id="contact">
  <label>Name <input name="name" autocomplete="name" required></label>
  <label>E-mail <input name="email" type="email" autocomplete="email" required></label>
  <label>Message <textarea name="message" required></textarea></label>
  <button>Send</button>
  <p role="status"></p>
</form>
<script type="module">
  const form = document.getElementById('contact');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const message = { ...Object.fromEntries(new FormData(form)), page: location.href };
    const response = await fetch('{address}/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
    });
    const { error = 'Your message has arrived.' } = await response.json();
    form.querySelector('[role=status]').textContent = error;
    if (response.ok) form.reset();
  });
</script>`;

const otherWays = [
  'A mail server of yours: pipe each mail to the command backoffice mail deliver.',
  'Any other mail service: have it send the whole mail to {address}/api/mail/inbound, as below.',
];

export const connectCards: Readonly<Record<CardId, ConnectCard>> = {
  contact: {
    title: 'Visitors, by contact page',
    lines: [
      'Set the setting contact_page to 1. Then visitors write at {address}/contact.',
      'Link to that page from your website.',
      'Or show it in a frame, or send the messages of a form of your own.',
      'For a frame or a form, add the origin of your website, such as https://example.com, to the setting contact_origins.',
    ],
    light: 'Connected once the first message has come from the contact page or your form.',
    sends: {
      path: '/api/contact',
      token: false,
      body: { name: 'Ada Byron', email: 'ada@example.com', message: 'Hello from my website.' },
    },
    markup: {
      Link: '<a href="{address}/contact">Contact us</a>',
      Frame:
        '<iframe src="{address}/contact" title="Contact us" style="width: 100%; height: 60rem; border: 0"></iframe>',
      Form: form,
    },
  },
  mail: {
    title: 'Visitors, by mail',
    lines: [
      'Choose one way in. Mails become conversations, and answers find theirs.',
      'A mailbox: set IMAP_URL=imaps://user:password@host where the service runs, and restart it.',
      ...otherWays,
    ],
    linesWithMailbox: [
      'The service reads the mailbox in IMAP_URL: write to its address, and the mail comes in within seconds.',
      'There are two other ways for other addresses.',
      ...otherWays,
    ],
    light: 'Connected once the first mail of a visitor has come in.',
    sends: {
      path: '/api/mail/inbound',
      token: true,
      body: [
        'From: Ada Byron <ada@example.com>',
        'To: support@example.com',
        'Subject: Hello by mail',
        'Message-ID: <hello-1@example.com>',
        '',
        'Hello from a mail.',
      ].join('\n'),
    },
  },
  issues: {
    title: 'Issues',
    lines: [
      'Have your website report what goes wrong, with a token that only sends data in.',
      'Send each problem to {address}/api/admin/issues. Only the title is required.',
      'severity is Low, Medium, High or Critical; category is any word of yours.',
    ],
    light: 'Connected once the first issue has come in.',
    sends: {
      path: '/api/admin/issues',
      token: true,
      body: { title: 'Hello from my website', severity: 'Low', category: 'Website' },
    },
  },
  usage: {
    title: 'Model usage',
    lines: [
      'After each request to a language model, send its tokens to {address}/api/admin/token-usage.',
      'record_id is your own id of the request: a record that is sent twice counts once.',
      'Send up to 1,000 together as records.',
      'For the cost, set the prices of your models on the page Usage.',
    ],
    light: 'Connected once the first record has come in.',
    sends: {
      path: '/api/admin/token-usage',
      token: true,
      body: { record_id: 'hello-1', model: 'small-1', input_tokens: 1800, output_tokens: 240 },
    },
  },
  scraping: {
    title: 'Scraping',
    lines: [
      'At the start and the end of each run, send it to {address}/api/admin/scraping-runs.',
      'run_id is your own id of the run: sent again, it is the same run, further on.',
      'status is running, succeeded, failed or cancelled. Errors of pages go with it, as errors.',
    ],
    light: 'Connected once the first run has come in.',
    sends: {
      path: '/api/admin/scraping-runs',
      token: true,
      body: {
        run_id: 'hello-1',
        source: 'shop.example.com',
        status: 'succeeded',
        pages_succeeded: 40,
        items_scraped: 380,
      },
    },
  },
};

/** Returns what to do for a card, a line each. */
export function linesOf(card: CardId, address: string, hasMailbox: boolean): readonly string[] {
  const { lines, linesWithMailbox = lines } = connectCards[card];
  return (hasMailbox ? linesWithMailbox : lines).map((line) => withAddress(line, address));
}

/** Returns a text of a card with the URL of the service. */
export const withAddress = (text: string, address: string) => text.replaceAll('{address}', address);

/** Returns the command that sends the first record of a card. A POSIX shell runs it as it stands. */
export function sampleOf(card: CardId, language: SampleLanguage, address: string, token: string): string {
  const { path, body, token: needsToken } = connectCards[card].sends;
  const type = typeof body === 'string' ? 'message/rfc822' : 'application/json';
  const headers = { ...(needsToken ? { Authorization: `Bearer ${token}` } : {}), 'Content-Type': type };
  return writers[language]({ url: `${address}${path}`, headers, body });
}

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | object;
}

/** Returns an object as a literal that JSON, JavaScript and Python read, indented to fit into a call. */
const literal = (value: object) => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

const writers: Readonly<Record<SampleLanguage, (sent: Sent) => string>> = {
  curl: ({ url, headers, body }) =>
    [
      `curl '${url}'`,
      ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
      `--data-binary '${typeof body === 'string' ? body : JSON.stringify(body)}'`,
    ].join(' \\\n  '),

  node: ({ url, headers, body }) => `node --input-type=module <<'END'
const response = await fetch('${url}', {
  method: 'POST',
  headers: ${literal(headers)},
  body: ${typeof body === 'string' ? `\`${body}\`` : `JSON.stringify(${literal(body)})`},
});
console.log(response.status, await response.text());
END`,

  python: ({ url, headers, body }) => `python3 - <<'END'
import json, urllib.request
request = urllib.request.Request(
  '${url}',
  headers=${literal(headers)},
  data=${typeof body === 'string' ? `'''${body}'''` : `json.dumps(${literal(body)})`}.encode(),
)
with urllib.request.urlopen(request) as response:
  print(response.status, response.read().decode())
END`,
};
