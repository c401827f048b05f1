export { memberSchema, type Member } from '@hearth/shared/documents/member';
