import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log, LogSetup, Subject } from './subject.ts'

const recordsPerRequest = 512

/** sluice from the log call to a request, which is not sent. */
export const sluiceOtlp: Subject = {
  title: 'sluice, requests of otlpExporter(), 512 records each',
  whenFull: 'creates a request immediately',
  open: (setup, build) => open(setup, build, false),
  read: () => {
    throw new Error('requests are not lines')
  },
}

/** The same with messages that the caller composes, instead of placeholders. */
export const sluiceOtlpComposed: Subject = {
  ...sluiceOtlp,
  title: 'sluice, the same requests with messages composed by the caller, without placeholders',
  open: (setup, build) => open(setup, build, true),
}

interface OtlpEncoding {
  readonly key: string
  request(bytes: Uint8Array, sources: readonly object[]): Uint8Array[]
}

async function open({ otlp }: LogSetup, build: string, isComposed: boolean): Promise<Log> {
  const load = async <T>(entry: string) => (await import(pathToFileURL(join(build, `${entry}.js`)).href)) as T
  const { createLogger } = await load<typeof import('../../src/entries/index.ts')>('index')
  const { otlpExporter } = await load<typeof import('../../src/entries/exporters.ts')>('exporters')
  const own = otlpExporter({ protocol: otlp!, url: 'http://127.0.0.1:9/v1/logs' })
  const encoding = own.encoding as OtlpEncoding
  let requests: Uint8Array[] = []
  const log = createLogger({
    name: 'bench',
    exporter: {
      name: 'requests',
      encoding,
      schedule: 'turn',
      delivery: { maxExportBatchSize: recordsPerRequest, maxQueueSize: 16_384 },
      ...(own.batchBytes !== undefined && { batchBytes: own.batchBytes }),
      export(batch) {
        requests.push(Buffer.concat(encoding.request(batch.bytes(), batch.sources())))
        return { status: 'accepted' }
      },
    },
  })
  return {
    text: (message) => log.info(message),
    attributes: (message, attributes) => log.info(message, attributes),
    formatted: isComposed
      ? (_, name, count) => log.info(`${name} imported ${count} rows`)
      : (format, name, count) => log.info(format, name, count),
    templated: isComposed
      ? (attributes) => log.info(`${attributes.name} imported ${attributes.count} rows`, attributes)
      : (attributes) => log.info('{name} imported {count} rows', attributes),
    flush: async () => void (await log.flush()),
    requests() {
      const created = requests
      requests = []
      return created
    },
  }
}
