/**
 * Returns the end of a syslog message with its length in front of it, as RFC 6587 defines it for TCP (octet counting): `27 <14>1 …`.
 * Messages follow each other without a line end, and can contain line ends.
 *
 * @param isEnd - whether no more bytes follow
 * @returns the position after the message and a line end that follows it; -1 if its end is not in the bytes; the start if the bytes are not such a message.
 */
export function endOfOctetFrame(bytes: Buffer, start: number, isEnd: boolean): number {
  let at = start
  let length = 0
  for (let byte = bytes[at]!; byte >= 48 && byte <= 57 && length <= maxLength; byte = bytes[++at]!)
    length = length * 10 + byte - 48
  if (at === start || length > maxLength || !isFrameStart(bytes, at)) return start
  const end = at + 1 + length
  if (end > bytes.length) return isEnd ? start : -1
  if (bytes[end] === newline) return end + 1
  if (bytes[end] === 13 && bytes[end + 1] === newline) return end + 2
  // With a wrong length, a line is read as without one.
  return end === bytes.length || bytes[end - 1] === newline || isFrame(bytes, end) ? end : start
}

function isFrame(bytes: Buffer, start: number): boolean {
  let at = start
  while (bytes[at]! >= 48 && bytes[at]! <= 57) at++
  return at > start && isFrameStart(bytes, at)
}

/** Returns whether the space after a length and the priority of a message are at a position. */
function isFrameStart(bytes: Buffer, at: number): boolean {
  return bytes[at] === 32 && bytes[at + 1] === 60 && bytes[at + 2]! >= 48 && bytes[at + 2]! <= 57
}

const newline = 10
/** A length without a message of this size is not waited for. */
const maxLength = 1024 * 1024
