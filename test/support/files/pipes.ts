import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary directory for the tests of a file. */
export interface TemporaryDirectory {
  path(name: string): string
  remove(): void
}

export function temporaryDirectory(): TemporaryDirectory {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-'))
  return {
    path: (name) => join(directory, name),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** A named pipe that is only read on request. */
export interface StallingPipe {
  /** The write end, which is blocking like an inherited standard output. */
  readonly fd: number
  /** Reads up to `most` available bytes. Returns '' if there are none. */
  read(most?: number): string
  /** Reads all available bytes. */
  readAll(): string
  closeReader(): void
  close(): void
}

/** Creates a named pipe and opens both ends, the read end as non-blocking. */
export function stallingPipe(path: string): StallingPipe {
  execFileSync('mkfifo', [path])
  let reader: number | undefined = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const fd = openSync(path, constants.O_WRONLY)

  function read(most = 65_536): string {
    const buffer = Buffer.alloc(most)
    try {
      return buffer.toString('latin1', 0, readSync(reader!, buffer, 0, most, null))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return ''
      throw error
    }
  }

  function closeReader(): void {
    if (reader !== undefined) closeSync(reader)
    reader = undefined
  }

  return {
    fd,
    read,
    readAll() {
      let all = ''
      for (let part = read(); part !== ''; part = read()) all += part
      return all
    },
    closeReader,
    close() {
      closeReader()
      closeSync(fd)
    },
  }
}
