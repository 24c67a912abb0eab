import type { Stats } from 'node:fs'
import { extname } from 'node:path'
import { isOwn } from '../../platform/node/path-trust.ts'

/** A file that was put aside. */
export interface RotatedName {
  readonly name: string
  /** When, in ms since the Unix epoch: as good as unique, since each name is later than all that are there. */
  readonly stamp: number
  /** Whether it is compressed. */
  readonly gzip: boolean
}

/**
 * The names of old files: `app.log` becomes `app.2026-11-21T10-00-00-000Z.log`, the time in UTC at which it was put aside.
 * The name never changes again but for the `.gz` of a compressed one, sorts by time, and keeps the extension.
 */
export class RotatedNames {
  private readonly stem: string
  private readonly extension: string

  /** @param base the name of the file itself, without its directory. */
  constructor(base: string) {
    this.extension = extname(base)
    this.stem = base.slice(0, base.length - this.extension.length)
  }

  /** The name for a time in ms since the Unix epoch. */
  of(stamp: number): string {
    return `${this.stem}.${stampText(stamp)}${this.extension}`
  }

  /** Reads a name; undefined where it is not exactly one of these. */
  read(name: string): RotatedName | undefined {
    const { stem, extension } = this
    if (!name.startsWith(`${stem}.`)) return undefined
    const gzip = name.endsWith(`${extension}.gz`)
    const end = name.length - (gzip ? extension.length + 3 : extension.length)
    const stamp = stampOf(name.slice(stem.length + 1, end))
    if (stamp === undefined || name !== `${this.of(stamp)}${gzip ? '.gz' : ''}`) return undefined
    return { name, stamp, gzip }
  }

  /** Those of `names` that are old files, in the order of their times. */
  among(names: readonly string[]): RotatedName[] {
    const found = names.map((name) => this.read(name)).filter((read) => read !== undefined)
    return found.toSorted((a, b) => a.stamp - b.stamp)
  }
}

/**
 * Whether what has such a name is an old file: a regular one of this user, or of the user to whom the log belongs. Others may
 * create such names where they can write to the directory: one that has a second name can then be any file.
 *
 * @param isExclusive - whether only this user and root can create names in the directory
 */
export function isOldFile(stats: Stats, logOwner: number | undefined, isExclusive: boolean): boolean {
  return stats.isFile() && (isOwn(stats) || stats.uid === logOwner) && (isExclusive || stats.nlink === 1)
}

/** RFC 3339 with dashes for what a file name may not hold everywhere. */
function stampText(stamp: number): string {
  return new Date(stamp).toISOString().replaceAll(/[:.]/g, '-')
}

function stampOf(text: string): number | undefined {
  const [, date, hour, minute, second, milli] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/.exec(text) ?? []
  const stamp = Date.parse(`${date}T${hour}:${minute}:${second}.${milli}Z`)
  return Number.isNaN(stamp) ? undefined : stamp
}
