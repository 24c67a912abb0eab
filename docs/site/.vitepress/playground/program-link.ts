/** The maximum length of the fragment, in characters. Longer addresses are cut by some programs that send messages. */
export const maxFragmentLength = 8_000
/** The maximum length of a program in a link, in bytes. */
const maxProgramBytes = 100_000

/** Returns the fragment of an address that contains a program: `#code=…`. */
export async function fragmentOf(code: string): Promise<string> {
  const bytes = await bytesOf(new Blob([code]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity)
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `#code=${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** Returns whether the fragment of an address selects a program: `#code=…` or `#example=…`. */
export function isProgramFragment(fragment: string): boolean {
  return /^#(?:code|example)=/.test(fragment)
}

/**
 * Returns the program in the fragment of an address; undefined if the fragment has none.
 *
 * @throws Error with a sentence for the reader of the page
 */
export async function programOf(fragment: string): Promise<string | undefined> {
  const [, encoded] = /^#code=(.*)$/.exec(fragment) ?? []
  if (encoded === undefined) return undefined
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    const compressed = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    return new TextDecoder('utf-8', { fatal: true }).decode(await bytesOf(stream, maxProgramBytes))
  } catch (cause) {
    throw new Error('The program in the link is damaged or too long.', { cause })
  }
}

/** Reads a stream to its end. A short link can contain a long program, so the number of bytes has a limit. */
async function bytesOf(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
    length += read.value.length
    if (length > maxBytes) {
      await reader.cancel()
      throw new RangeError('too long')
    }
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
