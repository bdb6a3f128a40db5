// Loads the page again if a file of it is missing. While instances of two versions answer, one of them may send the page
// and the other be asked for its files. The dashboard takes care of its files itself once it has started.
(() => {
  const key = 'backoffice-start';
  const maxTries = 20;
  const pauseMs = 1_500;
  const root = () => document.getElementById('root');
  const lastTries = () => {
    try {
      const { tries, at } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
      return Date.now() - at < 60_000 ? tries : 0;
    } catch {
      return maxTries;
    }
  };
  let isMissing = false;
  addEventListener(
    'error',
    ({ target }) => {
      if (isMissing || !(target instanceof HTMLScriptElement || target instanceof HTMLLinkElement)) return;
      if (root()?.hasChildNodes() || target.rel === 'icon') return;
      isMissing = true;
      document.documentElement.dataset.incomplete = '';
      const tries = lastTries();
      addEventListener('DOMContentLoaded', () => tell(tries < maxTries));
      if (document.readyState !== 'loading') tell(tries < maxTries);
      if (tries >= maxTries) return;
      sessionStorage.setItem(key, JSON.stringify({ tries: tries + 1, at: Date.now() }));
      setTimeout(() => location.reload(), pauseMs);
    },
    true,
  );

  function tell(isTrying) {
    const text = document.createElement('p');
    text.setAttribute('role', 'status');
    text.style.cssText = 'margin: 4rem 1rem; text-align: center; font: 16px system-ui, sans-serif';
    text.textContent = isTrying
      ? 'A new version is being started. One moment …'
      : 'The dashboard could not be loaded. Reload the page in a minute.';
    root()?.replaceChildren(text);
  }
})();
