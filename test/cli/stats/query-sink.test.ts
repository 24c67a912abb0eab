import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { runStats } from '../../../src/cli/stats/run-stats.ts'
import { compileQuery } from '../../../src/read/query/compile-query.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import { TimeLimit } from '../../../src/read/query/time-limit.ts'
import { line, LogFolder } from '../../read/sort/sorting.ts'
import { capturedIo } from '../support/command.ts'

describe('a query of sluice stats whose regular expressions have a time limit', () => {
  let folder: LogFolder
  beforeAll(() => {
    folder = new LogFolder()
  })
  afterAll(() => folder.remove())

  it('selects records and lines of text, and is tested for many of them at once', async () => {
    const lines = Array.from({ length: 900 }, (_, index) =>
      index % 3 === 0 ? `${'a'.repeat(20)}\n` : line(index, index % 3 === 1 ? 'a'.repeat(20) : 'b'),
    )
    const file = folder.write('app.log', lines.join(''))
    const slowQuery = compileQuery(parseQuery("message~'^(a+)+$'"))
    const io = capturedIo()
    const run = jest.spyOn(TimeLimit.prototype, 'run')
    try {
      await runStats({ files: [file], slowQuery, output: 'json' }, io)
      expect(run.mock.calls.length).toBeLessThanOrEqual(10)
    } finally {
      run.mockRestore()
    }
    expect(JSON.parse(io.output)).toMatchObject({ records: 300, textLines: 300, unmatched: 300 })
  })
})
