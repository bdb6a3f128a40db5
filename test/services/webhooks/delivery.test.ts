import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toAttempt } from '../../../src/services/webhooks/delivery.ts';
import {
  isPublicAddress,
  PrivateAddressError,
  publicLookup,
} from '../../../src/services/webhooks/private-addresses.ts';
import { createWebhookSender, type WebhookResponse } from '../../../src/services/webhooks/sender.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';

describe('private addresses', () => {
  const privateAddress =
    'The host has a private address. Set BACKOFFICE_WEBHOOK_ALLOW_PRIVATE=1 to allow it.';

  describe('isPublicAddress', () => {
    test.each([
      ['the loopback', '127.0.0.1', '127.255.255.254', '::1'],
      ['the unspecified address', '0.0.0.0', '0.1.2.3', '::'],
      [
        'a private network',
        '10.0.0.1',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        'fc00::1',
        'fd12:3456::1',
      ],
      ['a link, and cloud metadata', '169.254.169.254', '169.254.0.1', 'fe80::1', 'fec0::1'],
      ['a cloud service in a public range', '168.63.129.16', '::ffff:168.63.129.16'],
      ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
      ['multicast and broadcast', '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
      ['tests and documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1'],
      ['reserved ranges', '240.0.0.1', '192.0.0.170', '100::1', '4000::1'],
      [
        'an IPv4 address embedded in IPv6',
        '::ffff:127.0.0.1',
        '::ffff:a00:1',
        '::127.0.0.1',
        '::ffff:0:127.0.0.1',
      ],
      ['a tunnel to the loopback', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
    ])('rejects %s', (_what, ...addresses) => {
      for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false]);
    });

    test('accepts addresses of the internet', () => {
      for (const address of [
        '1.1.1.1',
        '64:ff9b::808:808',
        '93.184.215.14',
        '172.32.0.1',
        '100.128.0.1',
        '2606:4700::1111',
        '::ffff:8.8.8.8',
      ]) {
        expect([address, isPublicAddress(address)]).toEqual([address, true]);
      }
    });
  });

  describe('a message', () => {
    let receiver: Receiver;
    beforeEach(async () => {
      receiver = await startReceiver();
    });
    afterEach(() => receiver.close());

    /** Returns a resolver that gives each answer once, and the last one forever. */
    function resolving(...answers: string[][]): LookupFunction {
      return (_hostname, options, callback) => {
        const addresses = answers.length > 1 ? answers.shift() : answers[0];
        const found = (addresses ?? []).map(
          (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
        );
        if (options.all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      };
    }

    const send = (url: string, allowPrivate: boolean, resolve?: LookupFunction): Promise<WebhookResponse> =>
      createWebhookSender({ allowPrivate, ...(resolve === undefined ? {} : { resolve }) }).send({
        url,
        id: 'evt_1',
        body: '{}',
        secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      });

    test.each([
      ['a literal address', '127.0.0.1'],
      ['a number', '2130706433'],
      ['hexadecimal', '0x7f.1'],
      ['octal', '0177.0.0.1'],
      ['the name of this machine', 'localhost'],
      ['a subdomain of localhost', 'a.localhost'],
      ['localhost with a final dot', 'localhost.'],
      ['IPv6', '[::1]'],
      ['IPv4 as IPv6', '[::ffff:127.0.0.1]'],
      ['IPv4 as IPv6 in hexadecimal', '[::ffff:7f00:1]'],
    ])('is not sent to this machine by %s', async (_what, host) => {
      expect(await send(`http://${host}:${receiver.port}/`, false)).toMatchObject({
        status: null,
        error: privateAddress,
      });
      expect(receiver.arrivals).toEqual([]);
    });

    test.each([
      ['of this machine', ['127.0.0.1']],
      ['of this machine in IPv6', ['::1']],
      ['of this machine as IPv4 in IPv6', ['::ffff:127.0.0.1']],
      ['of a cloud’s metadata', ['169.254.169.254']],
      ['that is private beside a public one', ['93.184.215.14', '127.0.0.1']],
    ])('is not sent to a name with an address %s', async (_what, addresses) => {
      const url = `http://hooks.example.com:${receiver.port}/`;
      expect(await send(url, false, resolving(addresses))).toMatchObject({
        status: null,
        error: privateAddress,
      });
      expect(receiver.arrivals).toEqual([]);
    });

    test('is sent to the addresses that were checked, even if the name resolves differently later', async () => {
      const lookup = publicLookup(resolving(['93.184.215.14'], ['127.0.0.1']));
      const lookUp = () =>
        new Promise((resolve) =>
          lookup('hooks.example.com', { all: true }, (error, found) => resolve(error ?? found)),
        );
      expect(await lookUp()).toEqual([{ address: '93.184.215.14', family: 4 }]);
      expect(await lookUp()).toBeInstanceOf(PrivateAddressError);
    });

    test('is sent to private addresses if they are allowed', async () => {
      const url = `http://hooks.example.com:${receiver.port}/`;
      expect(await send(url, true, resolving(['127.0.0.1']))).toMatchObject({ status: 204, error: null });
      expect(await send(receiver.url, true)).toMatchObject({ status: 204, error: null });
      expect(receiver.arrivals).toHaveLength(2);
    });
  });
});

describe('a delivery', () => {
  const response = (status: number | null, retryAfter?: string) => ({
    status,
    body: '',
    error: status === null || status >= 300 ? 'It failed.' : null,
    retryAfter,
    durationMs: 12,
  });

  describe('an attempt', () => {
    test('that succeeds is the last', () => {
      expect(toAttempt(response(202), 3)).toEqual({
        status: 'succeeded',
        nextInSeconds: null,
        response_status: 202,
        response_body: '',
        error: null,
        duration_ms: 12,
      });
    });

    test.each([
      [0, 5],
      [1, 300],
      [2, 1_800],
      [3, 7_200],
      [4, 18_000],
      [5, 36_000],
      [6, 36_000],
    ])(
      'after %i others is followed by a retry after %i seconds, or up to a fifth more',
      (before, seconds) => {
        expect(toAttempt(response(null), before, () => 0)).toMatchObject({
          status: 'pending',
          nextInSeconds: seconds,
        });
        expect(toAttempt(response(null), before, () => 1)).toMatchObject({ nextInSeconds: seconds * 1.2 });
      },
    );

    test('after seven others is the last', () => {
      expect(toAttempt(response(null), 7)).toMatchObject({ status: 'failed', nextInSeconds: null });
    });

    test('that receives 410 is the last', () => {
      expect(toAttempt(response(410, '5'), 0)).toMatchObject({ status: 'failed', nextInSeconds: null });
    });

    test.each([
      ['a number of seconds', () => '4000', 4_000],
      ['a date', () => new Date(Date.now() + 4_000_000).toUTCString(), 4_000],
      ['less than the delay', () => '1', 300],
      ['a date that has passed', () => 'Thu, 01 Jan 1970 00:00:00 GMT', 300],
      ['nonsense', () => 'soon', 300],
      ['more than a day', () => '90000', 86_400],
    ])('is retried as Retry-After says: %s', (_what, header, seconds) => {
      const { nextInSeconds } = toAttempt(response(503, header()), 1, () => 0);
      expect(Math.abs(Number(nextInSeconds) - seconds)).toBeLessThanOrEqual(1);
    });
  });
});
