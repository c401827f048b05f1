import { useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { hideBanner, isHidden, readBanner, type Banner } from './banner.ts';
import { reloadAfterBuild } from './reload.ts';

/** On every page that `npm start` serves: who can sign in, and where mail, data and the API document are. */
export function LocalBanner() {
  const [banner, setBanner] = useState<Banner>();
  const [hidden, setHidden] = useState(isHidden);
  useEffect(() => {
    // Without the header there is nothing to say.
    void readBanner().then(setBanner, () => undefined);
  }, []);
  const isWatched = banner?.isWatched === true;
  useEffect(() => (isWatched ? reloadAfterBuild() : undefined), [isWatched]);
  if (banner === undefined || hidden) return null;
  const { people, inbox, data } = banner;
  const hide = () => {
    hideBanner();
    setHidden(true);
  };
  return (
    <aside class="notice-bar" aria-label="Local stack">
      <div class="container">
        <p class="wrap">
          This stack runs on your machine. <Accounts people={people} />
          <a href={inbox}>All mail</a>
          {' · '}
          <a href={data}>All data</a>
          {' · '}
          <a href="/api/openapi.json">API document</a>
        </p>
        <Button onClick={hide}>Hide</Button>
      </div>
    </aside>
  );
}

function Accounts({ people }: Pick<Banner, 'people'>) {
  const [first] = people;
  if (first === undefined) return null;
  const isShared = people.every(({ password }) => password === first.password);
  return (
    <>
      Sign in as {people.map(({ email }) => email).join(', ')}
      {isShared && (
        <>
          {' '}
          with the password <code>{first.password}</code>
        </>
      )}
      .{' '}
    </>
  );
}
