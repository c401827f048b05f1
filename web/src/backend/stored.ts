/** The fields of a document with a Date for every Timestamp, as the schemas of documents expect it. */
export function fieldsOf(data: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, fromStored(value)]));
}

function fromStored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromStored);
  if (isTimestamp(value)) return value.toDate();
  // Objects of the SDK, such as references, refer to the whole SDK.
  return Object.getPrototypeOf(value) === Object.prototype ? fieldsOf(value) : value;
}

/** Recognized by its method, so that this file does not load the Firebase SDK. */
function isTimestamp(value: object): value is { toDate: () => Date } {
  return 'toDate' in value && typeof value.toDate === 'function';
}
