import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { list, text, typeName, type Check } from '../options/option-checks.ts'
import { withoutPrototype } from '../options/own-members.ts'
import { followRecords } from './follow-records.ts'
import { InputError } from './input/input-error.ts'
import type { InputOptions } from './input/line-chunk.ts'
import { readLineChunks } from './input/read-line-chunks.ts'
import { readTail } from './input/read-tail.ts'
import type { ReadLogsOptions } from './read-logs-options.ts'
import { selectRecords } from './query/select-records.ts'
import { readLogsSettings, type ReadLogsSettings } from './read-logs-settings.ts'
import { recordBatches, type BatchOptions } from './record-batches.ts'
import { RecordIterator } from './record-iterator.ts'
import type { ReadRecord } from './record.ts'
import { sortRecords } from './sort/sort-records.ts'
import { readTraces } from './traces/read-traces.ts'

/**
 * Reads the records of log files: lines of sluice, pino, bunyan, winston, tslog, LogTape, OTLP/JSON, ECS, GCP, Datadog, logfmt, syslog, the
 * systemd journal and web servers, also in the envelopes of container runtimes. The format of each line is detected, and files that are
 * compressed with gzip, zstd or brotli are decompressed.
 *
 * Files are opened when the first record is requested, read only as fast as records are requested, and closed when the iteration ends.
 *
 * @param files - the path of a file, or several; `-` is the standard input
 * @returns an iterator that can be used once
 * @throws ConfigurationError if options are invalid, and QueryError if a query has invalid syntax. The iterator throws an `InputError` at the
 * end for a file that could not be read if there is no `onError`, and a `TemporaryFileError` if a temporary file is required and cannot
 * be written.
 * @example
 * ```ts
 * for await (const record of readLogs('app.log', { where: 'level>=warn and tenant=acme' })) {
 *   console.log(record.level, record.message)
 * }
 * ```
 */
export function readLogs(
  files: string | readonly string[],
  options: ReadLogsOptions = {},
): AsyncIterableIterator<ReadRecord, undefined> {
  const paths = checkedFiles(files)
  const settings = readLogsSettings(options)
  return new RecordIterator((signal) => readBatches(paths, settings, signal), settings.signal)
}

async function* readBatches(
  files: readonly string[],
  settings: ReadLogsSettings,
  signal: AbortSignal,
): AsyncGenerator<readonly ReadRecord[]> {
  let firstError: InputError | undefined
  const onInputError = (file: string, message: string): void => {
    const error = new InputError(file, message)
    if (settings.onError === undefined) firstError ??= error
    else settings.onError(error)
  }
  const { input, fieldNames, needed, accepts, slowQuery } = settings
  const options = { input, fieldNames, needed, accepts, onInputError, signal }
  for await (const batch of batchesOf(files, settings, options)) {
    const records = slowQuery === undefined ? batch : selectRecords(slowQuery, batch)
    if (records.length > 0) yield records
  }
  if (firstError !== undefined && !signal.aborted) throw firstError
}

function batchesOf(
  files: readonly string[],
  { isSorted, isFollowed, traceOf, tail }: ReadLogsSettings,
  options: BatchOptions,
): AsyncIterable<readonly ReadRecord[]> {
  const allRecords = { ...options, needed: undefined }
  if (isSorted) return sortRecords(files, { ...allRecords, traceOf })
  if (traceOf !== undefined) return readTraces(files, traceOf, allRecords)
  return isFollowed ? followRecords(files, options, tail) : readInTurn(files, options, tail)
}

async function* readInTurn(
  files: readonly string[],
  options: BatchOptions,
  tail: number | undefined,
): AsyncGenerator<readonly ReadRecord[]> {
  for (const file of files) {
    const chunks =
      tail === undefined ? readLineChunks(file, inputOptions(options)) : readTail(file, tail, inputOptions(options))
    yield* recordBatches(file, chunks, options)
  }
}

function inputOptions(options: BatchOptions): InputOptions {
  const { onInputError, signal } = withoutPrototype(options)
  return { onInputError, chunkBytes, ...(signal !== undefined && { signal }) }
}

/** Smaller than that of the command line, so that few records are in memory. */
const chunkBytes = 262_144

function checkedFiles(files: string | readonly string[]): readonly string[] {
  const problems: ConfigurationProblem[] = []
  if (typeof files === 'string') fileName(files, 'files', problems)
  else if (Array.isArray(files)) list(fileName)(files, 'files', problems)
  else {
    const message = `must be a path or an array of paths, not ${typeName(files)}`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'files', message })
  }
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'readLogs')
  return typeof files === 'string' ? [files] : [...files]
}

const fileName: Check = text(/^[^\0]+$/, 'be a path')
