export {
  UPLOAD_STATUSES,
  VISIBILITIES,
  uploadSchema,
  storageUsageSchema,
  type Upload,
  type StorageUsage,
  type Variant,
  type Visibility,
} from '@hearth/shared/documents/upload';
