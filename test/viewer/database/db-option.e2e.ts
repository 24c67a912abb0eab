import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { runViewer, StartedViewer, withBuild } from '../inputs/started-viewer.ts'
import { inDirectory } from './support.ts'

withBuild('--db saves the output of a program, and shows it again', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'a.db')
    const log = join(directory, 'a.log')
    writeFileSync(log, 'a line of a file\n')
    const first = await runViewer([
      '--db',
      file,
      log,
      '--',
      process.execPath,
      '-e',
      'console.log("one"); console.error("two")',
    ])
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(`${file} has 0 records`)])
    const second = new StartedViewer(['--db', file])
    const records = await second.untilRecords(2)
    expect(new Set(records.map(({ level, message }) => `${level} ${message}`))).toEqual(
      new Set(['info one', 'error two']),
    )
    const third = await runViewer(['--db', file])
    expect([third.code, third.stderr]).toEqual([
      2,
      `sluice: --db: ${file} is open in another viewer or program; close it, or name another file\n`,
    ])
    second.child.kill('SIGTERM')
    await second.exitCode
  })
})
