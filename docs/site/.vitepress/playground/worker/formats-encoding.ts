import type { Encoding, Format } from '../../../../../src/encode/encoding.ts'
import { finishedText } from '../../../../../src/encode/finished-text.ts'
import { jsonLines } from '../../../../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../../../../src/encode/otlp/otlp-json.ts'
import { prettyEncoding } from '../../../../../src/encode/pretty/pretty.ts'
import { SharedEncoder } from '../../../../../src/encode/shared-encoder.ts'
import type { LogRecord } from '../../../../../src/record/record.ts'
import { layoutNames, type OutputFormat, type RecordEntry } from '../messages.ts'

/** Receives the texts of records. */
export interface RecordObserver {
  /** Returns whether a record is encoded. Otherwise it is omitted. */
  acceptsRecord(): boolean
  addRecord(record: LogRecord, texts: RecordEntry['texts']): void
}

/**
 * Creates an encoding that passes each record in every form to an observer. The record is walked once, so getters run once, and one exporter
 * is enough, so `stats()` counts each record once.
 *
 * @param columns - the width of the terminal
 */
export function formatsEncoding(columns: number): (observer: RecordObserver) => Encoding {
  const device = { key: 'playground', workingDirectory: '', columns: () => columns }
  const formats: readonly (readonly [OutputFormat, Encoding])[] = [
    ...layoutNames.map((layout) => [layout, jsonLines(layout)] as const),
    ['pretty', prettyEncoding({ colors: true }, device)],
    ['otlpJson', otlpJsonLines()],
  ]
  const encodings = formats.map(([, encoding]) => encoding)
  return (observer) => {
    const format: Format = {
      key: 'playground',
      target: undefined,
      encoder(rules) {
        const encoder = new SharedEncoder(encodings, rules)
        return {
          encode(record) {
            if (!observer.acceptsRecord()) return finishedText('\n')
            const { texts } = encoder.encode(record)
            const textsByFormat = formats.map(([name], index) => {
              const text = texts[index] ?? ''
              return [name, typeof text === 'string' ? text : text.text()] as const
            })
            observer.addRecord(record, Object.fromEntries(textsByFormat) as RecordEntry['texts'])
            return finishedText('\n')
          },
        }
      },
    }
    return format
  }
}
