import { expect, test } from 'vitest';
import { BRAND } from '../../shared/src/brand.ts';
import { webAppStep } from './steps/web-app.ts';
import { enabledWorld } from './testing/world.ts';

test('a web app is registered and linked to the Hosting site of the project', async () => {
  const world = await enabledWorld();
  const { project } = world.fake;
  project.sites.push({ name: 'projects/acme-1/sites/another-app' });
  expect((await world.run('check', [webAppStep])).todo.join()).toContain('The project has no web app');
  const outcome = await world.run('apply', [webAppStep]);
  expect(outcome).toMatchObject({ todo: [], failures: [], changes: 2 });
  expect(world.fake.unknown).toEqual([]);
  expect(project.webApps).toEqual([{ appId: '1:123456:web:0', displayName: BRAND.name }]);
  expect(project.sites).toEqual([
    { name: 'projects/acme-1/sites/acme-1', appId: '1:123456:web:0' },
    { name: 'projects/acme-1/sites/another-app' },
  ]);
});

test('a site that has a web app keeps it', async () => {
  const world = await enabledWorld();
  world.fake.project.sites = [{ name: 'projects/acme-1/sites/acme-1', appId: '1:123456:web:mine' }];
  expect(await world.run('apply', [webAppStep])).toMatchObject({ todo: [], changes: 0 });
  expect(world.fake.project.webApps).toEqual([]);
});

test('a site without a web app is linked to the one that is registered', async () => {
  const world = await enabledWorld();
  world.fake.project.webApps.push({ appId: '1:123456:web:mine', displayName: 'Mine' });
  await world.run('apply', [webAppStep]);
  expect(world.fake.project.webApps).toHaveLength(1);
  expect(world.fake.project.sites[0]?.appId).toBe('1:123456:web:mine');
});
