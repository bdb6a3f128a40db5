import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, unknownVariables } from '../src/config.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

describe('readConfig', () => {
  test('has a default for every variable', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      strictRoles: false,
      sessionSecrets: undefined,
      sessionIdleSeconds: 1_800,
      sessionMaxAgeSeconds: 43_200,
      trustProxy: 0,
      logLevel: 'info',
      isLogLevelSet: false,
    });
  });

  test('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
  });

  test('accepts several session secrets, newest first', () => {
    const secrets = ['n'.repeat(32), 'o'.repeat(40)];
    expect(readConfig({ SESSION_SECRET: secrets.join(', ') }).sessionSecrets).toEqual(secrets);
  });

  test('accepts several encryption keys, as base64 and as hex', () => {
    const key = Buffer.alloc(32, 0xfb);
    const texts = [key.toString('base64'), key.toString('base64url'), key.toString('hex')];
    const { encryptionKeys } = readConfig({ BACKOFFICE_ENCRYPTION_KEY: texts.join(', ') });
    expect(encryptionKeys).toEqual([key, key, key]);
    expect(readConfig({}).encryptionKeys).toEqual([]);
  });

  test('accepts several origins', () => {
    const origins = ['https://app.example.com', 'http://localhost:5173'];
    expect(readConfig({ BACKOFFICE_CORS_ORIGINS: origins.join(', ') }).corsOrigins).toEqual(origins);
    expect(readConfig({}).corsOrigins).toEqual([]);
  });

  test('reads a secret from the file that the variable with _FILE names', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'session-secret');
    for (const text of [`${'s'.repeat(40)}\n`, `\uFEFF${'s'.repeat(40)}\r\n`]) {
      writeFileSync(file, text);
      const env = { SESSION_SECRET_FILE: file, BACKOFFICE_ADMIN_PASSWORD_FILE: file };
      const { sessionSecrets, firstAdmin } = readConfig(env);
      expect([sessionSecrets, firstAdmin.password]).toEqual([['s'.repeat(40)], 's'.repeat(40)]);
    }
    expect(unknownVariables({ BACKOFFICE_ADMIN_PASSWORD_FILE: file })).toEqual([]);
  });

  test('refuses a secret file that it cannot read, or that is empty, or beside the variable itself', async () => {
    const folder = await temporaryFolder();
    const empty = join(folder, 'empty');
    writeFileSync(empty, '\n');
    expect(() => readConfig({ SMTP_URL_FILE: join(folder, 'absent') })).toThrow(/^SMTP_URL_FILE .*ENOENT/);
    expect(() => readConfig({ SMTP_URL_FILE: empty })).toThrow(/^SMTP_URL_FILE .* is empty\.$/);
    const both = { SMTP_URL: 'smtp://mail.example.com', SMTP_URL_FILE: empty };
    expect(() => readConfig(both)).toThrow('SMTP_URL_FILE and SMTP_URL are both set. Set only one of them.');
  });

  test('takes the sender of mails from the public URL, unless it is given', () => {
    const read = (env: Record<string, string>) => {
      const { publicUrl, isPublicUrlSet, mailFrom } = readConfig(env);
      return [publicUrl, isPublicUrlSet, `${mailFrom.name ?? 'the service'} <${mailFrom.address}>`];
    };
    const local = 'the service <backoffice@localhost>';
    expect(read({ PORT: '8080' })).toEqual(['http://localhost:8080', false, local]);
    const url = 'https://desk.example.com/backoffice';
    expect(read({ BACKOFFICE_PUBLIC_URL: `${url}/` })).toEqual([
      url,
      true,
      'the service <backoffice@desk.example.com>',
    ]);
    expect(read({ BACKOFFICE_PUBLIC_URL: 'http://192.0.2.1:3000' })[2]).toBe(local);
    expect(read({ BACKOFFICE_PUBLIC_URL: 'http://[::1]:3000' })[2]).toBe(local);
    expect(read({ BACKOFFICE_MAIL_FROM: 'desk@example.com' })[2]).toBe('the service <desk@example.com>');
    expect(read({ BACKOFFICE_MAIL_FROM: '"Help, desk" <desk@example.com>' })[2]).toBe(
      'Help, desk <desk@example.com>',
    );
  });

  test('takes the base path from the public URL, and adds it to one without a path', () => {
    const read = (env: Record<string, string>) => {
      const { basePath, publicUrl } = readConfig(env);
      return [basePath, publicUrl];
    };
    const [origin, path] = ['https://example.com', '/tools/desk'];
    expect(read({})).toEqual(['', 'http://localhost:3000']);
    expect(read({ BACKOFFICE_BASE_PATH: '/' })).toEqual(['', 'http://localhost:3000']);
    expect(read({ BACKOFFICE_BASE_PATH: `${path}/` })).toEqual([path, `http://localhost:3000${path}`]);
    for (const url of [origin, `${origin}/`, origin + path]) {
      expect(read({ BACKOFFICE_BASE_PATH: path, BACKOFFICE_PUBLIC_URL: url })).toEqual([path, origin + path]);
    }
    expect(read({ BACKOFFICE_PUBLIC_URL: origin + path })).toEqual([path, origin + path]);
    // A proxy can serve it under any path, but requests that keep this one could not be told apart.
    expect(read({ BACKOFFICE_PUBLIC_URL: `${origin}/api` })).toEqual(['', `${origin}/api`]);
    expect(() => read({ BACKOFFICE_BASE_PATH: path, BACKOFFICE_PUBLIC_URL: `${origin}/desk` })).toThrow(
      'BACKOFFICE_PUBLIC_URL must have no path, or that of BACKOFFICE_BASE_PATH.',
    );
  });

  test('refuses a pooler without the address of the database itself', () => {
    const url = 'postgres://x@127.0.0.1:6432/x';
    expect(() => readConfig({ DATABASE_POOL_URL: url })).toThrow('DATABASE_POOL_URL needs DATABASE_URL');
    expect(readConfig({ DATABASE_POOL_URL: url, DATABASE_URL: url })).toMatchObject({ databasePoolUrl: url });
  });

  test.each([
    ['PORT', '70000', 'from 0 to 65535'],
    ['PORT', '3e3', 'from 0 to 65535'],
    ['DATABASE_URL', 'localhost:5432', 'postgres://user:password@host:5432/database'],
    ['DATABASE_POOL_URL', 'mysql://x', 'postgres://'],
    ['DATABASE_READ_URL', 'mysql://x', 'postgres://'],
    ['BACKOFFICE_ADMIN_EMAIL', 'grace', 'e-mail address'],
    ['BACKOFFICE_ADMIN_PASSWORD', 'short', 'at least 6 characters'],
    ['BACKOFFICE_STRICT_ROLES', 'yes', '0 or 1'],
    ['BACKOFFICE_CORS_ORIGINS', '*', 'https://app.example.com'],
    ['BACKOFFICE_CORS_ORIGINS', 'null', 'https://app.example.com'],
    ['BACKOFFICE_CORS_ORIGINS', 'app.example.com', 'https://app.example.com'],
    ['BACKOFFICE_CORS_ORIGINS', 'https://app.example.com/', 'without a path'],
    ['BACKOFFICE_CORS_ORIGINS', 'https://app.example.com:443', 'https://app.example.com'],
    ['BACKOFFICE_CORS_ORIGINS', 'https://a.example.com,,https://b.example.com', 'separated by commas'],
    ['SESSION_SECRET', 'short', 'at least 32 characters'],
    ['BACKOFFICE_ENCRYPTION_KEY', 'short', '32 bytes, as base64 or hex'],
    ['BACKOFFICE_ENCRYPTION_KEY', `${'ab'.repeat(32)},`, 'separated by commas, newest first'],
    ['BACKOFFICE_ENCRYPTION_KEY', 'ab'.repeat(31), '32 bytes, as base64 or hex'],
    ['SESSION_IDLE_MINUTES', '0', 'from 1 to 1440'],
    ['SESSION_HOURS', '-1', 'from 1 to 720'],
    ['TRUST_PROXY', 'true', 'from 0 to 10'],
    ['SMTP_URL', 'mail.example.com', 'smtps://'],
    ['BACKOFFICE_PUBLIC_URL', 'backoffice.example.com', 'https://backoffice.example.com'],
    ['BACKOFFICE_PUBLIC_URL', 'https://example.com/?x=1', 'https://backoffice.example.com'],
    ['BACKOFFICE_BASE_PATH', 'backoffice', '/backoffice'],
    ['BACKOFFICE_BASE_PATH', '/back office', '/backoffice'],
    ['BACKOFFICE_BASE_PATH', '/a/../b', '/backoffice'],
    ['BACKOFFICE_BASE_PATH', '/api/desk', 'such as /api'],
    ['BACKOFFICE_MAIL_FROM', 'Backoffice', 'Backoffice <backoffice@example.com>'],
    ['BACKOFFICE_MAIL_FROM', 'Back\r\nBcc: x@example.com <desk@example.com>', 'backoffice@example.com'],
    ['BACKOFFICE_MAIL_REPLY_TO', 'support', 'support@example.com'],
    ['BACKOFFICE_MAIL_REPLY_TO', `${'s'.repeat(38)}@example.com`, 'at most 37 characters before the @'],
    ['LOG_LEVEL', 'loud', 'trace, debug, info'],
  ])('rejects %s=%s in one line that names the variable and the valid values', (name, value, valid) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must [^\\n]*${valid}`));
  });
});
