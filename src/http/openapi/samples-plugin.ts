/**
 * A plugin of Swagger UI, for the browser. It shows the code samples of an operation above its responses, one language at
 * a time. Without highlighting: that would take most of the time that the page needs to open an operation.
 */
export const samplesPlugin = `const samplesPlugin = ({ React }) => {
  const create = React.createElement;

  function Samples({ samples }) {
    const [chosen, choose] = React.useState(0);
    const [copied, setCopied] = React.useState(false);
    const { source } = samples[chosen];
    const tab = ({ label }, index) =>
      create('button', {
        key: label, type: 'button', role: 'tab', 'aria-selected': index === chosen, onClick: () => choose(index),
      }, label);
    async function copy() {
      await navigator.clipboard.writeText(source);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    }
    return create('section', { className: 'code-samples' },
      create('div', { className: 'opblock-section-header' },
        create('h4', null, 'Code samples'),
        create('div', { role: 'tablist', 'aria-label': 'Language' }, samples.map(tab)),
        // Browsers offer the clipboard only on HTTPS and on this machine.
        navigator.clipboard && create('button', { type: 'button', onClick: copy }, copied ? 'Copied' : 'Copy')),
      create('pre', { tabIndex: 0, role: 'tabpanel', 'aria-label': samples[chosen].label + ' sample' },
        create('code', null, source)));
  }

  return {
    wrapComponents: {
      responses: (Responses, system) => (props) => {
        const samples = system.specSelectors.specJson().getIn(['paths', props.path, props.method, 'x-codeSamples']);
        return create(React.Fragment, null,
          samples && create(Samples, { samples: samples.toJS() }),
          create(Responses, props));
      },
    },
  };
};
`;

export const samplesStyle = `.code-samples .opblock-section-header { gap: 8px; }
.code-samples [role='tablist'] { display: flex; gap: 4px; }
.code-samples button {
  font: 600 12px/1 system-ui, sans-serif; padding: 6px 12px; color: #3b4151;
  background: none; border: 1px solid #8a8f99; border-radius: 4px; cursor: pointer;
}
.code-samples button[aria-selected='true'] { color: #fff; background: #3b4151; border-color: #3b4151; }
.code-samples button:focus-visible, .code-samples pre:focus-visible { outline: 3px solid #4990e2; outline-offset: 2px; }
.swagger-ui .code-samples pre {
  margin: 12px 20px 20px; padding: 12px 16px; max-height: 400px; overflow: auto; white-space: pre;
  font: 13px/1.55 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  color: #f4f5f7; background: #2b2f3a; border-radius: 4px;
}
.swagger-ui .code-samples pre code { font: inherit; color: inherit; background: none; padding: 0; }
`;
