import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RecordSource } from '../otlp/otlp-record.ts'
import { DatabaseError } from './database-error.ts'
import { parseSource, sourceText } from './source-text.ts'

/** The version of the tables. A file with another version is not opened. */
const version = 1
/** How many records are deleted at once. */
const deletedRecords = 5_000

/** A record of the database. */
export interface StoredRow {
  readonly id: number
  /** Milliseconds since the Unix epoch. */
  readonly time: number
  /** The message of OTLP. */
  readonly record: Uint8Array
  readonly source: RecordSource
  /** Identifies the source. */
  readonly sourceKey: string
}

/** Keeps records in a file of SQLite. What was added is in the file when `commit` returns, also if the process is killed. */
export class LogDatabase {
  /** Whether the texts of records are indexed. Without an index, all records are searched. */
  readonly hasIndex: boolean
  private readonly database: DatabaseSync
  private readonly maxBytes: number
  private readonly insertSource: StatementSync
  private readonly findSource: StatementSync
  private readonly insertRecord: StatementSync
  private readonly insertText: StatementSync | undefined
  private readonly sourceIds = new Map<string, number>()
  private isInTransaction = false

  /**
   * Opens a file, or creates it.
   *
   * @param maxBytes - the maximum size of the file, in bytes; the oldest records are deleted
   * @throws DatabaseError if it cannot be opened, or is not a database of the viewer.
   */
  constructor(file: string, maxBytes: number) {
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined
    if (sqlite === undefined) throw new DatabaseError(`this version of Node has no node:sqlite: ${process.version}`)
    this.maxBytes = maxBytes
    try {
      this.database = new sqlite.DatabaseSync(file)
      this.hasIndex = hasFullTextSearch(this.database)
      this.prepareTables()
    } catch (error) {
      if (error instanceof DatabaseError) throw error
      throw new DatabaseError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    }
    this.insertSource = this.database.prepare('INSERT INTO source (key, data) VALUES (?, ?)')
    this.findSource = this.database.prepare('SELECT id FROM source WHERE key = ?')
    this.insertRecord = this.database.prepare('INSERT INTO record (source, time, record) VALUES (?, ?, ?)')
    this.insertText = this.hasIndex
      ? this.database.prepare('INSERT INTO record_text (rowid, text) VALUES (?, ?)')
      : undefined
  }

  /**
   * Adds a record to the current transaction.
   *
   * @param text - the text that is searched
   */
  add(bytes: Uint8Array, time: number, sourceKey: string, source: RecordSource, text: string): void {
    if (!this.isInTransaction) this.database.exec('BEGIN')
    this.isInTransaction = true
    const { lastInsertRowid } = this.insertRecord.run(this.idOf(sourceKey, source), time, bytes)
    this.insertText?.run(lastInsertRowid, text)
  }

  /** Writes what was added to the file. */
  commit(): void {
    if (!this.isInTransaction) return
    this.isInTransaction = false
    this.database.exec('COMMIT')
    this.deleteOld()
  }

  /** Returns the newest records, the newest first, until the caller stops. */
  *newest(): Generator<StoredRow> {
    const statement = this.database.prepare(
      'SELECT record.id, time, record, key, data FROM record JOIN source ON source.id = source ORDER BY record.id DESC',
    )
    for (const row of statement.iterate() as Iterable<RecordRow>) {
      const { id, time, record, key, data } = row
      yield { id, time, record, sourceKey: key, source: parseSource(data) }
    }
  }

  close(): void {
    this.commit()
    this.database.close()
  }

  private prepareTables(): void {
    const { database } = this
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF')
    const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number }
    const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
    if (found !== version && (found !== 0 || count > 0))
      throw new DatabaseError(`the file is not a database of this version of the viewer; write another name after --db`)
    database.exec(`
      CREATE TABLE IF NOT EXISTS source (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS record (
        id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, time REAL NOT NULL, record BLOB NOT NULL
      );
      PRAGMA user_version = ${version};
    `)
    if (this.hasIndex)
      database.exec(
        "CREATE VIRTUAL TABLE IF NOT EXISTS record_text USING fts5(text, content='', contentless_delete=1, tokenize='trigram')",
      )
  }

  private idOf(key: string, source: RecordSource): number {
    let id = this.sourceIds.get(key)
    if (id === undefined) {
      const found = this.findSource.get(key) as { id: number } | undefined
      id = found?.id ?? Number(this.insertSource.run(key, sourceText(source)).lastInsertRowid)
      this.sourceIds.set(key, id)
    }
    return id
  }

  /** Deletes the oldest records while the file is too large. Freed pages are used again, so that the file does not grow. */
  private deleteOld(): void {
    const { database } = this
    const { bytes } = database
      .prepare(
        'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
      )
      .get() as { bytes: number }
    if (bytes <= this.maxBytes) return
    const { first } = database.prepare('SELECT min(id) AS first FROM record').get() as { first: number }
    database.exec('BEGIN')
    if (this.hasIndex) database.prepare('DELETE FROM record_text WHERE rowid < ?').run(first + deletedRecords)
    database.prepare('DELETE FROM record WHERE id < ?').run(first + deletedRecords)
    database.exec('COMMIT')
  }
}

interface RecordRow {
  readonly id: number
  readonly time: number
  readonly record: Uint8Array
  readonly key: string
  readonly data: string
}

function hasFullTextSearch(database: DatabaseSync): boolean {
  const options = database.prepare('PRAGMA compile_options').all() as { compile_options: string }[]
  return options.some(({ compile_options: option }) => option === 'ENABLE_FTS5')
}
