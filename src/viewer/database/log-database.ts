import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { StoredSpan } from '../store/span-store.ts'
import { databaseError, DatabaseError, isFull } from './database-error.ts'
import { openDatabase, pageBytes } from './open-database.ts'
import type { PendingBlock, RecordBlock } from './record-block.ts'
import { SourceRows } from './source-rows.ts'
import { TextIndex } from './text-index.ts'

/** A span that is not in the database yet. */
export interface PendingSpan {
  readonly traceId: string
  readonly span: StoredSpan
}

/** The part of the maximum size that is used. The rest is free for the index and for what is being written. */
const usedPart = 0.9
/** The blocks that are deleted at once, if they do not have more than a part of all records. */
const deletedBlocks = 32
/** One part of so many is deleted at once. */
const deletedPart = 16

/** Keeps records and spans in a file of SQLite. What was written is in the file when `write` returns, also if the process is killed then. */
export class LogDatabase {
  readonly file: string
  readonly maxBytes: number
  /** Undefined if SQLite has no full-text search: all records are searched one after the other. */
  readonly index: TextIndex | undefined
  private readonly database: DatabaseSync
  private readonly sources: SourceRows
  private readonly insertBlock: StatementSync
  private readonly insertSpan: StatementSync
  private readonly deleteBlocks: StatementSync
  private readonly deleteSpans: StatementSync
  private readonly findBlock: StatementSync
  private readonly blocksUntil: StatementSync
  private readonly usedPages: StatementSync
  private first: number
  private next: number

  /**
   * Opens a file, or creates it.
   *
   * @param maxBytes - the maximum size of the file, in bytes; the oldest records are deleted
   * @throws DatabaseError if it cannot be opened, or is not a database of the viewer.
   */
  constructor(file: string, maxBytes: number, hasIndex = true) {
    this.file = file
    this.maxBytes = maxBytes
    const database = openDatabase(file, maxBytes)
    this.database = database
    try {
      this.index = hasIndex ? TextIndex.create(database) : undefined
      this.sources = new SourceRows(database)
      this.insertBlock = database.prepare(
        'INSERT INTO block (first, count, source, received, ends, bytes) VALUES (?, ?, ?, ?, ?, ?)',
      )
      this.insertSpan = database.prepare('INSERT INTO span (record, trace, data) VALUES (?, ?, ?)')
      this.deleteBlocks = database.prepare(
        'DELETE FROM block WHERE first IN (SELECT first FROM block WHERE first < ? ORDER BY first LIMIT ?)',
      )
      this.deleteSpans = database.prepare(
        `DELETE FROM span WHERE id < coalesce((SELECT id FROM span WHERE record >= ? ORDER BY id LIMIT 1), ${Number.MAX_SAFE_INTEGER})`,
      )
      this.findBlock = database.prepare('SELECT * FROM block WHERE first <= ? ORDER BY first DESC LIMIT 1')
      this.blocksUntil = database.prepare(
        'SELECT * FROM block WHERE first < ? AND first >= ? ORDER BY first DESC LIMIT ?',
      )
      this.usedPages = database.prepare(
        'SELECT page_count - freelist_count AS pages FROM pragma_page_count, pragma_freelist_count',
      )
      this.first = 0
      this.next = 0
      this.readRange()
    } catch (error) {
      database.close()
      throw databaseError(file, error)
    }
  }

  /** The number of the oldest record. */
  get firstNumber(): number {
    return this.first
  }
  /** The number of the next record. */
  get nextNumber(): number {
    return this.next
  }
  /** The number of records. */
  get size(): number {
    return this.next - this.first
  }
  /** The bytes of the file that are in use. */
  get byteLength(): number {
    return (this.usedPages.get() as { pages: number }).pages * pageBytes
  }

  /**
   * Writes blocks and spans. The oldest ones are deleted if the file becomes too large.
   *
   * @throws DatabaseError if they were not written, such as on a full disk.
   */
  write(blocks: readonly PendingBlock[], spans: readonly PendingSpan[]): void {
    try {
      this.insert(blocks, spans)
    } catch (error) {
      if (!isFull(error)) throw databaseError(this.file, error)
      this.deleteAndInsert(blocks, spans)
    }
    this.trim()
  }

  /**
   * Indexes new records until the time is over. Returns whether there are more.
   *
   * @param isOver - returns whether the time is over
   */
  indexUntil(isOver: () => boolean): boolean {
    const { index } = this
    if (index === undefined) return false
    const { indexedUntil } = index
    let hasMore = true
    try {
      this.transaction(() => {
        while (hasMore && !isOver()) hasMore = index.indexNext()
      })
    } catch {
      // Without room for the index, the records are searched one after the other.
      index.resetTo(indexedUntil)
      return false
    }
    this.trim()
    return hasMore
  }

  /** Returns the block with a record. */
  blockWith(number: number): RecordBlock | undefined {
    const row = this.findBlock.get(number) as BlockRow | undefined
    return row === undefined || number >= row.first + row.count ? undefined : this.blockOf(row)
  }

  /** Returns blocks that begin from one number to another, the newest first. */
  blocksBetween(from: number, before: number, limit: number): readonly RecordBlock[] {
    return (this.blocksUntil.all(before, from, limit) as unknown as readonly BlockRow[]).map((row) => this.blockOf(row))
  }

  /** Returns blocks after a record, the oldest first. */
  blocksFrom(number: number, limit: number): readonly RecordBlock[] {
    const rows = this.database.prepare('SELECT * FROM block WHERE first >= ? ORDER BY first LIMIT ?').all(number, limit)
    return (rows as unknown as readonly BlockRow[]).map((row) => this.blockOf(row))
  }

  /** Returns the sizes of blocks, the newest first. */
  blockSizes(): IterableIterator<{ readonly first: number; readonly count: number; readonly bytes: number }> {
    return this.database
      .prepare('SELECT first, count, length(bytes) AS bytes FROM block ORDER BY first DESC')
      .iterate() as ReturnType<LogDatabase['blockSizes']>
  }

  /** Returns whether one of some texts can be in the resource of a record. */
  resourcesHave(texts: readonly Buffer[]): boolean {
    return this.sources.have(texts)
  }

  /** Returns the newest spans in the order in which they were saved. */
  newestSpans(limit: number): readonly PendingSpan[] {
    const rows = this.database.prepare('SELECT trace, data FROM span ORDER BY id DESC LIMIT ?').all(limit)
    return (rows as { trace: string; data: string }[])
      .toReversed()
      .map(({ trace, data }) => ({ traceId: trace, span: JSON.parse(data) as StoredSpan }))
  }

  close(): void {
    this.database.close()
  }

  private insert(blocks: readonly PendingBlock[], spans: readonly PendingSpan[]): void {
    let { next } = this
    try {
      this.transaction(() => {
        for (const block of blocks) {
          const source = this.sources.idFor(block, next, this.first)
          const { ends, bytes, received } = block
          this.insertBlock.run(next, ends.length, source, received, new Uint8Array(ends.buffer), bytes)
          next += ends.length
        }
        for (const { traceId, span } of spans) this.insertSpan.run(next, traceId, JSON.stringify(span))
      })
    } catch (error) {
      this.sources.forget(blocks.map(({ source }) => source))
      throw error
    }
    this.next = next
  }

  /** Deletes old records if the file is too large. What was written before is in the file in any case. */
  private trim(): void {
    try {
      this.deleteOld(this.maxBytes * usedPart)
    } catch {
      // Such as on a full disk. The next write tries it again, or fails itself.
    }
  }

  /** Deletes old records until others can be written. */
  private deleteAndInsert(blocks: readonly PendingBlock[], spans: readonly PendingSpan[]): void {
    const needed = blocks.reduce((sum, { bytes }) => sum + 2 * bytes.length, 4 * deletedBlocks * pageBytes)
    try {
      this.deleteOld(Math.max(0, this.maxBytes * usedPart - needed))
      this.insert(blocks, spans)
    } catch (error) {
      throw isFull(error)
        ? new DatabaseError(`${this.file}: the disk is full, or the request has more than --max-db`)
        : databaseError(this.file, error)
    }
  }

  /** Deletes the oldest blocks and spans until a number of bytes is in use. Freed pages are used again, so that the file does not grow. */
  private deleteOld(maxBytes: number): void {
    while (this.byteLength > maxBytes) {
      const before = this.byteLength
      const { first, next } = this
      try {
        this.transaction(() => this.deleteOldest())
      } catch (error) {
        // Nothing was deleted.
        this.first = first
        this.next = next
        throw error
      }
      if (this.size === 0 && this.byteLength >= before) return
    }
  }

  private deleteOldest(): void {
    const hadRecords = this.size > 0
    this.deleteBlocks.run(this.first + Math.ceil(this.size / deletedPart), deletedBlocks)
    this.readRange()
    // Spans are deleted with the records that were saved before them.
    if (hadRecords) this.deleteSpans.run(this.first)
    else this.database.exec('DELETE FROM span WHERE id <= (SELECT min(id) + (max(id) - min(id)) / 64 FROM span)')
    this.sources.deleteBefore(this.first)
    this.index?.deleteBefore(this.first)
  }

  private readRange(): void {
    const row = this.database
      .prepare(
        `SELECT (SELECT min(first) FROM block) AS first,
          (SELECT first + count FROM block ORDER BY first DESC LIMIT 1) AS next`,
      )
      .get() as { first: number | null; next: number | null }
    this.next = Math.max(row.next ?? 0, this.next)
    this.first = row.first ?? this.next
  }

  private transaction(action: () => void): void {
    const { database } = this
    database.exec('BEGIN')
    try {
      action()
      database.exec('COMMIT')
    } catch (error) {
      // SQLite has undone it itself after some errors.
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  private blockOf({ first, source, received, ends, bytes }: BlockRow): RecordBlock {
    const copy = new Uint8Array(ends)
    return {
      first,
      source: this.sources.get(source),
      sourceId: source,
      received,
      ends: new Uint32Array(copy.buffer, 0, copy.length >> 2),
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    }
  }
}

interface BlockRow {
  readonly first: number
  readonly count: number
  readonly source: number
  readonly received: number
  readonly ends: Uint8Array
  readonly bytes: Uint8Array
}
