import { button, h } from './dom.ts';
import { messageOf } from './errors.ts';
import { ROUTES } from './routes.ts';

const main = document.querySelector('main');
if (main !== null) await open(main);

/** Shows the page of the address; where that fails, says so and offers the one thing that helps. */
async function open(main: HTMLElement): Promise<void> {
  const route = ROUTES[location.pathname];
  if (route === undefined) {
    location.replace('/');
    return;
  }
  document.title = route.title;
  try {
    const page = await route.load();
    await page.render(main);
  } catch (error) {
    console.error(error);
    main.replaceChildren(failure(error));
  }
  main.ariaBusy = null;
}

function failure(error: unknown): HTMLElement {
  const reload = button('Try again', () => {
    location.reload();
  });
  return h(
    'div',
    { class: 'narrow hero', role: 'alert' },
    h('h1', {}, 'This page cannot be shown'),
    h('p', { class: 'lead' }, messageOf(error)),
    reload,
  );
}
