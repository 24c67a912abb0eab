import type { EncodedBatch } from '../../../src/pipeline/exporter.ts'
import { emptyScopeDetails, type InstrumentationSource } from '../../../src/record/instrumentation-source.ts'

/** An instrumentation source without a name. */
export const source: InstrumentationSource = {
  scope: { ...emptyScopeDetails, name: undefined, version: undefined },
  resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
}

/** Creates a batch of lines, which must end in a newline. */
export function batchOf(lines: readonly string[], severity = 9): EncodedBatch {
  const content = lines.join('')
  const buffer = Buffer.from(content)
  const ends: number[] = []
  for (const line of lines) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(line))
  return {
    count: lines.length,
    byteLength: buffer.length,
    bytes: () => buffer,
    text: () => content,
    records: () => lines.map((text) => ({ text, severity })),
    recordsIn: (byteCount) => ends.filter((end) => end <= byteCount).length,
    slice: (from, to) => batchOf(lines.slice(from, to), severity),
    sources: () => [{ ...source, count: lines.length, byteLength: buffer.length }],
  }
}

/** Returns lines with a sequence number, such as `{"seq":7,"pad":"…"}`. */
export function numberedLines(count: number, from = 0, padding = 200): string[] {
  return Array.from({ length: count }, (_, index) => `{"seq":${from + index},"pad":"${'x'.repeat(padding)}"}\n`)
}

/** Returns the sequence numbers of the lines of a text, in order. Throws if a line is not JSON. */
export function sequenceOf(text: string): number[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { seq: number }).seq)
}
