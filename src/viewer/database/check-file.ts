import * as fs from 'node:fs'
import { ifExists } from '../../platform/node/file-options.ts'
import { isOwnedByThisUser, reasonToDistrustDirectory, UntrustedPathError } from '../../platform/node/path-trust.ts'
import { openOwnFile } from '../../platform/node/regular-files.ts'
import { resolvePath } from '../../platform/node/resolve-path.ts'
import { DatabaseError, notOwnDatabase } from './database-error.ts'

/** Identifies a database of the viewer: four letters of ASCII in the header of the file. */
export const applicationId = 0x73_6c_75_63
/** The version of the tables. */
export const tablesVersion = 1

const { O_CREAT, O_RDWR } = fs.constants
const magic = Buffer.from('SQLite format 3\0')
// Where the header of a file of SQLite has its values (https://sqlite.org/fileformat2.html#the_database_header).
const userVersionOffset = 60
const applicationIdOffset = 68
const headerBytes = 100
/** The other files that SQLite reads and writes, by what is added to the name. */
const otherFiles = ['-wal', '-shm', '-journal']

/** A file that may be opened as a database. */
export interface CheckedFile {
  readonly path: string
  /**
   * Checks the files that SQLite created next to it, into which another user could have put a file of the same name.
   *
   * @throws DatabaseError
   */
  checkOthers(): void
  close(): void
}

/**
 * Checks a file before SQLite opens it, and creates it if it is missing, for this user only. It is not changed if it is something else. Links
 * of other users are not followed, and the directory must not be one in which other users can replace the file.
 *
 * @throws DatabaseError, UntrustedPathError, or the system's error.
 */
export function checkFile(file: string): CheckedFile {
  const { directory, name } = resolvePath(file)
  try {
    const { stats } = directory
    const reason =
      stats === undefined ? undefined : reasonToDistrustDirectory(directory.path, stats, { allowGroupWrite: true })
    if (reason !== undefined) throw new UntrustedPathError(reason)
    const path = directory.pathOf(name)
    const checkOthers = (): void => {
      for (const suffix of otherFiles)
        checkOther(file + suffix, fs.lstatSync(directory.pathOf(name + suffix), ifExists))
    }
    checkOthers()
    checkHeader(file, path)
    return { path, checkOthers, close: () => directory.close() }
  } catch (error) {
    directory.close()
    throw error
  }
}

function checkHeader(file: string, path: string): void {
  const { fd } = openOwnFile(fs, path, O_RDWR | O_CREAT, 0o600)
  try {
    const header = Buffer.alloc(headerBytes)
    const length = fs.readSync(fd, header, 0, headerBytes, 0)
    if (length === 0) return
    if (!header.subarray(0, magic.length).equals(magic)) throw notOwnDatabase(file)
    if (header.readUInt32BE(applicationIdOffset) !== applicationId) throw notOwnDatabase(file)
    if (header.readUInt32BE(userVersionOffset) > tablesVersion)
      throw new DatabaseError(`${file} was written by a newer version of sluice; update sluice, or name another file`)
  } finally {
    fs.closeSync(fd)
  }
}

function checkOther(file: string, stats: fs.Stats | undefined): void {
  if (stats !== undefined && !(stats.isFile() && isOwnedByThisUser(stats)))
    throw new DatabaseError(`${file} is not a file of this user; remove it, or name another file`)
}
