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

/** Writes four times eight bytes to a file, the last time after it has ended the fault, and says what each write came to. */
const program = `
const { openSync, writeSync } = require('node:fs')
const fd = openSync(process.env.FILE, 'a')
const said = [1, 2, 3, 4].map((time) => {
  if (time === 4) writeSync(openSync(process.env.WRITE_FAULTS, 'r+'), Buffer.alloc(4), 0, 4, 0)
  const start = performance.now()
  try {
    const written = writeSync(fd, 'abcdefg\\n')
    return performance.now() - start > 20 ? 'slow' : written
  } catch (error) {
    return error.code
  }
})
process.stdout.write(JSON.stringify(said))
`

async function writesWith(name: string, fault: Partial<WriteFault>, on: 'file' | 'stdout' = 'file') {
  const writes = writeFaults(directory.path(`${name}.faults`))
  writes.set(on, { ...none, ...fault })
  const env = { ...writes.env, LD_PRELOAD: directory.path('faults.so'), FILE: directory.path(name) }
  const { stdout } = await runChild({ args: ['--eval', program], env })
  writes.close()
  return { said: JSON.parse(stdout) as unknown, text: readFileSync(directory.path(name), 'latin1') }
}

describe('writes', () => {
  compiled('fail until they are told to work', async () => {
    const { said, text } = await writesWith('each', { error: 'EIO' })
    expect(said).toEqual(['EIO', 'EIO', 'EIO', 8])
    expect(text).toBe('abcdefg\n')
  })

  compiled('fail each so-manieth time', async () => {
    expect((await writesWith('second', { error: 'EAGAIN', every: 2 })).said).toEqual([8, 'EAGAIN', 8, 8])
  })

  compiled('fail when there is no room left, which ends inside a line', async () => {
    const { said, text } = await writesWith('room', { error: 'ENOSPC', room: 11 })
    expect(said).toEqual([8, 3, 'ENOSPC', 8])
    expect(text).toBe('abcdefg\nabcabcdefg\n')
  })

  compiled('take a part, and lose nothing', async () => {
    expect(await writesWith('part', { most: 3 })).toEqual({ said: [8, 8, 8, 8], text: 'abcdefg\n'.repeat(4) })
  })

  compiled('take their time', async () => {
    expect((await writesWith('slow', { delayMicros: 25_000 })).said).toEqual(['slow', 'slow', 'slow', 8])
  })

  compiled('to a file are left alone by what happens to the standard output', async () => {
    expect((await writesWith('other', { most: 1 }, 'stdout')).said).toEqual([8, 8, 8, 8])
  })
})
