/** Texts by name, nested. */
export interface Texts {
  readonly [name: string]: string | Texts;
}

interface WireStruct {
  readonly fields: Readonly<
    Record<string, { readonly stringValue: string } | { readonly structValue: WireStruct }>
  >;
}

/** A google.protobuf.Struct message of texts. */
export const encodeStruct = (texts: Texts): WireStruct => ({
  fields: Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [
      name,
      typeof value === 'string' ? { stringValue: value } : { structValue: encodeStruct(value) },
    ]),
  ),
});

/** The JSON form of the message. */
export const structJson = ({ fields }: WireStruct): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      'stringValue' in value ? value.stringValue : structJson(value.structValue),
    ]),
  );

interface WireDuration {
  readonly seconds?: string | number;
  readonly nanos?: number;
}

/** The JSON form of a google.protobuf.Duration, such as `1.000500000s`. */
export const durationJson = ({ seconds = 0, nanos = 0 }: WireDuration): string =>
  `${seconds}.${String(nanos).padStart(9, '0')}s`;
