import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeDirectory } from '../../../src/export/write/make-directory.ts'
import { needs } from '../../support/needs.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/pipes.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

test('what is missing above a directory is made as well, with its mode', () => {
  makeDirectory(directory.path('a/b/c'), 0o700)
  expect(statSync(directory.path('a/b/c')).mode & 0o777).toBe(0o700)
  expect(statSync(directory.path('a')).mode & 0o777).toBe(0o700)
})

test('a directory that is there stays as it is', () => {
  mkdirSync(directory.path('there'), { mode: 0o750 })
  makeDirectory(directory.path('there'), 0o700)
  expect(statSync(directory.path('there')).mode & 0o777).toBe(0o750)
})

test('a file in the way is the system’s error', () => {
  writeFileSync(directory.path('file'), '')
  expect(() => makeDirectory(directory.path('file/below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
})

needs('a /proc', existsSync('/proc/self'))('where nobody may make one the error comes at once (row 9)', () => {
  expect(() => makeDirectory('/proc/nowhere/below')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})
