import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { LocalPart } from './local/local-part.tsx';
import { NotFound, PAGES } from './routes.tsx';
import { Header } from './ui/header.tsx';
import { ImpersonationBanner } from './ui/impersonation.tsx';
import { Footer } from './ui/legal.tsx';
import { uiTexts } from './ui/texts.ts';
import { Toasts } from './ui/toasts.tsx';

/** Links to the backend, to Hosting's reserved paths, and absolute URLs load a new document. */
const OWN_PAGES = /^\/(?!api\/|__\/|\/)/;

/** The frame around every page, and the page of the current URL. */
export function App() {
  return (
    <LocationProvider scope={OWN_PAGES}>
      <Frame />
    </LocationProvider>
  );
}

function Frame() {
  const { path } = useLocation();
  return (
    <>
      <a class="skip-link" href="#main">
        {uiTexts().skip}
      </a>
      <Header path={path} />
      <ImpersonationBanner />
      <LocalPart />
      <main id="main" class="container" tabIndex={-1}>
        <Router>
          {PAGES.map(([address, Page]) => (
            <Route key={address} path={address} component={Page} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </main>
      <Footer />
      <Toasts />
    </>
  );
}
