import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../src/db/embedded/server.ts';

/** The folders and user of Debian's package. It must be started as root, as a mail server is. */
const program = '/usr/sbin/dovecot';

/** Starts Dovecot with one mailbox. Throws with what to install if it is not there. */
export async function startDovecot() {
  try {
    execFileSync(program, ['--version']);
  } catch {
    throw new Error('Dovecot is needed. Run `apt-get install dovecot-imapd` as root, and this test as root.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'));
  chmodSync(folder, 0o755);
  const maildir = join(folder, 'Maildir');
  const uid = Number(execFileSync('id', ['-u', 'dovecot']).toString());
  for (const part of [maildir, ...['cur', 'new', 'tmp'].map((name) => join(maildir, name))]) {
    mkdirSync(part);
    chownSync(part, uid, uid);
  }
  const port = await findFreePort();
  const file = join(folder, 'dovecot.conf');
  writeFileSync(
    file,
    `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:${maildir}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=dovecot gid=dovecot home=${folder}
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`,
  );
  const server = spawn(program, ['-F', '-c', file], { stdio: 'ignore' });
  let mails = 0;
  return {
    url: `imap://support:secret@127.0.0.1:${port}`,
    /** Delivers a mail as mail servers do: written whole, then renamed. */
    deliver(raw: Buffer) {
      const name = `${Date.now()}.${++mails}.test`;
      const written = join(maildir, 'tmp', name);
      writeFileSync(written, raw);
      chownSync(written, uid, uid);
      renameSync(written, join(maildir, 'new', name));
    },
    /** Returns how many mails are not marked as seen. */
    unseen: () =>
      readdirSync(join(maildir, 'new')).length +
      readdirSync(join(maildir, 'cur')).filter((name) => !/,[A-R]*S/.test(name)).length,
    async stop() {
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
