import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { chmodSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { TemporaryFile } from '../../../src/read/repeatable/temporary-file.ts'
import { needs } from '../../support/needs.ts'
import { LogFolder } from '../sort/sorting.ts'

let folder: LogFolder
beforeEach(() => {
  folder = new LogFolder()
})
afterEach(() => {
  chmodSync(folder.path, 0o700)
  folder.remove()
})

/** Returns the paths of open descriptors that refer to a removed file of the folder. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd')
    .map((fd) => `/proc/self/fd/${fd}`)
    .filter((path) => {
      try {
        return readlinkSync(path).startsWith(folder.path)
      } catch {
        return false // The descriptor with which the folder was read.
      }
    })
}

const linuxTest = needs('/proc', process.platform === 'linux')

describe('TemporaryFile', () => {
  it('has no name once it is open', () => {
    const file = new TemporaryFile(folder.path)
    expect(readdirSync(folder.path)).toEqual([])
    file.close()
  })

  linuxTest('can be read by its owner only', () => {
    const file = new TemporaryFile(folder.path)
    const [path, ...others] = openFiles()
    expect(others).toEqual([])
    expect(statSync(path!).mode & 0o777).toBe(0o600)
    file.close()
  })

  linuxTest('frees its space when it is closed, also if it is closed twice', () => {
    const file = new TemporaryFile(folder.path)
    file.append(Buffer.alloc(1000))
    file.close()
    file.close()
    expect(openFiles()).toEqual([])
  })

  it('returns the bytes that were appended', () => {
    const file = new TemporaryFile(folder.path)
    expect(file.append(Buffer.from('abc'))).toBe(0)
    expect(file.append(Buffer.from('defg'))).toBe(3)
    const into = Buffer.alloc(10)
    expect(file.read(into, 2)).toBe(5)
    expect(into.toString('latin1', 0, 5)).toBe('cdefg')
    expect(file.size).toBe(7)
    file.close()
  })

  it('throws an error that names the folder if it cannot be created', () => {
    expect(() => new TemporaryFile(`${folder.path}/missing`)).toThrow(
      `cannot create a temporary file in ${folder.path}/missing (ENOENT): set TMPDIR to a folder that can be written`,
    )
  })
})
