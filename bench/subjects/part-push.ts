import type { EncodedRecord } from '../../src/encode/encoding.ts'
import { fdExporter } from '../../src/exporters/fd/fd-exporter.ts'
import { BatchProcessor } from '../../src/pipeline/batch-processor.ts'
import type { PipelineHost } from '../../src/pipeline/host.ts'
import { RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { standardSeverities } from '../../src/record/severity.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { delay, endOfTurn, microtask, monotonic } from '../../src/platform/node/end-of-turn.ts'
import { loadBuild } from './part-build.ts'
import { partRecord, partRecords } from './part-record.ts'
import { sluice } from './sluice.ts'
import type { Log, Subject } from './subject.ts'
import { emptyScopeDetails } from '../../src/record/instrumentation-source.ts'

/** Only the queue and the write. The pipeline is that of the checkout, because a build does not export it. */
export const partPush: Subject = {
  title: 'the pipeline of sluice, which receives encoded records',
  whenFull: sluice.whenFull,
  open,
  read: sluice.read,
}

async function open(_setup: unknown, build: string): Promise<Log> {
  const texts = await encodedRecords(build)
  const exporter = fdExporter({ format: 'json', onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 })
  const problems: string[] = []
  const processor = new BatchProcessor(exporter, createHost(problems))
  const counters = new Counters()
  const owner = new RecordOwner(counters, emptySource)
  let next = 0
  const push = () => {
    processor.push(texts[next]!, standardSeverities.info, owner)
    next = next + 1 === texts.length ? 0 : next + 1
  }
  return {
    text: push,
    attributes: push,
    async flush() {
      const { ok, pending } = await processor.flush(60_000)
      if (!ok) throw new Error(`${pending} records were not flushed in a minute`)
      if (problems.length > 0) throw new Error(problems[0])
    },
    stats: () => ({ written: counters.written, lost: counters.droppedTotal }),
  }
}

/** An empty source, because the encoded lines contain scope and resource. */
const emptySource = {
  scope: { ...emptyScopeDetails, name: undefined, version: undefined },
  resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
}

/** Returns all different records, encoded by the build. */
async function encodedRecords(build: string): Promise<EncodedRecord[]> {
  const { createLogger, jsonLines } = await loadBuild(build)
  const texts: string[] = []
  const log = createLogger({
    exporter: {
      name: 'texts',
      encoding: jsonLines(),
      schedule: 'turn',
      delivery: {},
      export(batch) {
        texts.push(...batch.records().map(({ text }) => text))
        return { status: 'accepted' }
      },
    },
  })
  for (let i = 0; i < partRecords; i++) {
    const { message, attributes } = partRecord(i)
    log.info(message, attributes)
  }
  await log.shutdown()
  // Flat strings, because a slice retains the text of its whole batch.
  return JSON.parse(JSON.stringify(texts)) as EncodedRecord[]
}

/** Creates the host that `createLogger` passes to a pipeline. */
function createHost(problems: string[]): PipelineHost {
  return {
    reportDiagnostic: (code, message) => void problems.push(`${code}: ${message}`),
    monotonic,
    exitTimeoutMillis: 2_000,
    drainsAtExit: false,
    onFlush: undefined,
    hasNoExitEvent: false,
    textBuffers: byteBuffers(),
    binaryBuffers: byteBuffers('latin1'),
    endOfTurn,
    microtask,
    delay,
    attributeWorkTo: (_, call) => call(),
  }
}
