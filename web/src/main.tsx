import { render } from 'preact';
import { App } from './app.tsx';
import { rememberScrolling } from './scroll.ts';

const root = document.querySelector('#app');
if (root !== null) {
  root.replaceChildren();
  rememberScrolling();
  render(<App />, root);
}
