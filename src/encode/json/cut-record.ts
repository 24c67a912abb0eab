/** A part of a finished record that can be made shorter. */
export interface Cuttable {
  /** How many bytes it has. */
  readonly bytes: number
  /** Makes it shorter by `excess` bytes, or by as much as can be. Returns how many bytes that saved. */
  cut(excess: number): number
}

/** An attribute that can be made shorter. */
export interface CuttableAttribute extends Cuttable {
  readonly key: string
}

/**
 * Cuts a finished record by `excess` bytes, in any format: the largest attributes give way first, then the message; an
 * exception's type never does. Returns false where that is not enough: so many attributes that their keys alone are too long.
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

/** The one attribute that stays where not even the keys have room. */
export const exceptionType = 'exception.type'

/** What is said in place of those that went. */
export const truncatedKey = '[truncated]'
export const truncatedText = (keys: number): string => `+${keys} keys`
/** What is said in place of a value that is no string. */
export const cutText = (bytes: number): string => `[Cut: ${bytes} bytes]`
