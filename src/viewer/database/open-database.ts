import type { DatabaseSync } from 'node:sqlite'
import { applicationId, checkFile, tablesVersion } from './check-file.ts'
import { databaseError } from './database-error.ts'
import { loadSqlite } from './load-sqlite.ts'

/** The bytes of a page of the file. */
export const pageBytes = 4096
/** The file with the newest transactions is not larger than this for long, in bytes. */
const journalBytes = 8_388_608

/**
 * Opens a database of the viewer, or creates it. No other process can open it until it is closed.
 *
 * @throws DatabaseError if it cannot be opened, or is something else.
 */
export function openDatabase(file: string, maxBytes: number): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  let database: DatabaseSync | undefined
  try {
    const checked = checkFile(file)
    try {
      database = new DatabaseSync(checked.path, { enableForeignKeyConstraints: false })
      prepare(database, maxBytes)
      checked.checkOthers()
    } finally {
      checked.close()
    }
    return database
  } catch (error) {
    database?.close()
    throw databaseError(file, error)
  }
}

function prepare(database: DatabaseSync, maxBytes: number): void {
  // With the exclusive mode, there is no shared memory file, and a second viewer cannot open the file.
  database.exec(`PRAGMA trusted_schema = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = ${pageBytes}`)
  createTables(database)
  // A committed transaction survives the end of the process. After a crash of the system, the last ones can be missing.
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${journalBytes};
    PRAGMA cache_size = -8192; PRAGMA max_page_count = ${Math.floor(maxBytes / pageBytes)};
  `)
}

function createTables(database: DatabaseSync): void {
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS source (
      id INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, last INTEGER NOT NULL, data TEXT NOT NULL, resource BLOB NOT NULL
    );
    CREATE TABLE IF NOT EXISTS block (
      first INTEGER PRIMARY KEY, count INTEGER NOT NULL, source INTEGER NOT NULL, received REAL NOT NULL,
      ends BLOB NOT NULL, bytes BLOB NOT NULL
    );
    CREATE TABLE IF NOT EXISTS span (id INTEGER PRIMARY KEY, record INTEGER NOT NULL, trace TEXT NOT NULL, data TEXT NOT NULL);
    PRAGMA application_id = ${applicationId};
    PRAGMA user_version = ${tablesVersion};
    COMMIT;
  `)
}
