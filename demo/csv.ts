import { StringDecoder } from 'node:string_decoder'

export interface CsvParser {
  push(chunk: Buffer): void
  /** Throws when the text ends inside a quoted field or inside a character. */
  end(): void
}

const QUOTE = 34
const COMMA = 44
const LINE_FEED = 10

const AT_START = 0
const UNQUOTED = 1
const QUOTED = 2
const AFTER_QUOTE = 3

/** Parses CSV (RFC 4180) in chunks of UTF-16LE that may be split anywhere. Reads each code unit once, regardless of field length. */
export function createCsvParser(onRow: (fields: readonly string[]) => void): CsvParser {
  // A TextDecoder would replace lone surrogates.
  const decoder = new StringDecoder('utf16le')
  let bytes = 0
  let state = AT_START
  let fields: string[] = []
  let field = ''
  let quotedLength = 0

  function read(text: string): void {
    let at = 0
    while (at < text.length) {
      if (state === QUOTED) at = readQuoted(text, at)
      else if (state === AFTER_QUOTE && text.charCodeAt(at) === QUOTE) {
        field += '"'
        state = QUOTED
        at++
      } else if (state === AT_START && text.charCodeAt(at) === QUOTE) {
        state = QUOTED
        at++
      } else at = readUnquoted(text, at)
    }
  }

  function readQuoted(text: string, from: number): number {
    const quote = text.indexOf('"', from)
    if (quote < 0) {
      field += text.slice(from)
      return text.length
    }
    field += text.slice(from, quote)
    quotedLength = field.length
    state = AFTER_QUOTE
    return quote + 1
  }

  function readUnquoted(text: string, from: number): number {
    let to = from
    while (to < text.length) {
      const unit = text.charCodeAt(to)
      if (unit === COMMA || unit === LINE_FEED) break
      to++
    }
    field += text.slice(from, to)
    state = UNQUOTED
    if (to === text.length) return to
    if (text.charCodeAt(to) === COMMA) endField()
    else endRow()
    return to + 1
  }

  function endField(): void {
    fields.push(field)
    field = ''
    quotedLength = 0
    state = AT_START
  }

  function endRow(): void {
    // A carriage return inside quotes belongs to the field, one after them to the line end.
    if (field.length > quotedLength && field.endsWith('\r')) field = field.slice(0, -1)
    endField()
    const row = fields
    fields = []
    onRow(row)
  }

  return {
    push(chunk) {
      bytes += chunk.length
      read(decoder.write(chunk))
    },
    end() {
      read(decoder.end())
      if (bytes % 2 !== 0) throw new Error('the CSV ends in the middle of a character')
      if (state === QUOTED) throw new Error('the CSV ends inside a quoted field')
      if (state !== AT_START || fields.length > 0) endRow()
    },
  }
}
