import type { AnyValue } from '../../record/any-value.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { textLineRecord } from '../../read/text-line-record.ts'
import { GroupTable, RecordCounts, type CountSettings, type GroupValues } from './group-table.ts'
import { BucketBudget } from './number-distribution.ts'
import { groupText, numberOf, recordValue, type RecordValue } from '../report/record-value.ts'
import { ReportedLosses } from '../report/reported-losses.ts'
import { PlainRecords } from './plain-record.ts'
import type { MessageTemplate } from '../../read/templates/message-template.ts'
import { Templates } from '../../read/templates/templates.ts'
import { TextTraces } from './text-traces.ts'

/** Options of the statistics. */
export interface StatisticsOptions {
  /** The keys by which records are grouped. */
  readonly by: readonly string[]
  /** The keys of attributes whose percentiles are computed. */
  readonly percentiles: readonly string[]
  /** The length of an interval of the timelines in milliseconds. Default: a fraction of the time span. */
  readonly interval?: number | undefined
  readonly where?: ((record: ReadRecord) => boolean) | undefined
}

/** The largest number of groups and of templates. */
export const maxGroups = 10_000
/** The largest number of buckets of all distributions: about 100 MB. */
const maxBuckets = 1_000_000
const maxIntervals = 128
/** With an interval that the caller chose. */
const maxChosenIntervals = 1_000

/** Counts records and lines of text. Its memory has a limit, whatever is read. */
export class Statistics {
  /** All records that match, without lines of text. */
  readonly total: RecordCounts
  readonly byLevel: GroupTable
  readonly groups: GroupTable
  readonly losses: ReportedLosses = new ReportedLosses()
  readonly byFormat: Map<string, number> = new Map()
  readonly percentileKeys: readonly string[]
  /** Lines of text that belong to no record. */
  textLines = 0
  /** Records and lines of text that do not match. */
  unmatched = 0
  /** Records without a time. */
  withoutTime = 0
  /** The length of an interval, if the caller chose it. */
  readonly chosenInterval: number | undefined

  private readonly where: ((record: ReadRecord) => boolean) | undefined
  private readonly templates = new Templates(maxGroups)
  private readonly plainRecords = new PlainRecords()
  private readonly textTraces = new TextTraces()
  private readonly groupValues: readonly (RecordValue | 'template' | 'service')[]
  private readonly measuredValues: readonly RecordValue[]

  constructor({ by, percentiles, interval, where }: StatisticsOptions) {
    const settings: CountSettings = {
      interval: interval ?? 1,
      maxIntervals: interval === undefined ? maxIntervals : maxChosenIntervals,
      measured: percentiles.length,
      budget: new BucketBudget(maxBuckets),
    }
    this.total = new RecordCounts(settings)
    this.byLevel = new GroupTable(['level'], maxGroups, { ...settings, measured: 0 })
    this.groups = new GroupTable(by, maxGroups, settings)
    this.percentileKeys = percentiles
    this.chosenInterval = interval
    this.where = where
    this.groupValues = by.map((key) => (key === 'template' || key === 'service' ? key : recordValue(key)))
    this.measuredValues = percentiles.map((key) => recordValue(key))
  }

  /** Counts a record, if it matches. */
  record(record: ReadRecord): void {
    if (this.where !== undefined && !this.where(record)) {
      this.unmatched++
      return
    }
    const { time } = record
    const numbers = this.measuredValues.map((value) => numberOf(value(record)))
    this.total.add(time, numbers)
    if (time === undefined) this.withoutTime++
    this.byFormat.set(record.format, (this.byFormat.get(record.format) ?? 0) + 1)
    this.byLevel.add([record.level === '' ? undefined : groupText(record.level)], false, time, [])
    const isPlain = this.plainRecords.has(record)
    if (!isPlain) this.losses.add(record)
    const template = this.groups.by.includes('template') ? this.templateOf(record, isPlain) : undefined
    this.addToGroup(record, template, time, numbers, isPlain)
  }

  /** Counts a line of text, if it matches. It is in a group if templates are grouped and it is not in a stack trace. */
  text(bytes: Uint8Array, origin: RecordOrigin): void {
    if (this.where !== undefined && !this.where(textLineRecord(bytes, origin))) {
      this.unmatched++
      return
    }
    this.textLines++
    if (!this.groups.by.includes('template')) return
    const message = new TextDecoder().decode(bytes.subarray(0, maxTextBytes)).trimEnd()
    if (this.textTraces.continues(message, origin)) return
    const template = this.templates.ofMessage(message)
    if (template === undefined) this.groups.ungrouped++
    else
      this.groups.add(
        this.groups.by.map((key) => (key === 'template' ? template : undefined)),
        true,
        undefined,
        [],
      )
  }

  private templateOf(record: ReadRecord, isPlain: boolean): MessageTemplate | undefined {
    return isPlain ? this.templates.ofMessage(record.message ?? '') : this.templates.templateOf(record)
  }

  private addToGroup(
    record: ReadRecord,
    template: MessageTemplate | undefined,
    time: number | undefined,
    numbers: readonly (number | undefined)[],
    isPlain: boolean,
  ): void {
    if (template === undefined && this.groups.by.includes('template')) {
      this.groups.ungrouped++
      return
    }
    const values: GroupValues = this.groupValues.map((value) => {
      if (value === 'template') return template
      return groupText(value === 'service' ? serviceOf(record, isPlain) : value(record))
    })
    this.groups.add(values, false, time, numbers)
  }
}

/** The longest beginning of a line of text that is grouped. */
const maxTextBytes = 65_536

const serviceValue = recordValue('service')

function serviceOf(record: ReadRecord, isPlain: boolean): AnyValue | undefined {
  return isPlain ? record.resource.get('service.name') : serviceValue(record)
}
