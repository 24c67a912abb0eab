import type { ReadRecord } from '../read/record.ts'
import type { TextWriter } from './text-writer.ts'
import { LineSet } from './line-set.ts'
import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { textOfUtf8, textPieces, visibleLines } from './visible-text.ts'

const newline = 10

/**
 * Writes the bytes of records and text as they were read. A line with several records, such as a request of OTLP/JSON, is written once.
 * On a terminal, control characters are escaped, because data must not control it.
 */
export class RawOutput implements Output {
  private readonly writer: TextWriter
  private readonly isTerminal: boolean
  private endsInLine = false
  private readonly isSorted: boolean
  /** The lines of sorted records, whose bytes are read again for each record. */
  private readonly lines = new LineSet()
  private readonly raws = new WeakSet<Uint8Array>()

  constructor({ writer, isTerminal, isSorted = false }: OutputSettings) {
    this.isSorted = isSorted
    this.writer = writer
    this.isTerminal = isTerminal
  }

  record(record: ReadRecord): void {
    if (record.format !== 'otlp' || !this.isWritten(record)) this.text(record.raw)
  }

  /** Returns whether the line was written, and adds it. The records of one line share its bytes. */
  private isWritten({ raw, origin }: ReadRecord): boolean {
    if (this.isSorted) return this.lines.add(origin)
    const isWritten = this.raws.has(raw)
    this.raws.add(raw)
    return isWritten
  }

  text(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    // The last line of an input can lack its line end, and another input can follow.
    if (this.endsInLine) this.writer.write('\n')
    if (this.isTerminal) for (const [piece] of textPieces(bytes)) this.writer.write(visibleLines(textOfUtf8(piece)))
    else this.writer.writeBytes(bytes)
    this.endsInLine = bytes.at(-1) !== newline
  }

  flush(): void {
    this.writer.flush()
  }

  end(): void {
    this.writer.flush()
  }
}
