import type { LogArchive } from '../database/log-archive.ts'
import { olderRecord, searchOlder } from '../database/older-records.ts'
import { HttpError } from '../server/http-error.ts'
import { filterOf, numberIn } from './filter-parameters.ts'
import { recordJson } from './record-json.ts'
import { rowJson } from './row-json.ts'

const defaultCount = 100
const maxCount = 500

/**
 * Searches the records that are only in the database. `before` continues a search; it is the `next` of the answer before. A record of the
 * database has a negative number: that of the file, counted from -1.
 *
 * @throws HttpError without a database.
 */
export async function olderRows(
  archive: LogArchive | undefined,
  parameters: URLSearchParams,
  isStopped: () => boolean,
): Promise<object> {
  const { database, missing: ranges } = existing(archive)
  const filter = filterOf(parameters)
  // Templates have other numbers in each viewer.
  if (filter.template !== undefined) throw new HttpError(400, 'template: older records are not grouped')
  const before = numberIn(parameters, 'before') ?? Infinity
  const count = Math.min(maxCount, Math.max(1, numberIn(parameters, 'count') ?? defaultCount))
  const { records, next } = await searchOlder(database, filter, { before, ranges, count, isStopped })
  return {
    rows: records.map(({ number, time, record }) => rowJson(-1 - number, time, record)),
    next: next ?? null,
    // The oldest record, to show how far the search is.
    first: database.firstNumber,
    end: ranges.at(-1)?.end ?? database.firstNumber,
  }
}

/**
 * Returns all parts of a record of the database.
 *
 * @param sequence - its negative number
 * @throws HttpError
 */
export function olderRecordJson(archive: LogArchive | undefined, sequence: number): object {
  const found = olderRecord(existing(archive).database, -1 - sequence)
  if (found === undefined) throw new HttpError(404, 'the record was removed')
  return recordJson(sequence, found.time, found.record)
}

function existing(archive: LogArchive | undefined): LogArchive {
  if (archive === undefined) throw new HttpError(404, 'there are no older records; start sluice ui with --db FILE')
  return archive
}
