/**
 * The script of the pages that the links of mails lead to. The token is in the fragment of the address, which browsers
 * send to nobody. Texts are set as text, never as HTML.
 */
export const linkPageScript = `'use strict';
const part = (id) => document.getElementById(id);
const fields = new URLSearchParams(location.hash.slice(1));
const token = fields.get('token') ?? '';

function show(id) {
  part(id).hidden = false;
}

function tellProblem(text) {
  part('problem').textContent = text;
  part('problem').hidden = text === '';
}

/** Replaces the form by sentences, and reads them out. */
function finish(form, ...sentences) {
  // The link does not work again, so it need not stay in the history.
  history.replaceState(null, '', location.pathname);
  form.hidden = true;
  part('done').replaceChildren(...sentences.map((text) => {
    const paragraph = document.createElement('p');
    paragraph.textContent = text;
    return paragraph;
  }));
  show('done');
  part('done').focus();
}

/** Sends JSON to the API. Throws an error whose message is for people. */
async function send(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error('The service cannot be reached. Check your connection, then try again.');
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? 'The service failed. Try again in a minute.');
  return answer;
}

/** Runs work when the form is sent. The form waits for it. */
function onSubmit(id, work) {
  const form = part(id);
  const button = form.querySelector('[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    tellProblem('');
    button.disabled = true;
    try {
      await work(form);
    } catch (error) {
      tellProblem(error.message);
    } finally {
      button.disabled = false;
    }
  });
  show(id);
}

function startInvitation() {
  if (token === '') {
    tellProblem('This link is incomplete. Open the link in the mail again, or ask for a new invitation.');
    return;
  }
  part('email').value = fields.get('email') ?? '';
  onSubmit('accept', async (form) => {
    const { admin } = await send('api/admin/invitations/accept', {
      token,
      username: part('username').value,
      password: part('password').value,
    });
    finish(form, 'Your account is ready.', 'Sign in as ' + admin.email + ' with your new password.');
  });
}

function startReset() {
  if (token === '') {
    onSubmit('ask', async (form) => {
      await send('api/admin/password-reset', { email: part('address').value });
      finish(form, 'If the e-mail belongs to an account, a link is on its way.', 'It works once, for 30 minutes. Look in your spam folder too.');
    });
    return;
  }
  onSubmit('confirm', async (form) => {
    await send('api/admin/password-reset/confirm', { token, password: part('password').value });
    finish(form, 'Your new password is set.', 'All sessions of your account have ended. Sign in again.');
  });
}

part('reveal').addEventListener('click', () => {
  const isShown = part('password').type === 'password';
  part('password').type = isShown ? 'text' : 'password';
  part('reveal').textContent = isShown ? 'Hide' : 'Show';
  part('reveal').setAttribute('aria-pressed', String(isShown));
});
// Another link that is opened in this tab changes only the fragment.
addEventListener('hashchange', () => location.reload());
if (part('accept')) startInvitation();
else startReset();
`;
