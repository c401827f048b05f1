import brandJson from '../brand.json' with { type: 'json' };

/** The name and look of the app, in its mail and on its pages. Edit `shared/brand.json`. */
export interface Brand {
  /** The name of the product. */
  name: string;
  /** The color of buttons and links as `#rrggbb`. White text on `light` and black text on `dark` must be readable. */
  accent: { light: string; dark: string };
  /** Address of a picture, at least 80 pixels high. It is shown 40 pixels high. Without one the name is shown. */
  logoUrl: string | null;
  /** A page, or `mailto:` with an address. */
  supportUrl: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  /** The sender in one line, at the end of each mail. Some countries require it. */
  postalAddress: string | null;
}

export const BRAND: Brand = brandJson;
