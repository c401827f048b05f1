import type { JsonSchema } from './schemas.ts';

/**
 * Examples by the name of a property or parameter. If the name has another meaning in one component or tag, the key is
 * `Component.name` or `Tag.name`. All other examples follow from the schema.
 */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  'Billing.cursor': 'in_1Q2w3E4r5T6y7U8i',
  'Cancellation.reason': 'too_expensive',
  'ImpersonationRequest.reason': 'Ticket 4711',
  'AdminTeam.team': {
    id: 'Jx4bN7cVd2QmKp9wEr5T',
    name: 'Acme',
    slug: 'acme',
    ownerId: 'k3QpZx8rYbMfT1uVwSa9',
    plan: 'pro',
  },
  'Device.id': 'd2a84f4b8b650937ec8f73cd8be2c74add5a911b',
  'Account.id': 'd2a84f4b8b650937ec8f73cd8be2c74add5a911b',
  'AndroidStatement.target': {
    namespace: 'android_app',
    package_name: 'com.example.app',
    sha256_cert_fingerprints: [Array(32).fill('AB').join(':')],
  },
  'AuditEntry.details': { from: 'member', to: 'admin' },
  'Invitation.id': '3f2c9a4be01d57f68823cc10a9b4d7e65f0012ab',
  'Invitations.id': '3f2c9a4be01d57f68823cc10a9b4d7e65f0012ab',
  'ListedInvitation.id': '3f2c9a4be01d57f68823cc10a9b4d7e65f0012ab',
  'OpenSession.id': 'mA9cXk2vQw7ZpL0tRs4uYg',
  'ReceivedInvitation.id': '3f2c9a4be01d57f68823cc10a9b4d7e65f0012ab',
  'Plan.description': 'For teams that grow',
  'Plan.name': 'Pro',
  'Plan.slug': 'pro',
  'Billing.slug': 'pro',
  'Sessions.id': 'mA9cXk2vQw7ZpL0tRs4uYg',
  'StoredFile.name': 'photo.png',
  'Upload.id': 'Vn3kQ8sLw0XyZb5TqRu2',
  'Upload.name': 'photo.png',
  'Uploads.id': 'Vn3kQ8sLw0XyZb5TqRu2',
  acceptUrl: 'https://app.example.com/api/team/accept-invitation?invitationId=3f2c9a4b',
  action: 'invitation.accepted',
  actorId: 'k3QpZx8rYbMfT1uVwSa9',
  code: 'already_member',
  contentType: 'image/png',
  createdBy: 'k3QpZx8rYbMfT1uVwSa9',
  currency: 'eur',
  cursor: 'MTc2ODQ3ODQwMDAwMDpWbjNrUThzTHcwWHlaYjVUcVJ1Mg',
  displayName: 'Ada Lovelace',
  email: 'ada@example.com',
  error: 'This person is already a member of the team.',
  fileMegabytes: 25,
  from: 'k3QpZx8rYbMfT1uVwSa9',
  height: 1080,
  id: 'Jx4bN7cVd2QmKp9wEr5T',
  idToken: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl',
  invitationId: '3f2c9a4be01d57f68823cc10a9b4d7e65f0012ab.91d0c2b3a4f5e6978812ab34cd56ef7800112233',
  invitedBy: 'k3QpZx8rYbMfT1uVwSa9',
  limit: '50',
  link: '3f2c9a4be01d57f68823cc10a9b4d7e65f0012ab.91d0c2b3a4f5e6978812ab34cd56ef7800112233',
  name: 'Acme',
  nextCursor: 'MTc2ODQ3ODQwMDAwMDpWbjNrUThzTHcwWHlaYjVUcVJ1Mg',
  openapi: '3.1.1',
  ownerId: 'k3QpZx8rYbMfT1uVwSa9',
  photoURL: 'https://example.com/ada.png',
  plan: 'pro',
  reason: null,
  role: 'member',
  rejectUrl: 'https://app.example.com/api/team/reject-invitation?invitationId=3f2c9a4b',
  seatLimit: 10,
  seats: 10,
  session_id: 'cs_test_a1B2c3D4',
  signInMethod: 'google.com',
  size: 204800,
  slug: 'acme',
  target: 'c7XwZ1nBqLkJ5vRtYp08',
  team: 'Jx4bN7cVd2QmKp9wEr5T',
  teamId: 'Jx4bN7cVd2QmKp9wEr5T',
  teamName: 'Acme',
  to: 'c7XwZ1nBqLkJ5vRtYp08',
  token: '0123456789abcdef0123456789abcdef0123456789abcdef',
  type: 'customer.subscription.updated',
  uid: 'c7XwZ1nBqLkJ5vRtYp08',
  unitAmount: 1900,
  storageMegabytes: 5000,
  url: 'https://firebasestorage.googleapis.com/v0/b/app/o/photo.png?alt=media',
  userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
  width: 1920,
};

const INSTANT = '2026-01-15T12:00:00.000Z';

/** The place of a value: the name of its property or parameter, and the component or tag around it. */
interface Place {
  name: string;
  parent: string;
}

export type Components = Readonly<Record<string, JsonSchema>>;

/** An example of a value. @param components schemas that references lead to */
export function exampleOf(schema: JsonSchema, components: Components, place: Place): unknown {
  const { $ref, anyOf, examples } = schema;
  if (Array.isArray(examples)) return examples[0] as unknown;
  const listed = EXAMPLES[`${place.parent}.${place.name}`] ?? EXAMPLES[place.name];
  if (listed !== undefined) return listed;
  if (typeof $ref === 'string') return ofReference($ref, components, place);
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonSchema, components, place);
  return ofType(schema, components, place);
}

function ofReference(reference: string, components: Components, { name }: Place): unknown {
  const component = reference.slice(reference.lastIndexOf('/') + 1);
  return exampleOf(components[component] ?? {}, components, { name, parent: component });
}

function ofType(schema: JsonSchema, components: Components, place: Place): unknown {
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          exampleOf(property, components, { name, parent: place.parent }),
        ]),
      );
    case 'array':
      return [
        exampleOf(schema['items'] as JsonSchema, components, { name: place.name, parent: place.parent }),
      ];
    case 'boolean':
      return false;
    case 'integer':
      return schema['minimum'] ?? 1;
    case 'null':
      return null;
    default:
      return schema['format'] === 'date-time' ? INSTANT : 'text';
  }
}
