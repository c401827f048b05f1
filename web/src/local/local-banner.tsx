import { useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { hideBanner, isHidden, readBanner, type Banner } from './banner.ts';
import { reloadAfterBuild } from './reload.ts';
import { localTexts } from './texts.ts';

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
  const texts = localTexts();
  const hide = () => {
    hideBanner();
    setHidden(true);
  };
  return (
    <aside class="notice-bar" aria-label={texts.banner}>
      <div class="container">
        <p class="wrap">
          {texts.runsHere} <Accounts people={people} />
          <a href={inbox}>{texts.mail}</a>
          {' · '}
          <a href={data}>{texts.data}</a>
          {' · '}
          <a href="/api/openapi.json">{texts.document}</a>
        </p>
        <Button onClick={hide}>{texts.hide}</Button>
      </div>
    </aside>
  );
}

function Accounts({ people }: Pick<Banner, 'people'>) {
  const [first] = people;
  if (first === undefined) return null;
  const texts = localTexts();
  const names = people.map(({ email }) => email).join(', ');
  const isShared = people.every(({ password }) => password === first.password);
  return <>{isShared ? texts.signInWith(names, <code>{first.password}</code>) : texts.signInAs(names)} </>;
}
