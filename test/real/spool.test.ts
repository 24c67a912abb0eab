import { readFileSync } from 'node:fs'
import { afterEach, expect } from '@jest/globals'
import { hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { hasDecoder, startDecoder } from '../support/otlp/decoder.ts'
import { recordsOf, type OtlpRequest } from '../support/otlp/records.ts'
import { waitUntil } from '../support/wait-until.ts'
import { closeSpools, folder, numbers, segmentsIn, spoolLogger } from '../exporters/spool/spool-logger.ts'
import { valueCases } from './values.ts'

const testCollector = needs('the Collector (`npm run real-parts`)', hasCollector)
const testDecoder = needs('the OTLP decoder (`npm run real-parts`)', hasDecoder)
afterEach(closeSpools)

// Fault rows: 48
testCollector('a Collector that is killed and restarted receives every spooled record once, in order', async () => {
  const collector = await startCollector(folder())
  const { log, logAll, stats, deliveryStats } = spoolLogger({ url: `${collector.httpUrl}/v1/logs` })
  logAll(100)
  await log.flush()
  // A killed Collector loses records that are only in memory.
  await collector.atLeast(100)
  await collector.kill('SIGKILL')
  for (let round = 0; round < 5; round++) {
    logAll(100)
    await log.flush()
  }
  expect(stats()).toMatchObject({ spooled: 500, waiting: 500 })
  await collector.restart()
  await waitUntil(() => stats().waiting === 0, 20_000)
  logAll(100)
  await log.flush()
  expect(deliveryStats()).toMatchObject({ written: 700, maybeDuplicated: 0 })
  const records = await collector.atLeast(700)
  await collector.stop()
  const seqs = records.map(({ attributes }) => Number((attributes[0]!.value as { intValue: string }).intValue))
  expect(seqs).toEqual(numbers(700))
})

// Requirements: FIL1, JS1, JS2, JS3, JS4, JS5, JS6, JS7, JS8, JS9
testDecoder("protobuf's own parser reads each line of a spool file as a request with unchanged values", async () => {
  const { log, directory } = spoolLogger()
  for (const { title, value } of valueCases) log.info(title, { value })
  await log.flush()
  const lines = segmentsIn(directory).flatMap((path) => readFileSync(path, 'utf8').trimEnd().split('\n'))
  const decoder = startDecoder()
  const decoded = (await Promise.all(lines.map((line) => decoder.decode('json', line)))).flat()
  await decoder.stop()
  expect(decoded.map(({ body }) => body)).toEqual(valueCases.map(({ title }) => ({ stringValue: title })))
  const ours = lines.flatMap((line) => recordsOf(JSON.parse(line) as OtlpRequest))
  expect(decoded).toEqual(ours)
})
