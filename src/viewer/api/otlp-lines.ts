import { OtlpOutput } from '../../output/otlp-output.ts'
import type { TextWriter } from '../../output/text-writer.ts'
import type { LogStore } from '../store/log-store.ts'

/** Returns records as requests of OTLP/JSON, each a line with one record. Records that were removed from the store are omitted. */
export function otlpLines(store: LogStore, sequences: Float64Array): readonly string[] {
  const lines: string[] = []
  const writer = new LineWriter(lines)
  const device = { key: 'response', workingDirectory: '', columns: () => Infinity }
  const output = new OtlpOutput({ format: 'otlp', writer, device, isTerminal: false, usesColors: false, files: [] })
  for (const sequence of sequences) {
    const place = store.placeOf(sequence)
    if (place === undefined) continue
    output.record(store.readAt(place.segment, place.index))
    output.flush()
    writer.endLine()
  }
  return lines
}

/** Keeps what is written as lines. */
class LineWriter implements TextWriter {
  readonly isClosed = false
  private readonly lines: string[]
  private text = ''

  constructor(lines: string[]) {
    this.lines = lines
  }

  write(text: string): void {
    this.text += text
  }
  writeBytes(bytes: Uint8Array): void {
    this.text += Buffer.from(bytes).toString()
  }
  flush(): void {
    // Everything is written already.
  }
  async close(): Promise<void> {
    // There is nothing to close.
  }

  endLine(): void {
    this.lines.push(this.text)
    this.text = ''
  }
}
