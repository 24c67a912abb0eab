import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { OtlpExporterOptions } from '../../../src/exporters/otlp/options.ts'
import { otlpExporterIn } from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { SpoolFileSystem } from '../../../src/exporters/spool/files.ts'
import type { SpoolOptions } from '../../../src/exporters/spool/options.ts'
import { spoolWith } from '../../../src/exporters/spool/spool-with.ts'
import type { RetryTiming } from '../../../src/exporters/retry/retry-options.ts'
import type { SpoolExporter } from '../../../src/exporters/spool/spool-exporter.ts'
import type { LoggerOptions, RootLogger } from '../../../src/logger/types.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import type { Environment } from '../../../src/platform/node/variables.ts'
import { accept, type Responder, type FakeCollector } from '../../support/otlp/fake-collector.ts'

const open = new Set<RootLogger>()
const folders = new Set<string>()

/** Shuts down the loggers of a test, as process exit does. */
export async function closeLoggers(): Promise<void> {
  await Promise.all([...open].map((log) => log.shutdown({ timeoutMillis: 0 })))
  open.clear()
}

/** Shuts down the loggers of a test, and removes its files. */
export async function closeSpools(): Promise<void> {
  await closeLoggers()
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
  folders.clear()
}

/** A folder that `closeSpools` removes. */
export function folder(): string {
  const path = fs.mkdtempSync(join(tmpdir(), 'sluice-spool-'))
  folders.add(path)
  return path
}

/** The options of `spoolLogger`. */
export interface SpoolPlan extends Partial<SpoolOptions> {
  readonly url?: string
  readonly otlp?: OtlpExporterOptions
  readonly logger?: Partial<LoggerOptions>
  /** In place of `otlpExporter`. */
  readonly exporter?: Exporter
  readonly env?: Environment
  readonly files?: SpoolFileSystem
  readonly timing?: RetryTiming
}

/** Creates a logger with a spool that has short retry delays. */
export function spoolLogger(plan: SpoolPlan = {}) {
  const { url = 'http://127.0.0.1:9/', otlp, logger, files = fs, env = {}, exporter, timing, ...options } = plan
  const directory = options.directory ?? folder()
  const retry = { initialDelayMillis: 5, maxDelayMillis: 20, ...otlp?.retry }
  const problems: Diagnostic[] = []
  const inner = exporter ?? otlpExporterIn(env, { url, scheduledDelayMillis: 5, ...otlp, retry })
  const spool: SpoolExporter = spoolWith(files, inner, { maxBytes: 8 * 1024 * 1024, ...options, directory }, timing)
  const log = createLogger({
    exporter: spool,
    onDiagnostic: (problem) => problems.push(problem),
    handleExit: false,
    ...logger,
  })
  open.add(log)
  let next = 0
  return {
    log,
    spool,
    directory,
    problems,
    codes: () => problems.map(({ code }) => code),
    /** Logs the given number of records, each with the number `seq`. */
    logAll(count: number, attributes: object = {}): void {
      for (let index = 0; index < count; index++) log.info('record', { seq: next++, ...attributes })
    },
    deliveryStats: () => log.stats().exporters[0]!,
    stats: () => spool.spoolStats(),
  }
}

/** Returns the segments of all owners in a spool directory, oldest first. */
export function segmentsIn(directory: string): string[] {
  return fs
    .globSync('{owner,free}-*/*.jsonl', { cwd: directory })
    .toSorted()
    .map((path) => join(directory, path))
}

/** Makes a collector accept all further requests. Returns the numbers of the records that it accepts, in order. */
export function takes(server: FakeCollector): readonly number[] {
  const sequence: number[] = []
  server.respondAlways((response, request) => {
    sequence.push(...server.received.at(-1)!.sequence)
    accept(response, request)
  })
  return sequence
}

/** Creates a response that is sent when `give` is called. */
export function held(): { readonly answer: Responder; give(answer: Responder): void } {
  const waiting: Parameters<Responder>[] = []
  return {
    answer: (...request) => void waiting.push(request),
    give: (answer) => waiting.splice(0).forEach((request) => answer(...request)),
  }
}

/** 0, 1, 2 … */
export function numbers(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}
