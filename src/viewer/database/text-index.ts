import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { marker, searchableText, trigramExpression } from './trigrams.ts'

/** The bytes of the records that are indexed together. Fewer rows are faster to write and to delete. */
const chunkBytes = 32_768
/** A longer chunk is not indexed, but always searched. */
const maxIndexedBytes = 4_194_304

/** The numbers of the records of a chunk. */
export interface Chunk {
  readonly first: number
  /** The number after the last record. */
  readonly end: number
}

/**
 * The full-text index of the database: which three characters are in the records of a chunk. It finds the chunks that can have a text, also in
 * the middle of a word. It is written when the viewer is idle, so that receiving records is not slower.
 */
export class TextIndex {
  private readonly database: DatabaseSync
  private end: number
  private readonly nextBlocks: StatementSync
  private readonly insertChunk: StatementSync
  private readonly insertText: StatementSync
  private readonly findChunks: StatementSync

  private constructor(database: DatabaseSync) {
    this.database = database
    database.exec(`
      CREATE TABLE IF NOT EXISTS chunk (first INTEGER PRIMARY KEY, end INTEGER NOT NULL);
      CREATE VIRTUAL TABLE IF NOT EXISTS chunk_text USING fts5(
        text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
      );
    `)
    this.nextBlocks = database.prepare('SELECT first, count, bytes FROM block WHERE first >= ? ORDER BY first')
    this.insertChunk = database.prepare('INSERT INTO chunk (first, end) VALUES (?, ?)')
    this.insertText = database.prepare('INSERT INTO chunk_text (rowid, text) VALUES (?, ?)')
    this.findChunks = database.prepare(`
      SELECT first, end FROM chunk WHERE first IN (
        SELECT rowid FROM chunk_text WHERE chunk_text MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
      ) ORDER BY first DESC
    `)
    const row = database.prepare('SELECT max(end) AS end FROM chunk').get() as { end: number | null }
    this.end = row.end ?? 0
  }

  /** Returns the index; undefined if SQLite was built without FTS5, or an old version of it. */
  static create(database: DatabaseSync): TextIndex | undefined {
    const options = database.prepare('PRAGMA compile_options').all() as { compile_options: string }[]
    if (!options.some((option) => option.compile_options === 'ENABLE_FTS5')) return undefined
    try {
      return new TextIndex(database)
    } catch {
      return undefined
    }
  }

  /** The number after the last record that is indexed. */
  get indexedUntil(): number {
    return this.end
  }

  /** Indexes the next chunk. Returns false if there are too few new records for one. The caller commits. */
  indexNext(): boolean {
    const blocks: Uint8Array[] = []
    let bytes = 0
    let first: number | undefined
    let end = this.end
    for (const row of this.nextBlocks.iterate(this.end) as Iterable<{
      first: number
      count: number
      bytes: Uint8Array
    }>) {
      first ??= row.first
      end = row.first + row.count
      blocks.push(row.bytes)
      bytes += row.bytes.length
      if (bytes >= chunkBytes) break
    }
    if (first === undefined || bytes < chunkBytes) return false
    this.insertChunk.run(first, end)
    this.insertText.run(first, bytes > maxIndexedBytes ? marker : blocks.map(searchableText).join(' '))
    this.end = end
    return true
  }

  /** Sets how much is indexed, because a transaction was undone. The file is not read, because that can fail as well. */
  resetTo(end: number): void {
    this.end = end
  }

  /**
   * Returns the chunks whose records can contain one of some texts, the newest first; undefined if the index does not contain their characters.
   *
   * @param before - the chunks start before this record
   */
  find(texts: readonly Buffer[], before: number, limit: number): readonly Chunk[] | undefined {
    const expression = trigramExpression(texts)
    return expression === undefined
      ? undefined
      : (this.findChunks.all(expression, before, limit) as unknown as readonly Chunk[])
  }

  /** Deletes the chunks whose records were all deleted. */
  deleteBefore(oldest: number): void {
    const chunks = this.database.prepare('SELECT first FROM chunk WHERE end <= ?').all(oldest) as { first: number }[]
    const remove = this.database.prepare('DELETE FROM chunk_text WHERE rowid = ?')
    for (const { first } of chunks) remove.run(first)
    this.database.prepare('DELETE FROM chunk WHERE end <= ?').run(oldest)
  }
}
