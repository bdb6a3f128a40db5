import { escapeHtml } from '../../shared/text/escape-html.ts';
import type { MailBlock } from './message.ts';

// Mail programs ignore style sheets, so each element has its own style. No images, and nothing from a network.
const page =
  'font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; max-width: 34em; margin: 0 auto; padding: 24px 16px';
const button =
  'display: inline-block; padding: 10px 20px; border-radius: 6px; background: #1f4fd8; color: #ffffff; text-decoration: none; font-weight: 600';
const code = 'font: 600 28px/1.3 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 4px';
const small = 'font-size: 13px; word-break: break-all';
const factName = 'padding: 2px 16px 2px 0; vertical-align: top; white-space: nowrap';

/** Returns the body as HTML. */
export function toHtml(body: readonly MailBlock[]): string {
  const blocks = body.map(blockHtml).join('\n');
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><body><div style="${escapeHtml(page)}">\n${blocks}\n</div></body></html>\n`;
}

function blockHtml(block: MailBlock): string {
  if (typeof block === 'string') return `<p>${escapeHtml(block)}</p>`;
  if ('link' in block) {
    const link = escapeHtml(block.link);
    return (
      `<p><a href="${link}" style="${button}">${escapeHtml(block.label)}</a></p>\n` +
      `<p style="${small}">Or open this address: <a href="${link}">${link}</a></p>`
    );
  }
  if ('code' in block) return `<p style="${escapeHtml(code)}">${escapeHtml(block.code)}</p>`;
  const rows = block.facts.map(
    ([name, value]) =>
      `<tr><td style="${factName}">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table style="border-collapse: collapse">${rows.join('')}</table>`;
}
