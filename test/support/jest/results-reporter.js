import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Writes the titles and results of each test file to temp/test-results. docs/reference/reliability.md and the table of
 * SECURITY.md are generated from them.
 */
export default class ResultsReporter {
  constructor({ rootDir, testNamePattern }) {
    this.root = rootDir
    this.directory = join(rootDir, 'temp/test-results')
    // With a name pattern, the other tests of a file have no result.
    this.isWhole = testNamePattern === undefined || testNamePattern === ''
  }

  onTestResult({ path }, { testResults }) {
    if (!this.isWhole) return
    const name = relative(this.root, path).replaceAll('\\', '/')
    const tests = testResults.map(({ fullName, status }) => ({ title: fullName, status }))
    mkdirSync(this.directory, { recursive: true })
    writeFileSync(join(this.directory, `${name.replaceAll('/', '+')}.json`), JSON.stringify({ path: name, tests }))
  }
}
