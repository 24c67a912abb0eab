import { oneLine } from '../../options/one-line.ts'
import type { LogArchive } from '../../viewer/database/log-archive.ts'
import { LogDatabase } from '../../viewer/database/log-database.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { UsageError } from '../options/usage-error.ts'
import type { DatabaseSettings } from './ui-settings.ts'

/**
 * Opens the database of `--db`.
 *
 * @throws UsageError if it cannot be opened.
 */
export function openDatabase(settings: DatabaseSettings | undefined): LogDatabase | undefined {
  if (settings === undefined) return undefined
  try {
    return new LogDatabase(settings.file, settings.maxBytes)
  } catch (error) {
    throw new UsageError(`--db: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Loads the newest records of the database, and reports errors. */
export async function loadArchive(archive: LogArchive, diagnostics: Diagnostics): Promise<void> {
  const { file, size, hasIndex } = archive.state
  diagnostics.note(
    `${oneLine(file)} has ${size} records; older ones are searched ${hasIndex ? 'with its full-text index' : 'one after the other, because this Node has no FTS5'}`,
  )
  try {
    await archive.load()
  } catch (error) {
    diagnostics.error(`${oneLine(file)}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
