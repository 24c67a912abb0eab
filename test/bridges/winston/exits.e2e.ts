import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inParallel } from '../../support/exits.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../../support/pipes.ts'

const program = fileURLToPath(new URL('exit-program.ts', import.meta.url))
const records = 2_000
const lateMillis = 500

const fronts = ['own', 'transport', 'winston'] as const
const ways = ['end', 'exit', 'throw', 'SIGTERM', 'finish'] as const
const sinks = ['a pipe whose reader starts late', 'a file'] as const
const ends = {
  end: [0, null],
  exit: [3, null],
  throw: [1, null],
  SIGTERM: [null, 'SIGTERM'],
  finish: [0, null],
} as const

interface Death {
  readonly end: readonly [number | null, NodeJS.Signals | null]
  readonly output: string
  readonly stderr: string
}

let directory: TemporaryDirectory
const deaths = new Map<string, Death>()

beforeAll(async () => {
  directory = temporaryDirectory()
  const plans = fronts.flatMap((front) => ways.flatMap((way) => sinks.map((sink) => ({ front, way, sink }))))
  await inParallel(
    3,
    plans.map(({ front, way, sink }, index) => async () => {
      deaths.set(`${front} ${way} ${sink}`, await die(front, way, sink, directory.path(`sink-${index}`)))
    }),
  )
}, 120_000)
afterAll(() => directory.remove())

async function die(front: string, way: string, sink: string, path: string): Promise<Death> {
  const pipe = sink === 'a file' ? undefined : stallingPipe(path)
  const plan = { front, way, file: sink === 'a file' ? path : '', records }
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
    stdio: ['ignore', pipe?.fd ?? 'ignore', 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  let [output, stderr] = ['', '']
  child.stderr!.on('data', (text: Buffer) => (stderr += text.toString()))
  let polling: NodeJS.Timeout | undefined
  const late = setTimeout(() => (polling = setInterval(() => (output += pipe?.readAll() ?? ''), 2)), lateMillis)
  const end = await new Promise<Death['end']>((resolve) =>
    child.once('close', (code, signal) => resolve([code, signal])),
  )
  clearTimeout(late)
  clearInterval(polling)
  output += pipe?.readAll() ?? readFileSync(path, 'utf8')
  pipe?.close()
  return { end, output, stderr }
}

/** The numbers that the lines of either front say. */
function sequenceOf(output: string): number[] {
  return output
    .trimEnd()
    .split('\n')
    .map((text) => {
      const line = JSON.parse(text) as { seq?: number; attributes?: { seq: number } }
      return line.seq ?? line.attributes!.seq
    })
}

const titles = {
  own: 'createLogger of this package',
  transport: 'createLogger with sluiceTransport',
  winston: 'winston with sluiceTransport',
}

describe.each(fronts)('%s', (front) => {
  for (const sink of sinks) {
    test.each(ways)(`${titles[front]}, to ${sink}, and %s: every line is written once, in order`, (way) => {
      const { end, output, stderr } = deaths.get(`${front} ${way} ${sink}`)!
      expect({ end, stderr: stderr.includes('Error: mine') }).toEqual({ end: ends[way], stderr: way === 'throw' })
      expect(sequenceOf(output)).toEqual(Array.from({ length: records }, (_, seq) => seq))
    })
  }
})
