import type { FunctionComponent } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { Header } from './ui/header.tsx';
import { Failure } from './ui/failure.tsx';
import { usePath } from './router.ts';
import { ROUTES } from './routes.ts';
import { Loading } from './ui/message.tsx';

type Shown = { path: string; Page: FunctionComponent } | { path: string; error: unknown };

/** The frame around every page, and the page of the address. */
export function App() {
  const path = usePath();
  const main = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const route = ROUTES[path];
    if (route === undefined) {
      location.replace('/');
      return undefined;
    }
    document.title = route.title;
    let isLeft = false;
    route.load().then(
      ({ Page }) => {
        // The person has gone to another page while this one was loaded.
        if (isLeft) return;
        setShown((before) => {
          // After the first page, who does not see the screen is told that another one is shown.
          if (before !== undefined) main.current?.focus();
          return { path, Page };
        });
      },
      (error: unknown) => {
        if (!isLeft) setShown({ path, error });
      },
    );
    return () => {
      isLeft = true;
    };
  }, [path]);
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <Header path={path} />
      <main id="main" class="container" tabIndex={-1} ref={main}>
        <Content key={path} shown={shown?.path === path ? shown : undefined} />
      </main>
    </>
  );
}

function Content({ shown }: { shown: Shown | undefined }) {
  const error: unknown = useErrorBoundary()[0];
  if (error !== undefined) return <Failure error={error} />;
  if (shown === undefined) return <Loading />;
  return 'Page' in shown ? <shown.Page /> : <Failure error={shown.error} />;
}
