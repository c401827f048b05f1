import { exportAll, exportNothing, type ExportParts } from '../personal-data/export-parts.ts';
import { shownFieldsOf } from './shown-fields.ts';

export const MAIL_EXPORT: ExportParts = {
  /** Without the texts: a link in them opens the account to everybody who reads the export. */
  mail: {
    many: (db, { verifiedEmail }) =>
      verifiedEmail === undefined
        ? exportNothing()
        : exportAll(db.mail.where('to', 'array-contains', verifiedEmail), ({ data }) => ({
            to: verifiedEmail,
            subject: shownFieldsOf(data).subject,
            state: data.delivery?.state ?? null,
            writtenAt: data.delivery?.startTime ?? null,
          })),
  },
};
