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
  typeName,
  type Check,
  type OptionSchema,
} from '../options/option-checks.ts'
import { foreignOnFullWords } from '../options/foreign-values.ts'
import { member, membersOf } from '../options/own-members.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'

/** Checks an exporter or an array of exporters. Custom exporters may be written in JavaScript without types. */
export const exportersCheck: Check = (value, where, problems) => {
  if (!Array.isArray(value)) return exporterCheck(value, where, problems)
  list(exporterCheck)(value, where, problems)
  if (value.length > 0) return
  problems.push({
    code: 'SLUICE_OPTION_RANGE',
    path: where,
    message: "must not be empty; to write nothing, set level: 'silent'",
  })
}

const exporterCheck: Check = (value, where, problems) => {
  const { name, encoding, schedule, delivery, batchBytes, ...rest } = exporterMembers(value)
  if (
    typeof rest.export !== 'function' ||
    typeof member(Object(encoding) as Partial<Format>, 'encoder') !== 'function'
  ) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: notAnExporter(value) })
    return
  }
  text()(name, `${where}.name`, problems)
  if (schedule !== undefined) scheduleCheck(schedule, `${where}.schedule`, problems)
  if (batchBytes !== undefined) integer(1)(batchBytes, `${where}.batchBytes`, problems)
  // `checkOptions` accepts undefined, but an exporter must have delivery options.
  if (delivery === undefined) object(delivery, `${where}.delivery`, problems)
  checkOptions(delivery, deliverySchema, where, problems)
  if (member(Object(delivery) as Delivery, 'onFull') === 'block' && typeof rest.exportSync !== 'function') {
    problems.push(blockProblem(String(name), `${where}.onFull`))
  }
}

/** Returns the text of the error for a value that is not an exporter, with what to write instead. */
function notAnExporter(value: unknown): string {
  const { export: exportRecords } = exporterMembers(value)
  if (typeof exportRecords === 'function')
    return "must be an exporter of this package; write fromLogRecordExporter(exporter) of 'sluice/otel' for one of an OpenTelemetry SDK"
  const { write } = membersOf(Object(value) as { write?: unknown }, ['write'])
  if (typeof write === 'function') return 'must be an exporter, not a stream; write fdExporter({ fd: 1 })'
  const received = typeof value === 'function' ? 'a function; call it, as in fdExporter()' : typeName(value)
  return `must be an exporter, such as fdExporter() or fileExporter({ path }) from sluice/exporters, not ${received}`
}

const deliverySchema: Readonly<Record<keyof Delivery, Check>> = {
  level: text(),
  maxQueueSize: integer(1),
  maxQueueBytes: integer(1),
  maxExportBatchSize: integer(1),
  scheduledDelayMillis: integer(0),
  exportTimeoutMillis: integer(0),
  onFull: choice(['dropLowest', 'dropNewest', 'dropOldest', 'block'], foreignOnFullWords),
}

const scheduleSchema: OptionSchema = { delayMillis: integer(0), whenBusy: flag }

const scheduleCheck: Check = (value, where, problems) => {
  if (typeof value === 'object' && value !== null) checkOptions(value, scheduleSchema, where, problems)
  else choice(['turn', 'microtask', 'sync'])(value, where, problems)
}

/** Returns the problem of an exporter that has the policy `block` but no `exportSync`: a log call cannot wait for the event loop. */
function blockProblem(name: string, path: string): ConfigurationProblem {
  const message = `${name} has no exportSync, so log calls cannot block; use dropLowest, dropNewest or dropOldest`
  return { code: 'SLUICE_OPTION_CONFLICT', path, message }
}

/** Returns the members that are checked: those of the exporter and of its class. */
function exporterMembers(value: unknown): Partial<Record<keyof Exporter, unknown>> {
  const exporter = (typeof value === 'object' ? (value ?? {}) : {}) as Partial<Record<keyof Exporter, unknown>>
  return membersOf(exporter, ['name', 'encoding', 'schedule', 'delivery', 'batchBytes', 'export', 'exportSync'])
}
