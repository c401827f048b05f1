import { exportAll, type ExportParts } from '../personal-data/export-parts.ts';

export const PUSH_EXPORT: ExportParts = {
  /** Without the tokens, with which messages are sent to the devices. */
  devices: {
    many: (db, { uid }) =>
      exportAll(db.devices.where('uid', '==', uid), ({ id, data: { seenAt } }) => ({ id, seenAt })),
  },
};
