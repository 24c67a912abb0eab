// A multiple of 3, so that the pieces join without padding, and small enough for the arguments of one call.
const step = 8190

/**
 * Returns bytes as standard base64 with padding (RFC 4648 section 4). Does not use Node's Buffer, because this layer runs on any platform.
 */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += step) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + step)))
  }
  return text
}
