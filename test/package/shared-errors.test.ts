import { describe, expect } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { needs } from '../support/needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const withBuild = needs('a build (npm run build)', existsSync(join(root, manifest.bin.sluice)))

/** Prints for each class of each format whether the errors of `readLogs` and `createLogger`, and another error, are instances. */
const program = `
  import { createRequire } from 'node:module'
  import * as logger from 'sluice'
  import * as reader from 'sluice/read'
  const require = createRequire(process.cwd() + '/')
  const errorOf = (callee) => {
    try {
      callee()
    } catch (error) {
      return error
    }
  }
  const errors = [
    errorOf(() => reader.readLogs('app.log', { level: 'loud' })),
    errorOf(() => logger.createLogger({ level: 'loud' })),
    errorOf(() => require('sluice').createLogger({ level: 'loud' })),
    new Error('other'),
    null,
  ]
  class Subclass extends logger.ConfigurationError {}
  const classes = [logger, reader, require('sluice'), require('sluice/read')].map((entry) => entry.ConfigurationError)
  const results = [...classes, Subclass].map((type) => errors.map((error) => error instanceof type))
  console.log(JSON.stringify([...results, new Subclass([]) instanceof classes[1], new Subclass([]) instanceof Subclass]))
`

describe('the class ConfigurationError', () => {
  withBuild('recognizes the errors of the ES module and of the CommonJS build, in both of them', () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
    })
    const all = [true, true, true, false, false]
    const none = [false, false, false, false, false]
    expect(JSON.parse(output)).toEqual([all, all, all, all, none, true, true])
  })
})
