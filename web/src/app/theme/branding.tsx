import type { EventOrGap } from '../../../../src/contract/events/envelope.ts';
import type { ShownBranding } from '../../../../src/contract/known-settings/branding.ts';
import { brandingKeys, defaultName } from '../../../../src/contract/known-settings/settings.ts';
import sheet from '../../parts/sheet.module.css';
import { basePath } from '../data/client.ts';
import { receivers } from '../data/reload.ts';
import { createStore } from '../store.ts';

const store = createStore<ShownBranding>(brandingOfPage());

/** Returns how the owner of the site calls the dashboard, and its logo. */
export const useBranding = store.use;

/** The logo and the name. */
export function Brand() {
  const { name, logo } = useBranding();
  return (
    <>
      {logo !== null && <img className={sheet.logo} src={addressOf(logo)} alt="" />}
      <strong className={`${sheet.brand} ${sheet.cut}`}>{name}</strong>
    </>
  );
}

receivers.add((event) => {
  if (event.type === 'gap' || event.type === 'example_data.deleted' || concernsBranding(event))
    void reloadBranding();
});

function concernsBranding(event: Exclude<EventOrGap, { type: 'gap' }>): boolean {
  if (event.type === 'settings.updated')
    return (
      event.data.count > event.data.keys.length || event.data.keys.some((key) => brandingKeys.includes(key))
    );
  const isSetting = event.type === 'setting.updated' || event.type === 'setting.deleted';
  return isSetting && brandingKeys.includes(String(event.subject_id));
}

let reloads = 0;

async function reloadBranding(): Promise<void> {
  reloads += 1;
  const reload = reloads;
  const answer = await fetch(`${basePath}/branding.json`).catch(() => undefined);
  if (answer?.ok !== true) return;
  const branding = (await answer.json()) as ShownBranding;
  // Answers may overtake each other.
  if (reload !== reloads || branding.version === store.get().version) return;
  store.set(branding);
  const former = document.querySelector<HTMLLinkElement>('link[href*="/branding.css"]');
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = addressOf(`branding.css?v=${branding.version}`);
  // Only then, so that no other colours flash.
  link.onload = () => former?.remove();
  document.head.append(link);
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon !== null) icon.href = addressOf(branding.logo ?? 'favicon.svg');
}

function addressOf(path: string): string {
  return `${basePath}/${path}`;
}

/** Reads what the service has written into the page. */
function brandingOfPage(): ShownBranding {
  const text = document.querySelector<HTMLMetaElement>('meta[name="branding"]')?.content ?? '';
  return text === '' ? { name: defaultName, version: '', logo: null } : (JSON.parse(text) as ShownBranding);
}
