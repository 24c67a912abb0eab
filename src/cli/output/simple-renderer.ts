import { isPrintableAscii } from '../../encode/json/quote.ts'
import { painter, sgr, type Paint } from '../../encode/pretty/colors.ts'
import { isBareWord, type MeasuredText } from '../../encode/pretty/inline.ts'
import { LevelLabels } from '../../encode/pretty/level.ts'
import { LineWrapper } from '../../encode/pretty/line-wrapper.ts'
import { paintStatus, requestSummary } from '../../encode/pretty/request.ts'
import { minWidth, type PrettySettings } from '../../encode/pretty/settings.ts'
import { shortTraceId } from '../../encode/pretty/short-id.ts'
import type { OutputDevice } from '../../encode/pretty/terminal-record.ts'
import { timeFormatter } from '../../encode/pretty/time.ts'
import { standardSeverities } from '../../record/severity.ts'
import type { AttributeText } from '../../read/formats/json-record.ts'
import type { ReadRecord } from '../../read/record.ts'
import { SimpleAttributes } from './simple-attributes.ts'

/**
 * Renders records whose attributes are simple JSON, from that text, which is faster than with their values. The text is the
 * same as that of `TerminalRenderer` with settings that hide no attributes. It does not render records that need further lines, or that
 * have an ID of a request, which depend on records before them.
 */
export class SimpleRenderer {
  private readonly settings: PrettySettings
  private readonly device: OutputDevice
  private readonly paint: Paint
  private readonly formatTime: (time: number) => string
  private readonly labels: LevelLabels
  private readonly attributes: SimpleAttributes
  private lastScope: string | undefined
  private lastScopeText = ''

  constructor(settings: PrettySettings, device: OutputDevice) {
    this.settings = settings
    this.device = device
    this.paint = painter(settings.usesColors)
    this.formatTime = timeFormatter(settings.time, settings.showsDate)
    this.labels = new LevelLabels(settings.levelLabels, this.paint, settings.hidesUnspecifiedLevel)
    this.attributes = new SimpleAttributes(this.paint)
  }

  /** Returns the lines of a record, each with its line end; undefined if the record is not rendered here. */
  render(record: ReadRecord, attributeText: AttributeText, prefix: MeasuredText | undefined): string | undefined {
    const { paint, settings, attributes } = this
    const { message, scope, traceId } = record
    if (message === undefined || record.eventName !== undefined || !isPrintableAscii(message)) return undefined
    if (scope !== undefined && !isPrintableAscii(scope)) return undefined
    if (!attributes.read(attributeText)) return undefined
    const time = this.formatTime(record.time ?? NaN)
    const label = this.labels.label(record.level, record.severityNumber)
    let line = `${prefix === undefined ? '' : prefix.text}${paint(sgr.dim, time)} ${label.text}`
    let column = (prefix === undefined ? 0 : prefix.width) + time.length + 2 + label.width + message.length
    if (scope !== undefined) {
      line += this.scopeText(scope)
      column += scope.length + 3
    }
    line += ` ${this.messageText(message, record.severityNumber)}`
    const width = settings.isMultiline ? (settings.width ?? Math.max(this.device.columns(), minWidth)) : Infinity
    const wrapper = new LineWrapper(line, column, width)
    if (attributes.isRequest) this.addRequest(wrapper, message)
    wrapper.endGroup()
    if (!this.addAttributes(wrapper)) return undefined
    if (traceId !== undefined) {
      const id = shortTraceId(traceId)
      const shown = isBareWord(id) ? `trace_id=${id}` : `trace_id="${id}"`
      wrapper.add(paint(sgr.dim, shown), shown.length)
    }
    return `${wrapper.text}\n`
  }

  /** Adds the attributes. Returns whether each fits a line. */
  private addAttributes(wrapper: LineWrapper): boolean {
    const { count, names, shown, widths, isRequest } = this.attributes
    for (let index = 0; index < count; index++) {
      const name = names[index]!
      if (isRequest && name.isRequestField) continue
      const width = name.width + 1 + widths[index]!
      if (width > wrapper.maxInlineWidth) return false
      wrapper.add(name.attribute + shown[index]!, width)
    }
    return true
  }

  private addRequest(wrapper: LineWrapper, message: string): void {
    const { paint, attributes } = this
    const summary = requestSummary(attributes.requestField, message)
    if (summary === undefined) return
    const status = attributes.requestField('http.response.status_code')
    wrapper.add(status === undefined ? paint(sgr.dim, summary) : paintStatus(summary, status, paint), summary.length)
  }

  private messageText(message: string, severity: number): string {
    const { paint, settings, attributes } = this
    if (!settings.usesColors) return message
    const status = attributes.requestField('http.response.status_code')
    if (typeof status === 'number') return paintStatus(message, status, paint)
    return severity >= standardSeverities.warn ? paint(sgr.bold, message) : message
  }

  /** Returns ` [scope]`. Most records have the scope of the last one. */
  private scopeText(scope: string): string {
    if (scope !== this.lastScope) {
      this.lastScope = scope
      this.lastScopeText = ` ${this.paint(sgr.dim, `[${scope}]`)}`
    }
    return this.lastScopeText
  }
}
