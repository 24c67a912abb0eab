import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tableUnder } from './blocks.ts'

const program = fileURLToPath(new URL('comparison/program.ts', import.meta.url))
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const names = ['sluice', 'pino', 'winston', 'LogTape', 'tslog']

interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program in a pipe whose reader starts after 0.6 s. */
function outputOf(name: string, which: string): Promise<Output> {
  const reader = which === 'exit' || which === 'sigterm' ? '(sleep 0.6; cat)' : 'cat'
  const command = `"$0" --disable-warning=ExperimentalWarning "$1" ${name} ${which} | ${reader}`
  return new Promise((resolve, reject) => {
    const args = ['-c', command, process.execPath, program]
    execFile('bash', args, { maxBuffer: 8 * 1024 * 1024, timeout: 30_000 }, (error, stdout, stderr) => {
      if (error?.killed === true) reject(error)
      else resolve({ stdout, stderr })
    })
  })
}

/** Returns the table cell for an output. */
const cellOf: Record<string, (output: Output) => string> = {
  getter({ stdout, stderr }) {
    if (stderr.includes('thrown: no')) return 'throws to the caller'
    if (stdout.includes('[Threw: ')) return '`[Threw: …]`'
    return stdout.includes('"b":2') ? 'written without it' : 'line lost'
  },
  bigint: ({ stdout }) => (stdout.includes('"a":"1"') ? '`"1"`' : stdout.includes('"a":1') ? '`1`' : 'line lost'),
  collections: ({ stdout }) => (stdout.includes('{"k":1}') ? 'contents' : stdout.includes('"map":{}') ? '`{}`' : '–'),
  error({ stdout }) {
    if (stdout.includes('"reason":{}')) return '`{}`'
    return stdout.includes('declined') ? 'type, message, stack' : 'omitted'
  },
  level({ stdout }) {
    if (!stdout.includes('"mine"')) return 'attribute omitted'
    const { level } = JSON.parse(stdout) as { level: unknown }
    return level === 'mine' ? 'duplicate key' : 'both kept'
  },
  laterLevel({ stdout }) {
    if (!stdout.includes('debug of acme')) return 'no'
    return stdout.includes('debug of other') ? 'for all tenants' : 'yes'
  },
  recorder({ stdout }) {
    if (!stdout.includes('debug of failed') || stdout.includes('debug of succeeded')) return 'all or none'
    return stdout.includes('early') ? 'yes' : 'with later values'
  },
  exit: ({ stdout }) => (stdout.split('"seq"').length - 1 === 2_000 ? 'all' : 'some'),
  sigterm: ({ stdout }) => (stdout.split('"seq"').length - 1 === 2_000 ? 'all' : 'some'),
  storm({ stdout }) {
    const lines = stdout.trimEnd().split('\n')
    if (lines.length === 1_000) return 'no rate limit'
    if (lines.length === 2 && stdout.includes('999')) return 'one line and a count'
    return lines.length === 1 ? 'one line' : `${lines.length} lines`
  },
  baggage: ({ stdout }) => (stdout.includes('"tenant":"acme"') ? 'attribute' : '–'),
  channel({ stderr }) {
    if (!stderr.includes('received: ')) return '–'
    return stderr.includes('hunter2') ? 'unredacted call' : 'redacted record'
  },
}
const cases = Object.keys(cellOf)

describe('the comparison in the README', () => {
  const rows = tableUnder('Comparison', readme)
  const outputs = new Map<string, Output>()

  beforeAll(async () => {
    for (const which of cases) {
      for (const name of names) outputs.set(`${which} ${name}`, await outputOf(name, which))
    }
  }, 120_000)
  afterAll(() => outputs.clear())

  test('the table has a row for each case', () => {
    expect(rows).toHaveLength(cases.length)
  })

  test.each(cases.map((which, index) => [which, index] as const))(
    'the row "%s" matches the output of the loggers',
    (which, index) => {
      const seen = names.map((name) => cellOf[which]!(outputs.get(`${which} ${name}`)!))
      expect(rows[index]!.slice(1)).toEqual(seen)
    },
  )
})
