/** A part of a finished record that can be truncated. */
export interface Cuttable {
  /** The size in bytes. */
  readonly bytes: number
  /** Shortens the part by `excess` bytes, or by as much as possible. Returns the number of bytes saved. */
  cut(excess: number): number
}

/** An attribute that can be truncated. */
export interface CuttableAttribute extends Cuttable {
  readonly key: string
}

/**
 * Shortens a finished record of any format by `excess` bytes. The largest attributes are cut first, then the message; `exception.type` is
 * never cut. Returns false if that is not enough, because the keys alone are too long.
 */
export function cutRecord(
  attributes: readonly CuttableAttribute[],
  message: Cuttable | undefined,
  excess: number,
): boolean {
  let left = excess
  for (const attribute of attributes.toSorted((one, other) => other.bytes - one.bytes)) {
    if (left <= 0) return true
    if (attribute.key !== exceptionType) left -= attribute.cut(left)
  }
  if (left > 0 && message !== undefined) left -= message.cut(left)
  return left <= 0
}

/** The only attribute that is kept if not even the keys fit. */
export const exceptionType = 'exception.type'

/** The key and the text that replace the removed attributes. */
export const truncatedKey = '[truncated]'
export const truncatedText = (keys: number): string => `+${keys} keys`
/** Returns the text that replaces a value that is not a string. */
export const cutText = (bytes: number): string => `[Cut: ${bytes} bytes]`
