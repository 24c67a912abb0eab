import { lstatSync, renameSync, unlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { ifExists } from '../../platform/node/file-options.ts'
import type { LogLocation } from '../../exporters/file/log-path.ts'
import { isOwnRegularFile } from '../../exporters/rotation/rotated-names.ts'

/**
 * Renames a log to `<name>.0`, `<name>.0` to `<name>.1` and so on, keeping `maxOldFiles` old files. The oldest one is replaced. If
 * `maxOldFiles` is 0, the log is deleted. Missing files are skipped.
 *
 * @throws an Error, before anything is renamed, if a name is used by a link, a pipe, a device, or a file that another user created; the
 * system's error otherwise.
 */
export function shiftFiles(location: LogLocation, maxOldFiles: number): void {
  const { directory, name } = location
  const names = [name, ...Array.from({ length: maxOldFiles }, (_, index) => `${name}.${index}`)]
  const statsOfNames = names.map((each) => lstatSync(directory.pathOf(each), ifExists))
  for (const [index, stats] of statsOfNames.entries()) {
    if (stats === undefined || isRotatable(location, stats, statsOfNames[0])) continue
    throw new Error(
      `${join(directory.path, names[index]!)} is not a regular file of this log, so the log is not rotated`,
    )
  }
  if (maxOldFiles === 0 && statsOfNames[0] !== undefined) unlinkSync(directory.pathOf(name))
  for (let index = maxOldFiles - 1; index >= 0; index--) {
    if (statsOfNames[index] !== undefined)
      renameSync(directory.pathOf(names[index]!), directory.pathOf(names[index + 1]!))
  }
}

/** Returns whether a file may be rotated. Special files may not: renaming a device such as `/dev/null` breaks other programs. */
function isRotatable({ directory }: LogLocation, stats: Stats, log: Stats | undefined): boolean {
  return directory.excludesOtherUsers
    ? stats.isFile()
    : isOwnRegularFile(stats, { logOwner: log?.uid, excludesOtherUsers: false })
}
