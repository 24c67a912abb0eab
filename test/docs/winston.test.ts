import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { runSluice, runWinston, type Run } from '../compat/winston/peers.ts'
import { tableUnder } from './blocks.ts'

const page = readFileSync(new URL('../../docs/reference/winston.md', import.meta.url), 'utf8')
const code = (cell: string): string => cell.replaceAll('`', '')

/** Returns what a logger writes for a value: JSON, '' if it omits the value, or 'throws'. */
function writtenBy(run: Run, example: string): string {
  const make = runInThisContext(`() => { const v = ${example}; return v }`) as () => unknown
  try {
    const [line] = run(
      (formats) => ({ format: formats['json']!() }),
      (logger) => logger['info']!('message', { v: make() }),
    )
    const { v } = JSON.parse(String(line)) as { v?: unknown }
    return v === undefined ? '' : JSON.stringify(v)
  } catch {
    return 'throws'
  }
}

test.each(tableUnder('Values', page))(
  '%s is written by winston as %s, and by sluice/winston as %s',
  (value = '', winston = '', here = '') => {
    expect([runWinston, runSluice].map((run) => writtenBy(run, code(value)))).toEqual(
      [winston, here].map((cell) => code(cell)),
    )
  },
)
