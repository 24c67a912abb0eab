import { encoderFor } from '../../../../../src/encode/encoding.ts'
import { jsonLines } from '../../../../../src/encode/json/json-lines.ts'
import { emptyBoundState } from '../../../../../src/record/bound.ts'
import { newRecord, type LogRecord } from '../../../../../src/record/record.ts'
import { standardSeverities } from '../../../../../src/record/severity.ts'
import { compileRedaction } from '../../../../../src/redact/redact.ts'
import { defaultLimits } from '../../../../../src/values/limits.ts'

/** Encodes without redaction. The texts are shown only to the author of the program. */
const encoder = encoderFor(jsonLines(), {
  redaction: compileRedaction({ credentialHeaders: false }, 'redact', []),
  serializers: new Map(),
  limits: defaultLimits,
})

/** Returns the rendered message of a record before redaction; undefined without one. */
export function plainMessageOf(record: LogRecord): string | undefined {
  const { message } = writtenOf(record) as { readonly message?: unknown }
  return typeof message === 'string' ? message : undefined
}

/** Returns a value as text for the console: a string as it is, an error with its stack, other values as JSON, as in a record. */
export function consoleText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined) return 'undefined'
  if (value instanceof Error) return String(value.stack ?? value)
  const record = newRecord(0, standardSeverities.info, 'info', emptyBoundState)
  record.attributes = { value }
  const { attributes } = writtenOf(record) as { readonly attributes?: { readonly value?: unknown } }
  const written = attributes?.value
  return typeof written === 'string' ? written : JSON.stringify(written, undefined, 2)
}

function writtenOf(record: LogRecord): object {
  const encoded = encoder.encode(record)
  return JSON.parse(typeof encoded === 'string' ? encoded : encoded.text()) as object
}
