import type { SpoolExporter } from './spool-exporter.ts'
import { resolve } from 'node:path'
import type { Exporter } from '../../pipeline/exporter.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { UntrustedPathError } from '../../platform/node/path-trust.ts'
import { openDirectory } from '../../platform/node/resolve-path.ts'
import { throwIfInvalid } from '../exporter-options.ts'
import type { RetryTiming } from '../retry/retry-options.ts'
import { SpoolDestination } from './destination.ts'
import { SpoolingExporter } from './exporter.ts'
import type { SpoolFileSystem } from './files.ts'
import { spoolOptions, type SpoolOptions } from './options.ts'
import { SpoolStore } from './store.ts'
import { spoolTargetOf } from './spool-target.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { exporterDescription, snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import type { Encoding } from '../../encode/encoding.ts'

/** Implements `spool` with replaceable file functions and timing, for tests. The package does not export it. */
export function spoolWith(
  files: SpoolFileSystem,
  exporter: Exporter,
  options: SpoolOptions,
  timing: RetryTiming = { delay, random: Math.random },
): SpoolExporter {
  const { checkedOptions, problems } = spoolOptions(options)
  problems.push(...exporterProblems(exporter))
  throwIfInvalid(problems)
  // An exporter that retries by itself provides another one, which does not.
  const target = spoolTargetOf(exporter)
  const inner = snapshotExporter(target.exporter)
  const retry = withoutPrototype(target.retry)
  if (usedExporters.has(exporter)) {
    const message = 'is already used by another spool; create an exporter for each'
    const code = 'SLUICE_EXPORTER_IN_USE'
    throw new ConfigurationError([{ code, path: 'spool.exporter', message }], code)
  }
  usedExporters.add(exporter)
  const { maxBytes, maxAgeMillis = Infinity, fsync = 'segment', allowGroupWrite = false } = checkedOptions
  const directory = resolve(checkedOptions.directory)
  throwIfInvalid(directoryProblems(files, directory, allowGroupWrite))
  const maxDirectoryBytes = checkedOptions.maxDirectoryBytes ?? defaultProcessCount * maxBytes
  const destination = new SpoolDestination(inner, retry, timing)
  const report = (code: string, message: string): void => destination.report(code, message)
  const limits = { maxBytes, maxDirectoryBytes, allowGroupWrite, maxAgeMillis, fsync }
  const store = new SpoolStore(files, directory, limits, report)
  const spooler = new SpoolingExporter(store, destination, timing, retry.maxElapsedMillis ?? 120_000)
  // Without a `destination`, the spool has its own queue.
  const { destination: _, ...description } = exporterDescription(inner)
  return {
    ...description,
    name: `spool:${description.name}`,
    start: (host) => spooler.start(host),
    export: (batch, signal) => spooler.export(batch, signal),
    exportSync: (batch, deadline, final) => spooler.exportSync(batch, deadline, final),
    keepAlive: (alive) => spooler.keepAlive(alive),
    flush: () => spooler.flush(),
    shutdown: () => spooler.shutdown(),
    spoolStats: () => store.stats,
  } satisfies SpoolExporter
}

const usedExporters = new WeakSet<Exporter>()

/** The number of processes whose `maxBytes` fit in the default `maxDirectoryBytes`. */
const defaultProcessCount = 8

const untrustedDirectory = { code: 'SLUICE_PATH_UNTRUSTED', path: 'spool.directory' }

/** Returns the problems of an existing directory. A directory that is created later is checked when it is opened. */
function directoryProblems(files: SpoolFileSystem, path: string, allowGroupWrite: boolean): ConfigurationProblem[] {
  try {
    openDirectory(path, { allowGroupWrite }, { files }).close()
    return []
  } catch (error) {
    if (error instanceof UntrustedPathError) return [{ ...untrustedDirectory, message: error.message }]
    return [] // missing or not accessible, which is reported when it is opened
  }
}

/** Returns the problems of an exporter. Its encoding must be OTLP/JSON, which is the format of the files. */
function exporterProblems(exporter: Exporter): ConfigurationProblem[] {
  const path = 'spool.exporter'
  const value = Object(exporter) as Partial<Exporter>
  const encoding = Object(member(value, 'encoding')) as Partial<Encoding>
  if (typeof member(value, 'export') !== 'function' || typeof member(encoding, 'key') !== 'string') {
    return [{ code: 'SLUICE_OPTION_TYPE', path, message: 'must be an exporter, such as otlpExporter()' }]
  }
  const { exporter: inner, problems } = spoolTargetOf(exporter)
  if (problems.length > 0 || inner.encoding.key === 'otlp:http/json') return [...problems]
  const message =
    'must encode records as OTLP/JSON, which a spool stores: use otlpExporter(), fromLogRecordExporter() ' +
    'or another exporter of OTLP/JSON; files and descriptors need no spool'
  return [{ code: 'SLUICE_OPTION_CONFLICT', path, message }]
}
