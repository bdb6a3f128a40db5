/** A page that a link of a mail leads to. */
interface LinkPage {
  readonly title: string;
  /** What is shown while the page has not found out what to show. */
  readonly main: string;
}

const passwordField = `
        <label for="password">New password</label>
        <div class="with-button">
          <input id="password" name="password" type="password" autocomplete="new-password" required minlength="6" maxlength="1024" aria-describedby="password-hint">
          <button type="button" id="reveal" aria-pressed="false" aria-controls="password">Show</button>
        </div>
        <p class="hint" id="password-hint">At least 6 characters. A sentence of your own is easy to remember and hard to guess.</p>`;

const messages = `
      <p id="problem" role="alert" hidden></p>
      <div id="done" role="status" tabindex="-1" hidden></div>`;

const invitation: LinkPage = {
  title: 'Accept your invitation',
  main: `
      <form id="accept" hidden>
        <p>Choose a password to create your Backoffice account.</p>
        <label for="email">E-mail</label>
        <input id="email" type="email" autocomplete="username" readonly>
        <label for="username">Name <span class="optional">(optional)</span></label>
        <input id="username" name="username" autocomplete="name" maxlength="100">${passwordField}
        <button class="main" type="submit">Create account</button>
      </form>`,
};

const resetPassword: LinkPage = {
  title: 'Set a new password',
  main: `
      <form id="ask" hidden>
        <p>Enter the e-mail of your account. You get a link with which you set a new password.</p>
        <label for="address">E-mail</label>
        <input id="address" name="email" type="email" autocomplete="username" required maxlength="254">
        <button class="main" type="submit">Send the link</button>
      </form>
      <form id="confirm" hidden>
        <p>The new password ends all sessions of your account.</p>${passwordField}
        <button class="main" type="submit">Set password</button>
      </form>`,
};

/** The pages by their path. Their files have relative addresses, so that they work under a path of a proxy too. */
export const linkPages: Readonly<Record<string, string>> = {
  '/invitation': htmlOf(invitation),
  '/reset-password': htmlOf(resetPassword),
};

function htmlOf({ title, main }: LinkPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title} · Backoffice</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="link-page.css">
    <script src="link-page.js" defer></script>
  </head>
  <body>
    <main>
      <p class="product">Backoffice</p>
      <h1>${title}</h1>
      <noscript><p>This page needs JavaScript. Allow it for this site, then open the link again.</p></noscript>${main}${messages}
    </main>
  </body>
</html>
`;
}
