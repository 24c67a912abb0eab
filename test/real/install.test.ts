import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, isInstalled } from '../../scripts/real-parts/install.ts'
import { cacheFolder, folderOf, type Part } from '../../scripts/real-parts/part.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'

const directory = temporaryDirectory()
const before = process.env['XDG_CACHE_HOME']

beforeAll(() => {
  process.env['XDG_CACHE_HOME'] = directory.path('')
})

afterAll(() => {
  if (before === undefined) delete process.env['XDG_CACHE_HOME']
  else process.env['XDG_CACHE_HOME'] = before
  directory.remove()
})

/** Returns a part that consists of one file created by `make`. */
function partOf(name: string, make: (file: string) => void): Part {
  return {
    name,
    configuration: 'decoder.txt',
    madeBy: [],
    mainFile: 'main',
    make: (folder) => make(join(folder, 'main')),
  }
}

const temporaryFolders = (name: string): string[] =>
  readdirSync(cacheFolder()).filter((one) => one.startsWith(`making-${name}`))

test('a part is built once', () => {
  let made = 0
  const part = partOf('once', (file) => writeFileSync(file, String(++made)))
  expect(isInstalled(part)).toBe(false)
  const folder = install(part)
  expect([install(part), readFileSync(join(folder, 'main'), 'utf8'), made]).toEqual([folder, '1', 1])
})

test('a part whose build fails leaves no files', () => {
  const part = partOf('broken', (file) => {
    writeFileSync(file, 'half')
    throw new Error('no network')
  })
  expect(() => install(part)).toThrow('no network')
  expect([isInstalled(part), existsSync(folderOf(part)), temporaryFolders('broken')]).toEqual([false, false, []])
})

test('a part without its main file is built again', () => {
  const part = partOf('lost', (file) => writeFileSync(file, 'new'))
  rmSync(join(install(part), 'main'))
  writeFileSync(join(folderOf(part), 'old'), '')
  expect(readdirSync(install(part))).toEqual(['main'])
})

test('a part that a concurrent run installed first is kept', () => {
  const part = partOf('race', (file) => {
    writeFileSync(file, 'ours')
    mkdirSync(folderOf(part))
    writeFileSync(join(folderOf(part), 'main'), 'theirs')
  })
  expect(readFileSync(join(install(part), 'main'), 'utf8')).toBe('theirs')
  expect(temporaryFolders('race')).toEqual([])
})

test('files of a killed run are removed after a day', () => {
  const part = partOf('leftover', (file) => writeFileSync(file, ''))
  const [old, young] = ['old', 'young'].map((name) => join(cacheFolder(), `making-leftover-${name}`)) as [
    string,
    string,
  ]
  for (const folder of [old, young]) mkdirSync(folder, { recursive: true })
  utimesSync(old, 0, 0)
  install(part)
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})
