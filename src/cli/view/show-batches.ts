import { compileQuery } from '../../read/query/compile-query.ts'
import { requiredText } from '../../read/query/required-text.ts'
import type { ReadRecord } from '../../read/record.ts'
import type { BatchOptions } from '../../read/record-batches.ts'
import { isTextLine } from '../../read/text-line-record.ts'
import { sortRecords } from '../../read/sort/sort-records.ts'
import { readTraces } from '../../read/traces/read-traces.ts'
import type { FileReading } from './read-files.ts'
import { release } from './held-item.ts'
import type { ViewOptions } from './view-options.ts'

/** Passes the records of all files to the sink, by time or only those of the traces in which a record matches. */
export async function showBatches(options: ViewOptions, reading: FileReading): Promise<void> {
  const { sink, flush, isDone, onInputError } = reading
  for await (const batch of batchesOf(options, onInputError)) {
    for (const record of batch) release({ record, isText: isTextLine(record) }, sink)
    flush()
    if (isDone()) break
  }
}

function batchesOf(
  options: ViewOptions,
  onInputError: BatchOptions['onInputError'],
): AsyncGenerator<readonly ReadRecord[]> {
  const { files, isSorted, input, fieldNames } = options
  const traceOf = options.traceOf === undefined ? undefined : compileQuery(options.traceOf, options.timeContext)
  const texts = options.traceOf === undefined ? undefined : requiredText(options.traceOf)
  const neededByTraces = texts === undefined ? undefined : { texts: [texts] }
  const batchOptions = { input, fieldNames, onInputError, neededByTraces, ...acceptedRecords(options) }
  return isSorted || traceOf === undefined
    ? sortRecords(files, { ...batchOptions, traceOf })
    : readTraces(files, traceOf, batchOptions)
}

/** Returns the test of the records that have to be sorted. With context, records that do not match are shown too. */
function acceptedRecords({ filter, before, after }: ViewOptions): Pick<BatchOptions, 'accepts'> {
  const { tests } = filter
  if (before + after > 0 || tests.length === 0) return {}
  return { accepts: (record) => tests.every((test) => test(record)) }
}
