import type { AnyValue } from '../../record/any-value.ts'
import { standardSeverities } from '../../record/severity.ts'
import { AttributeSelection, readAttribute, type ShownAttribute } from './attributes.ts'
import { blockLines, isMultilineText, type BlockStyle } from './block.ts'
import { isPrintableAscii } from '../json/quote.ts'
import { painter, sgr, type Paint } from './colors.ts'
import { InlineStyle, InlineText, isBareWord, nameText, scalarText, type MeasuredText } from './inline.ts'
import { indent, LineWrapper } from './line-wrapper.ts'
import { LevelLabels } from './level.ts'
import { paintStatus } from './request.ts'
import { minWidth, type PrettySettings } from './settings.ts'
import { stackLines, type StackStyle } from './stack.ts'
import type { OutputDevice, TerminalRecord } from './terminal-record.ts'
import { timeFormatter } from './time.ts'
import { escapeForTerminal, escapedLines } from './visible.ts'
import { displayWidth } from './width.ts'

/** The names of attributes can be data, so the cache has a limit. */
const maxCachedNames = 512
/** The maximum length of a string that is tested to be a single word without regular expressions. */
const maxWordLength = 40

/** Renders records as text for a terminal. It keeps the state of one output, such as the request that was shown last. */
export class TerminalRenderer {
  private readonly settings: PrettySettings
  private readonly device: OutputDevice
  private readonly paint: Paint
  private readonly inlineStyle: InlineStyle
  /** The style of bound attributes, which have one color. */
  private readonly plainStyle = new InlineStyle(painter(false))
  private readonly formatTime: (time: number) => string
  private readonly labels: LevelLabels
  private readonly selection: AttributeSelection
  private readonly stackStyle: StackStyle
  private readonly nameTexts = new Map<string, Readonly<Record<'plain' | 'painted', MeasuredText>>>()

  private readonly scopeTexts = new Map<string, MeasuredText>()

  constructor(settings: PrettySettings, device: OutputDevice) {
    this.settings = settings
    this.device = device
    this.paint = painter(settings.usesColors)
    this.inlineStyle = new InlineStyle(this.paint)
    this.formatTime = timeFormatter(settings.time, settings.showsDate)
    this.labels = new LevelLabels(settings.levelLabels, this.paint, settings.hidesUnspecifiedLevel)
    this.selection = new AttributeSelection(settings, this.paint)
    this.stackStyle = {
      paint: this.paint,
      workingDirectory: device.workingDirectory,
      maxFrames: settings.maxFrames,
      showsOnlyOwnFrames: settings.showsOnlyOwnFrames,
      foldsInternalFrames: settings.foldsInternalFrames,
    }
  }

  /** Returns the lines of a record, each with its line end. */
  render(record: TerminalRecord): string {
    const { paint, settings } = this
    const time = this.formatTime(record.time)
    const label = this.labels.label(record.level, record.severity)
    const { prefix } = record
    let line = `${prefix === undefined ? '' : prefix.text}${paint(sgr.dim, time)} ${label.text}`
    let column = (prefix === undefined ? 0 : prefix.width) + time.length + 1 + label.width
    if (record.scope !== undefined) {
      const scope = this.scopeText(record.scope)
      line += scope.text
      column += scope.width
    }
    const stack = this.stackOf(record)
    const isExceptionMessage = stack !== undefined && hasExceptionMessage(record, stack)
    const message = isExceptionMessage ? stack.slice(0, firstLineEnd(stack)) : (record.message ?? record.eventName)
    let firstLine = ''
    if (message !== undefined && isPrintableAscii(message)) {
      firstLine = message
      line += ` ${this.messageText(message, record)}`
      column += 1 + message.length
    } else if (message !== undefined) {
      const [first = '', ...moreLines] = this.messageLines(message)
      firstLine = first
      line += ` ${this.messageText(first, record)}`
      // The attributes of a message with several lines begin on a line of their own.
      column = moreLines.length === 0 ? column + 1 + displayWidth(first) : Infinity
      for (const more of moreLines) line += `\n${indent}${more}`
    }
    const width = settings.width ?? Math.max(this.device.columns(), minWidth)
    const wrapper = new LineWrapper(line, column, settings.isMultiline ? width : Infinity)
    const blocks: ShownAttribute[] = []
    for (const { plain, painted } of this.selection.begin(record, firstLine, stack !== undefined))
      wrapper.add(painted, displayWidth(plain))
    wrapper.endGroup()
    this.addAttributes(wrapper, record, blocks)
    if (blocks.length === 0 && stack === undefined) return `${wrapper.text}\n`
    const lines = this.blocksOf(blocks, width)
    if (stack !== undefined)
      lines.push(...stackLines(stack, this.stackStyle, isExceptionMessage).map((stackLine) => indent + stackLine))
    return lines.length === 0 ? `${wrapper.text}\n` : [wrapper.text, ...lines, ''].join('\n')
  }

  private messageLines(message: string): string[] {
    return this.settings.isMultiline ? escapedLines(message, this.paint) : [escapeForTerminal(message)]
  }

  private messageText(firstLine: string, record: TerminalRecord): string {
    const { paint, settings } = this
    const status = settings.usesColors ? readAttribute(record, 'http.response.status_code') : undefined
    if (typeof status === 'number') return paintStatus(firstLine, status, paint)
    return record.severity >= standardSeverities.warn ? paint(sgr.bold, firstLine) : firstLine
  }

  /** Adds the attributes that are shown. Those that do not fit a line are added to `blocks`. */
  private addAttributes(wrapper: LineWrapper, record: TerminalRecord, blocks: ShownAttribute[]): void {
    const { selection } = this
    for (const [name, value] of record.attributes)
      if (selection.shows(name, false)) this.addAttribute(wrapper, name, value, false, blocks)
    for (const [name, value] of record.boundAttributes)
      if (selection.shows(name, true)) this.addAttribute(wrapper, name, selection.shortened(value), true, blocks)
    const { traceId, eventName } = record
    if (eventName !== undefined && record.message !== undefined && selection.isAllowedByOptions('event.name'))
      this.addAttribute(wrapper, 'event.name', eventName, false, blocks)
    if (traceId !== undefined && selection.isAllowedByOptions('trace_id'))
      this.addAttribute(wrapper, 'trace_id', selection.shortenedTraceId(traceId), true, blocks)
  }

  private addAttribute(
    wrapper: LineWrapper,
    name: string,
    value: AnyValue,
    isBound: boolean,
    blocks: ShownAttribute[],
  ): void {
    const isWord = typeof value === 'string' && value.length <= maxWordLength && isBareWord(value)
    if (!isWord && typeof value !== 'number' && typeof value !== 'boolean') {
      if (!this.addInline(wrapper, name, value, isBound)) blocks.push({ name, value, isBound })
      return
    }
    const { text, width } = this.shownName(name, isBound)
    const shown = isWord ? value : scalarText(value)
    const fullWidth = width + shown.length
    if (fullWidth > wrapper.maxInlineWidth) blocks.push({ name, value, isBound })
    else wrapper.add(isBound ? this.paint(sgr.dim, text + shown) : text + shown, fullWidth)
  }

  /** Adds an attribute as `name=value` if it fits a line. Returns whether it was added. */
  private addInline(wrapper: LineWrapper, name: string, value: AnyValue, isBound: boolean): boolean {
    if (this.settings.isMultiline && isMultilineText(value)) return false
    const inline = new InlineText(wrapper.maxInlineWidth, isBound ? this.plainStyle : this.inlineStyle)
    const fits = inline.addMeasured(this.shownName(name, isBound)) && inline.addValue(value)
    if (fits) wrapper.add(isBound ? this.paint(sgr.dim, inline.text) : inline.text, inline.width)
    return fits
  }

  /** Returns `name=`, cached, because most names occur in many records. */
  private shownName(name: string, isBound: boolean): MeasuredText {
    const cached = this.nameTexts.get(name)
    if (cached !== undefined) return isBound ? cached.plain : cached.painted
    const text = `${nameText(name)}=`
    const width = displayWidth(text)
    const texts = { plain: { text, width }, painted: { text: this.paint(sgr.dim, text), width } }
    if (this.nameTexts.size < maxCachedNames) this.nameTexts.set(name, texts)
    return isBound ? texts.plain : texts.painted
  }

  /** Returns ` [scope]`, cached, because most records have the same few scopes. */
  private scopeText(scope: string): MeasuredText {
    const cached = this.scopeTexts.get(scope)
    if (cached !== undefined) return cached
    const plain = `[${escapeForTerminal(scope)}]`
    const text = { text: ` ${this.paint(sgr.dim, plain)}`, width: 1 + displayWidth(plain) }
    if (this.scopeTexts.size < maxCachedNames) this.scopeTexts.set(scope, text)
    return text
  }

  private blocksOf(attributes: readonly ShownAttribute[], width: number): string[] {
    const style: BlockStyle = {
      inline: this.inlineStyle,
      width,
      stackLines: (text) => stackLines(text, this.stackStyle),
    }
    return attributes.flatMap(({ name, value }) => blockLines(`${nameText(name)}: `, value, indent, style))
  }

  private stackOf({ attributes }: TerminalRecord): string | undefined {
    const stack: AnyValue | undefined = attributes.get('exception.stacktrace')
    const { hidden, onlyShown } = this.settings
    const name = 'exception.stacktrace'
    if (
      typeof stack !== 'string' ||
      !this.settings.hasStackLines ||
      hidden.matches(name) ||
      onlyShown?.matches(name) === false
    )
      return undefined
    return stack
  }
}

/**
 * Returns whether the message of a record has one line and ends the first line of the stack. That line, which also contains the type, is
 * then shown in place of the message. The attribute `exception.message` can differ: pino adds the messages of causes.
 */
function hasExceptionMessage({ message }: TerminalRecord, stack: string): boolean {
  return (
    message !== undefined &&
    message !== '' &&
    !message.includes('\n') &&
    stack.slice(0, firstLineEnd(stack)).endsWith(`: ${message}`)
  )
}

function firstLineEnd(text: string): number {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}
