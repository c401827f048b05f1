export {
  UPLOAD_STATUSES,
  VISIBILITIES,
  uploadSchema,
  usageSchema,
  type Upload,
  type Usage,
  type Variant,
  type Visibility,
} from '@hearth/shared/documents/upload';
