import { BucketBudget, NumberDistribution } from './number-distribution.ts'
import type { MessageTemplate } from '../../read/templates/message-template.ts'
import { Timeline } from './timeline.ts'

/** What the records of a group have in common, in the order of the table's keys; undefined for a value that they do not have. */
export type GroupValues = readonly (string | MessageTemplate | undefined)[]

/** Counts of records that have something in common. */
export class RecordCounts {
  count = 0
  /** The earliest time, in milliseconds since the Unix epoch; Infinity without a time. */
  first: number = Infinity
  /** The latest time; -Infinity without a time. */
  last: number = -Infinity
  readonly timeline: Timeline
  /** The distributions of the measured attributes, in the order of their keys. */
  readonly distributions: readonly NumberDistribution[]

  constructor({ interval, maxIntervals, measured, budget }: CountSettings) {
    this.timeline = new Timeline(interval, maxIntervals)
    this.distributions = Array.from({ length: measured }, () => new NumberDistribution(budget))
  }

  /** @param numbers - the numbers of the measured attributes; undefined for one that is missing */
  add(time: number | undefined, numbers: readonly (number | undefined)[]): void {
    this.count++
    if (time !== undefined) {
      if (time < this.first) this.first = time
      if (time > this.last) this.last = time
      this.timeline.add(time)
    }
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index]
      if (number !== undefined) this.distributions[index]!.add(number)
    }
  }
}

/** How records are counted. */
export interface CountSettings {
  /** The shortest interval of the timelines, in milliseconds. */
  readonly interval: number
  readonly maxIntervals: number
  /** The number of measured attributes. */
  readonly measured: number
  readonly budget: BucketBudget
}

/** The records that have the same values. */
export class Group extends RecordCounts {
  readonly values: GroupValues
  /** Whether the group has lines of text, and not records. */
  readonly isText: boolean

  constructor(values: GroupValues, isText: boolean, settings: CountSettings) {
    super(settings)
    this.values = values
    this.isText = isText
  }
}

/** Groups of records by the values of some keys. */
export class GroupTable {
  /** The keys by which records are grouped. */
  readonly by: readonly string[]
  /** The records that are not in a group, because there are too many groups. */
  ungrouped = 0
  private readonly settings: CountSettings
  private readonly maxGroups: number
  private readonly groups = new Map<string, Group>()

  constructor(by: readonly string[], maxGroups: number, settings: CountSettings) {
    this.by = by
    this.maxGroups = maxGroups
    this.settings = settings
  }

  /** Counts a record. */
  add(values: GroupValues, isText: boolean, time: number | undefined, numbers: readonly (number | undefined)[]): void {
    const key = groupKey(values, isText)
    let group = this.groups.get(key)
    if (group === undefined) {
      if (this.groups.size >= this.maxGroups) {
        this.ungrouped++
        return
      }
      group = new Group(values, isText, this.settings)
      this.groups.set(key, group)
    }
    group.add(time, numbers)
  }

  /** Returns the groups, the largest first; those of one size in the order of their first records. */
  sorted(): Group[] {
    return [...this.groups.values()].toSorted((one, other) => other.count - one.count)
  }
}

/** Returns a text that only equal values have: a value is preceded by its length, and a template is a number. */
function groupKey(values: GroupValues, isText: boolean): string {
  let key = isText ? 't' : ''
  for (const value of values) {
    if (value === undefined) key += '-'
    else key += typeof value === 'string' ? `${value.length}:${value}` : `#${value.id}`
  }
  return key
}
