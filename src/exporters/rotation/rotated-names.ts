import type { Stats } from 'node:fs'
import { extname } from 'node:path'
import { isOwnedByThisUser } from '../../platform/node/path-trust.ts'

/** The parsed name of a rotated file. */
export interface RotatedName {
  readonly name: string
  /**
   * When the file was rotated, in ms since the Unix epoch. Practically unique in a directory, since each new name is later than all
   * existing ones.
   */
  readonly rotatedAt: number
  /** Whether the file is compressed. */
  readonly isCompressed: boolean
}

/**
 * The names of rotated files: `app.log` becomes `app.2026-11-21T10-00-00-000Z.log`, with the time of the rotation in UTC. A
 * name never changes again, except that compression appends `.gz`. Names sort by time and keep the extension.
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
   * @param rotatedAt - In ms since the Unix epoch.
   */
  nameFor(rotatedAt: number): string {
    return `${this.stem}.${formatTime(rotatedAt)}${this.extension}`
  }

  /** Parses the name of a rotated file. Returns undefined for any other name. */
  parse(name: string): RotatedName | undefined {
    const { stem, extension } = this
    if (!name.startsWith(`${stem}.`)) return undefined
    const isCompressed = name.endsWith(`${extension}.gz`)
    const end = name.length - (isCompressed ? extension.length + 3 : extension.length)
    const rotatedAt = parseTime(name.slice(stem.length + 1, end))
    if (rotatedAt === undefined || name !== `${this.nameFor(rotatedAt)}${isCompressed ? '.gz' : ''}`) return undefined
    return { name, rotatedAt, isCompressed }
  }

  /** Parses those of `names` that are names of rotated files, and orders them by time. */
  parseAll(names: readonly string[]): RotatedName[] {
    const parsed = names.map((name) => this.parse(name)).filter((rotated) => rotated !== undefined)
    return parsed.toSorted((a, b) => a.rotatedAt - b.rotatedAt)
  }
}

/**
 * Returns whether a file with the name of a rotated file is a regular file of this user or of the log's owner. If other users can
 * write to the directory, it must also have only one hard link, because they can create such a name as a link to any file.
 *
 * @param logOwner - The user ID of the log's owner, if it is known.
 * @param excludesOtherUsers - Whether only this user and root can create names in the directory.
 */
export function isOwnRegularFile(
  stats: Stats,
  { logOwner, excludesOtherUsers }: { readonly logOwner: number | undefined; readonly excludesOtherUsers: boolean },
): boolean {
  const isOwn = isOwnedByThisUser(stats) || stats.uid === logOwner
  return stats.isFile() && isOwn && (excludesOtherUsers || stats.nlink === 1)
}

/** Formats a time as RFC 3339, with `-` instead of `:`, which Windows does not allow in file names, and instead of `.`. */
function formatTime(time: number): string {
  return new Date(time).toISOString().replaceAll(/[:.]/g, '-')
}

/** Parses what `formatTime` returns. Returns undefined for any other text. */
function parseTime(text: string): number | undefined {
  const [, date, hour, minute, second, milli] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/.exec(text) ?? []
  const time = Date.parse(`${date}T${hour}:${minute}:${second}.${milli}Z`)
  return Number.isNaN(time) ? undefined : time
}
