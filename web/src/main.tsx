import { render } from 'preact';
import { App } from './app.tsx';
import { rememberScrolling } from './scroll.ts';
import { loadTexts } from './texts/language.ts';

const root = document.querySelector('#app');
if (root !== null) {
  rememberScrolling();
  void loadTexts().then(() => {
    root.replaceChildren();
    render(<App />, root);
  });
}
