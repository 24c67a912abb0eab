import { expect, test } from '@jest/globals'
import { validDroppedCount } from '../../src/otel/api/field-values.ts'
import { importOf, runChild } from '../support/processes/child.ts'
import { decodeRequest } from '../support/otlp/messages.ts'

const most = 2 ** 32 - 1

test.each<[unknown, number]>([
  [0, 0],
  [3, 3],
  [1.5, 1],
  [0.5, 0],
  [-1, 0],
  [-Infinity, 0],
  [Infinity, 0],
  [NaN, 0],
  [most, most],
  [2 ** 32, most],
  [1e300, most],
  ['3', 0],
  [3n, 0],
  [undefined, 0],
  [null, 0],
  [Symbol('3'), 0],
])('a dropped attributes count of %p is %p in OTLP', (given, count) => {
  expect(validDroppedCount(given)).toBe(count)
})

/** Counts as source text. They are encoded in a child process, because an invalid count could hang the encoder. */
const counts = ['Infinity', '1.5', '-1', 'NaN', '2 ** 40', '7n', '7']
const encodedCounts = [0, 1, 0, 0, most, 0, 7]

const keep =
  importOf('{ otlpEncoding }', 'src/encode/otlp/otlp-request.ts') +
  `const encoding = otlpEncoding('http/protobuf')
   const exporter = { name: 'kept', encoding, schedule: 'turn', delivery: {}, export(batch) {
     console.log(Buffer.concat(encoding.request(batch.bytes(), batch.sources())).toString('base64'))
     return { status: 'accepted' }
   } }
   const counts = [${counts.join(', ')}]
  `

/** Returns the dropped attributes counts of the records and scopes in the request that a program encodes. */
async function countsOf(program: string): Promise<{ records: number[]; scopes: number[] }> {
  const args = ['--max-old-space-size=64', '--input-type=module', '--eval', keep + program]
  const { stdout, stderr } = await runChild({ args })
  expect(stderr).toBe('')
  const { resourceLogs } = decodeRequest(Buffer.from(stdout, 'base64')) as unknown as Request
  const all = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs)
  return {
    records: all.flatMap(({ logRecords }) => logRecords).map(count),
    scopes: all.map(({ scope = {} }) => count(scope)),
  }
}

function count({ droppedAttributesCount = 0 }: Counted): number {
  return droppedAttributesCount
}

interface Counted {
  readonly droppedAttributesCount?: number
}
interface Request {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly { readonly scope?: Counted; readonly logRecords: readonly Counted[] }[]
  }[]
}

test('an invalid dropped attributes count in an SDK record or scope is corrected in the request', async () => {
  const { records, scopes } = await countsOf(
    importOf('{ PipelineLogRecordProcessor }', 'src/otel/sdk/processor.ts') +
      `const processor = new PipelineLogRecordProcessor({ exporter })
       const resource = { attributes: {} }
       counts.forEach((droppedAttributesCount, index) => processor.onEmit({
         hrTime: [1, 0], hrTimeObserved: [1, 0], body: 'x', attributes: {}, droppedAttributesCount, resource,
         instrumentationScope: { name: 'scope ' + index, droppedAttributesCount },
       }))
       await processor.shutdown()`,
  )
  expect([records, scopes]).toEqual([encodedCounts, encodedCounts])
})

test('an invalid dropped attributes count that a processor sets is corrected in the request', async () => {
  const { records } = await countsOf(
    importOf('{ createLoggerProvider }', 'src/otel/provider/provider.ts') +
      `const setter = { onEmit(record) { record.droppedAttributesCount = counts[record.body] },
         forceFlush: async () => {}, shutdown: async () => {} }
       const provider = createLoggerProvider({ exporter, processors: [setter] })
       const logger = provider.getLogger('a')
       counts.forEach((_, index) => logger.emit({ body: index }))
       await provider.shutdown()`,
  )
  expect(records).toEqual(encodedCounts)
})
