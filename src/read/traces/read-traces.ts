import { withoutPrototype } from '../../options/own-members.ts'
import type { ReadRecord } from '../record.ts'
import { recordBatches, type BatchOptions } from '../record-batches.ts'
import { RepeatableInput } from '../repeatable/repeatable-input.ts'
import { OpenFiles } from '../repeatable/open-files.ts'
import { MatchingTraces } from './matching-traces.ts'

/**
 * Yields the records of all traces in which a record matches, of all files, in the order of the files. A record that matches and has no
 * trace is included. The files are read twice; standard input and pipes are copied to a temporary file.
 *
 * @param matches - called for records without a trace and for those of traces in which none has matched yet, in both passes
 * @param options - `accepts` selects among the records of the traces
 * @throws TemporaryFileError if the temporary file cannot be written
 */
export async function* readTraces(
  files: readonly string[],
  matches: (record: ReadRecord) => boolean,
  options: BatchOptions,
): AsyncGenerator<readonly ReadRecord[]> {
  const { accepts = () => true, folder } = withoutPrototype(options)
  const openFiles = new OpenFiles(folder)
  try {
    const inputs = files.map((file) => new RepeatableInput(file, openFiles))
    const traces = new MatchingTraces(matches)
    for (const input of inputs) await traces.addInput(input, options)
    const selected = { ...options, accepts: (record: ReadRecord) => traces.includes(record) && accepts(record) }
    for (const input of inputs) yield* recordBatches(input.file, input.read(options), selected)
  } finally {
    openFiles.close()
  }
}
