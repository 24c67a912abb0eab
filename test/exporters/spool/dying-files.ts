import * as fs from 'node:fs'
import { basename, dirname } from 'node:path'
import { newFile, type SpoolFiles } from '../../../src/exporters/spool/files.ts'

/** Where a process dies. */
export interface Death {
  /** What a spool does to a file or a directory. */
  readonly at: 'create' | 'write' | 'seal' | 'acknowledge' | 'delete' | 'claim' | 'move in' | 'fsync'
  /** The how manieth time, from 1. */
  readonly nth: number
  /** `half`: once a half of the bytes are written. */
  readonly when: 'before' | 'half' | 'after'
}

/** The file system for a process that is to die by SIGKILL at a point of its choice. */
export function dyingFiles({ at, nth, when }: Death): SpoolFiles {
  let times = 0

  function meet(point: Death['at'], act: () => void, half?: () => void): void {
    const isHere = point === at && ++times === nth
    if (isHere && when === 'before') die()
    if (isHere && when === 'half') {
      half?.()
      die()
    }
    act()
    if (isHere) die()
  }

  return {
    ...fs,
    openSync(path, flags, mode) {
      if (flags !== newFile) return fs.openSync(path, flags, mode)
      let fd = -1
      meet('create', () => (fd = fs.openSync(path, flags, mode)))
      return fd
    },
    write: ((fd: number, bytes: Uint8Array, from: number, length: number, position: number, done: WriteDone) => {
      meet(
        'write',
        () => done(null, fs.writeSync(fd, bytes, from, length, position)),
        () => void fs.writeSync(fd, bytes, from, length >> 1, position),
      )
    }) as unknown as SpoolFiles['write'],
    renameSync(from, to) {
      meet(pointOf(String(from), String(to)), () => fs.renameSync(from, to))
    },
    unlinkSync(path) {
      const isSegment = String(path).endsWith('.jsonl')
      if (isSegment) meet('delete', () => fs.unlinkSync(path))
      else fs.unlinkSync(path)
    },
    fsync: ((fd: number, done: WriteDone) => {
      meet('fsync', () => {
        fs.fsyncSync(fd)
        done(null, 0)
      })
    }) as unknown as SpoolFiles['fsync'],
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
