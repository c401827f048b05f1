import { expect, test } from 'vitest';
import { rolesStep } from './steps/roles.ts';
import { NUMBER, SERVICE_ACCOUNT } from './testing/google-method.ts';
import { enabledWorld, newWorld, type World } from './testing/world.ts';

const MEMBER = `serviceAccount:${SERVICE_ACCOUNT}`;

/** The calls with which Google makes the service agents of Pub/Sub and Storage. */
const MAKE_AGENTS = [
  `serviceusage.googleapis.com/v1beta1/projects/${NUMBER}/services/pubsub.googleapis.com:generateServiceIdentity`,
  `storage.googleapis.com/storage/v1/projects/${NUMBER}/serviceAccount`,
];

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

test('a service account with the role Editor gets only the roles that a first deployment gives', async () => {
  const world = await enabledWorld();
  await world.run('apply', [rolesStep]);
  expect(rolesIn(world.fake.project.projectPolicy)).toEqual([
    'roles/editor',
    'roles/eventarc.eventReceiver',
    'roles/run.invoker',
  ]);
});

test("Google's service agents get their roles, so that a first deployment does not change the project's policy", async () => {
  const world = await enabledWorld();
  await world.run('apply', [rolesStep]);
  expect(world.fake.unknown).toEqual([]);
  const { bindings = [] } = world.fake.project.projectPolicy;
  expect(bindings).toEqual(
    expect.arrayContaining([
      {
        role: 'roles/iam.serviceAccountTokenCreator',
        members: [`serviceAccount:service-${NUMBER}@gcp-sa-pubsub.iam.gserviceaccount.com`],
      },
      {
        role: 'roles/pubsub.publisher',
        members: [`serviceAccount:service-${NUMBER}@gs-project-accounts.iam.gserviceaccount.com`],
      },
    ]),
  );
  const paths = world.fake.seen.map(({ path }) => path);
  const write = paths.findIndex((path) => path.endsWith('/projects/acme-1:setIamPolicy'));
  // Google refuses a policy with an account that it has not made yet.
  expect(paths.slice(0, write)).toEqual(expect.arrayContaining(MAKE_AGENTS));
});

test('the doctor names a role that a service agent lacks', async () => {
  const world = await enabledWorld();
  await world.run('apply', [rolesStep]);
  const { projectPolicy } = world.fake.project;
  const { bindings = [] } = projectPolicy;
  projectPolicy.bindings = bindings.filter(({ role }) => role !== 'roles/pubsub.publisher');
  const { todo } = await world.run('check', [rolesStep]);
  expect(todo).toEqual([
    expect.stringContaining(
      '@gs-project-accounts.iam.gserviceaccount.com lacks roles on the project: roles/pub',
    ),
  ]);
});
