/** A part of a finished record that can be truncated. */
export interface Cuttable {
  /** The size in bytes. */
  readonly bytes: number
  /** Shortens the part by at least `excess` bytes, or by as much as possible. Returns the number of bytes saved. */
  cut(excess: number): number
}

/** An attribute that can be truncated. */
export interface CuttableAttribute extends Cuttable {
  readonly key: string
}

/**
 * Shortens a finished record of any format by at least `excess` bytes. The largest attributes are cut first, then the message;
 * `exception.type` is not cut here. Returns false if that is not enough, because the keys alone are too long.
 */
export function cutRecord(
  attributes: readonly CuttableAttribute[],
  message: Cuttable | undefined,
  excess: number,
): boolean {
  let remaining = excess
  for (const attribute of attributes.toSorted((one, other) => other.bytes - one.bytes)) {
    if (remaining <= 0) return true
    if (attribute.key !== exceptionTypeKey) remaining -= attribute.cut(remaining)
  }
  if (remaining > 0 && message !== undefined) remaining -= message.cut(remaining)
  return remaining <= 0
}

/** The key of the only attribute that is kept if not even the keys fit. */
export const exceptionTypeKey = 'exception.type'

/** The key of the attribute that replaces the removed ones. */
export const truncatedKey = '[truncated]'
/** Returns the value of that attribute. */
export const removedKeysText = (keys: number): string => `+${keys} keys`
/** Returns the text that replaces a value that is not a string. */
export const cutValueMarker = (bytes: number): string => `[Cut: ${bytes} bytes]`
