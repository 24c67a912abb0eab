import * as fs from 'node:fs'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import type { writeSync } from '../../platform/node/write-sync.ts'

/** The parts of `node:fs` that a spool uses, as an object that tests can replace. */
export type SpoolFiles = Pick<
  typeof fs,
  | 'openSync'
  | 'closeSync'
  | 'fstatSync'
  | 'statSync'
  | 'lstatSync'
  | 'readlinkSync'
  | 'statfsSync'
  | 'mkdirSync'
  | 'readdirSync'
  | 'rmdirSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'ftruncateSync'
  | 'write'
  | 'readSync'
  | 'read'
  | 'fsyncSync'
  | 'fsync'
> & { readonly writeSync: typeof writeSync }

/** The mode of files: only this user can access what was logged. */
export const fileMode = 0o600
/** The mode of directories. */
export const directoryMode = 0o700

/** The flags for a file that must not exist yet. A link at its path is not followed (POSIX open, O_EXCL). */
export const newFile: number = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL

/** Syncs the names in a directory to the disk, if the system supports it. Rejects with the system's error. */
export async function syncDirectory(files: SpoolFiles, directory: DirectoryHandle): Promise<void> {
  const fd = openDirectory(files, directory)
  if (fd === undefined) return
  try {
    await new Promise<void>((resolve, reject) => {
      files.fsync(fd, (error) => (error === null ? resolve() : reject(error)))
    })
  } finally {
    files.closeSync(fd)
  }
}

/** Does the same synchronously. Throws the system's error. */
export function syncDirectoryNow(files: SpoolFiles, directory: DirectoryHandle): void {
  const fd = openDirectory(files, directory)
  if (fd === undefined) return
  try {
    files.fsyncSync(fd)
  } finally {
    files.closeSync(fd)
  }
}

/** Opens a directory for fsync. Windows cannot open directories; there, names are durable when they are created. */
function openDirectory(files: SpoolFiles, directory: DirectoryHandle): number | undefined {
  return process.platform === 'win32' ? undefined : files.openSync(directory.at('.'), 'r')
}
