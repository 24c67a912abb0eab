import { readJsonRecords } from '../formats/json.ts'
import { readTextFormat } from '../formats/text-formats.ts'
import { levelFields, noTextParts, textRecord } from '../formats/text-record.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'
import { noEnvelope, withEnvelope, type EnvelopeContext } from './envelope-context.ts'
import { uncaughtStart, type UncaughtStart } from './uncaught-error.ts'

/** Options of reading lines. */
export interface LineOptions {
  /** The name of the input, for the origin of records. */
  readonly file: string
  /** The format of all lines; undefined to detect it for each line. */
  readonly input: FormatName | undefined
  /** Names of members by the field that they are. */
  readonly fieldNames: ReadonlyMap<string, string> | undefined
}

/** Reads lines without their envelopes. */
export class LineFormats {
  private readonly options: LineOptions

  constructor(options: LineOptions) {
    this.options = options
  }

  /** Returns the origin of a line. */
  originOf({ container, stream, isApplication }: EnvelopeContext, line: number): RecordOrigin {
    return { file: this.options.file, line, container, isApplication, stream }
  }

  /** Returns the records of a line; none if it is text. */
  recordsOf(text: string, envelope: EnvelopeContext, origin: RecordOrigin, raw: Uint8Array): readonly ReadRecord[] {
    const { input, fieldNames } = this.options
    if (input === 'text') return []
    const context = { origin, raw, input, fieldNames }
    const found = isJsonObject(text) ? readJsonRecords(text, context) : readTextFormat(text, context)
    const records = found === undefined ? [] : recordList(found)
    if (records.length > 0)
      return envelope === noEnvelope ? records : records.map((record) => withEnvelope(record, envelope))
    if (envelope.textRecord === undefined) return []
    return [withEnvelope(textRecord({ ...envelope.textRecord, message: text }, context), envelope)]
  }

  /** Returns how a line of no known format begins an uncaught error; undefined if it does not. */
  uncaughtStart(text: string): UncaughtStart | undefined {
    return this.options.input === 'text' ? undefined : uncaughtStart(text)
  }

  /** Returns the record of an uncaught error, without its message and attributes. */
  uncaughtRecord(envelope: EnvelopeContext, start: UncaughtStart, origin: RecordOrigin, raw: Uint8Array): ReadRecord {
    const level = levelFields(start === 'error' ? start : 'fatal')
    return withEnvelope(textRecord({ ...(envelope.textRecord ?? noTextParts), ...level }, { origin, raw }), envelope)
  }

  /** Returns whether a line is JSON that is a record. */
  isJsonRecord(text: string): boolean {
    return isJsonObject(text) && text.trimEnd().endsWith('}') && this.readHead(text) !== undefined
  }

  /** Returns whether the first characters of a long line can be those of a record. */
  isKnownStart(head: string): boolean {
    return isJsonObject(head) || this.readHead(head) !== undefined
  }

  private readHead(text: string): ReadRecord | readonly ReadRecord[] | undefined {
    const { input, fieldNames } = this.options
    const context = { origin: this.originOf(noEnvelope, 0), raw: noBytes, input, fieldNames }
    return isJsonObject(text) ? readJsonRecords(text, context) : readTextFormat(text, context)
  }
}

const noBytes = new Uint8Array(0)

/** Returns what was found in a line as a list. */
export function recordList(found: ReadRecord | readonly ReadRecord[]): readonly ReadRecord[] {
  return Array.isArray(found) ? (found as readonly ReadRecord[]) : [found as ReadRecord]
}

/** Returns whether a text can be a JSON object. Spaces before it are skipped. */
function isJsonObject(text: string): boolean {
  let at = 0
  for (let code = text.charCodeAt(0); code === 32 || code === 9; code = text.charCodeAt(++at));
  return text.charCodeAt(at) === 123
}
