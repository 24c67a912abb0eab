import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'

/** Starts the built program in a Node that reports another version. */
function startWith(version: string): {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
} {
  const program = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./dist/cli.cjs')`
  return spawnSync(process.execPath, ['-e', program, '--', '--version'], { encoding: 'utf8' })
}

test.each(['18.20.8', '20.20.2', '22.14.0'])('the command line reports that Node %s is too old', (version) => {
  const { status, stdout, stderr } = startWith(version)
  expect(stderr).toMatch(/^sluice: Node 22\.15 or later is required; this is v[\d.]+\n$/)
  expect(stdout).toBe('')
  expect(status).toBe(2)
})

test.each(['22.15.0', '24.0.0'])('the command line starts with Node %s', (version) => {
  expect(startWith(version)).toMatchObject({ status: 0, stderr: '' })
})
