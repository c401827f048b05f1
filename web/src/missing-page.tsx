import { BRAND } from '@hearth/shared/brand';
import { render } from 'preact';
import { Page } from './pages/not-found.tsx';
import { LANGUAGE, loadTexts } from './texts/language.ts';
import { uiTexts } from './ui/texts.ts';

// 404.html is complete in English, also without JavaScript.
if (LANGUAGE !== 'en') {
  void loadTexts().then(() => {
    const main = document.querySelector('main');
    if (main === null) return;
    document.title = `${uiTexts().titles.notFound} · ${BRAND.name}`;
    main.className = 'container';
    main.replaceChildren();
    render(<Page />, main);
  });
}
