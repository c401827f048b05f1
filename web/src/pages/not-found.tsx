import { uiTexts } from '../ui/texts.ts';

/** Shown for an unknown URL. Hosting answers such a URL with 404.html, which has the same text. */
export function Page() {
  const { title, lead, home } = uiTexts().notFound;
  return (
    <div class="hero">
      <p class="eyebrow">404</p>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <p class="actions">
        <a class="button primary" href="/">
          {home}
        </a>
      </p>
    </div>
  );
}
