const step = 8190 // a multiple of 3, so that the pieces join without padding, and few enough arguments for one call

/** Standard base64 with padding (RFC 4648 section 4), without Node's Buffer: this floor runs anywhere. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += step) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + step)))
  }
  return text
}
