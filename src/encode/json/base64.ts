/** In bytes: a multiple of 3, so that the chunks join without padding, and few enough for the arguments of one call. */
const chunkLength = 8190

/**
 * Returns bytes as standard base64 with padding (RFC 4648 section 4). Does not use Node's Buffer, because this layer runs on any platform.
 */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += chunkLength) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunkLength)))
  }
  return text
}
