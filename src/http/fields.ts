/** Attributes of one record. */
export type Fields = Record<string, unknown>

/** Adds what there is. A member that is undefined would be none in the line as well, but each of them costs the encoder. */
export function say(fields: Fields, name: string, value: unknown): void {
  if (value !== undefined) fields[name] = value
}
