import type { InstrumentationSource } from '../../record/record.ts'
import type { EncodedRecord } from '../encoding.ts'
import { damaged, itemsOf, memberOf, objectOf } from './otlp-json-members.ts'
import { readRecord } from './otlp-json-record-reader.ts'
import { readResource, readScope } from './otlp-json-source-reader.ts'

/** A record that was read from a file: as good as new. */
export interface ReadRecord {
  /** In the encoding `otlp:http/json`: an object and a comma. */
  readonly text: EncodedRecord & string
  readonly severity: number
  readonly source: InstrumentationSource
}

/** What a line of a file holds. */
export interface ReadLine {
  readonly records: readonly ReadRecord[]
  /** How many records are none. */
  readonly damaged: number
}

/**
 * Reads a line that `otlpJsonFileLine` wrote, or somebody else: `{"resourceLogs":[…]}` of the File Exporter (FIL1). Nothing
 * of it is taken as it stands: a record is written anew from those of its fields that OTLP knows, so that a request made of
 * it is well formed, and one that says something else than OTLP has words for is damaged (a Collector would refuse the whole
 * request for it, FIL5). Never throws.
 *
 * @param line - without the line end
 * @returns undefined when the line is no such object.
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
    return undefined // no JSON, no UTF-8, another shape, or so deep that the stack ends
  }
}

/** Deep values end in an exhausted stack, which is damage like any other. */
function orDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
