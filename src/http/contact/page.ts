import { createHash } from 'node:crypto';
import { shadesOf } from '../../contract/known-settings/accent-shades.ts';
import { escapeHtml } from '../../shared/text.ts';
import type { CurrentBranding } from '../dashboard/branding.ts';
import { type FieldName, fieldLabels, type Typed, trapName } from './form.ts';

/** A page, and the policy that it works under. */
export interface ContactHtml {
  readonly html: string;
  readonly policy: string;
}

interface Frame {
  readonly branding: CurrentBranding;
  /** Who may show the page in a frame. */
  readonly origins: ReadonlySet<string>;
}

interface ShownForm {
  readonly intro: string;
  readonly typed: Typed;
  /** Why it was not sent, if it is shown again. */
  readonly refusal?: string | undefined;
  readonly problems?: Readonly<Partial<Record<FieldName, string>>>;
}

const defaultAccent = '#1971c2';

/** Both themes, as the visitor's device wants it. Narrow screens first. */
function styleOf(accent: string): string {
  const { light, dark, filled, filledHover } = shadesOf(accent);
  return `:root{color-scheme:light dark;--page:#f3f5f8;--surface:#fff;--text:#1b2026;--soft:#515b68;--line:#7d8794;--error:#b3261e;--accent:${light.accent};--selected:${light.selection};--filled:${filled};--hover:${filledHover}}
@media(prefers-color-scheme:dark){:root{--page:#14161a;--surface:#1d2025;--text:#e8eaee;--soft:#aab2bd;--line:#7b8592;--error:#ff9a91;--accent:${dark.accent};--selected:${dark.selection}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{background:var(--surface);padding:1.5rem 1.25rem 2rem;min-height:100vh}
@media(min-width:40rem){main{max-width:38rem;min-height:0;margin:3rem auto;padding:2rem 2.5rem 2.5rem;border-radius:.75rem;box-shadow:0 1px 4px #0003}}
header{display:flex;align-items:center;gap:.75rem;margin-bottom:1rem}
header img{width:2.5rem;height:2.5rem;object-fit:contain}
h1{font-size:1.5rem;line-height:1.25;margin:0}
p{margin:0 0 1.25rem}
.intro{color:var(--soft);white-space:pre-line}
form{display:grid;gap:1.25rem}
label,legend{font-weight:600}
.hint,.error{margin:.125rem 0 0;font-size:.875rem}
.hint{color:var(--soft)}
.error,.refusal{color:var(--error)}
.refusal{border-left:.25rem solid;padding:.5rem .75rem;margin:0}
input:not([type=radio]),textarea{display:block;width:100%;margin-top:.375rem;padding:.625rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line);border-radius:.375rem}
textarea{resize:vertical}
[aria-invalid]{border-color:var(--error)!important}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
fieldset{border:0;margin:0;padding:0;display:grid;gap:.5rem}
legend{padding:0;margin-bottom:.375rem}
fieldset label{display:flex;align-items:center;gap:.625rem;font-weight:400;padding:.625rem .75rem;border:1px solid var(--line);border-radius:.375rem}
fieldset label:has(:checked){border-color:var(--accent);background:var(--selected)}
@media(min-width:40rem){fieldset{grid-template-columns:1fr 1fr}}
input[type=radio]{margin:0;width:1.125rem;height:1.125rem;accent-color:var(--accent)}
@supports selector(:has(a)){form:not(:has([value=problem]:checked)) .steps{display:none}}
button{font:inherit;font-weight:600;color:#fff;background:var(--filled);border:0;border-radius:.375rem;padding:.75rem 1.5rem;cursor:pointer}
button:hover{background:var(--hover)}
@media(min-width:40rem){button{justify-self:start}}
a{color:var(--accent)}
.away{position:absolute;left:-100vw;width:1px;height:1px;overflow:hidden}
`;
}

/** Returns the page with the form. It needs no script, and loads nothing but the logo. */
export function formPage(frame: Frame, form: ShownForm): ContactHtml {
  const { intro, typed, refusal, problems = {} } = form;
  const firstWrong = (Object.keys(fieldLabels) as FieldName[]).find((name) => problems[name] !== undefined);
  const field = (name: FieldName, attributes: string, options: FieldOptions = {}) =>
    fieldOf(name, typed[name], problems[name], {
      ...options,
      attributes: name === firstWrong ? `${attributes} autofocus` : attributes,
    });
  const kind = (value: Typed['kind'], label: string) =>
    `<label><input type="radio" name="kind" value="${value}"${typed.kind === value ? ' checked' : ''}>${label}</label>`;
  const content = `${intro === '' ? '' : `<p class="intro">${escapeHtml(intro)}</p>`}
<form method="post">
${refusal === undefined ? '' : alert(refusal)}
<fieldset><legend>What would you like to do?</legend>${kind('question', 'Ask a question')}${kind('problem', 'Report a problem')}</fieldset>
${field('name', 'autocomplete="name" required')}
${field('email', 'type="email" autocomplete="email" required', { hint: 'So that we can answer you.' })}
${field('message', 'required', { rows: 8 })}
<div class="steps">${field('steps', '', { rows: 4, label: 'Steps to see the problem (optional)', hint: 'What did you do, and what happened then?' })}</div>
<div class="away" aria-hidden="true"><label for="${trapName}">Leave this field empty</label><input id="${trapName}" name="${trapName}" tabindex="-1" autocomplete="off"></div>
<input type="hidden" name="page" value="${escapeHtml(typed.page)}"><input type="hidden" name="shown" value="${escapeHtml(typed.shown)}">
<button>Send</button>
</form>`;
  const mark = refusal === undefined ? '' : 'Error: ';
  return pageOf(frame, { title: `Contact ${frame.branding.name}`, mark, content });
}

const alert = (text: string) => `<p class="refusal" role="alert">${escapeHtml(text)}</p>`;

interface FieldOptions {
  readonly hint?: string;
  readonly label?: string;
  /** Of a text of several lines. */
  readonly rows?: number;
}

function fieldOf(
  name: FieldName,
  value: string,
  problem: string | undefined,
  { hint, label = fieldLabels[name], rows, attributes }: FieldOptions & { readonly attributes: string },
): string {
  const note = (kind: string, text: string | undefined) =>
    text === undefined ? '' : `<p class="${kind}" id="${name}-${kind}">${escapeHtml(text)}</p>`;
  const described = [hint && `${name}-hint`, problem && `${name}-error`].filter(Boolean).join(' ');
  const shared =
    `id="${name}" name="${name}" ${attributes}` +
    (described && ` aria-describedby="${described}"`) +
    (problem === undefined ? '' : ' aria-invalid="true"');
  // A line break at the beginning of a text area is not part of its text.
  const input =
    rows === undefined
      ? `<input ${shared} value="${escapeHtml(value)}">`
      : `<textarea ${shared} rows="${rows}">\n${escapeHtml(value)}</textarea>`;
  return `<div><label for="${name}">${label}</label>${note('hint', hint)}${note('error', problem)}${input}</div>`;
}

/** Returns the page that follows a message. */
export function thanksPage(frame: Frame): ContactHtml {
  const content = `<p>Your message has arrived.</p>
<p><a href="../contact">Send another message</a></p>`;
  return pageOf(frame, { title: 'Thank you', content, up: '../' });
}

/** Returns a page for a request that cannot be answered with the form. */
export function refusalPage(frame: Frame, text: string): ContactHtml {
  return pageOf(frame, { title: 'Your message was not sent', content: alert(text) });
}

interface Content {
  readonly title: string;
  /** Stands before the title in the title of the window. */
  readonly mark?: string;
  readonly content: string;
  /** The way up to the paths of the service. Addresses are relative, for proxies that add a path. */
  readonly up?: string;
}

function pageOf({ branding, origins }: Frame, { title, mark = '', content, up = '' }: Content): ContactHtml {
  const style = styleOf(branding.accent ?? defaultAccent);
  const logo = branding.logo && `${up}branding/logo?v=${branding.version}`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(mark + title)}</title>
<link rel="icon" href="${logo ?? `${up}favicon.svg`}">
<style>${style}</style>
</head>
<body>
<main>
<header>${logo ? `<img src="${logo}" alt="">` : ''}<h1>${escapeHtml(title)}</h1></header>
${content}
</main>
</body>
</html>
`;
  const hash = createHash('sha256').update(style).digest('base64');
  const ancestors = origins.size === 0 ? "'none'" : [...origins].join(' ');
  const policy =
    `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'self'; ` +
    `frame-ancestors ${ancestors}`;
  return { html, policy };
}
