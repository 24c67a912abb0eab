import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, isThere } from '../../scripts/real-parts/install.ts'
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

/** A part that is a file, made by `make`. */
function partOf(name: string, make: (file: string) => void): Part {
  return {
    name,
    configuration: 'decoder.txt',
    madeBy: [],
    mainFile: 'main',
    make: (folder) => make(join(folder, 'main')),
  }
}

const makingNow = (name: string): string[] =>
  readdirSync(cacheFolder()).filter((one) => one.startsWith(`making-${name}`))

test('a part is made once', () => {
  let made = 0
  const part = partOf('once', (file) => writeFileSync(file, String(++made)))
  expect(isThere(part)).toBe(false)
  const folder = install(part)
  expect([install(part), readFileSync(join(folder, 'main'), 'utf8'), made]).toEqual([folder, '1', 1])
})

test('a part whose making fails is not there, nor is half of it', () => {
  const part = partOf('broken', (file) => {
    writeFileSync(file, 'half')
    throw new Error('no network')
  })
  expect(() => install(part)).toThrow('no network')
  expect([isThere(part), existsSync(folderOf(part)), makingNow('broken')]).toEqual([false, false, []])
})

test('a part that lost its main file is made again', () => {
  const part = partOf('lost', (file) => writeFileSync(file, 'new'))
  rmSync(join(install(part), 'main'))
  writeFileSync(join(folderOf(part), 'old'), '')
  expect(readdirSync(install(part))).toEqual(['main'])
})

test('where another run was faster, its part stays', () => {
  const part = partOf('race', (file) => {
    writeFileSync(file, 'ours')
    mkdirSync(folderOf(part))
    writeFileSync(join(folderOf(part), 'main'), 'theirs')
  })
  expect(readFileSync(join(install(part), 'main'), 'utf8')).toBe('theirs')
  expect(makingNow('race')).toEqual([])
})

test('what a killed run left is removed after a day', () => {
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
