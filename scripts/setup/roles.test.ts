import { expect, test } from 'vitest';
import { rolesStep } from './steps/roles.ts';
import { SERVICE_ACCOUNT } from './testing/google-method.ts';
import { enabledWorld, newWorld, type World } from './testing/world.ts';

const MEMBER = `serviceAccount:${SERVICE_ACCOUNT}`;

const rolesIn = ({ bindings = [] }: World['fake']['project']['policy']) =>
  bindings.filter(({ members }) => members.includes(MEMBER)).map(({ role }) => role);

/** A world in which the organization forbids the automatic grant of the role Editor. */
async function strictWorld(): Promise<World> {
  const world = await enabledWorld();
  world.fake.project.projectPolicy = {
    etag: 'p1',
    version: 3,
    bindings: [
      { role: 'roles/owner', members: ['user:ann@example.com'] },
      { role: 'roles/editor', members: [MEMBER], condition: { expression: 'false' } },
    ],
  };
  return world;
}

test('a service account without the role Editor gets the roles of builds and functions', async () => {
  const world = await strictWorld();
  const { todo } = await world.run('check', [rolesStep]);
  expect(todo.join('\n')).toContain(`${SERVICE_ACCOUNT} lacks roles on the project: `);
  const outcome = await world.run('apply', [rolesStep]);
  expect(outcome).toMatchObject({ todo: [], failures: [], changes: 2 });
  expect(world.fake.unknown).toEqual([]);
  const { project } = world.fake;
  expect(rolesIn(project.policy)).toEqual([
    'roles/iam.serviceAccountTokenCreator',
    'roles/iam.serviceAccountUser',
  ]);
  expect(rolesIn(project.projectPolicy)).toEqual([
    'roles/editor',
    'roles/cloudbuild.builds.builder',
    'roles/cloudtasks.enqueuer',
    'roles/datastore.user',
    'roles/eventarc.eventReceiver',
    'roles/firebaseauth.admin',
    'roles/run.invoker',
    'roles/storage.objectAdmin',
  ]);
});

test('the roles of others and the conditions of a policy stay', async () => {
  const world = await strictWorld();
  const { bindings = [] } = world.fake.project.projectPolicy;
  await world.run('apply', [rolesStep]);
  const { projectPolicy } = world.fake.project;
  expect(projectPolicy.bindings?.slice(0, 2)).toEqual(bindings);
  expect(projectPolicy.version).toBe(3);
  const read = world.fake.seen.find(({ path }) => path.endsWith('/projects/acme-1:getIamPolicy'));
  expect(read?.body).toEqual({ options: { requestedPolicyVersion: 3 } });
});

test('push messages need one role more', async () => {
  const world = await newWorld({}, ['PUSH_MESSAGES=true']);
  world.fake.project.projectPolicy = { etag: 'p1' };
  await world.run('apply');
  expect(rolesIn(world.fake.project.projectPolicy)).toContain('roles/firebasecloudmessaging.admin');
});

test('a service account with the role Editor gets no other role of the project', async () => {
  const world = await enabledWorld();
  await world.run('apply', [rolesStep]);
  expect(rolesIn(world.fake.project.projectPolicy)).toEqual(['roles/editor']);
});
