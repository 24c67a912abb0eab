import { chmodSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from '@jest/globals'
import { LogDatabase } from '../../../src/viewer/database/log-database.ts'
import { loadSqlite } from '../../../src/viewer/database/load-sqlite.ts'
import { inDirectory, TestViewer } from './support.ts'

const maxBytes = 16_000_000

/** Creates a database in the directory as another program does. */
function otherDatabase(directory: string, statements: string): string {
  const file = join(directory, 'other.db')
  const database = new (loadSqlite().DatabaseSync)(file)
  database.exec(statements)
  database.close()
  return file
}

/** Files that are not opened: how they are created, and the message. */
const refused: readonly (readonly [name: string, create: (directory: string) => string, message: RegExp])[] = [
  [
    'text',
    (directory) => written(join(directory, 'a.db'), 'x'.repeat(200)),
    /is not a database of sluice ui; name another file/,
  ],
  [
    'a short text',
    (directory) => written(join(directory, 'a.db'), 'x'),
    /is not a database of sluice ui; name another file/,
  ],
  [
    'a database of another program',
    (directory) => otherDatabase(directory, 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'),
    /is not a database of sluice ui; name another file/,
  ],
  [
    'a database of a newer version',
    (directory) =>
      otherDatabase(directory, 'PRAGMA application_id = 0x736c7563; PRAGMA user_version = 2; CREATE TABLE t (a)'),
    /was written by a newer version of sluice; update sluice/,
  ],
  ['a directory', (directory) => directory, /EISDIR|not a regular file/],
  ['a file in a missing directory', (directory) => join(directory, 'no', 'a.db'), /ENOENT/],
  [
    'a file with two hard links',
    (directory) => {
      const file = written(join(directory, 'a.db'), '')
      linkSync(file, join(directory, 'b.db'))
      return file
    },
    /has 2 hard links/,
  ],
  [
    'a file in a directory that all users can write to',
    (directory) => {
      mkdirSync(join(directory, 'open'))
      chmodSync(join(directory, 'open'), 0o777)
      return join(directory, 'open', 'a.db')
    },
    /other users can write to .*open/,
  ],
  [
    'a file next to a link with the name of its journal',
    (directory) => {
      symlinkSync(join(directory, 'target'), join(directory, 'a.db-wal'))
      return join(directory, 'a.db')
    },
    /a\.db-wal is not a file of this user/,
  ],
]

function written(file: string, content: string): string {
  writeFileSync(file, content)
  return file
}

describe('a database file', () => {
  test.each(refused)('is refused if it is %s, and not changed', async (_name, create, message) => {
    await inDirectory((directory) => {
      const file = create(directory)
      const before = contentOf(file)
      expect(() => new LogDatabase(file, maxBytes)).toThrow(message)
      expect(contentOf(file)).toEqual(before)
    })
  })

  it('is created for this user only, and so are the files next to it', async () => {
    await inDirectory((directory) => {
      const file = join(directory, 'a.db')
      const viewer = new TestViewer(file)
      viewer.receive([{ body: 'one' }])
      for (const suffix of ['', '-wal']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600)
      viewer.archive.close()
    })
  })

  it('can be a link of this user, and in a sticky directory', async () => {
    await inDirectory((directory) => {
      chmodSync(directory, 0o1777)
      const link = join(directory, 'link.db')
      symlinkSync(join(directory, 'target.db'), link)
      new LogDatabase(link, maxBytes).close()
      expect(statSync(join(directory, 'target.db')).size).toBeGreaterThan(0)
    })
  })

  it('is refused while another viewer has it open', async () => {
    await inDirectory((directory) => {
      const file = join(directory, 'a.db')
      const viewer = new TestViewer(file)
      expect(() => new LogDatabase(file, maxBytes)).toThrow(/is open in another viewer or program; close it/)
      viewer.archive.close()
      new LogDatabase(file, maxBytes).close()
    })
  })

  it('is opened again with a smaller maximum size, and does not grow', async () => {
    await inDirectory((directory) => {
      const file = join(directory, 'a.db')
      const first = new TestViewer(file)
      const records = Array.from({ length: 1_000 }, (_, index) => ({ time: 1, body: `${index} ${'x'.repeat(2_000)}` }))
      for (let request = 0; request < 4; request++) first.receive(records)
      first.archive.close()
      const { size } = statSync(file)
      const second = new TestViewer(file, { maxBytes: 3_000_000 })
      second.receive(records.slice(0, 10))
      expect(second.archive.database.byteLength).toBeLessThan(3_000_000)
      second.archive.close()
      expect(statSync(file).size).toBeLessThanOrEqual(size)
    })
  })

  it('is named in the error if Node has no node:sqlite', () => {
    const { getBuiltinModule } = process
    process.getBuiltinModule = () => undefined as never
    try {
      expect(() => new LogDatabase('a.db', maxBytes)).toThrow(/has no node:sqlite; use Node 22\.15 or later/)
    } finally {
      process.getBuiltinModule = getBuiltinModule
    }
  })
})

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
