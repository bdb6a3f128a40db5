import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { isPublicAddress } from '../../../src/services/webhooks/private-addresses.ts';
import { createWebhookSender, type WebhookResponse } from '../../../src/services/webhooks/sender.ts';
import { type DnsServer, startDnsServer } from '../../support/receivers/dns.ts';

/** The target that no message may reach. It listens on every address of this machine. */
let target: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  target = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  target.listen(0, '::');
  await once(target, 'listening');
  ({ port } = target.address() as AddressInfo);
});

afterAll(() => target?.close());

beforeEach(() => {
  connections = 0;
});

/** Returns a name server with these answers. */
async function nameServer(...answers: readonly string[]): Promise<DnsServer> {
  const server = await startDnsServer(...answers);
  onTestFinished(() => server.close());
  return server;
}

/** Sends a message to a URL, and looks up its name as given. */
function send(
  url: string,
  resolve: LookupFunction,
  { allowPrivate = false, timeoutMs = 10_000 } = {},
): Promise<WebhookResponse> {
  return createWebhookSender({ allowPrivate, resolve, timeoutMs }).send({
    url,
    id: 'evt_1',
    body: '{}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  });
}

test.each([
  ['the internet', true, '1.1.1.1 93.184.215.14 172.32.0.1 100.128.0.1'],
  ['the internet in IPv6', true, '2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808'],
  ['the loopback and no host', false, '127.0.0.1 127.255.255.254 ::1 0.0.0.0 0.1.2.3 ::'],
  ['a private network', false, '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd12:3456::1'],
  ['a link, and cloud metadata', false, '169.254.169.254 169.254.0.1 fe80::1 fec0::1'],
  ['a cloud service in a public range', false, '168.63.129.16 ::ffff:168.63.129.16'],
  ['carrier-grade NAT', false, '100.64.0.1 100.127.255.255'],
  ['multicast and broadcast', false, '224.0.0.1 239.255.255.255 255.255.255.255 ff02::1'],
  ['tests and documentation', false, '192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 2001:db8::1'],
  ['reserved ranges', false, '240.0.0.1 192.0.0.170 100::1 4000::1'],
  ['IPv4 embedded in IPv6', false, '::ffff:127.0.0.1 ::ffff:a00:1 ::127.0.0.1 ::ffff:0:127.0.0.1'],
  ['a tunnel to the loopback', false, '64:ff9b::7f00:1 2002:7f00:1:: 2001:0:7f00:1::'],
])('addresses of %s are public: %s', (_of, isPublic, addresses) => {
  for (const address of addresses.split(' '))
    expect([address, isPublicAddress(address)]).toEqual([address, isPublic]);
});

/** URLs that lead to this machine, to a network around it or to the metadata of a cloud, if they are not refused. */
const hostileUrls = [
  // Every way to write an address of this machine.
  `127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 017700000001 0177.0.0.1 0177.0.0.01
   127.0.0.1. 0 0.0.0.0 00000000177.1 ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37.0.0.1 １２７.1
   [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1]
   [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::]`,
  // Its names.
  'localhost LOCALHOST localhost. a.localhost ｌｏｃａｌｈｏｓｔ local%68ost loc\u00adalhost',
  // Networks around it, and services of clouds.
  `10.0.0.1 172.17.0.1 192.168.0.1 169.254.169.254 0xa9fea9fe 100.100.100.200 168.63.129.16
   [fe80::1] [fd00:ec2::254] [fc00::1] [ff02::1] 224.0.0.1 255.255.255.255`,
  // A user name or a path that looks like the host.
  'example.com@127.0.0.1 example.com:80@127.0.0.1 example.com%2f@127.0.0.1 1.1.1.1&@127.0.0.1',
].flatMap((hosts) => hosts.split(/\s+/).map((host) => `http://${host}:PORT/`));

/** Names that this name server resolves to this machine, as anyone can have them. */
const hostileNames: readonly string[] = [
  'http://metadata.google.internal:PORT/latest/meta-data/',
  'https://internal.example:PORT/',
  'http://xn--lcalhost-54a.example:PORT/',
  'http:\\\\internal.example:PORT\\',
];

test('no message to one of more than 40 hostile addresses makes a connection', async () => {
  const { lookup } = await nameServer('127.0.0.1');
  const urls = [...hostileUrls, ...hostileNames].map((url) => url.replace('PORT', String(port)));
  expect(urls.length).toBeGreaterThan(40);
  const answers = await Promise.all(urls.map(async (url) => ({ url, ...(await send(url, lookup)) })));
  for (const { url, status, error } of answers)
    expect([url, status, error]).toEqual([url, null, expect.stringMatching(/private address|failed/)]);
  expect(connections).toBe(0);
});

test.for(['::1', '93.184.215.14 127.0.0.1'])(
  'no message goes to a name with the addresses %s',
  async (addresses) => {
    const found = addresses.split(' ').map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const answer = await send(`http://internal.example:${port}/`, (_name, _options, callback) =>
      callback(null, found),
    );
    expect(answer).toMatchObject({
      status: null,
      error: 'The host has a private address. Set BACKOFFICE_WEBHOOK_ALLOW_PRIVATE=1 to allow it.',
    });
    expect(connections).toBe(0);
  },
);

test('a name that changes its address between the check and the connection does not lead to this machine', async () => {
  // The address is public. It need not answer.
  const dns = await nameServer('93.184.215.14', '127.0.0.1');
  const url = `http://rebinding.example:${port}/`;
  expect(await send(url, dns.lookup, { timeoutMs: 500 })).toMatchObject({ status: null });
  expect(dns.asked).toEqual(['rebinding.example']);
  expect(await send(url, dns.lookup)).toMatchObject({ error: expect.stringMatching(/private address/) });
  expect(connections).toBe(0);
});

test('the target is reached if private addresses are allowed, so the tests above could fail', async () => {
  const { lookup } = await nameServer('127.0.0.1');
  await send(`http://internal.example:${port}/`, lookup, { allowPrivate: true });
  expect(connections).toBe(1);
});
