// Sets the theme before the first paint, so that a dark dashboard does not flash white. The policy of the page allows no
// inline script, and a module would run too late.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const isDark = chosen === 'dark' || (chosen === 'auto' && prefersDark);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
} catch {
  // Without storage, the page starts light.
}
