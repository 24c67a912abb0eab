import { afterEach, expect } from '@jest/globals'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startInTerminal } from '../../support/processes/terminal.ts'
import { runViewer, StartedViewer, withBuild } from './started-viewer.ts'

const program = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url))
const viewers: StartedViewer[] = []

/** Starts a viewer with a program, which is the code of a script. */
function start(script: string, env: NodeJS.ProcessEnv = {}): StartedViewer {
  const viewer = new StartedViewer(['--', process.execPath, '--eval', script], env)
  viewers.push(viewer)
  return viewer
}

afterEach(() => {
  for (const { child } of viewers.splice(0)) child.kill('SIGKILL')
})

withBuild.each([
  ['process.exitCode = 7', 7],
  ['process.kill(process.pid, "SIGKILL")', 137],
  ['process.kill(process.pid, "SIGTERM")', 143],
  ['process.stdin.on("data", (text) => process.exit(Number(text)))', 42],
])('the exit code is that of the program: %s', async (script, code) => {
  const viewer = start(script)
  viewer.child.stdin.end('42')
  await expect(viewer.exitCode).resolves.toBe(code)
})

withBuild.each([
  ['/nowhere/no-such-program', 127, 'sluice: /nowhere/no-such-program: command not found'],
  [import.meta.dirname, 126, `sluice: ${import.meta.dirname}: spawn ${import.meta.dirname} EACCES`],
])('a program that cannot be started is reported with the exit code of shells: %s', async (file, code, message) => {
  const run = await runViewer(['--', file])
  expect(run.code).toBe(code)
  expect(run.stderr.trimEnd().split('\n').at(-1)).toBe(message)
})

withBuild('all bytes of the output reach a slow reader unchanged, also those before the exit', async () => {
  const viewer = start(`
    const bytes = Buffer.alloc(8_000_003, Buffer.from('\\0\\x1B[31m\\xFF\\x80\\r'.repeat(500) + '\\n', 'latin1'))
    process.stdout.write(bytes)
    process.stderr.write('\\u001B[31mred\\u001B[39m')
    process.exitCode = 3
  `)
  const hash = createHash('sha256')
  let length = 0
  viewer.child.stdout.on('readable', async () => {
    await delay(1)
    for (let part; (part = viewer.child.stdout.read(100_000) ?? viewer.child.stdout.read()) !== null;) {
      hash.update(part as Buffer)
      length += (part as Buffer).length
    }
  })
  await expect(viewer.exitCode).resolves.toBe(3)
  const expected = Buffer.alloc(8_000_003, Buffer.from('\0\x1B[31m\xFF\x80\r'.repeat(500) + '\n', 'latin1'))
  expect(length).toBe(expected.length)
  expect(hash.digest('hex')).toBe(createHash('sha256').update(expected).digest('hex'))
  expect(viewer.stderr.endsWith('\u001B[31mred\u001B[39m')).toBe(true)
})

withBuild('SIGTERM is passed on once, and the program can clean up', async () => {
  const viewer = start(`
    process.on('SIGTERM', () => { console.log('cleaning'); setTimeout(() => process.exit(5), 100) })
    setInterval(() => {}, 1000)
    console.log('ready')
  `)
  let stdout = ''
  viewer.child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part))
  await viewer.untilRecords(1)
  viewer.child.kill('SIGTERM')
  await expect(viewer.exitCode).resolves.toBe(5)
  expect(stdout).toBe('ready\ncleaning\n')
})

withBuild('a program that ignores signals is killed at the third one', async () => {
  const viewer = start(`
    process.on('SIGTERM', () => console.log('ignored'))
    setInterval(() => {}, 1000)
    console.log('ready')
  `)
  await viewer.untilRecords(1)
  viewer.child.kill('SIGTERM')
  await viewer.untilRecords(2)
  viewer.child.kill('SIGTERM')
  await viewer.untilRecords(3)
  viewer.child.kill('SIGTERM')
  await expect(viewer.exitCode).resolves.toBe(137)
})

withBuild('the viewer stays until it is interrupted if a page is open when the program ends', async () => {
  const viewer = start('process.stdin.resume().on("end", () => { console.log("last"); process.exitCode = 4 })')
  const close = await viewer.openPage()
  viewer.child.stdin.end()
  await viewer.untilReported('the program ended with the exit code 4; the viewer is open until Ctrl+C')
  expect((await viewer.records()).map(({ message }) => message)).toEqual(['last'])
  viewer.child.kill('SIGINT')
  await expect(viewer.exitCode).resolves.toBe(4)
  close()
})

withBuild('a signal that ends the program also ends the viewer, although a page is open', async () => {
  const viewer = start(
    'process.on("SIGTERM", () => process.exit(6)); setInterval(() => {}, 1000); console.log("ready")',
  )
  await viewer.untilRecords(1)
  const close = await viewer.openPage()
  viewer.child.kill('SIGTERM')
  await expect(viewer.exitCode).resolves.toBe(6)
  expect(viewer.stderr).not.toContain('until Ctrl+C')
  close()
})

withBuild('a process that the program leaves behind does not prevent the end by a signal', async () => {
  const viewer = new StartedViewer(['--', 'sh', '-c', 'sleep 30 & echo $!; exit 6'])
  viewers.push(viewer)
  const [record] = await viewer.untilRecords(1)
  const pid = Number(record!.message)
  viewer.child.kill('SIGTERM')
  // Its output stays open.
  await once(viewer.child, 'exit')
  expect(viewer.child.exitCode).toBe(6)
  process.kill(pid, 'SIGKILL')
})

withBuild('in a terminal, Ctrl+C reaches the program once, and its output has colors', async () => {
  const script = `
    let count = 0
    process.on('SIGINT', () => { count++; setTimeout(() => { console.log('interrupts', count); process.exit(9) }, 300) })
    setInterval(() => {}, 1000)
    console.log({ isReady: true })
  `
  const args = JSON.stringify(['sluice', 'ui', '--port', '0', '--', process.execPath, '--eval', script])
  const terminal = startInTerminal(
    `process.argv.push(...${args}); (await import('node:module')).createRequire('/')('${program}')`,
    { NO_COLOR: '' },
  )
  await terminal.untilShown('isReady')
  expect(terminal.output).toContain('{ isReady: \u001B[33mtrue\u001B[39m }')
  terminal.press('\u0003')
  await expect(terminal.exitCode).resolves.toBe(9)
  expect(terminal.output.trimEnd().endsWith('interrupts \u001B[33m1\u001B[39m')).toBe(true)
})

withBuild('the endpoint of the environment is not changed, and the viewer reports it', async () => {
  const script = 'console.log(process.env.OTEL_EXPORTER_OTLP_ENDPOINT, process.env.OTEL_EXPORTER_OTLP_LOGS_HEADERS)'
  const run = await runViewer(['--', process.execPath, '--eval', script], {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
    SLUICE_UI_TOKEN: 'x'.repeat(40),
  })
  expect(run.stdout).toBe('http://collector.example:4318 undefined\n')
  expect(run.stderr).toContain('the program sends its logs and traces to the endpoint of its environment')
})
