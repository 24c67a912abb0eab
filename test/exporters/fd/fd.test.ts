import { closeSync, openSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { fdExporter, type FdExporterOptions } from '../../../src/exporters/fd/fd-exporter.ts'
import { lineEncoding, type LineExporterOptions } from '../../../src/exporters/line-exporter-options.ts'
import { plainDevice } from '../../../src/platform/node/terminal.ts'
import { batchOf } from '../../support/pipeline/batch.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

test('fdExporter writes to the descriptor and leaves it open at shutdown', async () => {
  const fd = openSync(directory.path('out'), 'a')
  const exporter = fdExporter({ fd })
  exporter.start!(recordingHost())
  expect(exporter.export(batchOf(['{"seq":1}\n']), undefined)).toEqual({ status: 'accepted' })
  await exporter.shutdown!()
  expect(readFileSync(directory.path('out'), 'utf8')).toBe('{"seq":1}\n')
  closeSync(fd)
})

test('two descriptors of one file have the same destination key', () => {
  const [a, b] = [openSync(directory.path('both'), 'a'), openSync(directory.path('both'), 'a')]
  expect(fdExporter({ fd: a }).destination!.key).toBe(fdExporter({ fd: b }).destination!.key)
  closeSync(a)
  closeSync(b)
})

test.each([
  [{}, undefined],
  [{ write: 'sync' }, 'sync'],
  [{ write: 'microtask' }, 'microtask'],
  [{ scheduledDelayMillis: 50 }, { delayMillis: 50 }],
  [{ scheduledDelayMillis: 0 }, undefined],
  [{ write: 'turn' }, 'turn'],
] as [FdExporterOptions, unknown][])('the options %j set the schedule %j', (options, schedule) => {
  expect(fdExporter(options).schedule).toEqual(schedule)
})

test('fdExporter passes its delivery options to the pipeline', () => {
  const { delivery, destination } = fdExporter({ maxQueueBytes: 1_000, onFull: 'block', level: 'warn', write: 'sync' })
  expect(delivery).toEqual({ maxQueueBytes: 1_000, onFull: 'block', level: 'warn' })
  expect(destination!.options).toEqual({ maxQueueBytes: 1_000, onFull: 'block', write: 'sync' })
})

test('a descriptor that is not open is reported at the first batch', () => {
  const exporter = fdExporter({ fd: 987 })
  const host = recordingHost()
  exporter.start!(host)
  expect(exporter.export(batchOf(['{}\n']), undefined)).toMatchObject({ status: 'rejected', reason: 'io_error' })
  expect(host.diagnostics).toMatchObject([{ code: 'SLUICE_WRITE_FAILED', message: expect.stringContaining('EBADF') }])
})

function format(options: LineExporterOptions, terminal: boolean, environment: Record<string, string>): string {
  return lineEncoding(options, terminal ? plainDevice() : undefined, environment).key
}

describe('selection of the format', () => {
  const json = format({ format: 'json' }, false, {})
  const plain = format({ format: 'pretty' }, false, {})
  const colored = format({ format: 'pretty' }, true, {})

  test.each<[string, string, LineExporterOptions, boolean, Record<string, string>]>([
    ['JSON lines', json, {}, false, {}],
    ['pretty with color on a terminal', colored, {}, true, {}],
    ['JSON lines on a terminal in production', json, {}, true, { NODE_ENV: 'production' }],
    ['the value of SLUICE_FORMAT', json, {}, true, { SLUICE_FORMAT: 'json' }],
    [
      'the value of SLUICE_FORMAT, also in production',
      colored,
      {},
      true,
      { SLUICE_FORMAT: 'pretty', NODE_ENV: 'production' },
    ],
    ['pretty without color when the output is not a terminal', plain, {}, false, { SLUICE_FORMAT: 'pretty' }],
    ['the default when SLUICE_FORMAT is invalid', json, {}, false, { SLUICE_FORMAT: 'xml' }],
    ['the format option when SLUICE_FORMAT is set too', json, { format: 'json' }, true, { SLUICE_FORMAT: 'pretty' }],
    [
      'pretty without color with NO_COLOR, regardless of FORCE_COLOR',
      plain,
      {},
      true,
      { NO_COLOR: '1', FORCE_COLOR: '1' },
    ],
    ['pretty with color when NO_COLOR is empty', colored, {}, true, { NO_COLOR: '' }],
    [
      'pretty with color with FORCE_COLOR when the output is not a terminal',
      colored,
      { format: 'pretty' },
      false,
      { FORCE_COLOR: '1' },
    ],
    ['pretty without color with FORCE_COLOR=0', plain, {}, true, { FORCE_COLOR: '0' }],
  ])('the format is %s', (_rule, key, options, terminal, environment) => {
    expect(format(options, terminal, environment)).toBe(key)
  })
})

test('all invalid options of fdExporter are listed in one error', () => {
  const wrong = { fd: -1, write: 'later', sharedPipe: 'yes', path: 'x' } as unknown as FdExporterOptions
  expect(() => fdExporter(wrong)).toThrow(
    expect.objectContaining({
      code: 'SLUICE_CONFIG',
      problems: ['fd', 'write', 'sharedPipe', 'path'].map((name) =>
        expect.objectContaining({ path: `fdExporter.${name}` }),
      ),
    }),
  )
})
