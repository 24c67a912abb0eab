import { afterAll, afterEach, expect } from '@jest/globals'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { StartedViewer, runViewer, withBuild } from './started-viewer.ts'

const folder = mkdtempSync(join(tmpdir(), 'viewer-files-'))
const viewers: StartedViewer[] = []
let folders = 0

afterEach(() => {
  for (const { child } of viewers.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a viewer in a new folder. */
function start(args: readonly string[], write: (cwd: string) => void): StartedViewer & { readonly cwd: string } {
  const cwd = join(folder, String(folders++))
  mkdirSync(cwd)
  write(cwd)
  const viewer = new StartedViewer(args, {}, cwd)
  viewers.push(viewer)
  return Object.assign(viewer, { cwd })
}

const line = (message: string, level = 30) =>
  `{"level":${level},"time":1700000000000,"pid":1,"hostname":"h","msg":"${message}"}\n`

withBuild('files are followed through a rotation, and a missing file is read when it exists', async () => {
  const viewer = start(['a.log', 'b.log', 'a.log'], (cwd) => writeFileSync(join(cwd, 'a.log'), line('one')))
  await viewer.untilRecords(1)
  await viewer.untilReported('sluice: b.log: ')
  renameSync(join(viewer.cwd, 'a.log'), join(viewer.cwd, 'a.log.1'))
  writeFileSync(join(viewer.cwd, 'a.log'), line('two'))
  writeFileSync(join(viewer.cwd, 'b.log'), 'Error: three\n    at f (/srv/b.js:1:2)\n')
  await viewer.untilRecords(3)
  appendFileSync(join(viewer.cwd, 'a.log'), line('four', 50))
  const records = await viewer.untilRecords(4)
  expect(records.map(({ level, message }) => `${level} ${message}`.trim()).toSorted()).toEqual([
    'Error: three',
    'error four',
    'info one',
    'info two',
  ])
})

withBuild('a compressed file is read, and a directory is reported', async () => {
  const viewer = start(['old.log.gz', 'logs/'], (cwd) => {
    mkdirSync(join(cwd, 'logs'))
    writeFileSync(join(cwd, 'old.log.gz'), gzipSync(line('one').repeat(3)))
  })
  await viewer.untilRecords(3)
  expect(viewer.stderr).toContain('sluice: logs/: a directory is not followed; write logs/*.log')
})

withBuild('the page is answered while a large file is read', async () => {
  const count = 100_000
  const viewer = start(['big.log'], (cwd) => {
    const fd = openSync(join(cwd, 'big.log'), 'w')
    const part = line('order 17 was placed by a customer of the shop').repeat(1_000)
    for (let index = 0; index < count / 1_000; index++) writeFileSync(fd, part)
  })
  const counts = new Set<number>()
  let found = 0
  while (found < count) counts.add((found = await viewer.count()))
  expect(found).toBe(count)
  // Without other turns, the first answer would come after the last record.
  expect(counts.size).toBeGreaterThan(5)
})

withBuild('a port that is in use is reported with what to do', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const run = await runViewer(['--port', String(port)])
  server.close()
  expect(run).toEqual({
    code: 2,
    stdout: '',
    stderr: `sluice: port ${port} is in use, perhaps by another viewer or a Collector; write --port 0 for a free port\n`,
  })
})

withBuild('an address of another machine is reported', async () => {
  const run = await runViewer(['--host', '192.0.2.1', '--token', 'a'.repeat(32)])
  expect(run).toEqual({ code: 2, stdout: '', stderr: 'sluice: --host 192.0.2.1 is not an address of this machine\n' })
})

withBuild('at the start, the address and how programs send to the viewer are printed', async () => {
  const viewer = start([], () => undefined)
  const url = await viewer.url()
  await viewer.untilReported(`sluice: programs send OTLP over HTTP to it: OTEL_EXPORTER_OTLP_ENDPOINT=${url}\n`)
  viewer.child.kill('SIGTERM')
  await expect(viewer.exitCode).resolves.toBe(143)
})
