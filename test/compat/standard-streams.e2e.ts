import { describe, expect, test } from '@jest/globals'
import { importOf, runModule } from '../support/processes/child.ts'

/** Code that defines `log(message)` for each API that writes to `process.stdout`, passed as a stream or by default. */
const apis: Readonly<Record<string, string>> = {
  'pino(process.stdout)': `${importOf('{ pino }', 'src/entries/pino.ts')}
    const logger = pino(process.stdout)
    const log = (message) => logger.info(message)`,
  'pino(options, process.stdout)': `${importOf('{ pino }', 'src/entries/pino.ts')}
    const logger = pino({ onDiagnostic }, process.stdout).child({ child: true })
    const log = (message) => logger.info(message)`,
  'pino.multistream([{ stream: process.stdout }])': `${importOf('{ pino }', 'src/entries/pino.ts')}
    const logger = pino({ onDiagnostic }, pino.multistream([{ stream: process.stdout }]))
    const log = (message) => logger.info(message)`,
  'bunyan by default': `${importOf('{ createLogger }', 'src/entries/bunyan.ts')}
    const logger = createLogger({ name: 'a', onDiagnostic })
    const log = (message) => logger.info(message)`,
  'bunyan with stream: process.stdout': `${importOf('{ createLogger }', 'src/entries/bunyan.ts')}
    const logger = createLogger({ name: 'a', onDiagnostic, stream: process.stdout })
    const log = (message) => logger.info(message)`,
  'bunyan with process.stdout in streams': `${importOf('{ createLogger }', 'src/entries/bunyan.ts')}
    const logger = createLogger({ name: 'a', onDiagnostic, streams: [{ stream: process.stdout }] })
    const log = (message) => logger.info(message)`,
  'bole by default': `${importOf('bole', 'src/entries/bole.ts')}
    bole.output({ level: 'info', onDiagnostic })
    const log = (message) => bole('a').info(message)`,
  'bole with stream: process.stdout': `${importOf('bole', 'src/entries/bole.ts')}
    bole.output({ level: 'info', onDiagnostic, stream: process.stdout })
    const log = (message) => bole('a').info(message)`,
  "winston's Console": `${importOf('{ createLogger, transports }', 'src/entries/winston.ts')}
    const logger = createLogger({ onDiagnostic, transports: [new transports.Console()] })
    const log = (message) => logger.info(message)`,
  "winston's Stream": `${importOf('{ createLogger, transports }', 'src/entries/winston.ts')}
    const logger = createLogger({ onDiagnostic, transports: [new transports.Stream({ stream: process.stdout })] })
    const log = (message) => logger.info(message)`,
  'captureConsole with stream: process.stdout': `${importOf('{ captureConsole }', 'src/entries/console.ts')}
    captureConsole({ onDiagnostic, stream: process.stdout })
    const log = (message) => console.log(JSON.stringify({ message }))`,
  'captureConsole with stream: process.stdout and patterns': `${importOf('{ captureConsole }', 'src/entries/console.ts')}
    captureConsole({ onDiagnostic, stream: process.stdout, redact: { patterns: ['jwt'] } })
    const log = (message) => console.log(JSON.stringify({ message }))`,
}
const names = Object.keys(apis)

/** Runs a program in which `log` writes through an API, and `diagnostics` has the codes of its diagnostics. */
async function run(api: string, program: string): Promise<{ readonly stdout: string; readonly report: unknown }> {
  const text = `const diagnostics = []
    const onDiagnostic = ({ code }) => diagnostics.push(code)
    ${apis[api]}
    const report = (value) => process.stderr.write(JSON.stringify(value))
    ${program}`
  const { stdout, stderr, code } = await runModule(text)
  expect(code).toBe(0)
  return { stdout, report: JSON.parse(stderr) }
}

/** Returns the messages of the lines of a text, in order. */
function messages(text: string): string[] {
  return text.split('\n').flatMap((line) => /"(?:msg|message)":"([^"]*)"/.exec(line)?.[1] ?? (line === '' ? [] : line))
}

/** Returns a program that replaces `process.stdout.write` before or after it calls `pino()`. */
function pinoProgram(isBefore: boolean): string {
  const create = 'const logger = pino()'
  return `${importOf('{ pino }', 'src/entries/pino.ts')}
    ${isBefore ? '' : create}
    const { write } = process.stdout
    process.stdout.write = (text) => write.call(process.stdout, 'captured ' + text)
    ${isBefore ? create : ''}
    logger.info('one')`
}

describe('replacing process.stdout.write', () => {
  test.each(names)(
    'a replaced process.stdout.write receives only the lines logged meanwhile, in the call, with %s',
    async (api) => {
      const { stdout, report } = await run(
        api,
        `log('before')
      const { write } = process.stdout
      const captured = []
      process.stdout.write = (text) => captured.push(String(text))
      log('during')
      report(captured)
      process.stdout.write = write
      log('after')`,
      )
      expect(messages((report as string[]).join(''))).toEqual(['during'])
      expect(messages(stdout)).toEqual(['before', 'after'])
    },
  )

  test.each(names)(
    'lines keep their order if a replaced process.stdout.write calls the original, with %s',
    async (api) => {
      const { stdout } = await run(
        api,
        `log('one')
      const { write } = process.stdout
      process.stdout.write = function (...args) { return write.apply(this, args) }
      log('two')
      log('three')
      report(0)`,
      )
      expect(messages(stdout)).toEqual(['one', 'two', 'three'])
    },
  )

  test.each(names)('a replaced process.stdout.write that logs is not called recursively, with %s', async (api) => {
    const { stdout, report } = await run(
      api,
      `let calls = 0
      process.stdout.write = () => { calls++; log('from write') }
      log('one')
      report(calls)`,
    )
    expect(report).toBe(1)
    expect(messages(stdout)).toEqual(['from write'])
  })

  const withDiagnostics = names.filter((name) => name !== 'pino(process.stdout)')
  test.each(withDiagnostics)(
    'a replaced process.stdout.write that throws or rejects is reported, and log calls do not throw, with %s',
    async (api) => {
      const { stdout, report } = await run(
        api,
        `const { write } = process.stdout
      process.stdout.write = () => { throw new Error('no') }
      log('one')
      process.stdout.write = async () => { throw new Error('no') }
      log('two')
      await new Promise((resolve) => setImmediate(resolve))
      process.stdout.write = write
      log('three')
      report([diagnostics.length, new Set(diagnostics).size])`,
      )
      // winston's transports and the captured console log a drop report.
      expect(messages(stdout).filter((message) => !message.endsWith('2 records were dropped'))).toEqual(['three'])
      expect(report).toEqual([1, 1]) // one line for each code and minute
    },
  )

  test('a replaced process.stdout.write receives redacted text from captureConsole', async () => {
    const { stdout, stderr } = await runModule(`${importOf('{ captureConsole }', 'src/entries/console.ts')}
      const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLW9mLXNvbWUtbGVuZ3Ro'
      const capture = captureConsole({ stream: process.stdout, redact: { patterns: ['jwt'] } })
      const { write } = process.stdout
      process.stdout.write = (text) => write.call(process.stdout, 'captured ' + text)
      console.log('a', token)
      console.error('b ' + token)
      process.stderr.write(JSON.stringify(capture.stats().exporters.map(({ written }) => written)))`)
    expect(stdout).toBe('captured a [REDACTED]\ncaptured b [REDACTED]\n')
    expect(stderr).toBe('[2]')
  })

  test('pino() without a stream uses a process.stdout.write that was replaced before, as pino does', async () => {
    const [before, after] = await Promise.all([runModule(pinoProgram(true)), runModule(pinoProgram(false))])
    expect(before.stdout).toMatch(/^captured \{.*"one"\}\n$/)
    expect(after.stdout).toMatch(/^\{.*"one"\}\n$/)
  })
})

test.each(names.filter((name) => /process.stdout|Stream/.test(name)))(
  'a worker thread that passes process.stdout writes to the stream that its parent reads, with %s',
  async (api) => {
    const inWorker = `const onDiagnostic = () => {}\n${apis[api]}\nlog('one')`
    const { stdout } = await runModule(`import { Worker } from 'node:worker_threads'
      const worker = new Worker(new URL('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(inWorker))}), { stdout: true })
      let text = ''
      worker.stdout.on('data', (part) => (text += part)).on('end', () => console.log('parent read ' + text))`)
    expect(stdout).toMatch(/^parent read \{.*"one".*\}\n+$/)
  },
)
