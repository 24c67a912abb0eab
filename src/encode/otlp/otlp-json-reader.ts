import type { InstrumentationSource } from '../../record/instrumentation-source.ts'
import type { EncodedRecord } from '../encoding.ts'
import { invalidOtlpJson, itemsOf, memberOf, objectOf } from './otlp-json-members.ts'
import { rewriteRecord } from './otlp-json-record-reader.ts'
import { readResource, readScope } from './otlp-json-source-reader.ts'

/** A record that was read from a file, encoded again like a new record. */
export interface FileRecord {
  /** The record in the encoding `otlp:http/json`: an object and a comma. */
  readonly text: EncodedRecord & string
  readonly severity: number
  readonly source: InstrumentationSource
}

/** The content of a line of a file. */
export interface FileLineContent {
  readonly records: readonly FileRecord[]
  /** The number of invalid records, which are not in `records`. */
  readonly damagedCount: number
}

/**
 * Reads a line that `otlpJsonFileLine` or another writer has written: `{"resourceLogs":[…]}` of the OpenTelemetry File Exporter. No text of
 * the line is copied unchecked. A record is written again from the fields that OTLP defines, so that a request with it is valid. A record
 * with an invalid field counts as damaged and is omitted, because a Collector would reject the whole request for it. Never throws.
 *
 * @param line - without the line end
 * @returns undefined if the line is not such an object.
 */
export function readOtlpJsonLine(line: Uint8Array): FileLineContent | undefined {
  try {
    const request: unknown = JSON.parse(decoder.decode(line))
    const records: FileRecord[] = []
    let damagedCount = 0
    for (const resourceLogs of itemsOf(objectOf(request), 'resourceLogs')) {
      const resource = readResource(objectOf(resourceLogs))
      for (const scopeLogs of itemsOf(objectOf(resourceLogs), 'scopeLogs')) {
        const source: InstrumentationSource = { resource, scope: readScope(objectOf(scopeLogs)) }
        for (const item of itemsOf(objectOf(scopeLogs), 'logRecords')) {
          const read = undefinedIfThrows(() => rewriteRecord(objectOf(item)))
          if (read === undefined) damagedCount++
          else records.push({ ...read, text: read.text as EncodedRecord & string, source })
        }
      }
    }
    if (memberOf(objectOf(request), 'resourceLogs') === undefined) throw invalidOtlpJson
    return { records, damagedCount }
  } catch {
    return undefined // not JSON, not UTF-8, another shape, or nested so deeply that the stack overflows
  }
}

/**
 * Returns the result of `read`; undefined if it throws, be it for an invalid field or because a deeply nested value overflows the stack.
 */
function undefinedIfThrows<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
