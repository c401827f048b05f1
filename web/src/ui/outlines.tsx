import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Loading } from './message.tsx';
import { CardOutline, FieldOutline, MeterOutline, RowsOutline, Skeleton } from './skeleton.tsx';
import { uiTexts } from './texts.ts';

/** The page that is shown, before it is loaded: its title and its outline. */
interface LoadingPage {
  title: string;
  outline: ComponentChildren;
}

export const PageOutline = createContext<LoadingPage | undefined>(undefined);

/** Shown until a page and its visitor are known: the outline of the page, if it has one. */
export function PageLoading({ what = uiTexts().page }: { what?: string }) {
  const page = useContext(PageOutline);
  if (page === undefined) return <Loading what={what} />;
  return (
    <>
      <h1 class="visually-hidden">{page.title}</h1>
      <Skeleton what={what}>{page.outline}</Skeleton>
    </>
  );
}

const Title = () => <span class="skeleton title" />;

export function DashboardOutline() {
  return (
    <>
      <Title />
      <OverviewOutline />
      <CardOutline>
        <FieldOutline />
      </CardOutline>
    </>
  );
}

/** The outline of the plan, the seats and the storage of a team. */
export function OverviewOutline() {
  return (
    <CardOutline>
      <div class="meters">
        <MeterOutline />
        <MeterOutline />
        <MeterOutline />
      </div>
      <span class="skeleton control" />
    </CardOutline>
  );
}

export function FilesOutline() {
  return (
    <>
      <Title />
      <CardOutline>
        <span class="skeleton drop" />
        <FieldOutline />
      </CardOutline>
      <CardOutline>
        <RowsOutline rows={3} />
      </CardOutline>
    </>
  );
}

export function BillingOutline() {
  return (
    <>
      <Title />
      <PlansOutline />
    </>
  );
}

/** The outline of the current plan and the others. */
export function PlansOutline() {
  return (
    <>
      <CardOutline>
        <span class="skeleton wide" />
      </CardOutline>
      <span class="skeleton control" />
      <div class="tiles">
        {['free', 'more', 'most'].map((key) => (
          <CardOutline key={key}>
            <span class="skeleton title" />
            <span class="skeleton full" />
            <span class="skeleton full" />
            <span class="skeleton control" />
          </CardOutline>
        ))}
      </div>
    </>
  );
}

export function AccountOutline() {
  return (
    <>
      <Title />
      <div class="columns">
        <div class="stack">
          <CardOutline>
            <RowsOutline rows={2} />
            <FieldOutline />
          </CardOutline>
          <CardOutline>
            <RowsOutline rows={3} />
          </CardOutline>
        </div>
        <div class="stack">
          <CardOutline>
            <RowsOutline rows={1} />
            <span class="skeleton control" />
          </CardOutline>
          <CardOutline>
            <span class="skeleton control" />
          </CardOutline>
        </div>
      </div>
    </>
  );
}

/** The outline of a page of a team: its tabs and a table. */
export function TeamOutline() {
  return (
    <>
      <Title />
      <span class="skeleton control" />
      <CardOutline>
        <FieldOutline />
        <RowsOutline />
      </CardOutline>
    </>
  );
}
