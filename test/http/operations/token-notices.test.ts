import { expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client/client.ts';
import { mailHere } from '../../support/receivers.ts';

const own = mailHere();

test('an account is told of a new token, which would outlast a stolen session', async () => {
  const ada = await own.service.signIn('admin');
  await ada.client.call('tokens.create', { name: 'deploy' });
  const mail = await own.mailServer.take(ada.email);
  expect(mail.header('Subject')).toBe('Your Backoffice account: the API token “deploy” was created');
  expect(mail.text).toContain(ada.email);
  expect(mail.text).toContain('127.0.0.1');
});

test('an account is told of the token of a device that it let in', async () => {
  const ada = await own.service.signIn('admin');
  const device = createClient({ baseUrl: own.service.url });
  const { device_code, user_code } = await device.call('device.create', { name: 'laptop' });
  await ada.client.call('device.approve', { user_code });
  await device.call('device.token', { device_code });
  const mail = await own.mailServer.take(ada.email);
  expect(mail.header('Subject')).toBe('Your Backoffice account: the API token “laptop” was created');
  expect(mail.text).toContain(ada.email);
});
