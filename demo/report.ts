import { labels } from './measure.ts'
import type { Measured, Measurement, Mode } from './measure.ts'
import { plan, requests } from './plan.ts'
import type { LogFileErrorKind } from './error-list.ts'
import type { Verdict } from './reader.ts'
import { contentType } from './rows.ts'

export interface Findings {
  readonly measurement: Measurement
  readonly deliveryErrors: readonly string[]
  /** What the reader found in each log file. */
  readonly verdicts: Readonly<Record<Exclude<Mode, 'none'>, Verdict>>
}

export function report(findings: Findings): string {
  return [
    ...intro(findings.measurement),
    '',
    ...speed(findings),
    '',
    ...delivery(findings),
    '',
    ...reader(findings),
    '',
    ...consoleComparison(findings.verdicts.console),
  ].join('\n')
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

function intro({ bytesSent }: Measurement): string[] {
  return [
    `${count(requests)} uploads of ${count(plan.rows)} rows to each server, ${megabytes(bytesSent)} of ${contentType},`,
    `${plan.inFlight} in flight; the first ${plan.warmUp} warm up, the others are timed in ${plan.rounds} rounds (medians).`,
  ]
}

function speed({ measurement: { servers }, verdicts }: Findings): string[] {
  const baseline = servers.find(({ mode }) => mode === 'none')
  const line = ({ mode, rates, cpuNanos }: Measured): string[] => [
    labels[mode],
    median(rates).toFixed(1),
    `${((100 * median(rates)) / median(baseline?.rates ?? [])).toFixed(0)} %`,
    `${count(cpuNanos)} ns`,
    mode === 'none' ? '' : `${count(cpuNanos - (baseline?.cpuNanos ?? NaN))} ns`,
    megabytes(mode === 'none' ? 0 : verdicts[mode].bytes),
  ]
  const heads = ['', 'requests/s', 'of no logging', 'server CPU per row', 'for logging', 'log file']
  return [
    ...table([heads, ...servers.map(line)]),
    '',
    `The row handler without logging takes ${count(baseline?.handlerNanos ?? NaN)} ns to parse and handle a row.`,
  ]
}

function delivery({ measurement: { servers }, deliveryErrors, verdicts }: Findings): string[] {
  const stats = servers.find(({ mode }) => mode === 'sluice')?.stats
  const exporterStats = stats?.exporters[0]
  if (stats === undefined || exporterStats === undefined) return [claim(false, 'delivery: no statistics')]
  const { accepted, filtered, written, queued, unknown, dropped } = exporterStats
  const calls = `emitted ${count(stats.emitted)} = accepted ${count(accepted)} + filtered ${count(filtered)}`
  const fate = `accepted ${count(accepted)} = written ${count(written)} + queued ${queued} + unknown ${unknown}`
  return [
    claim(deliveryErrors.length === 0, `delivery: ${calls}`),
    `                  ${fate} + dropped ${count(dropped.total)}`,
    `                  written ${count(written)}, and the file has ${count(verdicts.sluice.lines)} lines`,
  ]
}

function reader({ verdicts }: Findings): string[] {
  const { lines, planted, marks, leaks, errors } = verdicts.sluice
  const none = (kind: LogFileErrorKind): boolean => errors.every((error) => error.kind !== kind)
  return [
    claim(none('line'), `reader: every line parses: ${count(lines)} lines`),
    claim(none('sequence'), 'reader: each request has every sequence number once, in order'),
    claim(none('row'), 'reader: every name, email address, amount and note is unchanged'),
    claim(none('secret'), `reader: the bytes contain no planted secret: ${count(leaks)} of ${count(planted)} found`),
    claim(none('mark'), `reader: as many censor marks as planted secrets: ${count(marks)} and ${count(planted)}`),
  ]
}

function consoleComparison({ leaks, planted }: Verdict): string[] {
  return [
    `console.log redacts nothing: the same reader finds ${count(leaks)} of ${count(planted)} secrets in its file.`,
  ]
}

const claim = (holds: boolean, text: string): string => `${holds ? '  ok  ' : 'FAILED'}  ${text}`

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const cell = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(cell).join('   '))
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US')
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
