import { closeSync, fstatSync } from 'node:fs'
import { basename } from 'node:path'
import { addMembers } from '../../options/define-member.ts'
import { openForReading } from '../input/open-source.ts'
import { headOf } from './content-mark.ts'
import { fileKey, type Generation } from './generation.ts'
import { compareFiles, type RotatedFile, type RotatedFiles } from './rotated-files.ts'

/** How often the search for rotated files is repeated while files are being rotated. */
const MAX_SEARCHES = 20

/** Files that were opened because another file is at the followed path. The caller closes them. */
export interface OpenedFiles {
  /** The file that is at the path now. */
  readonly next: RotatedFile
  /** The files that were at the path since the last check, the oldest first. */
  readonly missed: readonly RotatedFile[]
}

/** Opens the file at a followed path, and the rotated files that were not read. */
export class FileFinder {
  private readonly path: string
  private readonly rotated: RotatedFiles
  /** The user ID of the owner of the file at the path. */
  private owner: number | undefined

  constructor(path: string, rotated: RotatedFiles) {
    this.path = path
    this.rotated = rotated
  }

  /**
   * Opens the rotated files that were not read, the oldest first.
   *
   * @param current - the file that is read
   * @param openKeys - the keys of files that are open already
   */
  findUnknown(current: Generation | undefined, openKeys: ReadonlySet<string>): RotatedFile[] {
    return this.rotated.findUnknown(current?.searchedMtimeNs ?? 0n, openKeys, this.owner)
  }

  /**
   * Opens the file at the path, and the files that were there since the last check. Returns undefined if `current` is there again.
   *
   * @throws The system's error, or EINVAL if it is not a regular file.
   */
  openChanged(current: Generation | undefined, openKeys: ReadonlySet<string>): OpenedFiles | undefined {
    const missed = new Map<string, RotatedFile>()
    let next: RotatedFile | undefined
    const closeAll = (): void => {
      for (const { fd } of [...missed.values(), ...(next === undefined ? [] : [next])]) closeSync(fd)
    }
    try {
      // Each search can find files that were rotated during the one before.
      for (let searches = 0; searches < MAX_SEARCHES; searches++) {
        const opened = this.openPath()
        if (opened.key === next?.key) closeSync(opened.fd)
        else {
          if (next !== undefined) missed.set(next.key, next)
          next = opened
        }
        const found = this.findUnknown(current, new Set([...openKeys, ...missed.keys(), next.key]))
        for (const file of found) missed.set(file.key, file)
        if (found.length === 0 && opened.key === next.key && searches > 0) break
      }
    } catch (error) {
      closeAll()
      throw error
    }
    if (next!.key === current?.key) {
      closeAll()
      return undefined
    }
    for (const file of missed.values()) {
      file.mtimeNs = fstatSync(file.fd, { bigint: true }).mtimeNs
      // The file may have been empty while it was at the path.
      if (file.compression === undefined) file.head = headOf(file.fd)
    }
    return { next: next!, missed: [...missed.values()].toSorted(compareFiles) }
  }

  private openPath(): RotatedFile {
    const fd = openForReading(this.path)
    const stats = fstatSync(fd, { bigint: true })
    if (!stats.isFile()) {
      closeSync(fd)
      throw addMembers(new Error('not a regular file'), { code: stats.isDirectory() ? 'EISDIR' : 'EINVAL' })
    }
    this.owner = Number(stats.uid)
    const file = { name: basename(this.path), key: fileKey(stats), fd, mtimeNs: stats.mtimeNs }
    return { ...file, compression: undefined, head: headOf(fd) }
  }
}
