import { afterAll, afterEach, expect, test } from '@jest/globals'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureLogs } from '../../src/create/capture-logs.ts'
import { fdExporter } from '../../src/exporters/fd/fd-exporter.ts'
import { fileExporter } from '../../src/exporters/file/file-exporter.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { otlpExporterIn } from '../../src/exporters/otlp/otlp-exporter.ts'
import { processExporter } from '../../src/exporters/process/process-exporter.ts'
import { retry } from '../../src/exporters/retry/retry.ts'
import { spool } from '../../src/exporters/spool/spool.ts'
import { fromLogRecordExporter } from '../../src/otel/sdk/foreign-exporter.ts'
import { checkExporter } from '../../src/testing/check-exporter.ts'
import type { ExporterSubject } from '../../src/testing/exporter-harness.ts'
import { fakeCollector, resetBeforeBody, type FakeCollector } from '../support/otlp/fake-collector.ts'
import { stallingPipe } from '../support/files/pipes.ts'

const folder = fs.mkdtempSync(join(tmpdir(), 'sluice-check-'))
let made = 0
const newPath = (): string => join(folder, String(made++))
const textOf = (path: string): string => (fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '')

const collectors: FakeCollector[] = []

afterAll(() => fs.rmSync(folder, { recursive: true }))

afterEach(async () => {
  await Promise.all(collectors.splice(0).map((collector) => collector.close()))
})

async function collector(): Promise<FakeCollector> {
  const one = await fakeCollector()
  collectors.push(one)
  return one
}

test.each<[string, () => ExporterSubject | Promise<ExporterSubject>]>([
  [
    'memoryExporter',
    () => {
      const exporter = memoryExporter()
      return { exporter, received: () => JSON.stringify(exporter.records) }
    },
  ],
  [
    'captureLogs().exporter()',
    () => {
      const logs = captureLogs()
      return { exporter: logs.exporter(), received: () => logs.records.map(({ line }) => line).join('\n') }
    },
  ],
  ...(['turn', 'microtask', 'sync'] as const).map((write): [string, () => ExporterSubject] => [
    `fdExporter, ${write}`,
    () => {
      const path = newPath()
      const fd = fs.openSync(path, 'a')
      return { exporter: fdExporter({ fd, write }), received: () => textOf(path), close: () => fs.closeSync(fd) }
    },
  ]),
  [
    'fdExporter with a pipe that is closed',
    () => {
      const pipe = stallingPipe(newPath())
      let read = ''
      let failed = false
      return {
        exporter: fdExporter({ fd: pipe.fd }),
        received: () => (failed ? read : (read += pipe.readAll())),
        fail() {
          read += pipe.readAll()
          pipe.closeReader()
          failed = true
        },
        close: () => pipe.close(),
      }
    },
  ],
  ...(['json', 'pretty', 'otlpJson'] as const).map((format): [string, () => ExporterSubject] => [
    `fileExporter, ${format}`,
    () => {
      const path = newPath()
      return { exporter: fileExporter({ path, format }), received: () => textOf(path) }
    },
  ]),
  [
    'fileExporter with fsync',
    () => {
      const path = newPath()
      return { exporter: fileExporter({ path, fsync: 'batch' }), received: () => textOf(path) }
    },
  ],
  [
    'fileExporter with rotation',
    () => {
      const path = join(newPath(), 'a.log')
      // Rotation requires a size of at least 1 MB, so start with a file that is almost full.
      fs.mkdirSync(join(path, '..'))
      fs.writeFileSync(path, `${'x'.repeat(999_900)}\n`)
      const all = () =>
        fs.globSync(join(path, '..', '*')).toSorted((a, b) => fs.statSync(a).mtimeMs - fs.statSync(b).mtimeMs)
      return {
        exporter: fileExporter({ path, rotate: { size: 1_000_000 } }),
        received: () => all().map(textOf).join(''),
      }
    },
  ],
  [
    'processExporter',
    () => {
      const path = newPath()
      return { exporter: processExporter({ path }), received: () => textOf(path) }
    },
  ],
  ...(['http/json', 'http/protobuf'] as const).map((protocol): [string, () => Promise<ExporterSubject>] => [
    `otlpExporter, ${protocol}`,
    async () => {
      const { url, received, respondAlways } = await collector()
      const exporter = otlpExporterIn({}, { url, protocol, retry: { initialDelayMillis: 5 } })
      return {
        exporter,
        received: () => Buffer.concat(received.map(({ body }) => body)),
        fail: () => respondAlways(resetBeforeBody),
      }
    },
  ]),
  [
    'fromLogRecordExporter',
    () => {
      const bodies: unknown[] = []
      const exporter = fromLogRecordExporter({
        export(records, done) {
          bodies.push(...records.map(({ body, attributes }) => [body, attributes]))
          done({ code: 0 })
        },
        async shutdown() {},
      })
      return { exporter, received: () => JSON.stringify(bodies) }
    },
  ],
  [
    'spool',
    async () => {
      const { url, received, respondAlways } = await collector()
      const directory = newPath()
      const exporter = spool(otlpExporterIn({}, { url, protocol: 'http/json' }), { directory, maxBytes: 1 << 24 })
      // The spool delivers at least once, so a record in a spool file may have been received already.
      function arrived(): string {
        const sent = received.map(({ body }) => String(body)).join('')
        const kept = fs.globSync('*/*.jsonl', { cwd: directory }).map((path) => textOf(join(directory, path)))
        const lines = kept.join('').split('\n')
        return [sent, ...lines.filter((line) => !sent.includes(/record \d+ begins/.exec(line)?.[0] ?? 'none'))].join(
          '\n',
        )
      }
      return {
        exporter,
        received: arrived,
        fail: () => respondAlways(resetBeforeBody),
      }
    },
  ],
  [
    'retry',
    () => {
      const logs = captureLogs()
      return { exporter: retry(logs.exporter()), received: () => logs.records.map(({ line }) => line).join('\n') }
    },
  ],
])('%s fulfills the exporter contract', async (_, make) => {
  expect(await checkExporter(make)).toEqual([])
})
