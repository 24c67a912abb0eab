import { createHash } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { protobufMember } from '../../encode/otlp/otlp-protobuf-walk.ts'
import { wellFormedMembers } from '../../encode/well-formed-members.ts'
import type { FormatName } from '../../read/record.ts'
import type { RecordSource } from '../otlp/otlp-record.ts'
import { readResource } from '../otlp/read-source.ts'
import { hasPart } from '../views/text-candidates.ts'
import type { PendingBlock } from './record-block.ts'

/** A source in the database. */
interface KnownSource {
  readonly id: number
  /** The first record of its last block. */
  last: number
}

/** The sources of the database. A source is deleted with its last block. */
export class SourceRows {
  private readonly known = new WeakMap<RecordSource, KnownSource>()
  private readonly read = new Map<number, RecordSource>()
  private readonly findId: StatementSync
  private readonly insert: StatementSync
  private readonly update: StatementSync
  private readonly findData: StatementSync
  private readonly findIds: StatementSync
  private readonly removeOld: StatementSync

  constructor(database: DatabaseSync) {
    this.findId = database.prepare('SELECT id FROM source WHERE key = ?')
    this.insert = database.prepare('INSERT INTO source (key, last, data, resource) VALUES (?, ?, ?, ?)')
    this.update = database.prepare('UPDATE source SET last = ? WHERE id = ?')
    this.findData = database.prepare('SELECT data, resource FROM source WHERE id = ?')
    this.findIds = database.prepare('SELECT id FROM source LIMIT ?')
    this.removeOld = database.prepare('DELETE FROM source WHERE last < ?')
  }

  /**
   * Returns the ID of the source of a new block.
   *
   * @param first - the number of the first record of the block
   * @param oldest - the number of the oldest record of the database
   */
  idFor({ source, sourceKey }: PendingBlock, first: number, oldest: number): number {
    const known = this.known.get(source)
    // A source without blocks was deleted.
    const id = known !== undefined && known.last >= oldest ? known.id : this.idOf(sourceKey)
    if (id === undefined) {
      const { lastInsertRowid } = this.insert.run(keyHash(sourceKey), first, dataOf(source), resourceBytes(source))
      this.known.set(source, { id: Number(lastInsertRowid), last: first })
      return Number(lastInsertRowid)
    }
    this.update.run(first, id)
    this.known.set(source, { id, last: first })
    return id
  }

  /** Forgets which sources are in the database, because a transaction was undone. */
  forget(sources: Iterable<RecordSource>): void {
    for (const source of sources) this.known.delete(source)
  }

  /** Returns a source. */
  get(id: number): RecordSource {
    let source = this.read.get(id)
    if (source === undefined) {
      if (this.read.size >= maxRead) this.read.clear()
      const row = this.findData.get(id) as { data: string; resource: Uint8Array } | undefined
      source = row === undefined ? unknownSource : sourceOf(row.data, row.resource)
      this.read.set(id, source)
    }
    return source
  }

  /** Returns whether one of some texts can be in a resource. With very many sources, it can. */
  have(texts: readonly Buffer[]): boolean {
    const rows = this.findIds.all(maxRead + 1) as { id: number }[]
    if (rows.length > maxRead) return true
    return rows.some(({ id }) => {
      const { resource } = this.get(id)
      return texts.some((text) => hasPart(resource, text.toString()))
    })
  }

  /** Deletes the sources without blocks. */
  deleteBefore(oldest: number): void {
    this.removeOld.run(oldest)
    this.read.clear()
  }

  private idOf(key: string): number | undefined {
    return (this.findId.get(keyHash(key)) as { id: number } | undefined)?.id
  }
}

const maxRead = 10_000
const keyBytes = 16

function keyHash(key: string): Uint8Array {
  return createHash('sha256').update(key).digest().subarray(0, keyBytes)
}

/** What is written of a source as JSON. A text of SQLite cannot contain a zero, but one of JSON can. */
interface SourceData {
  readonly format: FormatName
  readonly file: string
  readonly container?: string | undefined
  readonly isApplication?: boolean | undefined
  readonly stream?: string | undefined
  readonly scope?: string | undefined
  readonly scopeVersion?: string | undefined
}

function dataOf({ format, origin, scope, scopeVersion }: RecordSource): string {
  const { file, container, isApplication, stream } = origin
  const data: SourceData = { format, file, container, isApplication, stream, scope, scopeVersion }
  return JSON.stringify(data)
}

function sourceOf(data: string, resource: Uint8Array): RecordSource {
  const { format, file, container, isApplication, stream, scope, scopeVersion } = JSON.parse(data) as SourceData
  return {
    format,
    origin: { file, line: Number.NaN, container, isApplication, stream },
    resource: readResource(Buffer.from(resource)),
    scope,
    scopeVersion,
  }
}

const unknownSource: RecordSource = {
  format: 'otlp',
  origin: { file: 'otlp', line: Number.NaN, container: undefined, stream: undefined },
  resource: new Map(),
  scope: undefined,
  scopeVersion: undefined,
}

/** The tag of the attributes of a `Resource`. */
const resourceAttributeTag = '\x0a'

/** Returns the resource as a message of OTLP, in which all values are kept exactly. */
function resourceBytes({ resource }: RecordSource): Buffer {
  let text = ''
  for (const [key, value] of wellFormedMembers(resource)) text += protobufMember(key, value, resourceAttributeTag)
  return Buffer.from(text, 'latin1')
}
