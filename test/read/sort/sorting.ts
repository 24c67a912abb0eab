import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sortRecords, type SortOptions } from '../../../src/read/sort/sort-records.ts'
import type { ReadRecord } from '../../../src/read/record.ts'

/** A folder for the files of a test. */
export class LogFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'sluice-test-'))

  /** Writes a file and returns its path. */
  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name)
    writeFileSync(path, content)
    return path
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Returns a line of the default layout. */
export function line(time: string | number, message: string, members: object = {}): string {
  const iso = typeof time === 'number' ? new Date(time).toISOString() : time
  return `${JSON.stringify({ time: iso, level: 'info', message, ...members })}\n`
}

/** Returns all records of files, sorted, and the problems. */
export async function sorted(
  files: readonly string[],
  options: Partial<SortOptions> = {},
): Promise<{ readonly records: ReadRecord[]; readonly problems: string[] }> {
  const problems: string[] = []
  const records: ReadRecord[] = []
  const onInputError = (file: string, message: string) => problems.push(`${file}: ${message}`)
  for await (const batch of sortRecords(files, { onInputError, ...options })) records.push(...batch)
  return { records, problems }
}

/** Returns all records of batches. */
export async function flattened(batches: AsyncIterable<readonly ReadRecord[]>): Promise<ReadRecord[]> {
  const records: ReadRecord[] = []
  for await (const batch of batches) records.push(...batch)
  return records
}
