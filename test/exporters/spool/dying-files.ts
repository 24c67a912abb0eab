import * as fs from 'node:fs'
import { basename, dirname } from 'node:path'
import { newFileFlags, type SpoolFileSystem } from '../../../src/exporters/spool/files.ts'

/** The point at which a process is killed. */
export interface Death {
  /** The operation of the spool. */
  readonly at: 'create' | 'write' | 'seal' | 'acknowledge' | 'delete' | 'claim' | 'move in' | 'fsync'
  /** The number of the operation, from 1. */
  readonly nth: number
  /** `half`: after half of the bytes are written. */
  readonly when: 'before' | 'half' | 'after'
}

/** Creates a file system that kills the process by SIGKILL at the given point. */
export function dyingFiles({ at, nth, when }: Death): SpoolFileSystem {
  let times = 0

  function perform(point: Death['at'], act: () => void, half?: () => void): void {
    const isDeathPoint = point === at && ++times === nth
    if (isDeathPoint && when === 'before') die()
    if (isDeathPoint && when === 'half') {
      half?.()
      die()
    }
    act()
    if (isDeathPoint) die()
  }

  return {
    ...fs,
    openSync(path, flags, mode) {
      if (flags !== newFileFlags) return fs.openSync(path, flags, mode)
      let fd = -1
      perform('create', () => (fd = fs.openSync(path, flags, mode)))
      return fd
    },
    write: ((fd: number, bytes: Uint8Array, from: number, length: number, position: number, done: WriteDone) => {
      perform(
        'write',
        () => done(null, fs.writeSync(fd, bytes, from, length, position)),
        () => void fs.writeSync(fd, bytes, from, length >> 1, position),
      )
    }) as unknown as SpoolFileSystem['write'],
    renameSync(from, to) {
      perform(pointOf(String(from), String(to)), () => fs.renameSync(from, to))
    },
    unlinkSync(path) {
      const isSegment = String(path).endsWith('.jsonl')
      if (isSegment) perform('delete', () => fs.unlinkSync(path))
      else fs.unlinkSync(path)
    },
    fsync: ((fd: number, done: WriteDone) => {
      perform('fsync', () => {
        fs.fsyncSync(fd)
        done(null, 0)
      })
    }) as unknown as SpoolFileSystem['fsync'],
  }
}

type WriteDone = (error: Error | null, written: number) => void

function pointOf(from: string, to: string): Death['at'] {
  if (!from.endsWith('.jsonl')) return 'claim'
  if (dirname(from) !== dirname(to)) return 'move in'
  return basename(from).includes('.open.') ? 'seal' : 'acknowledge'
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;) continue
}
