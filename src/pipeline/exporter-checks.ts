import type { Format } from '../encode/encoding.ts'
import type { Delivery, Exporter } from './exporter.ts'
import {
  checkOptions,
  choice,
  flag,
  integer,
  list,
  object,
  text,
  type Check,
  type OptionSchema,
} from '../options/option-checks.ts'
import { member, membersOf } from '../options/own-members.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'

/** Checks an exporter or an array of exporters. Custom exporters may be written in JavaScript without types. */
export const exportersCheck: Check = (value, where, problems) => {
  if (!Array.isArray(value)) return exporter(value, where, problems)
  list(exporter)(value, where, problems)
  if (value.length > 0) return
  problems.push({
    code: 'SLUICE_OPTION_RANGE',
    path: where,
    message: "must not be empty; to write nothing, set level: 'silent'",
  })
}

const exporter: Check = (value, where, problems) => {
  const { name, encoding, schedule, delivery, batchBytes, ...rest } = exporterMembers(value)
  if (
    typeof rest.export !== 'function' ||
    typeof member(Object(encoding) as Partial<Format>, 'encoder') !== 'function'
  ) {
    const message = 'must be an exporter, such as fdExporter() or fileExporter({ path }) from sluice/exporters'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
    return
  }
  text()(name, `${where}.name`, problems)
  if (schedule !== undefined) checkSchedule(schedule, `${where}.schedule`, problems)
  if (batchBytes !== undefined) integer(1)(batchBytes, `${where}.batchBytes`, problems)
  if (delivery === undefined) object(delivery, `${where}.delivery`, problems)
  checkOptions(delivery, deliverySchema, where, problems)
  if (member(Object(delivery) as Delivery, 'onFull') === 'block' && typeof rest.exportSync !== 'function') {
    problems.push(cannotBlock(String(name), `${where}.onFull`))
  }
}

const deliverySchema: Readonly<Record<keyof Delivery, Check>> = {
  level: text(),
  maxQueueSize: integer(1),
  maxQueueBytes: integer(1),
  maxExportBatchSize: integer(1),
  scheduledDelayMillis: integer(0),
  exportTimeoutMillis: integer(0),
  onFull: choice(['dropLowest', 'dropNewest', 'dropOldest', 'block']),
}

const scheduleSchema: OptionSchema = { delayMillis: integer(0), whenBusy: flag }

const checkSchedule: Check = (value, where, problems) => {
  if (typeof value === 'object' && value !== null) checkOptions(value, scheduleSchema, where, problems)
  else choice(['turn', 'microtask', 'sync'])(value, where, problems)
}

/** Returns the problem of the policy `block` with an exporter without `exportSync`: a log call cannot wait for the event loop. */
function cannotBlock(name: string, path: string): ConfigurationProblem {
  const message = `${name} has no exportSync, so log calls cannot block; use dropLowest, dropNewest or dropOldest`
  return { code: 'SLUICE_OPTION_CONFLICT', path, message }
}

/** Reads the members of an exporter and of its class: methods of a class are not own members. */
function exporterMembers(value: unknown): Partial<Record<keyof Exporter, unknown>> {
  const exporter = (typeof value === 'object' ? (value ?? {}) : {}) as Partial<Record<keyof Exporter, unknown>>
  return membersOf(exporter, ['name', 'encoding', 'schedule', 'delivery', 'batchBytes', 'export', 'exportSync'])
}
