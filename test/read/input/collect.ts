import type { LineChunk } from '../../../src/read/input/line-chunk.ts'

/** The content and the problems of an input. */
export interface Collected {
  readonly text: string
  readonly chunks: readonly LineChunk[]
  readonly problems: readonly string[]
}

/** Reads an input to its end. The bytes of its chunks are copied, because they may be reused. */
export async function collect(
  read: (onInputError: (file: string, message: string) => void) => AsyncIterable<LineChunk>,
): Promise<Collected> {
  const problems: string[] = []
  const chunks: LineChunk[] = []
  for await (const chunk of read((file, message) => problems.push(`${file}: ${message}`))) {
    chunks.push({ ...chunk, bytes: Buffer.from(chunk.bytes) })
  }
  return { text: Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('latin1'), chunks, problems }
}
