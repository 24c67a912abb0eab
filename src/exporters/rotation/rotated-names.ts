import type { Stats } from 'node:fs'
import { extname } from 'node:path'
import { isOwn } from '../../platform/node/path-trust.ts'

/** The parsed name of a rotated file. */
export interface RotatedName {
  readonly name: string
  /**
   * When it was rotated, in ms since the Unix epoch. It is practically unique, since each new name is later than all existing
   * ones.
   */
  readonly stamp: number
  /** Whether it is compressed. */
  readonly gzip: boolean
}

/**
 * The names of rotated files: `app.log` becomes `app.2026-11-21T10-00-00-000Z.log`, with the time of the rotation in UTC. A
 * name never changes again except for the `.gz` of a compressed file. Names sort by time and keep the extension.
 */
export class RotatedNames {
  private readonly stem: string
  private readonly extension: string

  /** @param base - The name of the log file, without its directory. */
  constructor(base: string) {
    this.extension = extname(base)
    this.stem = base.slice(0, base.length - this.extension.length)
  }

  /**
   * Returns the name for a time.
   *
   * @param stamp - In ms since the Unix epoch.
   */
  of(stamp: number): string {
    return `${this.stem}.${stampText(stamp)}${this.extension}`
  }

  /** Parses a name. Returns undefined if it is not exactly a name of this form. */
  read(name: string): RotatedName | undefined {
    const { stem, extension } = this
    if (!name.startsWith(`${stem}.`)) return undefined
    const gzip = name.endsWith(`${extension}.gz`)
    const end = name.length - (gzip ? extension.length + 3 : extension.length)
    const stamp = stampOf(name.slice(stem.length + 1, end))
    if (stamp === undefined || name !== `${this.of(stamp)}${gzip ? '.gz' : ''}`) return undefined
    return { name, stamp, gzip }
  }

  /** Returns those of `names` that are names of rotated files, ordered by time. */
  among(names: readonly string[]): RotatedName[] {
    const found = names.map((name) => this.read(name)).filter((read) => read !== undefined)
    return found.toSorted((a, b) => a.stamp - b.stamp)
  }
}

/**
 * Returns whether a file with such a name is a rotated file: a regular file of this user, or of the log's owner. If other users
 * can write to the directory they can create such names, and one that is a second hard link can be any file.
 *
 * @param isExclusive - Whether only this user and root can create names in the directory.
 */
export function isOldFile(stats: Stats, logOwner: number | undefined, isExclusive: boolean): boolean {
  return stats.isFile() && (isOwn(stats) || stats.uid === logOwner) && (isExclusive || stats.nlink === 1)
}

/** Formats a time as RFC 3339, with dashes for characters that are not allowed in file names on every system. */
function stampText(stamp: number): string {
  return new Date(stamp).toISOString().replaceAll(/[:.]/g, '-')
}

function stampOf(text: string): number | undefined {
  const [, date, hour, minute, second, milli] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/.exec(text) ?? []
  const stamp = Date.parse(`${date}T${hour}:${minute}:${second}.${milli}Z`)
  return Number.isNaN(stamp) ? undefined : stamp
}
