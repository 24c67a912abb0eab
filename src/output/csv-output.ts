import { jsonText, plainText } from '../encode/plain-data.ts'
import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { ReadRecord } from '../read/record.ts'
import type { TextWriter } from './text-writer.ts'
import { IsoTime } from './iso-time.ts'
import { KeySelection } from './key-selection.ts'
import { writeLongRecord } from './long-texts.ts'
import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { safeOnTerminal, writeTextLines } from './text-lines.ts'
import { zoneOf } from './zone.ts'

/** A column of a CSV file. */
interface Column {
  readonly name: string
  /** Returns the value of a record. */
  read(record: ReadRecord): AnyValue | undefined
}

/**
 * Writes records as CSV (RFC 4180) with a header, and each line of text as a row with only a message. Cells that begin with `=` or similar
 * characters stay unchanged: import a file of foreign logs as text, because spreadsheets would compute them.
 */
export class CsvOutput implements Output {
  private readonly writer: TextWriter
  private readonly isTerminal: boolean
  private readonly columns: readonly Column[]
  private hasHeader = false

  constructor(settings: OutputSettings) {
    const { writer, isTerminal, showKeys, hideKeys = [], time } = settings
    const selection = new KeySelection(showKeys, hideKeys)
    this.writer = writer
    this.isTerminal = isTerminal
    this.columns = [
      ...fixedColumns(new IsoTime(zoneOf(time))).filter(({ name }) => !selection.hides(name)),
      ...(showKeys === undefined ? [attributesColumn(selection)] : showKeys.map((key) => keyColumn(key, hideKeys))),
    ]
  }

  record(record: ReadRecord): void {
    this.writeHeader()
    const format = (other: ReadRecord): string => this.rowText(this.columns.map(({ read }) => cellText(read(other))))
    if (!writeLongRecord(this.writer, record, format)) this.writer.write(format(record))
  }

  text(bytes: Uint8Array): void {
    this.writeHeader()
    writeTextLines(this.writer, bytes, (line) =>
      this.rowText(this.columns.map(({ name }) => (name === 'message' ? cellText(line) : ''))),
    )
  }

  flush(): void {
    this.writer.flush()
  }

  end(): void {
    this.writeHeader()
    this.writer.flush()
  }

  private writeHeader(): void {
    if (this.hasHeader) return
    this.hasHeader = true
    this.writer.write(this.rowText(this.columns.map(({ name }) => cellText(name))))
  }

  private rowText(cells: readonly string[]): string {
    const row = cells.join()
    return this.isTerminal ? `${safeOnTerminal(row)}\n` : `${row}\r\n`
  }
}

function fixedColumns(time: IsoTime): Column[] {
  return [
    { name: 'time', read: (record) => time.format(record.time, record.timeUnixNano) },
    { name: 'level', read: ({ level }) => level },
    { name: 'message', read: ({ message, body }) => message ?? body },
    { name: 'trace_id', read: ({ traceId }) => traceId },
    { name: 'span_id', read: ({ spanId }) => spanId },
    { name: 'service', read: ({ resource }) => resource.get('service.name') },
    { name: 'scope', read: ({ scope }) => scope },
  ]
}

/** All attributes that are not hidden, as JSON. */
function attributesColumn(selection: KeySelection): Column {
  return {
    name: 'attributes',
    read({ attributes }) {
      const selected = selection.select(attributes)
      return selected.size === 0 ? undefined : jsonText(selected)
    },
  }
}

/** The column of a key of `-i`: the value of that attribute, or for a prefix `http.*` the attributes that it matches, as JSON. */
function keyColumn(key: string, hideKeys: readonly string[]): Column {
  const selection = new KeySelection([key], hideKeys)
  return {
    name: key,
    read({ attributes, resource }) {
      const selected = selection.select(attributes)
      const found = selected.size > 0 ? selected : selection.select(resource)
      if (found.size === 0) return undefined
      return key.endsWith('*') ? jsonText(found) : valueAt(found, key)
    },
  }
}

/** Returns the only value that a selection of one key has. */
function valueAt(selected: AnyValueMap, key: string): AnyValue | undefined {
  const [[name, value] = []] = selected
  if (name === undefined || value === undefined || name === key || !(value instanceof Map)) return value
  return valueAt(value as AnyValueMap, key.slice(name.length + 1))
}

/** Returns a cell, in quotes if it contains a quote, a comma or a line end. */
function cellText(value: AnyValue | undefined): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : typeof value === 'bigint' ? String(value) : plainText(value)
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Quotes also keep spaces at both ends, which some readers remove otherwise. */
const needsQuotes = /[",\r\n]|^\s|\s$/
