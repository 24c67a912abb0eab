import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openOwnFile, openRegularFile, readSmallFile } from '../../../src/platform/node/regular-files.ts'
import { needs } from '../../support/needs.ts'
import { canBeOtherUser, otherUser, twoUsers } from '../../support/files/other-user.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-files-'))
  fs.writeFileSync(join(folder, 'file'), 'debug\n')
  fs.symlinkSync(join(folder, 'file'), join(folder, 'link'))
  fs.symlinkSync(join(folder, 'missing'), join(folder, 'dangling'))
  fs.mkdirSync(join(folder, 'directory'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

const code = (action: () => unknown): unknown => {
  try {
    action()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

const check = ({ mode }: fs.Stats): void => {
  if ((mode & 0o022) !== 0) throw Object.assign(new Error('writable'), { code: 'TOO_OPEN' })
}

describe('readSmallFile', () => {
  it('readSmallFile returns the text of a file, up to the given size', () => {
    expect(readSmallFile(join(folder, 'file'), 100)).toBe('debug\n')
    expect(readSmallFile(join(folder, 'file'), 3)).toBe('deb')
  })

  it.each([
    ['link', 'ELOOP'],
    ['dangling', 'ELOOP'],
    ['directory', 'EINVAL'],
    ['pipe', 'EINVAL'],
    ['nothing', 'ENOENT'],
  ])('readSmallFile rejects the path "%s" with %s without blocking', (name, expected) => {
    expect(code(() => readSmallFile(join(folder, name), 100))).toBe(expected)
  })

  it('readSmallFile calls the check of owner and mode before it reads the file', () => {
    expect(readSmallFile(join(folder, 'file'), 100, check)).toBe('debug\n')
    fs.chmodSync(join(folder, 'file'), 0o666)
    expect(code(() => readSmallFile(join(folder, 'file'), 100, check))).toBe('TOO_OPEN')
  })
})

const open = (name: string): number => openRegularFile(fs, join(folder, name), fs.constants.O_RDONLY, undefined, 0).fd

describe('openRegularFile on a system without O_NOFOLLOW', () => {
  it('openRegularFile without O_NOFOLLOW detects a link by comparing the opened file with the path', () => {
    expect(code(() => open('link'))).toBe('ELOOP')
    fs.closeSync(open('file'))
  })
})

describe('openOwnFile', () => {
  it('openOwnFile rejects a file with a second hard link', () => {
    fs.linkSync(join(folder, 'file'), join(folder, 'second'))
    expect(() => openOwnFile(fs, join(folder, 'second'), fs.constants.O_RDONLY)).toThrow(/second has 2 hard links/)
  })

  needs(twoUsers, canBeOtherUser)('openOwnFile rejects a file of another user', () => {
    fs.chownSync(join(folder, 'file'), otherUser, otherUser)
    expect(() => openOwnFile(fs, join(folder, 'file'), fs.constants.O_RDONLY)).toThrow(/is owned by user 65534/)
  })
})
