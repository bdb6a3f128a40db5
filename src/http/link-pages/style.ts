/** The style of the pages that the links of mails lead to. */
export const linkPageStyle = `
:root {
  color-scheme: light dark;
  --back: light-dark(#f3f5f9, #12151c);
  --card: light-dark(#ffffff, #1b202b);
  --line: light-dark(#c3cad8, #434c60);
  --field: light-dark(#737f96, #7d899f);
  --text: light-dark(#1b2130, #e8ebf2);
  --soft: light-dark(#525d75, #a9b3c7);
  --main: light-dark(#1f4fd8, #8fb0ff);
  --on-main: light-dark(#ffffff, #10182b);
  --wrong: light-dark(#b3261e, #ffb4ab);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  padding: 1rem;
  display: grid;
  place-items: center;
  font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--back);
}
main {
  width: 100%;
  max-width: 26rem;
  padding: 1.75rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--card);
}
.product { margin: 0; color: var(--soft); font-weight: 600; }
h1 { margin: 0.25rem 0 1rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
.optional, .hint { color: var(--soft); font-weight: normal; }
.hint { margin: 0.25rem 0 0; font-size: 0.875rem; }
input, button { font: inherit; min-height: 2.75rem; border-radius: 0.375rem; }
input {
  width: 100%;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--field);
  color: inherit;
  background: var(--card);
}
input[readonly] { color: var(--soft); background: var(--back); }
button {
  padding: 0.5rem 1rem;
  border: 1px solid var(--field);
  color: var(--main);
  background: var(--card);
  font-weight: 600;
  cursor: pointer;
}
button:disabled { opacity: 0.6; cursor: progress; }
.main {
  width: 100%;
  margin-top: 1.5rem;
  border-color: var(--main);
  color: var(--on-main);
  background: var(--main);
}
.with-button { display: flex; gap: 0.5rem; }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
#done:focus { outline: none; }
#done p:last-child { margin-bottom: 0; }
#problem { margin: 1rem 0 0; color: var(--wrong); font-weight: 600; }
`;
