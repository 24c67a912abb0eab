import type * as fs from 'node:fs'

/** What a spool needs of a file system: parts of `node:fs`, so that tests can stand in between. */
export type SpoolFiles = Pick<
  typeof fs,
  | 'openSync'
  | 'closeSync'
  | 'fstatSync'
  | 'statSync'
  | 'mkdirSync'
  | 'readdirSync'
  | 'rmdirSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'ftruncateSync'
  | 'writeSync'
  | 'write'
  | 'readSync'
  | 'read'
  | 'fsyncSync'
  | 'fsync'
>

/** For whom the files are: they hold what was logged. */
export const fileMode = 0o600
/** The same for directories. */
export const directoryMode = 0o700

/** What a segment is opened with to be written: it is new. */
export const newFile = 'wx'

/** Has the system put the names in a directory onto the disk, where it can. Rejects with what the system says. */
export async function syncDirectory(files: SpoolFiles, path: string): Promise<void> {
  const fd = openDirectory(files, path)
  if (fd === undefined) return
  try {
    await new Promise<void>((resolve, reject) => {
      files.fsync(fd, (error) => (error === null ? resolve() : reject(error)))
    })
  } finally {
    files.closeSync(fd)
  }
}

/** The same now. Throws what the system says. */
export function syncDirectoryNow(files: SpoolFiles, path: string): void {
  const fd = openDirectory(files, path)
  if (fd === undefined) return
  try {
    files.fsyncSync(fd)
  } finally {
    files.closeSync(fd)
  }
}

/** Windows cannot open one; there, names are durable when they are made. */
function openDirectory(files: SpoolFiles, path: string): number | undefined {
  return process.platform === 'win32' ? undefined : files.openSync(path, 'r')
}
