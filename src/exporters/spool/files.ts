import * as fs from 'node:fs'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import type { writeSync } from '../../platform/node/write-sync.ts'

/** The functions of `node:fs` that a spool uses, as an object that tests can replace. */
export type SpoolFileSystem = Pick<
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
/** The mode of directories, for the same reason. */
export const directoryMode = 0o700

/** The flags that create a file, which must not exist yet. A link at its path is not followed (POSIX open, O_EXCL). */
export const newFileFlags: number = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL

/** Writes all bytes at a position, in as many calls as necessary. Throws the system's error. */
export function writeAllSync(files: SpoolFileSystem, fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += files.writeSync(fd, bytes, done, bytes.length - done, position + done)
  }
}

/** Syncs the names in a directory to the disk, if the system supports it. Rejects with the system's error. */
export async function syncDirectory(files: SpoolFileSystem, directory: DirectoryHandle): Promise<void> {
  const fd = openForSync(files, directory)
  if (fd === undefined) return
  try {
    await new Promise<void>((resolve, reject) => {
      files.fsync(fd, (error) => (error === null ? resolve() : reject(error)))
    })
  } finally {
    files.closeSync(fd)
  }
}

/** As `syncDirectory`, but synchronous. Throws the system's error. */
export function syncDirectoryNow(files: SpoolFileSystem, directory: DirectoryHandle): void {
  const fd = openForSync(files, directory)
  if (fd === undefined) return
  try {
    files.fsyncSync(fd)
  } finally {
    files.closeSync(fd)
  }
}

/** Opens a directory for fsync. Returns undefined on Windows, which cannot open directories. */
function openForSync(files: SpoolFileSystem, directory: DirectoryHandle): number | undefined {
  return process.platform === 'win32' ? undefined : files.openSync(directory.pathOf('.'), 'r')
}
