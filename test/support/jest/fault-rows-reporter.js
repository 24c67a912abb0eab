import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Leaves in temp/fault-rows, for each test file that ran, what became of its tests that name a row of the fault matrix:
 * docs/reference/reliability.md is made of that.
 */
export default class FaultRowsReporter {
  constructor({ rootDir, testNamePattern }) {
    this.root = rootDir
    this.directory = join(rootDir, 'temp/fault-rows')
    // Of a file of which only some tests ran, the others have no result.
    this.isWhole = testNamePattern === undefined || testNamePattern === ''
  }

  onTestResult({ path }, { testResults }) {
    if (!this.isWhole) return
    const name = relative(this.root, path).replaceAll('\\', '/')
    const file = join(this.directory, `${name.replaceAll('/', '+')}.json`)
    const tests = testResults
      .map(({ fullName, status }) => ({ title: fullName, status }))
      .filter(({ title }) => /\brows? \d/.test(title))
    mkdirSync(this.directory, { recursive: true })
    if (tests.length === 0) rmSync(file, { force: true })
    else writeFileSync(file, JSON.stringify({ path: name, tests }))
  }
}
