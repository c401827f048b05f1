import type { components, paths } from './generated/api.ts';

type Schemas = components['schemas'];

export type Session = Schemas['Session'];
export type User = Schemas['User'];
export type AdminSearch = Schemas['AdminSearch'];
export type AdminMail = Schemas['AdminMail'];
export type AdminMailOfAddress = Schemas['AdminMailOfAddress'];
export type AdminInvitationList = Schemas['AdminInvitationList'];
/** Mail that an operator can send to the owner of an account. */
export type AdminMailKind = Schemas['AccountMail'];
export type AdminUser = Schemas['AdminUser'];
export type AdminTeam = Schemas['AdminTeam'];
export type UserExport = Schemas['UserExport'];
export type OpenSession = Schemas['OpenSession'];
export type Role = Schemas['Role'];
export type TeamSummary = Schemas['TeamSummary'];
export type Team = Schemas['Team'];
export type TransferOffer = Schemas['TransferOffer'];
export type Member = Schemas['Member'];
export type AuditEntry = Schemas['AuditEntry'];
export type Invitation = Schemas['Invitation'];
export type InvitationResult = Schemas['InvitationResult'];
/** A shared invitation: it has no address. */
export type InvitationLink = Schemas['InvitationLink'];
export type ListedInvitation = Schemas['ListedInvitation'];
export type InvitationStatus = ListedInvitation['status'];
export type LinkedInvitation = Schemas['LinkedInvitation'];
export type ReceivedInvitation = Schemas['ReceivedInvitation'];
export type StoredFile = Schemas['StoredFile'];
export type Upload = Schemas['Upload'];
export type Visibility = Upload['visibility'];
export type Plan = Schemas['Plan'];
export type Interval = Schemas['Interval'];
export type Subscription = Schemas['ManagedSubscription'];
export type ChangePreview = Schemas['ChangePreview'];
export type CancelReason = Schemas['CancelReason'];
export type Invoice = Schemas['Invoice'];
export type Extras = Schemas['Extras'];
export type Usage = Schemas['Usage'];
export type AddOn = Schemas['AddOn'];

/** Codes of this version of the API. Later versions may add some. */
export type ErrorCode = Schemas['ErrorCode'];

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** The paths that answer a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

export type OperationOf<M extends Method, P extends PathOf<M>> =
  paths[P] extends Record<M, infer O> ? O : never;

type PathParametersOf<O> = O extends { parameters: { path: infer Values extends Record<string, string> } }
  ? Values
  : undefined;

type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? Body
  : undefined;

/** The parameters and the body of a request. */
export type Carried<O> = (PathParametersOf<O> extends undefined
  ? { path?: undefined }
  : { path: PathParametersOf<O> }) &
  (BodyOf<O> extends undefined ? { body?: undefined } : { body: BodyOf<O> }) & {
    query?: QueryOf<O>;
    signal?: AbortSignal | undefined;
  };

type QueryOf<O> = O extends { parameters: { query?: infer Values } }
  ? { [Name in keyof Values]: Values[Name] | undefined }
  : undefined;

type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** The body of a successful answer; undefined if there is none. */
export type AnswerOf<O> = O extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses]>
  : never;

/** A call that can be aborted. */
export interface Abortable {
  signal?: AbortSignal | undefined;
}

/** Which page of a list. */
export interface PageOptions extends Abortable {
  /** 1 to 100, 50 by default. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Null on the last page. */
  nextCursor: string | null;
}
