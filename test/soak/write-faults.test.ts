import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { runChild } from '../support/processes/child.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import type { WriteFault } from './faults.ts'
import { canFailWrites, compileWriteFaults, writeFaults } from './write-faults.ts'

const compiled = needs('a C compiler', canFailWrites())
const none: WriteFault = { error: undefined, every: 1, room: 0, most: 0, delayMicros: 0 }

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
  if (canFailWrites()) compileWriteFaults(directory.path('faults.so'))
})
afterAll(() => directory.remove())

/** Writes eight bytes to a file four times, the last time after clearing the fault, and prints the result of each write. */
const program = `
const { openSync, writeSync } = require('node:fs')
const fd = openSync(process.env.FILE, 'a')
const results = [1, 2, 3, 4].map((time) => {
  if (time === 4) writeSync(openSync(process.env.WRITE_FAULTS, 'r+'), Buffer.alloc(4), 0, 4, 0)
  const start = performance.now()
  try {
    const written = writeSync(fd, 'abcdefg\\n')
    return performance.now() - start > 20 ? 'slow' : written
  } catch (error) {
    return error.code
  }
})
process.stdout.write(JSON.stringify(results))
`

async function writesWith(name: string, fault: Partial<WriteFault>, on: 'file' | 'stdout' = 'file') {
  const writes = writeFaults(directory.path(`${name}.faults`))
  writes.set(on, { ...none, ...fault })
  const env = { ...writes.env, LD_PRELOAD: directory.path('faults.so'), FILE: directory.path(name) }
  const { stdout } = await runChild({ args: ['--eval', program], env })
  writes.close()
  return { results: JSON.parse(stdout) as unknown, text: readFileSync(directory.path(name), 'latin1') }
}

describe('write faults', () => {
  compiled('every write fails until the fault is cleared', async () => {
    const { results, text } = await writesWith('each', { error: 'EIO' })
    expect(results).toEqual(['EIO', 'EIO', 'EIO', 8])
    expect(text).toBe('abcdefg\n')
  })

  compiled('every second write fails', async () => {
    expect((await writesWith('second', { error: 'EAGAIN', every: 2 })).results).toEqual([8, 'EAGAIN', 8, 8])
  })

  compiled('writes fail when no space is left, after a partial write', async () => {
    const { results, text } = await writesWith('room', { error: 'ENOSPC', room: 11 })
    expect(results).toEqual([8, 3, 'ENOSPC', 8])
    expect(text).toBe('abcdefg\nabcabcdefg\n')
  })

  compiled('partial writes lose no data', async () => {
    expect(await writesWith('part', { most: 3 })).toEqual({ results: [8, 8, 8, 8], text: 'abcdefg\n'.repeat(4) })
  })

  compiled('writes are delayed', async () => {
    expect((await writesWith('slow', { delayMicros: 25_000 })).results).toEqual(['slow', 'slow', 'slow', 8])
  })

  compiled('a fault of standard output does not affect writes to a file', async () => {
    expect((await writesWith('other', { most: 1 }, 'stdout')).results).toEqual([8, 8, 8, 8])
  })
})
