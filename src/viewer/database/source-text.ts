import { dataToJson } from '../../encode/plain-data.ts'
import type { RecordSource } from '../otlp/otlp-record.ts'

/** Returns a source as text for the database. */
export function sourceText({ format, origin, resource, scope, scopeVersion }: RecordSource): string {
  const { file, container, stream } = origin
  return JSON.stringify({ format, file, container, stream, scope, scopeVersion, resource: dataToJson(resource) })
}

/** Returns the source of a text of `sourceText`. */
export function parseSource(text: string): RecordSource {
  const { format, file, container, stream, scope, scopeVersion, resource } = JSON.parse(text) as SourceJson
  const origin = { file, line: Number.NaN, container, stream }
  return { format, origin, resource: new Map(Object.entries(JSON.parse(resource) as object)), scope, scopeVersion }
}

type SourceJson = Pick<RecordSource, 'format' | 'scope' | 'scopeVersion'> &
  Pick<RecordSource['origin'], 'file' | 'container' | 'stream'> & { readonly resource: string }
