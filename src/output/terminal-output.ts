import { withoutPrototype } from '../options/own-members.ts'
import { NameMatcher, settingsOf, type PrettySettings } from '../encode/pretty/settings.ts'
import { TerminalRenderer } from '../encode/pretty/renderer.ts'
import type { TerminalRecord } from '../encode/pretty/terminal-record.ts'
import { plainText } from '../encode/plain-data.ts'
import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import { SimpleSluiceRecord } from '../read/formats/simple-sluice-record.ts'
import { isTextLine } from '../read/text-line-record.ts'
import type { ReadRecord, RecordOrigin } from '../read/record.ts'
import type { TextWriter } from './text-writer.ts'
import { DayLines } from './day-lines.ts'
import { KeySelection } from './key-selection.ts'
import { OriginPrefixes } from './origin-prefix.ts'
import { writeLongRecord } from './long-texts.ts'
import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { SimpleRenderer } from './simple-renderer.ts'
import { textOfUtf8, textPieces, visibleBytes, visibleLines } from './visible-text.ts'

const noNames: readonly string[] = []
const noAttributes: AnyValueMap = new Map()

/** Writes human-readable text in the terminal format: `pretty` with values on further lines, `line` with one line for each record. */
export class TerminalOutput implements Output {
  private readonly writer: TextWriter
  private readonly isTerminal: boolean
  private readonly hasStackLines: boolean
  private readonly selection: KeySelection
  private readonly showsTraceId: boolean
  private readonly prefixes: OriginPrefixes
  private readonly dayLines: DayLines | undefined
  private readonly renderer: TerminalRenderer
  /** Renders most records; undefined if options change what is shown. */
  private readonly simpleRenderer: SimpleRenderer | undefined
  private endsInLine = false
  /** Returns the attributes that are shown as a whole. */
  private readonly wholeAttributes = ({ attributes }: ReadRecord): AnyValueMap | undefined =>
    this.hasStackLines ? undefined : withShortStack(attributes)

  constructor(settings: OutputSettings) {
    const { writer, isTerminal, usesColors, showKeys, hideKeys = [] } = settings
    const format = settings.time ?? 'local'
    const rendererSettings = rendererSettingsOf(settings)
    this.writer = writer
    this.isTerminal = isTerminal
    this.hasStackLines = rendererSettings.hasStackLines
    this.selection = new KeySelection(showKeys, hideKeys)
    this.showsTraceId = this.selection.allows('trace_id')
    this.prefixes = new OriginPrefixes(settings.files, usesColors)
    const showsTimeOfDay = isTerminal && format !== 'relative' && format !== 'iso'
    this.dayLines = showsTimeOfDay ? new DayLines(format, usesColors, Date.now()) : undefined
    this.renderer = new TerminalRenderer(rendererSettings, settings.device)
    // A relative time depends on the first record, which the other renderer can show.
    if (this.selection.selectsAll && format !== 'relative')
      this.simpleRenderer = new SimpleRenderer(rendererSettings, settings.device)
  }

  record(record: ReadRecord): void {
    const { simpleRenderer } = this
    if (simpleRenderer !== undefined && record instanceof SimpleSluiceRecord)
      if (this.writeSimple(record, simpleRenderer)) return
    // A line of no known format has no columns.
    if (isTextLine(record)) {
      this.text(record.raw, record.origin)
      return
    }
    const format = (other: ReadRecord): string => this.recordText(other)
    // Of values and of a message with several lines, the format pretty shows only the beginning.
    const isShortened = this.hasStackLines && record.message?.includes('\n') === true
    if (isShortened || !writeLongRecord(this.writer, record, format, this.wholeAttributes))
      this.writer.write(format(record))
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    if (bytes.length === 0) return
    const prefix = this.prefixes.ofText(origin)?.text
    const isWhole = bytes.at(-1) === newline
    const lineEnd = this.lineEnd()
    if (prefix !== undefined) {
      this.writer.write(lineEnd + prefix)
      for (const [piece, isEnd] of textPieces(isWhole ? bytes.subarray(0, -1) : bytes)) {
        const text = this.isTerminal ? visibleLines(textOfUtf8(piece)) : textOfUtf8(visibleBytes(piece, isEnd))
        this.writer.write(text.replaceAll('\n', `\n${prefix}`))
      }
      this.writer.write('\n')
      return
    }
    this.writer.write(lineEnd)
    for (const [piece, isEnd] of textPieces(bytes)) {
      if (this.isTerminal) this.writer.write(visibleLines(textOfUtf8(piece)))
      else this.writer.writeBytes(visibleBytes(piece, isEnd))
    }
    this.endsInLine = !isWhole
  }

  flush(): void {
    this.writer.flush()
  }

  end(): void {
    this.writer.flush()
  }

  private recordText(record: ReadRecord): string {
    const text = this.renderer.render(this.terminalRecord(record))
    return this.lineEnd() + this.dayLine(record) + text
  }

  /** Writes the same text faster if the record is simple. Returns whether it was written. */
  private writeSimple(record: SimpleSluiceRecord, renderer: SimpleRenderer): boolean {
    const text = renderer.render(record, this.prefixes.ofRecord(record))
    if (text === undefined) return false
    const before = this.lineEnd() + this.dayLine(record)
    if (before !== '') this.writer.write(before)
    this.writer.writeBytes(text.bytes.subarray(0, text.length))
    return true
  }

  private dayLine({ time = NaN }: ReadRecord): string {
    return this.dayLines?.before(time) ?? ''
  }

  /** Returns the line end that text at the end of another input lacks. */
  private lineEnd(): string {
    if (!this.endsInLine) return ''
    this.endsInLine = false
    return '\n'
  }

  private terminalRecord(record: ReadRecord): TerminalRecord {
    const { message, body } = record
    const unrepeated = this.selection.showsListedOnly ? record.attributes : withoutRepeatedMessage(record)
    const attributes = this.hasStackLines ? unrepeated : withShortStack(unrepeated)
    return {
      prefix: this.prefixes.ofRecord(record),
      time: record.time ?? NaN,
      level: record.level,
      severity: record.severityNumber,
      scope: record.scope,
      eventName: record.eventName,
      message: message ?? (body === undefined ? undefined : plainText(body)),
      insertedNames: noNames,
      attributes: this.selection.select(attributes),
      // A resource has many attributes, which are the same for most records, so they are shown only if they are listed.
      boundAttributes: this.selection.showsListedOnly ? this.selection.select(record.resource) : noAttributes,
      traceId: this.showsTraceId ? record.traceId : undefined,
    }
  }
}

const newline = 10

function rendererSettingsOf({
  format,
  isTerminal,
  usesColors,
  showKeys,
  hideKeys,
  time,
}: OutputSettings): PrettySettings {
  const isLine = format === 'line'
  const settings = settingsOf(
    withoutPrototype({
      colors: usesColors,
      multiline: !isLine,
      // The records have only attributes that are listed.
      ...(showKeys === undefined ? {} : { only: ['*'] }),
      ...(time === undefined ? {} : { time }),
    }),
  )
  return {
    ...settings,
    hidden: new NameMatcher(hideKeys ?? []),
    showsDate: !isTerminal,
    foldsInternalFrames: true,
    hidesUnspecifiedLevel: true,
    hasStackLines: !isLine,
  }
}

/** Returns the attributes with only the first line of the stack, which contains the type and the message. */
function withShortStack(attributes: AnyValueMap): AnyValueMap {
  const stack = attributes.get('exception.stacktrace')
  if (typeof stack !== 'string') return attributes
  const end = stack.indexOf('\n')
  const first = end < 0 ? stack : stack.slice(0, end)
  const short = new Map<string, AnyValue>()
  for (const [name, value] of attributes) {
    if (name === 'exception.stacktrace') short.set(name, first)
    else if (!isExceptionText(name) || typeof value !== 'string' || !first.includes(value)) short.set(name, value)
  }
  return short
}

/** Attributes in which loggers repeat the message of an error. */
const repeatingNames = ['error', 'err', 'exception.message'] as const

/** Returns the attributes without those that equal the message, in records of other loggers. */
function withoutRepeatedMessage({ format, message, attributes }: ReadRecord): AnyValueMap {
  if (format === 'sluice' || message === undefined || message === '') return attributes
  if (!repeatingNames.some((name) => attributes.get(name) === message)) return attributes
  const others = new Map(attributes)
  for (const name of repeatingNames) if (others.get(name) === message) others.delete(name)
  return others
}

function isExceptionText(name: string): boolean {
  return name === 'exception.type' || name === 'exception.message'
}
