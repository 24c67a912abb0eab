import { createServer, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { importOfBuild, runModule, type ChildResult } from '../../support/processes/child.ts'
import { inParallel } from '../../support/processes/exits.ts'

const exitTimeoutMillis = 200
/** How long the new work takes, in ms: longer than an exporter alone may hold up the process. */
const workMillis = 700

let silent: Server
let slow: HttpServer
beforeAll(async () => {
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  slow = createHttpServer((_, response) => void setTimeout(() => response.end('answer'), workMillis)).listen(
    0,
    '127.0.0.1',
  )
  await Promise.all([once(silent, 'listening'), once(slow, 'listening')])
})
afterAll(() => {
  silent.close()
  slow.close()
})

function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port
}

/** What a program can start, as a function that calls `done` at the end of its work. */
const works: Readonly<Record<string, () => string>> = {
  'a timer': () => `setTimeout(done, ${workMillis})`,
  'an interval': () =>
    `let ticks = 0; const id = setInterval(() => ++ticks === 10 && (clearInterval(id), done()), ${workMillis / 10})`,
  'timers one after the other': () => `for (let i = 0; i < 10; i++) await sleep(${workMillis / 10}); done()`,
  'a server that gets a request later': () => `
    const server = http.createServer((_, response) => response.end('x', () => { server.close(); done() })).listen(0, '127.0.0.1', () => {
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => fetch("http://127.0.0.1:' + server.address().port + '"), ${workMillis})'])
      child.unref()
    })`,
  'fetch()': () => `done(await (await fetch('http://127.0.0.1:${portOf(slow)}')).text())`,
  'a request of node:http': () =>
    `http.get('http://127.0.0.1:${portOf(slow)}', (response) => response.resume().on('end', done))`,
  'a socket': () =>
    `const socket = connect(${portOf(silent)}, '127.0.0.1'); setTimeout(() => { socket.destroy(); done() }, ${workMillis}).unref()`,
  'a child process': () => `spawn(process.execPath, ['-e', 'setTimeout(() => {}, ${workMillis})']).on('exit', done)`,
  'a worker thread': () => `new Worker('setTimeout(() => {}, ${workMillis})', { eval: true }).on('exit', done)`,
  'a file operation': () =>
    `for (let i = 0; i < 4; i++) await sleep(${workMillis / 4}), await readFile(process.execPath); done()`,
  'a timer that it had unreferenced': () => `earlier = done; unreferenced.ref()`,
  'work in a thread pool': () => `pbkdf2('a', 'b', 1_000_000, 64, 'sha512', done)`,
}

const neverAnswers = 'export() {}'
const leavesSockets = () => `export(records, answer) { connect(${portOf(silent)}, '127.0.0.1') }`
const answers = 'export(records, answer) { setTimeout(() => answer({ code: 0 }), 20) }'

/** What resumes the program after its natural end. `resume` is called once. */
const resumptions: Readonly<Record<string, () => string>> = {
  'a diagnostic': () => `
    create({ ${neverAnswers} }, { onDiagnostic: once(resume), exitTimeoutMillis: ${exitTimeoutMillis} }); tooLong = true`,
  'a diagnostic, while the exporter has sockets': () => `
    create({ ${leavesSockets()} }, { onDiagnostic: once(resume) }); tooLong = true`,
  'an exporter that resolves a promise of the program': () => `
    const { promise, resolve } = Promise.withResolvers()
    create({ export(records, answer) { setTimeout(() => { answer({ code: 0 }); resolve() }, 20) } })
    void promise.then(resume)`,
  'an exporter that never answers and resolves a promise of the program': () => `
    const { promise, resolve } = Promise.withResolvers()
    create({ export(records, answer) { setTimeout(resolve, 20); connect(${portOf(silent)}, '127.0.0.1') } })
    void promise.then(resume)`,
  'an exporter that continues after its answer': () => `
    create({ export(records, answer) { setTimeout(() => answer({ code: 0 }), 20); setTimeout(resume, 60) } })`,
  'another beforeExit listener': () => `create({ ${answers} }); process.once('beforeExit', resume)`,
}

function program(work: string, resumption: string): string {
  return `
    import http from 'node:http'
    import { connect } from 'node:net'
    import { once as onceEvent } from 'node:events'
    import { spawn } from 'node:child_process'
    import { pbkdf2 } from 'node:crypto'
    import { readFile } from 'node:fs/promises'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { Worker } from 'node:worker_threads'
    import { LoggerProvider } from '@opentelemetry/sdk-logs'
    ${importOfBuild('{ PipelineLogRecordProcessor }', 'sluice/otel')}
    let tooLong = false
    let earlier = () => {}
    const unreferenced = setTimeout(() => earlier(), ${workMillis * 1.5}).unref()
    function once(call) { let called = false; return () => { if (!called) { called = true; call() } } }
    function done() { console.log('done'); process.exitCode = 3 }
    async function resume() { ${work} }
    function create(exporter, options) {
      const processor = new PipelineLogRecordProcessor({
        exporter: { forceFlush: async () => {}, shutdown: async () => {}, ...exporter },
        exitTimeoutMillis: ${exitTimeoutMillis}, maxQueueBytes: 1_000, exportTimeoutMillis: 50, onDiagnostic() {}, ...options,
      })
      new LoggerProvider({ processors: [processor] }).getLogger('a').emit({ body: 'one' })
    }
    ${resumption}`
}

const cases = Object.keys(resumptions).flatMap((by) => Object.keys(works).map((work) => [by, work] as const))

describe('a program that resumes after its natural end', () => {
  const ended = new Map<string, ChildResult>()
  // The processes mostly wait.
  beforeAll(async () => {
    await inParallel(
      4,
      cases.map(([by, work]) => async () => {
        ended.set(`${by}, ${work}`, await runModule(program(works[work]!(), resumptions[by]!())))
      }),
    )
  }, 300_000)

  test.each(cases)('a program that is resumed by %s completes %s before the process exits', (by, work) => {
    const { stdout, stderr, code } = ended.get(`${by}, ${work}`)!
    expect({ stdout, stderr, code }).toEqual({ stdout: 'done\n', stderr: '', code: 3 })
  })
})

describe('a process whose module never settles its top-level await', () => {
  const exporters: Readonly<Record<string, () => string>> = {
    'never answers': () => neverAnswers,
    'leaves timers': () => 'export() { setInterval(() => {}, 1_000) }',
    'leaves sockets': leavesSockets,
    'is waiting for a connection': () => `export() { connect(9, '198.51.100.1').on('error', () => {}) }`,
    answers: () => answers,
  }
  test.each(Object.keys(exporters))(
    'a process with an unsettled top-level await exits with 13 in time with an exporter that %s',
    async (name) => {
      const ended: ChildResult = await runModule(
        program('', `create({ ${exporters[name]!()} }); await new Promise(() => {})`),
      )
      expect(ended).toMatchObject({ code: 13, stderr: expect.stringContaining('unsettled top-level await') as unknown })
      expect(ended.elapsed).toBeLessThan(exitTimeoutMillis + 4_000)
    },
  )
})
