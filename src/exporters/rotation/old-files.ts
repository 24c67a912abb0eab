import type { Stats } from 'node:fs'
import { lstat, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { LogPlace } from '../file/log-path.ts'
import { isOldFile, RotatedNames, type RotatedName } from './rotated-names.ts'

/** An old file, and how long it is in bytes. */
export interface OldFile extends RotatedName {
  readonly size: number
}

/**
 * The old files of a log, in the directory that its path leads to now. Whatever becomes of that path, all names are those of one
 * open directory, and only regular files of the log's owner or this user are among them.
 */
export class OldFiles {
  /** All names in the directory. */
  readonly names: readonly string[]
  private readonly place: LogPlace
  private readonly logOwner: number

  private constructor(place: LogPlace, names: readonly string[], logOwner: number) {
    this.place = place
    this.names = names
    this.logOwner = logOwner
  }

  /**
   * Opens the directory of a log.
   *
   * @throws UntrustedPathError, or the system's error.
   */
  static async open(path: string): Promise<OldFiles> {
    const place = new LogPlace(path)
    try {
      const names = await readdir(place.directory.at('.'))
      const { uid } = await lstat(place.directory.at(place.name))
      return new OldFiles(place, names, uid)
    } catch (error) {
      place.close()
      throw error
    }
  }

  /** The old files, in the order of their times. Never rejects. */
  async list(): Promise<readonly OldFile[]> {
    const named = new RotatedNames(this.place.name).among(this.names)
    const all = await Promise.all(named.map(({ name }) => this.stats(name).catch(() => undefined)))
    return named.flatMap((each, index) => {
      const stats = all[index]
      return stats === undefined ? [] : [{ ...each, size: stats.size }]
    })
  }

  /** Whether a file may be deleted or replaced. */
  isOld(stats: Stats): boolean {
    return isOldFile(stats, this.logOwner, this.place.directory.isExclusive)
  }

  /** The state of a file; undefined where the name is another one's. Rejects with the system's error. */
  async stats(name: string): Promise<Stats | undefined> {
    const stats = await lstat(this.at(name))
    return this.isOld(stats) ? stats : undefined
  }

  /** Deletes a file. Rejects with the system's error. */
  async delete(name: string): Promise<void> {
    await unlink(this.at(name))
  }

  /** A path for a name, to be used at once. */
  at(name: string): string {
    return this.place.directory.at(name)
  }

  /** A path for messages. */
  shown(name: string): string {
    return join(this.place.directory.path, name)
  }

  close(): void {
    this.place.close()
  }
}
