import type { InstrumentationSource } from '../../record/instrumentation-source.ts'
import type { EncodedRecord } from '../encoding.ts'
import { damaged, itemsOf, memberOf, objectOf } from './otlp-json-members.ts'
import { readRecord } from './otlp-json-record-reader.ts'
import { readResource, readScope } from './otlp-json-source-reader.ts'

/** A record that was read from a file, in the form of a newly encoded one. */
export interface ReadRecord {
  /** The record in the encoding `otlp:http/json`: an object and a comma. */
  readonly text: EncodedRecord & string
  readonly severity: number
  readonly source: InstrumentationSource
}

/** The content of a line of a file. */
export interface ReadLine {
  readonly records: readonly ReadRecord[]
  /** The number of invalid records. */
  readonly damaged: number
}

/**
 * Reads a line that `otlpJsonFileLine` or another writer has written: `{"resourceLogs":[…]}` of the File Exporter (FIL1). No text of the
 * line is copied unchecked. A record is written again from the fields that OTLP defines, so that a request with it is valid. A record with
 * an invalid field is damaged, because a Collector would reject the whole request for it (FIL5). Never throws.
 *
 * @param line - without the line end
 * @returns undefined if the line is not such an object.
 */
export function readOtlpJsonLine(line: Uint8Array): ReadLine | undefined {
  try {
    const request: unknown = JSON.parse(decoder.decode(line))
    const records: ReadRecord[] = []
    let damagedRecords = 0
    for (const resourceLogs of itemsOf(objectOf(request), 'resourceLogs')) {
      const resource = readResource(objectOf(resourceLogs))
      for (const scopeLogs of itemsOf(objectOf(resourceLogs), 'scopeLogs')) {
        const source: InstrumentationSource = { resource, scope: readScope(objectOf(scopeLogs)) }
        for (const item of itemsOf(objectOf(scopeLogs), 'logRecords')) {
          const read = orDamaged(() => readRecord(objectOf(item)))
          if (read === undefined) damagedRecords++
          else records.push({ ...read, text: read.text as EncodedRecord & string, source })
        }
      }
    }
    if (memberOf(objectOf(request), 'resourceLogs') === undefined) throw damaged
    return { records, damaged: damagedRecords }
  } catch {
    return undefined // not JSON, not UTF-8, another shape, or nested so deeply that the stack overflows
  }
}

/** Returns the result of `read`, or undefined if it throws. A deeply nested value overflows the stack, so such a record is damaged too. */
function orDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
